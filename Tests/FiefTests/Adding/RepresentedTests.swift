import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum Letter: String, PersistableEnum { case a, b }
private enum Level: Int8, PersistableEnum { case low = 1, high = 10 }
private enum Share: Double, PersistableEnum { case half = 0.5, whole = 1 }

private struct Email: CustomPersistable {
  var address: String
  init(address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private struct Marked: CustomPersistable {
  var kind: Letter
  init(kind: Letter) { self.kind = kind }
  init(persistedValue: Letter) { kind = persistedValue }
  var persistableValue: Letter { kind }
}

private struct Maybe: CustomPersistable {
  var text: String?
  init(text: String?) { self.text = text }
  init(persistedValue: String?) { text = persistedValue }
  var persistableValue: String? { text }
}

private struct Stamp<Stored> { var value: Stored }

private struct Ticket: CustomPersistable {
  var id: UUID
  init(id: UUID) { self.id = id }
  init(persistedValue: UUID) { id = persistedValue }
  var persistableValue: UUID { id }
}

private struct Place: CustomPersistable {
  var x: Int
  init(x: Int) { self.x = x }
  init(persistedValue: Spot) { x = persistedValue.x }
  var persistableValue: Spot { Spot(value: ["x": x]) }
}

private class Spot: EmbeddedObject {
  @Persisted var x = 0
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var nick: String?
  @Persisted var age: Int
  @Persisted var size: Int32?
  @Persisted var weight: Double
  @Persisted var price: Float
  @Persisted var fee: Decimal128
  @Persisted var chip: UUID?
  @Persisted var other: Level?
  @Persisted var spot: Spot?
  @Persisted var spots: List<Spot>
  @Persisted var extra: AnyRealmValue
  @Persisted var names: List<String>
  @Persisted var nicks: List<String?>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var extras: List<AnyRealmValue>
}

private class Key: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var level = 0
}

/// Enums and values of custom types where the type of their stored form is wanted.
@Suite struct RepresentedTests {
  private static let chip = UUID()

  private static var values: [String: Any] {
    [
      "name": Letter.b, "nick": Email(address: "n"), "age": Level.high, "size": Level.low, "weight": Share.half,
      "price": Share.whole, "fee": Level.high, "chip": Ticket(id: chip), "other": Level.low, "spot": Place(x: 3),
      "spots": [Place(x: 4), ["x": 5] as [String: Any]] as [Any],
      "extra": ["k": [Letter.b, Email(address: "e")] as [Any]],
      "names": [Letter.a, Letter.b], "nicks": [Letter.a, nil, Maybe(text: nil), Marked(kind: .b)] as [Any?],
      "tags": [Marked(kind: .a)], "scores": ["s": Level.high], "extras": [Level.low, [Share.half]] as [Any],
    ]
  }

