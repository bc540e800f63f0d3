import Foundation
import RealmSwift
import Testing

private class Accented: Object, Codable {
  @Persisted var map: Map<String, Int>
  @Persisted var list: List<String>
  @Persisted var optionals: List<String?>
  @Persisted var set: MutableSet<String>
  @Persisted var texts: Map<String, String>
}

private class AccentedAny: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var links: Map<String, AccentedAny?>
  @Persisted var name = ""
}

/// Canonically equivalent strings are different strings, as in stores, wherever unmanaged data holds them.
@Suite struct StringBytesTests {
  /// One letter in two forms.
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"
  private var forms: [String] { [Self.composed, Self.decomposed] }

  private func bytes(_ texts: some Sequence<String>) -> Set<[UInt8]> { Set(texts.map { Array($0.utf8) }) }

  private func accented() -> Accented {
    let object = Accented()
    for (number, form) in forms.enumerated() {
      object.map[form] = number
      object.texts[form] = form
      object.list.append(form)
      object.optionals.append(form)
      object.set.insert(form)
    }
    return object
  }

  private func check(_ object: Accented) {
    #expect(object.map.count == 2 && object.map[Self.composed] == 0 && object.map[Self.decomposed] == 1)
    #expect(bytes(object.map.keys) == bytes(forms) && object.map.values.sorted() == [0, 1])
    #expect(bytes(object.map.map(\.key)) == bytes(forms))
    #expect(object.list.index(of: Self.composed) == 0 && object.list.index(of: Self.decomposed) == 1)
    #expect(object.optionals.index(of: Self.decomposed) == 1)
    #expect(object.set.count == 2)
    let position = object.set.index(of: Self.decomposed)
    #expect(position.map { Array(object.set[$0].utf8) } == Array(Self.decomposed.utf8))
    #expect(object.texts.count == 2 && object.texts[Self.composed]?.utf8.count == 2)
  }

  @Test func everyKeyAndElementIsKept() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Accented.self]))
    let object = accented()
    check(object)
    try realm.write { realm.add(object) }
    check(object)
    check(object.detached())
    check(Accented(value: object))
    check(try ObjectDocument(object).object(as: Accented.self))
    try realm.write {
      check(realm.create(Accented.self, value: object))
      check(realm.create(Accented.self, value: object.detached()))
    }
    let map = Map<String, Int>()
    map.merge(object.map) { $1 }
    map.removeObject(for: Self.composed)
    #expect(map.count == 1 && map[Self.decomposed] == 1 && map[Self.composed] == nil)
  }

  @Test func documentsInJSONKeepBothForms() throws {
    let json = try ObjectDocument(accented()).json()
    check(try ObjectDocument(json: json).object(as: Accented.self))
  }

  /// The encoders of Foundation hold one of the two keys.
  @Test func encodingAMapOfBothFormsIsRefusedRatherThanHalved() throws {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(accented()) }
    let map = Map<String, Int>()
    map[Self.decomposed] = 1
    let back = try JSONDecoder().decode(Map<String, Int>.self, from: JSONEncoder().encode(map))
    #expect(back[Self.decomposed] == 1 && back[Self.composed] == nil)
  }

  @Test func equalityOfUnmanagedCollectionsIsThatOfBytes() {
    let (a, b) = (Accented(), Accented())
    a.list.append(Self.composed)
    b.list.append(Self.decomposed)
    a.map[Self.composed] = 1
    b.map[Self.decomposed] = 1
    a.texts["x"] = Self.composed
    b.texts["x"] = Self.decomposed
    a.set.insert(Self.composed)
    b.set.insert(Self.decomposed)
    #expect(a.list != b.list && a.map != b.map && a.texts != b.texts && a.set != b.set)
    #expect(a.list.index(of: Self.decomposed) == nil && a.set.index(of: Self.decomposed) == nil)
    b.list[0] = Self.composed
    b.texts["x"] = Self.composed
    #expect(a.list == b.list && a.texts == b.texts)
    #expect(Array(a.texts) == Array(b.texts))
  }

  @Test func anyValuesCompareTheirStringsByBytes() throws {
    let (a, b) = (AnyRealmValue.string(Self.composed), AnyRealmValue.string(Self.decomposed))
    #expect(a != b && a == .string(Self.composed) && Set([a, b, a]).count == 2)
    #expect(AnyRealmValue.fromArray([a]) != .fromArray([b]))
    #expect(AnyRealmValue.fromDictionary([Self.composed: .int(1)]) != .fromDictionary([Self.decomposed: .int(1)]))
    let list = List<AnyRealmValue>()
    list.append(objectsIn: [a, b])
    #expect(list.index(of: b) == 1)
    let object = AccentedAny()
    let nest = Map<String, AnyRealmValue>()
    nest[Self.composed] = .int(0)
    nest[Self.decomposed] = .int(1)
    object.any = .dictionary(nest)
    object.links[Self.composed] = AccentedAny(value: ["name": "first"])
    object.links[Self.decomposed] = AccentedAny(value: ["name": "second"])
    let realm = try Realm(configuration: .inMemory(objectTypes: [AccentedAny.self]))
    func check(_ object: AccentedAny) {
      guard case .dictionary(let map) = object.any else {
        Issue.record("no dictionary")
        return
      }
      #expect(map.count == 2 && map[Self.decomposed] == .int(1) && map[Self.composed] == .int(0))
      #expect(object.links.count == 2 && object.links[Self.decomposed]??.name == "second")
    }
    check(object)
    try realm.write { realm.add(object) }
    check(object)
    check(object.detached())
    check(AccentedAny(value: object))
    #expect(realm.objects(AccentedAny.self).where { $0.any == .dictionary(nest) }.count == 1)
    let dynamic = try #require(AnyRealmValue.object(object.detached()).dynamicObject)
    let links: Map<String, DynamicObject?> = dynamic.dynamicMap("links")
    #expect(links.count == 2 && links[Self.composed]??.name as? String == "first")
    #expect(links[Self.decomposed]??.name as? String == "second")
  }

  @MainActor @Test func observersOfMapsHearOfBothKeys() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Accented.self]))
    let object = accented()
    try realm.write { realm.add(object) }
    var modified: [String] = []
    let token = object.map.observe { change in
      if case .update(_, _, _, let modifications) = change { modified = modifications }
    }
    realm.refresh()
    try realm.write { for form in forms { object.map[form] = 7 } }
    realm.refresh()
    #expect(modified.count == 2 && bytes(modified) == bytes(forms))
    token.invalidate()
  }

  @Test func sectionsAndDistinctValuesTellThemApart() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [AccentedAny.self]))
    try realm.write {
      for form in forms + forms { realm.create(AccentedAny.self, value: ["name": form]) }
    }
    let all = realm.objects(AccentedAny.self)
    #expect(bytes(all.sectioned(by: \.name).map(\.key)) == bytes(forms))
    #expect(all.sectioned(by: \.name).count == 2)
    #expect(all.grouped(by: \.name).count == 2)
    #expect((all.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String])?.count == 2)
  }
}
