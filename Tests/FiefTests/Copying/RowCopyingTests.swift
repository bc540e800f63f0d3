import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Town: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(indexed: true) var country: String?
  @Persisted var neighbours: List<Town>
  @Persisted var mayor: Citizen?
}

private class Citizen: Object {
  @Persisted var number = 0
  @Persisted var small: Int8 = 1
  @Persisted var flag: Bool?
  @Persisted var float: Float = 0
  @Persisted var double: Double?
  @Persisted var data: Data?
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var objectId: ObjectId?
  @Persisted var uuid: UUID?
  @Persisted var decimal: Decimal128?
  @Persisted(indexed: true) var text: String?
  @Persisted var any: AnyRealmValue
  @Persisted var numbers: List<Int>
  @Persisted var texts: MutableSet<String>
  @Persisted var dates: Map<String, Date?>
  @Persisted var home: Home?
  @Persisted var town: Town?
  @Persisted var friend: Citizen?
  @Persisted var friends: List<Citizen>
  @Persisted var club: MutableSet<Citizen>
}

private class Home: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var room: Room?
  @Persisted var host: Citizen?
}

private class Room: EmbeddedObject {
  @Persisted var size = 1
}

/// A second class over the table of `Town`.
private class Place: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(indexed: true) var country: String?
  @Persisted var neighbours: List<Town>
  @Persisted var mayor: Citizen?

  override class func _realmObjectName() -> String? { "Town" }
}

/// Two classes of one name: in a file of the first, the second finds a key of 0.
private class Docket: Object {
  @Persisted(primaryKey: true) var number: Int

  override class func _realmObjectName() -> String? { "Docket" }
}

private class HandedDocket: Object {
  @Persisted(primaryKey: .increasing) var number: Int

  override class func _realmObjectName() -> String? { "Docket" }
}