  private static let expected = """
    Dog#1
      age: 10
      chip: \(chip)
      extra: [
        "k": [
          "b"
          "e"
        ]
      ]
      extras: [
        1
        [
          0.5
        ]
      ]
      fee: 10
      name: "b"
      names: [
        "a"
        "b"
      ]
      nick: "n"
      nicks: [
        "a"
        nil
        nil
        "b"
      ]
      other: 1
      price: 1.0
      scores: [
        "s": 10
      ]
      size: 1
      spot: Spot
        x: 3
      spots: [
        Spot
          x: 4
        Spot
          x: 5
      ]
      tags: {
        "a"
      }
      weight: 0.5

    """

  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Dog.self, Spot.self, Key.self]))
  }

  private func isExpected(_ realm: Realm, _ way: String) {
    #expect(realm.dump() == Self.expected, "\(way)")
    #expect(realm.graph.checkInvariants() == [], "\(way)")
  }

  @Test func theyAreStoredInTheirStoredForm() throws {
    let ways: [(String, (Realm) throws -> Void)] = [
      ("create", { $0.create(Dog.self, value: Self.values) }),
      ("create, validating", { try $0.create(Dog.self, validating: Self.values) }),
      ("dynamicCreate", { $0.dynamicCreate("Dog", value: Self.values) }),
      ("value", { $0.add(Dog(value: Self.values)) }), ("validating", { $0.add(try Dog(validating: Self.values)) }),
      (
        "subscripts",
        { realm in
          let dog = realm.create(Dog.self)
          for (name, value) in Self.values { dog[name] = value }
        }
      ),
      (
        "subscripts of an unmanaged object",
        { realm in
          let dog = Dog()
          for (name, value) in Self.values { dog[name] = value }
          realm.add(dog)
        }
      ),
      (
        "subscripts of a dynamic object",
        { realm in
          let dog = realm.dynamicCreate("Dog")
          for (name, value) in Self.values { dog[name] = value }
        }
      ),
    ]
    for (name, way) in ways {
      let realm = try realm()
      try realm.write { try way(realm) }
      isExpected(realm, name)
    }
  }

  /// The values of any-value collections are such: `for (name, value) in dictionary { dog[name] = value }`.
  @Test func anAnyValueStandsForItsContent() throws {
    let values: [String: Any] = [
      "name": AnyRealmValue.string("b"), "nick": AnyRealmValue.none, "age": AnyRealmValue.int(10),
      "other": AnyRealmValue.int(1), "weight": AnyRealmValue.int(2), "extra": AnyRealmValue.int(1),
      "names": AnyRealmValue.fromArray([.string("a"), .string("b")]),
      "nicks": [AnyRealmValue.none, .string("n")], "extras": AnyRealmValue.fromArray([.int(1)]),
      "scores": AnyRealmValue.fromDictionary(["s": .int(10)]),
    ]
    let ways: [(Realm) -> Void] = [
      { $0.create(Dog.self, value: values) }, { $0.add(Dog(value: values)) },
      { realm in
        let dog = realm.create(Dog.self)
        for (name, value) in values { dog[name] = value }
      },
      { realm in
        let dog = Dog()
        for (name, value) in values { dog[name] = value }
        realm.add(dog)
      },
    ]
    for way in ways {
      let realm = try realm()
      try realm.write { way(realm) }
      let dog = try #require(realm.objects(Dog.self).first)
      #expect(dog.name == "b" && dog.nick == nil && dog.age == 10 && dog.other == .low && dog.weight == 2)
      #expect(dog.extra == .int(1) && dog.names == ["a", "b"] && dog.nicks == [nil, "n"])
      #expect(dog.scores == ["s": 10] && dog.extras == [.int(1)])
    }
    #expect(throws: Realm.Error.self) { try Dog(validating: ["age": AnyRealmValue.double(1.5)]) }
    #expect(throws: Realm.Error.self) { try Dog(validating: ["names": AnyRealmValue.string("a")]) }
  }

  @Test func theyAreStoredInARealmWithoutClasses() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("dogs.realm")
      _ = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Dog.self, Spot.self, Key.self]))
      let realm = try Realm(fileURL: url, dynamic: true)
      try realm.write { realm.dynamicCreate("Dog", value: Self.values) }
      isExpected(realm, "dynamicCreate")
      try realm.write {
        realm.delete(realm.dynamicObjects("Dog"))
        let dog = realm.dynamicCreate("Dog")
        for (name, value) in Self.values where !name.hasPrefix("spot") { dog[name] = value }
        // Such a realm takes no objects of classes but by the names of their properties.
        dog["spot"] = ["x": 3]
        dog["spots"] = [["x": 4], ["x": 5]]
      }
      isExpected(realm, "subscripts")
    }
  }

  @Test func aMigrationStoresThem() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("dogs.realm")
      var configuration = Realm.Configuration(fileURL: url, objectTypes: [Dog.self, Spot.self, Key.self])
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(Dog.self) }
      }
      configuration.schemaVersion = 1
      configuration.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Dog") { _, new in
          for (name, value) in Self.values { new?[name] = value }
        }
      }
      isExpected(try Realm(configuration: configuration), "subscripts")
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, _ in
        migration.deleteData(forType: "Dog")
        migration.create("Dog", value: Self.values)
      }
      isExpected(try Realm(configuration: configuration), "create")
    }
  }

  @Test func theyArePrimaryKeysAndArguments() throws {
    let realm = try realm()
    try realm.write {
      realm.create(Key.self, value: ["name": Letter.b, "level": Level.low])
      realm.create(Key.self, value: ["name": Marked(kind: .b), "level": Level.high], update: .modified)
      realm.create(Dog.self, value: ["name": Letter.b, "extra": ["k": Letter.b], "extras": [Level.high]])
    }
    #expect(realm.object(ofType: Key.self, forPrimaryKey: Letter.b)?.level == 10)
    #expect(realm.dynamicObject(ofType: "Key", forPrimaryKey: Email(address: "b")) != nil)
    let dogs = realm.objects(Dog.self)
    #expect(dogs.filter("name == %@", Letter.b).count == 1 && dogs.filter("name == %@", Marked(kind: .b)).count == 1)
    #expect(dogs.filter("name IN %@", [Letter.a, Letter.b]).count == 1 && dogs.filter("name == %@", Letter.a).isEmpty)
    #expect(dogs.filter("ANY extras == %@", Level.high).count == 1)
    #expect(dogs.filter("extra['k'] == %@", Letter.b).count == 1)
    #expect(dogs.filter("nick == %@", Maybe(text: nil)).count == 1)
    #expect(dogs.filter(NSPredicate(format: "name == %@", argumentArray: [Letter.b])).count == 1)
  }

  @Test func theyAreSetThroughCollections() throws {
    let realm = try realm()
    let dogs = realm.objects(Dog.self)
    try realm.write {
      realm.create(Dog.self)
      dogs.setValue(Letter.b, forKey: "name")
      dogs.setValue([Letter.a], forKey: "names")
      dogs.setValue(Letter.b, forKey: "extra")
    }
    #expect(dogs[0].name == "b" && Array(dogs[0].names) == ["a"] && dogs[0].extra == .string("b"))
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let bad: [(String, Any)] = [
      ("age", Letter.b), ("age", Share.half), ("name", Level.low), ("name", Maybe(text: nil)), ("size", Letter.a),
      ("chip", Letter.a), ("spot", Letter.a), ("names", [Level.low]), ("scores", ["s": Letter.a]), ("other", Letter.a),
      ("extra", Stamp(value: 3)), ("name", Stamp(value: "x")),
    ]
    for (name, value) in bad {
      let realm = try realm()
      for way in [
        { realm.create(Dog.self, value: [name: value]) }, { realm.add(Dog(value: [name: value])) },
        { realm.dynamicCreate("Dog", value: [name: value]) }, { realm.create(Dog.self)[name] = value },
      ] as [() -> Any] {
        let error = #expect(throws: Realm.Error.self, "\(name)") { try realm.write { _ = way() } }
        #expect(error?.code == .invalidValue && "\(error as Any)".contains(name), "\(error as Any)")
      }
      #expect(realm.isEmpty, "\(name)")
    }
  }
}
