import FiefTestSupport
import RealmSwift
import Testing

private class Room: Object {
  @Persisted var house = ""
  @Persisted var floor = 0
  @Persisted var number: Int?
  @Persisted var note = ""

  override class func compoundIndexes() -> [CompoundIndex] {
    [CompoundIndex("house", "floor", "number", unique: true), CompoundIndex("note", "house")]
  }

  convenience init(_ house: String, _ floor: Int, _ number: Int?) {
    self.init()
    self.house = house
    self.floor = floor
    self.number = number
  }
}

private class Indexless: Object {
  @Persisted var house = ""
  @Persisted var floor = 0
  override class func _realmObjectName() -> String? { "Changing" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private class Indexed: Object {
  @Persisted(indexed: true) var house = ""
  @Persisted var floor = 0
  override class func _realmObjectName() -> String? { "Changing" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func compoundIndexes() -> [CompoundIndex] { [CompoundIndex("house", "floor")] }
}

private class Misindexed: Object {
  @Persisted var name = ""
  @Persisted var weight = 0.0
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func compoundIndexes() -> [CompoundIndex] {
    [CompoundIndex("name"), CompoundIndex("name", "weight"), CompoundIndex("name", "nothing")]
  }
}

@Suite struct CompoundIndexTests {
  @Test func itAnswersConditionsOnItsFirstProperties() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Room.self]))
    try realm.write {
      for number in 0..<400 { realm.add(Room("house \(number % 10)", number / 100, number)) }
    }
    let rooms = realm.objects(Room.self)
    let found = rooms.where { $0.house == "house 3" && $0.floor == 2 }
    #expect(found.count == 10)
    #expect(found.explain().contains("index on house, floor, number"))
    let range = rooms.where { $0.house == "house 3" && $0.floor == 2 && $0.number > 250 }
    #expect(range.map(\.number) == [253, 263, 273, 283, 293])
    #expect(range.explain().contains("index on house, floor, number"))
  }

  @Test func aUniqueOneRefusesASecondObjectThatIsAlikeInAllUnlessOneIsNull() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Room.self]))
    try realm.write { realm.add([Room("a", 1, 1), Room("a", 1, 2), Room("a", 1, nil), Room("a", 1, nil)]) }
    #expect(throws: (any Error).self) { try realm.write { realm.add(Room("a", 1, 2)) } }
    #expect(realm.objects(Room.self).count == 4)
    #expect(throws: (any Error).self) { try realm.write { realm.objects(Room.self)[0].number = 2 } }
    #expect(realm.objects(Room.self)[0].number == 1)
  }

  @Test func indexesComeAndGoWithTheDeclaration() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("rooms.realm")
    func plan(_ type: Object.Type) throws -> String {
      let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [type]))
      try realm.write {
        for floor in 0..<300 { _ = realm.dynamicCreate("Changing", value: ["house": "h\(floor)", "floor": floor]) }
      }
      return realm.dynamicObjects("Changing").filter("house == 'h7' AND floor == 7").explain()
    }
    #expect(try plan(Indexless.self).contains("scan"))
    #expect(try plan(Indexed.self).contains("index on house, floor"))
    #expect(try plan(Indexless.self).contains("scan"))
  }

  @Test func badOnesAreRefusedByName() {
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: .inMemory(objectTypes: [Misindexed.self]))
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("Compound index over 'name' of class 'Misindexed' must name two"))
    #expect(message.contains("names 'weight': a property of type double cannot be indexed"))
    #expect(message.contains("names 'nothing', which does not exist"))
  }
}