/// A copy from leaf to leaf equals the planner's. A copy with a filter always uses the planner, even with a filter that
/// allows everything.
@Suite struct RowCopyingTests {
  @Test func aKeyOfZeroIsReplacedWhereKeysAreHandedOut() throws {
    try TemporaryFolder.with { folder in
      let url = folder.appendingPathComponent("dockets.realm")
      do {
        let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [Docket.self]))
        try realm.write { _ = realm.create(Docket.self, value: ["number": 0]) }
      }
      let source = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [HandedDocket.self]))
      let docket = try #require(source.objects(HandedDocket.self).first)
      let target = try Realm(configuration: .inMemory(objectTypes: [HandedDocket.self]))
      let copies = try target.write { [target.create(HandedDocket.self, value: docket), target.copy(docket)] }
      #expect(docket.number == 0 && copies.map(\.number) == [1, 2])
    }
  }

  private let everything = CopyFilter.matching { _, _ in true }

  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Town.self, Citizen.self, Home.self, Room.self]))
  }

  /// A realm with the given number of citizens and towns, which are linked at random.
  private func country(
    _ random: inout SeededRandom, _ count: Int, hasCycles: Bool, isOdd: Bool
  ) throws -> (realm: Realm, citizens: [Citizen]) {
    let realm = try realm()
    let citizens = try realm.write {
      // Keys with gaps, some of them wide.
      let citizens = (0..<count * 3).map { realm.create(Citizen.self, value: ["number": $0]) }
      let towns = (0..<4).map { realm.create(Town.self, value: ["name": "town of a longer name \($0)"]) }
      let strangers = citizens.filter { _ in random.below(3) != 0 }
      realm.delete(strangers)
      let rest = citizens.filter { !$0.isInvalidated }
      for (index, citizen) in rest.enumerated() {
        let low = hasCycles ? 0 : index + 1
        fill(citizen, &random)
        if random.bool() {
          citizen.home = Home(value: ["street": random.string()])
          if random.bool() { citizen.home?.room = Room(value: ["size": random.below(9)]) }
          if low < rest.count, random.bool() { citizen.home?.host = rest[low + random.below(rest.count - low)] }
        }
        guard low < rest.count else { continue }
        func other() -> Citizen { rest[low + random.below(rest.count - low)] }
        if random.bool() { citizen.friend = other() }
        for _ in 0..<random.below(4) { citizen.friends.append(other()) }
        if random.bool() {
          citizen.town = towns[random.below(4)]
          if hasCycles { citizen.town?.mayor = other() }
        }
        if isOdd, random.below(6) == 0 { citizen.club.insert(other()) }
        if isOdd, random.below(6) == 0 { citizen.any = .object(other()) }
        if isOdd, random.below(6) == 0 { citizen.any = AnyRealmValue.fromArray([.int(1), .none]) }
      }
      return rest
    }
    return (realm, citizens)
  }

  private func fill(_ citizen: Citizen, _ random: inout SeededRandom) {
    citizen.small = Int8(random.below(100))
    citizen.number = random.bool() ? random.below(100) : Int.max - random.below(100)
    if random.bool() { citizen.flag = random.bool() }
    citizen.float = Float(random.below(100)) / 8
    if random.bool() { citizen.double = Double(random.below(100)) / 8 }
    if random.bool() { citizen.data = Data([UInt8(random.below(256))]) }
    citizen.date = Date(timeIntervalSince1970: Double(random.below(1000)))
    if random.bool() { citizen.objectId = ObjectId.generate() }
    if random.bool() { citizen.uuid = UUID() }
    if random.bool() { citizen.decimal = Decimal128(random.below(100)) }
    if random.bool() { citizen.text = random.string() }
    if random.bool() {
      citizen.any = [.int(3), .string("any"), .date(Date(timeIntervalSince1970: 9))][random.below(3)]
    }
    for _ in 0..<random.below(5) { citizen.numbers.append(random.below(1000)) }
    for _ in 0..<random.below(3) { citizen.texts.insert("text \(random.below(9))") }
    for _ in 0..<random.below(3) { citizen.dates["key \(random.below(9))"] = random.bool() ? Date.distantPast : nil }
  }

  @Test(arguments: Seeds.all) func copiesAreThoseOfThePlannerToTheLastKey(seed: Seed) throws {
    var random = seed.random
    let (source, citizens) = try country(&random, 1 + random.below(60), hasCycles: true, isOdd: random.below(3) == 0)
    let (fast, planned) = (try realm(), try realm())
    for _ in 0..<4 {
      guard let citizen = citizens.isEmpty ? nil : citizens[random.below(citizens.count)] else { return }
      let keys: Realm.CopyKeys = random.bool() ? .keep : .merge
      let frozen = random.bool() ? citizen.freeze() : citizen
      let errors = [(fast, .all), (planned, everything)].map { (realm: Realm, filter: CopyFilter) -> String? in
        do {
          try realm.write { _ = realm.copy(frozen, keys: keys, properties: filter) }
          return nil
        } catch {
          return "\(error)"
        }
      }
      #expect(errors[0] == errors[1])
      #expect(fast.graph == planned.graph)
      #expect(fast.graph.checkInvariants() == [] && source.graph.checkInvariants() == [])
    }
  }

  @Test(arguments: Seeds.all) func createAndCopyMakeEqualRows(seed: Seed) throws {
    var random = seed.random
    let (source, citizens) = try country(&random, 1 + random.below(8), hasCycles: false, isOdd: false)
    for citizen in citizens {
      let (fast, planned) = (try realm(), try realm())
      let made = try fast.write { fast.create(Citizen.self, value: citizen) }
      try planned.write { _ = planned.copy(citizen, properties: everything) }
      #expect(fast.graph == planned.graph && fast.graph.checkInvariants() == [])
      #expect(ObjectDocument(made) == ObjectDocument(citizen))
      // Copies that share the contents of their collections are still independent.
      let before = ObjectDocument(citizen)
      try fast.write {
        made.numbers.append(4)
        made.texts.insert("new")
        made.dates["new"] = Date.distantFuture
        made.friends.removeAll()
      }
      #expect(ObjectDocument(citizen) == before && made.numbers.last == 4)
    }
    #expect(source.graph.checkInvariants() == [])
  }

  @Test func aKeyThatIsTakenBelowIsRefused() throws {
    let (source, target) = (try realm(), try realm())
    let citizen = try source.write {
      source.create(Citizen.self, value: ["number": 1, "town": ["name": "Rome"]] as [String: Any])
    }
    try target.write { _ = target.create(Town.self, value: ["name": "Rome", "country": "Italy"]) }
    let before = target.graph
    let error = #expect(throws: Realm.Error.self) {
      try target.write { _ = target.create(Citizen.self, value: citizen) }
    }
    #expect(error?.code == .duplicatePrimaryKey && target.graph == before)
    try target.write { _ = target.copy(citizen, keys: .merge) }
    #expect(target.objects(Town.self).count == 1 && target.objects(Citizen.self).first?.town?.name == "Rome")
  }

  @Test func aCopyForWhichTheKeysDoNotSufficeChangesNothing() throws {
    let (source, target) = (try realm(), try realm())
    let citizen = try source.write {
      let friends = (0..<3).map { ["number": $0] }
      return source.create(Citizen.self, value: ["friends": friends, "any": [1, 2]] as [String: Any])
    }
    let table = try #require(target.graph.table(named: "Citizen")).schema.key
    try target.write {
      try target.apply(Delta(tables: [TableDelta(table: table, nextKey: 1 << 62 - 3)]))
      let before = target.graph
      let friends = (0..<3).map { ["number": $0] }
      for value in [citizen, ["friends": friends], Citizen(value: citizen)] as [Any] {
        let error = #expect(throws: Realm.Error.self) { try target.create(Citizen.self, validating: value) }
        #expect("\(error as Any)".contains("'Citizen' has given out all its keys"))
        #expect(target.graph == before && target.graph.checkInvariants() == [])
      }
    }
    // The last keys are given out.
    try target.write {
      try target.apply(Delta(tables: [TableDelta(table: table, nextKey: 1 << 62 - 4)]))
      _ = try target.create(Citizen.self, validating: citizen)
    }
    #expect(target.objects(Citizen.self).count == 4 && target.graph.checkInvariants() == [])
  }

  @Test func aRowThatReachesItselfIsRefusedByCreateAndCopiedByCopy() throws {
    let (source, target) = (try realm(), try realm())
    let citizen = try source.write {
      let citizen = source.create(Citizen.self, value: ["number": 1])
      citizen.home = Home(value: ["host": citizen])
      citizen.friends.append(objectsIn: [citizen, citizen])
      return citizen
    }
    let error = #expect(throws: Realm.Error.self) {
      try target.write { _ = target.create(Citizen.self, value: citizen) }
    }
    #expect(error?.code == .cycle && target.isEmpty)
    try target.write {
      let copy = target.copy(citizen)
      #expect(copy.home?.host?.number == 1 && copy.friends.count == 2)
    }
    #expect(target.objects(Citizen.self).count == 1 && target.graph.checkInvariants() == [])
  }

  @Test func twoClassesOverOneTableAreCopied() throws {
    let classes: [ObjectBase.Type] = [Town.self, Place.self, Citizen.self, Home.self, Room.self]
    let source = try Realm(configuration: .inMemory(objectTypes: classes))
    let place = try source.write { () -> Place in
      let place = source.create(Place.self, value: ["name": "Rome"])
      place.neighbours.append(source.create(Town.self, value: ["name": "Ostia"]))
      place.mayor = source.create(Citizen.self, value: ["number": 2])
      place.mayor?.town = source.object(ofType: Town.self, forPrimaryKey: "Rome")
      return place
    }
    let graphs = try [CopyFilter.all, everything].map { filter in
      let target = try Realm(configuration: .inMemory(objectTypes: classes))
      try target.write { _ = target.copy(place, properties: filter) }
      #expect(target.graph.checkInvariants() == [])
      return target.graph
    }
    #expect(graphs[0] == graphs[1])
  }
}
