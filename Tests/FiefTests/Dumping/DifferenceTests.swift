import FiefTestSupport
import RealmSwift
import Testing

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var home: Home?
}

private class Home: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var rooms: List<Int>
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var next: Dog?
}

private func realm(_ fill: (Realm) -> Void = { _ in }) throws -> Realm {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Person.self, Home.self, Dog.self]))
  try realm.write { fill(realm) }
  return realm
}

private func fill(_ realm: Realm) {
  let dogs = ["Rex", "Max", "Rex"].enumerated().map { realm.create(Dog.self, value: ["name": $1, "age": $0]) }
  realm.create(
    Person.self,
    value: [
      "id": 1, "name": "Ann", "dogs": dogs, "home": ["city": "Rome", "rooms": [1, 2, 3]] as [String: Any],
    ] as [String: Any])
  realm.create(Person.self, value: ["id": 2, "name": "Bob"] as [String: Any])
}

/// The difference after a change of the second realm.
private func difference(_ change: (Realm) -> Void) throws -> String? {
  let (a, b) = (try realm(fill), try realm(fill))
  try #require(Realm.difference(a, b) == nil)
  try b.write { change(b) }
  return Realm.difference(a, b)
}

@Suite struct DifferenceTests {
  @Test func equalRealmsHaveNone() throws {
    let a = try realm(fill)
    #expect(Realm.difference(a, a) == nil)
    #expect(Realm.difference(a, try realm(fill)) == nil)
    #expect(Realm.difference(try realm(), try realm()) == nil)
  }

  @Test func aChangedPropertyIsNamedWithBothValues() throws {
    let text = try difference { $0.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Anna" }
    #expect(text == "  Person[1]\n-   name: \"Ann\"\n+   name: \"Anna\"")
  }

  @Test func aChangedElementStandsBelowItsProperty() throws {
    let text = try difference { $0.object(ofType: Person.self, forPrimaryKey: 1)?.home?.rooms.insert(7, at: 1) }
    #expect(text == "  Person[1]\n    home: Home\n      rooms: [\n+       7")
  }

  @Test func objectsOfOneRealmAloneAppearAsAWhole() throws {
    let text = try difference { realm in
      realm.delete(realm.objects(Person.self).where { $0.id == 2 })
      realm.create(Dog.self, value: ["name": "New"])
    }
    #expect(
      text == """
        + Dog#1 of b
        +   age: 0
        +   name: "New"
        +   next: nil
        - Person[2]
        -   id: 2
        -   dogs: []
        -   home: nil
        -   name: "Bob"
        """)
  }

  @Test func anObjectWithoutAKeyIsFoundAgainAfterAChange() throws {
    let text = try difference { realm in realm.objects(Dog.self).where { $0.age == 1 }.first?.name = "Moritz" }
    #expect(text == "  Dog#2\n-   name: \"Max\"\n+   name: \"Moritz\"")
  }

  @Test func objectsThatAreAlikeAreCounted() throws {
    func twins(_ count: Int) -> (Realm) -> Void {
      { realm in for _ in 0..<count { realm.create(Dog.self, value: ["name": "Twin"]) } }
    }
    #expect(Realm.difference(try realm(twins(3_000)), try realm(twins(3_000))) == nil)
    let text = Realm.difference(try realm(twins(3_000)), try realm(twins(2_999)))
    #expect(text?.split(separator: "\n").count == 4 && text?.hasPrefix("- Dog#") == true, "\(text ?? "")")
  }

  @Test func aDifferenceInALongChainDoesNotSpread() throws {
    func chain(_ last: String) -> (Realm) -> Void {
      { realm in
        var next = realm.create(Dog.self, value: ["name": last])
        for _ in 0..<5_000 { next = realm.create(Dog.self, value: ["name": "link", "next": next] as [String: Any]) }
      }
    }
    #expect(Realm.difference(try realm(chain("end")), try realm(chain("end"))) == nil)
    let text = Realm.difference(try realm(chain("end")), try realm(chain("other end")))
    #expect(text?.contains("-   name: \"end\"\n+   name: \"other end\"") == true, "\(text ?? "")")
    #expect(text?.split(separator: "\n").count == 3, "\(text ?? "")")
  }

  @Test func ringsOfAlikeObjectsAreEqual() throws {
    func ring(_ count: Int, _ start: Int) -> (Realm) -> Void {
      { realm in
        let dogs = (0..<count).map { _ in realm.create(Dog.self, value: ["name": "ring"]) }
        for (index, dog) in dogs.enumerated() { dog.next = dogs[(index + start) % count] }
      }
    }
    #expect(Realm.difference(try realm(ring(301, 1)), try realm(ring(301, 2))) == nil)
    #expect(try realm(ring(301, 1)).dump() == (try realm(ring(301, 2)).dump()))
  }

  @Test func schemasThatDifferAreShownWhereObjectsAre() throws {
    func dynamic(_ described: DynamicSchema.Class) throws -> Realm {
      var configuration = Realm.Configuration.inMemory()
      configuration.dynamicSchema = DynamicSchema([described])
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.dynamicCreate("Dog", value: ["id": 1]) }
      return realm
    }
    let plain = try dynamic(.init("Dog", [.init("id", .int)]))
    #expect(Realm.difference(plain, try dynamic(.init("Dog", [.init("id", .int)]))) == nil)
    let keyed = try dynamic(.init("Dog", primaryKey: "id", [.init("id", .int)]))
    #expect(Realm.difference(plain, keyed) == "- Dog#1\n+ Dog[1]")
    let wide = try dynamic(.init("Dog", [.init("id", .int), .init("name", .string)]))
    #expect(Realm.difference(plain, wide) == "  Dog#1\n+   name: \"\"")
    #expect(Realm.difference(plain, try realm())?.hasPrefix("- Dog#1 of a\n") == true)
  }

  @Test func aLimitCountsTheRest() throws {
    let a = try realm { realm in for id in 0..<50 { realm.create(Person.self, value: ["id": id]) } }
    let text = Realm.difference(a, try realm(), limit: 2)
    #expect(text?.hasSuffix("\n… and 48 more objects") == true && text?.contains("- Person[1]") == true)
    #expect(Realm.difference(a, try realm(), limit: 0) == "… and 50 more objects")
  }

  @Test func anObjectOfManyLinesIsShortened() throws {
    let a = try realm { realm in
      realm.create(Person.self, value: ["id": 1, "home": ["rooms": Array(0..<100)]] as [String: Any])
    }
    #expect(Realm.difference(a, try realm())?.hasSuffix("more lines") == true)
  }

  @Test func aNegativeLimitTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try realm()
      _ = Realm.difference(realm, realm, limit: -1)
    }
    expectSentence("Realms were compared with a limit of -1", of: result)
  }
}
