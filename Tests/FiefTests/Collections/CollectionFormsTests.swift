import RealmSwift
import Testing

private class Dog: Object {
  @Persisted var name = ""

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

private class Person: Object {
  @Persisted var dogs: List<Dog>
  @Persisted var kept: MutableSet<Dog>
  @Persisted var numbers: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int?>
}

/// Collections as strings, in encoded form, without their type, and as one property of their elements.
@Suite struct CollectionFormsTests {
  private func person() throws -> (Realm, Person) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    let person = Person()
    person.dogs.append(objectsIn: [Dog("Rex"), Dog("Max")])
    person.kept.insert(objectsIn: person.dogs)
    person.numbers.append(objectsIn: 0..<103)
    person.tags.insert("a")
    person.scores["x"] = 1
    person.scores["y"] = .some(nil)
    try realm.write { realm.add(person) }
    return (realm, person)
  }

  @Test func textsShowAHundredElements() throws {
    let (realm, person) = try person()
    #expect(person.numbers.description.contains("[99] 99"))
    #expect(!person.numbers.description.contains("[100]"))
    #expect(person.numbers.description.contains("3 objects skipped"))
    #expect(person.numbers.description.hasPrefix("List<int> <0x"))
    #expect(withoutAddresses(person.tags) == "MutableSet<string> (\n\t[0] a\n)")
    #expect(withoutAddresses(person.scores) == "Map<string, int> (\n[x]: 1,\n[y]: <null>\n)")
    #expect(withoutAddresses(List<Int>()) == "List<int> (\n\n)")
    #expect(realm.objects(Dog.self).description.contains("Dog"))
    let numbers = person.numbers
    try realm.write { realm.delete(person) }
    #expect(numbers.description == "[invalid List<int>]")
  }

  @Test func encodedFormsAreArraysAndObjects() throws {
    let (_, person) = try person()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(person.tags), as: UTF8.self) == "[\"a\"]")
    #expect(String(decoding: try encoder.encode(person.scores), as: UTF8.self) == "{\"x\":1,\"y\":null}")
    #expect(String(decoding: try encoder.encode(person.numbers.filter("SELF < 3")), as: UTF8.self) == "[0,1,2]")
    let list = try JSONDecoder().decode(List<Int>.self, from: Data("[3,1]".utf8))
    #expect(Array(list) == [3, 1])
    let set = try JSONDecoder().decode(MutableSet<Int>.self, from: Data("[3,1,3]".utf8))
    #expect(Array(set) == [3, 1])
    let map = try JSONDecoder().decode(Map<String, Int?>.self, from: Data("{\"a\":1,\"b\":null}".utf8))
    #expect(map["a"] == 1 && map["b"] == .some(nil))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(List<Int>.self, from: Data("null".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(List<Int>.self, from: Data("[null]".utf8)) }
  }

  @Test func anyCollectionDoesWhatItsBaseDoes() throws {
    let (realm, person) = try person()
    let all: [AnyRealmCollection<Dog>] = [
      AnyRealmCollection(person.dogs), AnyRealmCollection(person.kept), AnyRealmCollection(realm.objects(Dog.self)),
      AnyRealmCollection(AnyRealmCollection(person.dogs)),
    ]
    for dogs in all {
      #expect(dogs.count == 2)
      #expect(dogs.map(\.name) == ["Rex", "Max"])
      #expect(dogs[1].name == "Max")
      #expect(dogs.index(of: person.dogs[1]) == 1)
      #expect(dogs.realm == realm)
      #expect(dogs.freeze().isFrozen)
      #expect(dogs.freeze().thaw()?.isFrozen == false)
      #expect(dogs == dogs)
      #expect(dogs.filter("name == 'Rex'").count == 1)
    }
    #expect(all[0] != all[3])
    let counts = ([person.dogs, person.numbers, person.tags] as [any RealmCollection]).map { $0.count }
    #expect(counts == [2, 103, 1])
  }

  @Test func aProjectedCollectionShowsOneProperty() throws {
    let (realm, person) = try person()
    let names = person.dogs.projectTo.name
    #expect(Array(names) == ["Rex", "Max"])
    #expect(names.index(of: "Max") == 1)
    #expect(Array(person.kept.projectTo.name) == ["Rex", "Max"])
    let frozen = names.freeze()
    try realm.write { person.dogs[0].name = "Bo" }
    #expect(Array(names) == ["Bo", "Max"])
    #expect(Array(frozen) == ["Rex", "Max"])
    #expect(frozen.thaw().map(Array.init) == ["Bo", "Max"])
    #expect(names.realm == realm)
  }

  @Test func propertiesTakeAnySequenceByName() throws {
    let (realm, person) = try person()
    let other = Dog("Zoe")
    try realm.write {
      realm.add(other)
      person["numbers"] = [1, 2]
      person["dogs"] = realm.objects(Dog.self)
      person["tags"] = Set(["x"])
      person["scores"] = ["k": 7]
    }
    #expect(Array(person.numbers) == [1, 2])
    #expect(person.dogs.map(\.name) == ["Rex", "Max", "Zoe"])
    #expect(Array(person.tags) == ["x"])
    #expect(person.scores.keys == ["k"])
    try realm.write { person["numbers"] = nil }
    #expect(person.numbers.isEmpty)
    #expect(throws: Realm.Error.self) { try realm.write { person["numbers"] = ["x"] } }
    #expect(throws: Realm.Error.self) { try realm.write { person["dogs"] = "dog" } }
  }
}
