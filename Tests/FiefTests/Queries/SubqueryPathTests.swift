import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var name = ""
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var toys: List<Toy>
}

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var toys: List<Toy>
}

/// In a subquery a path without a variable begins at the element, and `$SELF` is the object of the query.
@Suite struct SubqueryPathTests {
  private func people() throws -> Results<Person> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Toy.self, Dog.self, Person.self]))
    try realm.write {
      func dog(_ name: String, _ toys: String...) -> [String: Any] {
        ["name": name, "toys": toys.map { ["name": $0] }]
      }
      realm.create(
        Person.self, value: ["id": 1, "name": "Kim", "dogs": [dog("Kim", "ball"), dog("Rex")]] as [String: Any])
      realm.create(
        Person.self,
        value: ["id": 2, "name": "Lee", "dogs": [dog("Rex", "Rex", "Lee")], "toys": [["name": "x"]]] as [String: Any])
      realm.create(Person.self, value: ["id": 3, "name": "Ann"] as [String: Any])
    }
    return realm.objects(Person.self)
  }

  @Test(arguments: [
    ("SUBQUERY(dogs, $d, $d.name == name).@count > 0", [1, 2]),
    ("SUBQUERY(dogs, $d, name == 'Rex').@count > 0", [1, 2]),
    ("SUBQUERY(dogs, $d, SELF.name == 'Kim').@count > 0", [1]),
    ("SUBQUERY(dogs, $d, name == $SELF.name).@count > 0", [1]),
    ("SUBQUERY(dogs, $d, toys.@count == 0).@count > 0", [1]),
    ("SUBQUERY(dogs, $d, ANY toys.name == 'ball').@count > 0", [1]),
    ("SUBQUERY(dogs, $d, SUBQUERY(toys, $t, name == 'Rex').@count > 0).@count > 0", [2]),
    ("SUBQUERY(dogs, $d, SUBQUERY(toys, $t, name == $d.name).@count > 0).@count > 0", [2]),
    ("SUBQUERY(dogs, $d, SUBQUERY(toys, $t, name == $SELF.name).@count > 0).@count > 0", [2]),
    ("SUBQUERY(dogs, $d, SUBQUERY($SELF.toys, $t, name == 'x').@count > 0).@count > 0", [2]),
    ("SUBQUERY(dogs, $d, SUBQUERY(toys, $t, name == 'x').@count > 0 OR name == 'Kim').@count > 0 AND id > 0", [1]),
    ("SUBQUERY(dogs, $d, $d.name == 'Rex').@count > 0 AND name == 'Lee'", [2]),
  ])
  func aPathWithoutAVariableBeginsAtTheElement(format: String, expected: [Int]) throws {
    let all = try people()
    #expect(all.filter(format).map(\.id) == expected, "\(format)")
    let predicate = NSPredicate(format: format)
    #expect(all.filter { predicate.evaluate(with: $0) }.map(\.id) == expected, "\(format)")
    #expect(all.filter(predicate.description).map(\.id) == expected, "\(predicate.description)")
  }

  @Test func anUnknownNameIsOneOfTheElement() throws {
    let error = #expect(throws: Realm.Error.self) {
      try people().filter(parsing: "SUBQUERY(dogs, $d, dogs.@count > 0).@count > 0")
    }
    #expect(error?.localizedDescription.contains("no property 'dogs' in 'Dog'") == true, "\(error as Any)")
  }

  @Test func aTypedSubqueryReadsPropertiesOfTheObject() throws {
    let found = try people().where { person in (person.dogs.name == person.name).count > 0 }
    #expect(found.map(\.id) == [1])
    #expect(found.explain().contains("$SELF.name"))
  }

  @Test func aVariableOfTheNameIsThatVariable() throws {
    let all = try people()
    #expect(all.filter("SUBQUERY(dogs, $SELF, $SELF.name == 'Kim').@count > 0").map(\.id) == [1])
    // Outside a subquery it is a variable like any other.
    #expect(throws: Realm.Error.self) { try all.filter(parsing: "name == $SELF") }
  }
}
