import RealmSwift
import Testing

private class Pet: Object {
  @Persisted var name = ""
}

private class Tag: EmbeddedObject {
  @Persisted var text = ""
}

private class Person: Object {
  @Persisted var pet: Pet?
  @Persisted var pets: List<Pet>
  @Persisted var best: MutableSet<Pet>
  @Persisted var named: Map<String, Pet?>
  @Persisted var tag: Tag?
  @Persisted var extra: AnyRealmValue
  @Persisted var extras: List<AnyRealmValue>
}

/// Dynamic objects as elements of collections, as any-values, and as arguments of `add`.
@Suite struct DynamicLinkTests {
  private func realm() throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Pet.self, Person.self, Tag.self]))
    try realm.write {
      let rex = realm.create(Pet.self, value: ["name": "Rex"])
      realm.create(Person.self, value: ["pets": [rex], "tag": ["text": "t"]])
    }
    return realm
  }

  /// Every way in which a dynamic object is stored, but for values of `create`.
  private static let ways: [(String, @Sendable (Realm, Person, DynamicObject, DynamicObject) -> Void)] = [
    ("add", { realm, _, _, pet in realm.add(pet) }),
    ("append", { _, _, person, pet in person.dynamicList("pets").append(pet) }),
    ("append of several", { _, _, person, pet in person.dynamicList("pets").append(objectsIn: [pet]) }),
    ("insert", { _, _, person, pet in person.dynamicList("pets").insert(pet, at: 0) }),
    ("an element", { _, _, person, pet in person.dynamicList("pets")[0] = pet }),
    ("a set", { _, _, person, pet in person.dynamicMutableSet("best").insert(pet) }),
    (
      "a map",
      { _, _, person, pet in
        let named: Map<String, DynamicObject?> = person.dynamicMap("named")
        named["k"] = pet
      }
    ),
    ("a link", { _, _, person, pet in person["pet"] = pet }),
    ("a list", { _, _, person, pet in person["pets"] = [pet] }),
    ("an any-value", { _, _, person, pet in person["extra"] = pet }),
    ("a typed any-value", { _, person, _, pet in person.extra = .object(pet) }),
    ("an any-value in a list", { _, person, _, pet in person.extras.append(.object(pet)) }),
    ("a nested any-value", { _, person, _, pet in person.extra = .fromDictionary(["k": .fromArray([.object(pet)])]) }),
  ]

  @Test func aDynamicObjectOfTheRealmIsLinkedTo() throws {
    for (name, way) in Self.ways {
      let realm = try realm()
      let pet = try #require(realm.dynamicObjects("Pet").first)
      let person = try #require(realm.dynamicObjects("Person").first)
      try realm.write { way(realm, realm.objects(Person.self)[0], person, pet) }
      #expect(realm.objects(Pet.self).count == 1, "\(name)")
      #expect(realm.graph.checkInvariants() == [], "\(name)")
    }
    let realm = try realm()
    let person = realm.objects(Person.self)[0]
    try realm.write {
      person.extra = .fromArray([.object(try #require(realm.dynamicObjects("Pet").first))])
    }
    #expect(person.extra.listValue?[0].object(Pet.self)?.isSameObject(as: person.pets[0]) == true)
  }

  @Test func aDynamicObjectOfAnotherRealmIsRefusedInTheWordsOfTypedOnes() throws {
    let others = [
      try self.realm(), try Realm(configuration: .inMemory(objectTypes: [Pet.self, Person.self, Tag.self])),
    ]
    try others[1].write { others[1].create(Pet.self) }
    for (name, way) in Self.ways {
      let realm = try realm()
      let person = try #require(realm.dynamicObjects("Person").first)
      let frozen = try #require(realm.freeze().dynamicObjects("Pet").first)
      for pet in try others.map({ try #require($0.dynamicObjects("Pet").first) }) + [frozen] {
        let before = realm.graph
        let error = #expect(throws: Realm.Error.self, "\(name)") {
          try realm.write { way(realm, realm.objects(Person.self)[0], person, pet) }
        }
        #expect(error?.code == .objectManagedByAnotherRealm, "\(name): \(error as Any)")
        #expect("\(error as Any)".contains("already managed by another Realm"), "\(name)")
        #expect(realm.graph == before, "\(name)")
      }
    }
  }

  @Test func aDynamicObjectOfAnotherRealmIsRefusedWithoutClassesToo() throws {
    let other = try realm()
    let pet = try #require(other.dynamicObjects("Pet").first)
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = DynamicSchema([
      .init("Home", [.init("extra", .any), .init("homes", .object, .list, linkingTo: "Home")])
    ])
    let realm = try Realm(configuration: configuration)
    let ways: [(DynamicObject) -> Void] = [
      { $0["extra"] = pet }, { $0.dynamicList("homes").append(pet) }, { $0["extra"] = [pet] },
    ]
    for way in ways {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way(realm.dynamicCreate("Home")) } }
      #expect(error?.code == .objectManagedByAnotherRealm, "\(error as Any)")
    }
  }

  @Test func aDynamicObjectThatIsEmbeddedIsNoAnyValue() throws {
    let realm = try realm()
    let person = realm.objects(Person.self)[0]
    let tag = try #require(realm.dynamicObjects("Tag").first)
    for way in [{ person.extra = .object(tag) }, { person["extra"] = [tag] }, { person.extras.append(.object(tag)) }] {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
      #expect(error?.code == .invalidValue, "\(error as Any)")
    }
    #expect(realm.graph.checkInvariants() == [])
  }
}
