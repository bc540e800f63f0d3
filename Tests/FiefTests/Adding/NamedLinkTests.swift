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
}

/// Dynamic objects as values of unmanaged objects.
@Suite struct NamedLinkTests {
  private func realm() throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Pet.self, Person.self, Tag.self]))
    try realm.write {
      let rex = realm.create(Pet.self, value: ["name": "Rex"])
      realm.create(Person.self, value: ["pets": [rex], "named": ["k": rex]])
      realm.create(Person.self, value: ["tag": ["text": "t"]])
    }
    return realm
  }

  @Test func anUnmanagedObjectTakesDynamicObjectsByName() throws {
    let realm = try realm()
    let pet = try #require(realm.dynamicObjects("Pet").first)
    let person = Person()
    person.setValue(pet, forKey: "pet")
    person["pets"] = [pet, pet]
    person["best"] = [pet]
    person["named"] = ["k": pet]
    person["extra"] = pet
    try realm.write { realm.add(person) }
    #expect(realm.objects(Pet.self).count == 1 && person.pet?.name == "Rex" && person.pets.count == 2)
    #expect(person.best.count == 1 && (person.named["k"] ?? nil)?.name == "Rex")
    #expect(person.extra.object(Pet.self)?.name == "Rex")
    let made = Person(value: ["pet": pet, "pets": [pet], "named": ["k": pet]])
    try realm.write { realm.add(made) }
    #expect(realm.objects(Pet.self).count == 1 && made.pet?.name == "Rex" && made.pets.count == 1)
    #expect((made.named["k"] ?? nil)?.name == "Rex")
  }

  @Test func anUnmanagedObjectRefusesDynamicObjectsOfOtherClasses() throws {
    let realm = try realm()
    let person = Person()
    let tag: DynamicObject = try #require(realm.dynamicObjects("Tag").first)
    person.setValue(tag, forKey: "pet")
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(person) } }
    #expect("\(error as Any)".contains("'name'"), "\(error as Any)")
    #expect(person.pet == nil)
  }

  @Test func dynamicCollectionsAndObjectsAreTakenToo() throws {
    let realm = try realm()
    let given = try #require(realm.dynamicObjects("Person").first)
    let person = Person()
    person["pets"] = given["pets"]
    person["named"] = given["named"]
    let copy = Person(value: given)
    try realm.write { realm.add([person, copy]) }
    #expect(realm.objects(Pet.self).count == 1)
    for person in [person, copy] {
      #expect(person.pets.map(\.name) == ["Rex"] && (person.named["k"] ?? nil)?.name == "Rex")
    }
  }
}
