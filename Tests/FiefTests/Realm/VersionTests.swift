import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var words: List<String>
  @Persisted var friend: Dog?
}

private func made(_ id: Int) -> Dog {
  let dog = Dog()
  dog.id = id
  dog.name = "dog \(id)"
  return dog
}

/// Runs writes that make no version: empty ones, equal values, undone changes, and failing ones.
private func writeNothing(to realm: Realm) throws {
  let rex = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
  try realm.write {}
  try realm.write { rex.age = rex.age }
  try realm.write {
    rex.name = "another"
    rex.name = "dog 1"
    rex.words.append("a")
    rex.words.removeLast()
    rex.friend = rex
    rex.friend = nil
  }
  try realm.write {
    let words = Array(rex.words)
    rex.words.removeAll()
    rex.words.append(objectsIn: words)
  }
  realm.beginWrite()
  rex.age = 99
  realm.cancelWrite()
  #expect(throws: Realm.Error.self) { try realm.write { realm.add(made(1)) } }
}

@Suite struct VersionTests {
  @Test func aWriteThatChangesNothingMakesNoVersionInMemory() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    try realm.write { realm.add(made(1)) }
    try realm.write { realm.objects(Dog.self).first?.words.append(objectsIn: ["x", "y"]) }
    let version = realm.version
    try writeNothing(to: realm)
    #expect(realm.version == version)
    let rex = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 1))
    for change in [{ rex.age += 1 }, { rex.name += "." }, { rex.words.append("z") }, { rex.friend = rex }] {
      let version = realm.version
      try realm.write { change() }
      #expect(realm.version == version + 1)
    }
    try realm.write { realm.add(made(2)) }
    try realm.write { realm.delete(rex) }
    #expect(realm.version == version + 6)
    #expect(realm.objects(Dog.self).map(\.id) == [2])
  }

  @Test(arguments: [false, true]) func keysOfRowsThatNobodySeesMakeNoVersion(isFile: Bool) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
    let configuration =
      isFile ? Realm.Configuration(fileURL: url, objectTypes: [Dog.self]) : .inMemory(objectTypes: [Dog.self])
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(made(1)) }
    let version = realm.version
    let rolledBack = made(2)
    realm.beginWrite()
    realm.add(rolledBack)
    realm.cancelWrite()
    for _ in 0..<3 { try realm.write {} }
    #expect(realm.version == version)
    let brief = made(3)
    try realm.write {
      realm.add(brief)
      realm.delete(realm.objects(Dog.self).where { $0.id == 3 })
    }
    try realm.write {}
    #expect(realm.version == version)
    // Their keys are not reused.
    let next = made(4)
    try realm.write { realm.add(next) }
    #expect(realm.version == version + 1)
    #expect(rolledBack.isInvalidated && brief.isInvalidated && next.name == "dog 4")
  }

  @Test func theVersionOfAFileIsTheSameAfterClosingAndOpening() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
    let configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self])
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    func change(_ body: (Realm) throws -> Void) throws -> UInt64 {
      let realm = try Realm(configuration: configuration)
      try body(realm)
      return realm.version
    }
    let filled = try change { realm in
      try realm.write { realm.add(made(1)) }
      try realm.write { realm.add(made(2)) }
    }
    #expect(try change { _ in } == filled)
    #expect(try change(writeNothing) == filled)
    #expect(try change { _ in } == filled)
    #expect(try change { realm in try realm.write { realm.objects(Dog.self).first?.age += 1 } } == filled + 1)
    #expect(try change { _ in } == filled + 1)
  }

  @MainActor @Test func aWriteThatChangesNothingIsNotDelivered() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    let rex = made(1)
    try realm.write { realm.add(rex) }
    var calls = 0
    let token = rex.observe { _ in calls += 1 }
    realm.refresh()
    try writeNothing(to: realm)
    realm.refresh()
    try realm.write { rex.age += 1 }
    realm.refresh()
    #expect(calls == 1)
    token.invalidate()
  }
}

@Suite struct ChangingWhatIsGoneTests {
  private func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private func expectInvalidated(_ result: ExitTest.Result?) {
    #expect(message(result).contains("deleted or invalidated") && !message(result).contains("write transaction"))
  }

  @Test func changingADeletedObjectOutsideOfAWriteNamesTheDeletion() async {
    expectInvalidated(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try deleted().name = "x" })
    expectInvalidated(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try deleted()["name"] = "x" })
    expectInvalidated(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try deleted().friend = nil })
  }

  @Test func changingACollectionOfADeletedObjectOutsideOfAWriteNamesTheDeletion() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      let rex = made(1)
      try realm.write { realm.add(rex) }
      let words = rex.words
      try realm.write { realm.delete(rex) }
      words.append("x")
    }
    #expect(message(result).contains("invalidated") && !message(result).contains("write transaction"))
  }

  @Test func changingALivingObjectOutsideOfAWriteNamesTheWrite() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
      let rex = made(1)
      try realm.write { realm.add(rex) }
      rex.name = "x"
    }
    #expect(message(result).contains("outside of a write transaction"))
  }
}

private func deleted() throws -> Dog {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
  let rex = made(1)
  try realm.write { realm.add(rex) }
  try realm.write { realm.delete(rex) }
  return rex
}
