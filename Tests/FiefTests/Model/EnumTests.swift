import FiefTestSupport
import RealmSwift
import Testing

private enum Colour: String, PersistableEnum { case red, green, blue }
private enum Level: Int, PersistableEnum { case low = 1, high = 10 }
private enum Tiny: Int8, PersistableEnum { case a = -3, b = 4 }
private enum Wide: Int64, PersistableEnum { case a = 5_000_000_000 }
private enum Real: Double, PersistableEnum { case half = 0.5, whole = 1 }
private enum Single: Float, PersistableEnum { case half = 0.5 }
private enum OldColour: String, PersistableEnum { case red, black }

private class Lamp: Object {
  @Persisted(primaryKey: true) var key: Colour
  @Persisted(indexed: true) var colour: Colour = .green
  @Persisted var level = Level.high
  @Persisted var spare: Colour?
  @Persisted var tiny: Tiny
  @Persisted var wide: Wide
  @Persisted var real: Real
  @Persisted var single: Single
  @Persisted var sequence: List<Colour>
  @Persisted var allowed: MutableSet<Level>
  @Persisted var rooms: Map<String, Colour>
  @Persisted var gaps: List<Level?>
}

private class Bulb: Object {
  @Persisted var colour: Colour
  @Persisted var spare: Colour?
}

private class OldBulb: Object {
  @Persisted var colour: OldColour
  @Persisted var spare: OldColour?
  override class func _realmObjectName() -> String? { "Bulb" }
}

@Suite struct EnumTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Lamp.self])) }

  @Test func theFirstCaseIsTheDefault() {
    #expect(Colour() == .red)
    #expect(Lamp().key == .red)
    #expect(Lamp().colour == .green)
    #expect(Lamp().spare == nil)
  }

  @Test func casesAreOrderedByTheirRawValues() {
    #expect(Level.low < .high)
    #expect(Colour.blue < .red)
    #expect(Colour.allCases.max() == .red)
  }

  @Test func everyRawTypeIsStoredAndReadBack() throws {
    let realm = try realm()
    let lamp = Lamp()
    lamp.key = .blue
    lamp.tiny = .b
    lamp.real = .whole
    try realm.write { realm.add(lamp) }
    #expect(lamp.key == .blue && lamp.colour == .green && lamp.level == .high && lamp.spare == nil)
    #expect(lamp.tiny == .b && lamp.wide == .a && lamp.real == .whole && lamp.single == .half)
    try realm.write {
      lamp.colour = .blue
      lamp.level = .low
      lamp.spare = .red
      lamp.tiny = .a
    }
    #expect(lamp.colour == .blue && lamp.level == .low && lamp.spare == .red && lamp.tiny == .a)
    try realm.write { lamp.spare = nil }
    #expect(lamp.spare == nil)
    #expect(realm.object(ofType: Lamp.self, forPrimaryKey: Colour.blue)?.level == .low)
    #expect(realm.object(ofType: Lamp.self, forPrimaryKey: "blue")?.level == .low)
    #expect(realm.object(ofType: Lamp.self, forPrimaryKey: Colour.red) == nil)
  }

  @Test func collectionsHoldCases() throws {
    let realm = try realm()
    let lamp = Lamp()
    lamp.sequence.append(.blue)
    try realm.write {
      realm.add(lamp)
      lamp.sequence.append(.red)
      lamp.allowed.insert(.low)
      lamp.allowed.insert(.low)
      lamp.rooms["hall"] = .green
      lamp.gaps.append(nil)
      lamp.gaps.append(.high)
    }
    #expect(Array(lamp.sequence) == [.blue, .red])
    #expect(Array(lamp.allowed) == [.low])
    #expect(lamp.rooms["hall"] == .green)
    #expect(Array(lamp.gaps) == [nil, .high])
  }

  @Test func rawValuesAndCasesAreTakenByName() throws {
    let lamp = Lamp()
    lamp["colour"] = "blue"
    lamp["level"] = 1
    lamp["spare"] = Colour.green
    #expect(lamp.colour == .blue && lamp.level == .low && lamp.spare == .green)
    #expect(lamp["colour"] as? String == "blue")
  }

  @Test func anUnknownRawValueIsStoredByNameAsCreateStoresIt() throws {
    let realm = try realm()
    let values: [String: Any] = ["key": "red", "spare": "black", "sequence": ["blue", "black"]]
    let created = try realm.write { realm.create(Lamp.self, value: values) }
    let set = try realm.write { realm.create(Lamp.self, value: ["key": "green"]) }
    try realm.write {
      set["spare"] = "black"
      set.setValue(["blue", "black"], forKey: "sequence")
    }
    #expect(created.spare == nil && set.spare == nil)
    let stored: [String] = realm.dynamicObjects("Lamp").compactMap { $0["spare"] as? String }
    #expect(stored == ["black", "black"])
    #expect(realm.objects(Lamp.self).filter("spare == 'black' AND ANY sequence == 'black'").count == 2)
    // A primary key never changes.
    #expect(throws: Realm.Error.self) { try realm.write { set["key"] = "black" } }
    // Both refuse a value that cannot be a raw value; an unmanaged object cannot hold either.
    #expect(throws: Realm.Error.self) { try realm.write { set["spare"] = 7 } }
    try realm.write {
      _ = #expect(throws: Realm.Error.self) { try realm.create(Lamp.self, validating: ["key": "blue", "spare": 7]) }
    }
    let free = Lamp()
    free["spare"] = "black"
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(free) } }
    #expect(throws: Realm.Error.self) { try Lamp(validating: ["spare": "black"]) }
  }

  @Test func anUnmanagedObjectRefusesARawValueWithoutACaseAsOne() {
    let bad: [(String, Any)] = [("colour", "black"), ("spare", "black"), ("level", 5), ("sequence", ["black"])]
    for (name, value) in bad {
      let error = #expect(throws: Realm.Error.self) { try Lamp(validating: [name: value]) }
      // It is of the type that the property is stored as, so that type is not what was missing.
      #expect(error?.localizedDescription.contains("no value of its type") == true, "\(error as Any)")
      #expect(error?.localizedDescription.contains("expected") == false, "\(error as Any)")
    }
    let error = #expect(throws: Realm.Error.self) { try Lamp(validating: ["colour": 5]) }
    #expect(error?.localizedDescription.contains("expected String") == true)
  }

  @Test func anUnknownRawValueReadsAsNilWhereTheTypeIsOptional() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Bulb.self, OldBulb.self]))
    try realm.write {
      let old = OldBulb()
      old.spare = .black
      realm.add(old)
    }
    let bulb = try #require(realm.objects(Bulb.self).first)
    #expect(bulb.spare == nil)
    #expect(bulb.colour == .red)
    let stored = realm.dynamicObjects("Bulb").first?["spare"] as? String
    #expect(stored == "black")
  }

  @Test func anUnknownRawValueTrapsWhereTheTypeIsRequired() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Bulb.self, OldBulb.self]))
      try realm.write {
        let old = OldBulb()
        old.colour = .black
        realm.add(old)
      }
      print(realm.objects(Bulb.self).first?.colour as Any)
    }
    expectSentence("Could not convert stored value black of 'Bulb.colour'", of: result)
  }
}
