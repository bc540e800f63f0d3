import RealmSwift
import Testing

private class Grid: EmbeddedObject {
  @Persisted var x = 0.0
  @Persisted var name: String?
}

private struct Spot: CustomPersistable, Equatable {
  var x: Double
  var name: String?
  init(_ x: Double, _ name: String?) { (self.x, self.name) = (x, name) }
  init(persistedValue: Grid) { self.init(persistedValue.x, persistedValue.name) }
  var persistableValue: Grid {
    let grid = Grid()
    (grid.x, grid.name) = (x, name)
    return grid
  }
}

private class Chain: EmbeddedObject {
  @Persisted var numbers: List<Int>
}

private struct Numbers: CustomPersistable {
  init(persistedValue: Chain) {}
  var persistableValue: Chain { Chain() }
}

private enum Tint: String, PersistableEnum {
  case red, blue
}

private struct Code: CustomPersistable, Hashable {
  var text: String
  init(_ text: String) { self.text = text }
  init(persistedValue: String) { text = persistedValue }
  var persistableValue: String { text }
}

private class Stop: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var spot: Spot
  @Persisted var maybe: Spot?
  @Persisted var spots: List<Spot>
  @Persisted var named: Map<String, Spot>
  @Persisted var numbers: Numbers
  @Persisted var tints: List<Tint?>
  @Persisted var tintsByName: Map<String, Tint?>
  @Persisted var codes: List<Code?>
  @Persisted var codesByName: Map<String, Code?>
  @Persisted var hours: Map<String, Int?>
  @Persisted var count = 0
  @Persisted var link: Stop?
}

@Suite struct MappedValueTests {
  private static func stops() throws -> Results<Stop> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Stop.self, Grid.self, Chain.self]))
    try realm.write {
      for id in 0..<24 {
        let stop = Stop()
        stop.id = id
        stop.spot = Spot(Double(id % 3), id % 2 == 0 ? nil : "s")
        if id % 4 > 0 { stop.maybe = Spot(Double(id % 4), nil) }
        for number in 0..<(id % 3) {
          stop.spots.append(Spot(Double(number), "s"))
          stop.named["k\(number)"] = Spot(Double(id % 5), nil)
        }
        stop.tints.append(objectsIn: [.red, nil, .blue].prefix(id % 4))
        stop.tintsByName["t"] = id % 3 == 0 ? .some(nil) : .red
        stop.codes.append(objectsIn: [Code("a"), nil].prefix(id % 3))
        stop.codesByName["c"] = id % 3 == 0 ? .some(nil) : Code("b")
        stop.hours["h"] = id % 6
        stop.count = id % 5
        if id > 0 { stop.link = realm.object(ofType: Stop.self, forPrimaryKey: id / 2) }
        realm.add(stop)
      }
    }
    return realm.objects(Stop.self)
  }

  @Test func valuesMappedToEmbeddedObjectsAreComparedMemberByMember() throws {
    let all = try MappedValueTests.stops()
    for value in [Spot(1, "s"), Spot(0, nil), Spot(1, nil), Spot(2, "x")] {
      func ids(_ test: (Stop) -> Bool) -> [Int] { all.filter(test).map(\.id) }
      #expect(all.where { $0.spot == value }.map(\.id) == ids { $0.spot == value })
      #expect(all.where { $0.spot != value }.map(\.id) == ids { $0.spot != value })
      #expect(all.where { $0.maybe == value }.map(\.id) == ids { $0.maybe == value })
      #expect(all.where { $0.maybe != value }.map(\.id) == ids { $0.maybe != value })
      #expect(
        all.where { $0.spot.in([value, Spot(2, nil)]) }.map(\.id) == ids { [value, Spot(2, nil)].contains($0.spot) })
      #expect(all.where { $0.maybe.in([value, nil]) }.map(\.id) == ids { [value, nil].contains($0.maybe) })
      #expect(all.where { $0.spots.contains(value) }.map(\.id) == ids { $0.spots.contains { $0 == value } })
      #expect(
        all.where { $0.spots.containsAny(in: [value, Spot(0, "s")]) }.map(\.id)
          == ids { $0.spots.contains { [value, Spot(0, "s")].contains($0) } })
      #expect(all.where { $0.named.contains(value) }.map(\.id) == ids { $0.named.values.contains(value) })
      #expect(all.where { $0.link.spot == value }.map(\.id) == ids { $0.link?.spot == value })
    }
    #expect(all.where { $0.maybe == nil }.count == 6)
    // A link that is null reads as the default.
    let realm = try #require(all.realm)
    try realm.write { realm.create(Stop.self, value: ["id": 100, "spot": NSNull()] as [String: Any]) }
    #expect(all.where { $0.spot == Spot(0, nil) }.map(\.id).contains(100))
    #expect(!all.where { $0.spot == Spot(1, nil) }.map(\.id).contains(100))
  }

  @Test func aClassWithCollectionsInsideIsNoMatterOfComparing() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try MappedValueTests.stops().where { $0.numbers == Numbers(persistedValue: Chain()) }
    }
    let resultWords = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(resultWords.contains("'numbers' of 'Chain'"))
    #expect(throws: Realm.Error.self) { try MappedValueTests.stops().filter(parsing: "spot == %@", Spot(1, nil)) }
  }

  @Test func collectionsOfOptionalsAreSeenAsWhatIsStored() throws {
    let all = try MappedValueTests.stops()
    #expect(all.where { $0.tints.rawValue == "blue" }.map(\.id) == all.chosen { $0.tints.contains(.blue) }.map(\.id))
    #expect(all.where { $0.tints.rawValue == nil }.map(\.id) == all.chosen { $0.tints.contains(nil) }.map(\.id))
    #expect(all.where { $0.tintsByName.rawValue.contains("red") }.count == 16)
    #expect(
      all.where { $0.codes.persistableValue == "a" }.map(\.id) == all.chosen { $0.codes.contains(Code("a")) }.map(\.id))
    #expect(all.where { $0.codesByName.persistableValue.contains("b") }.count == 16)
    #expect(all.where { $0.count.persistableValue > 2 }.map(\.id) == all.chosen { $0.count > 2 }.map(\.id))
    #expect(
      all.where { $0.hours.persistableValue.contains(3) }.map(\.id) == all.chosen { $0.hours["h"] == 3 }.map(\.id))
  }

  @Test func mapsOfOptionalsAreAskedForRanges() throws {
    let all = try MappedValueTests.stops()
    #expect(
      all.where { $0.hours.contains(2..<4) }.map(\.id)
        == all.chosen { (2..<4).contains(($0.hours["h"] ?? 9) ?? 9) }.map(\.id))
    #expect(
      all.where { $0.hours.contains(2...4) }.map(\.id)
        == all.chosen { (2...4).contains(($0.hours["h"] ?? 9) ?? 9) }.map(\.id))
  }
}

extension Sequence {
  /// As `filter`, of which collections have a lazy form too.
  fileprivate func chosen(_ test: (Element) throws -> Bool) rethrows -> [Element] {
    var found: [Element] = []
    for element in self where try test(element) { found.append(element) }
    return found
  }
}
