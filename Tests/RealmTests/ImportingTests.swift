import Realm
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""
}

private func deleteAll<Element: RealmFetchable>(_ type: Element.Type, in realm: Realm) throws
where Element: RLMObjectBase {
  try realm.write { realm.delete(realm.objects(type)) }
}

@Suite struct ImportingTests {
  @MainActor @Test func bothNamesAreImportedTogether() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "importing", objectTypes: [Dog.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Dog()) }
    var seen: Set<RLMObjectBase> = []
    seen.insert(try #require(realm.objects(Dog.self).first))
    let token: RLMNotificationToken? = realm.observe { _, _ in }
    try deleteAll(Dog.self, in: realm)
    #expect(realm.isEmpty && token != nil && seen.count == 1)
  }

  @Test func aFileLiesBesideTheDefaultOne() {
    let path = RLMRealmPathForFile("other.realm")
    #expect(path.hasSuffix("/other.realm"))
    #expect(RLMRealmPathForFile("default.realm") == Realm.Configuration.defaultFileURL.path)
  }

  @Test func errorsAreThoseOfTheRealm() {
    let missing = Realm.Configuration(fileURL: URL(fileURLWithPath: "/nowhere/at/all/a.realm"), readOnly: true)
    #expect(throws: RLMError.self) { try Realm(configuration: missing) }
  }
}
