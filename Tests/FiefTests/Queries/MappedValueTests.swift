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

  @Test func theValueUnderAKeyIsComparedMemberByMember() throws {
    let all = try MappedValueTests.stops()
    let others = List<Stop>()
    others.append(objectsIn: all.map { $0.detached() })
    for value in [Spot(1, nil), Spot(0, nil), Spot(4, "s")] {
      for key in ["k0", "k1", "none"] {
        let equal: [Int] = all.filter { $0.named[key] == value }.map(\.id)
        let different: [Int] = all.filter { $0.named[key] != value }.map(\.id)
        #expect(all.where { $0.named[key] == value }.map(\.id) == equal)
        #expect(all.where { $0.named[key] != value }.map(\.id) == different)
        #expect(all.where { !($0.named[key] == value) }.map(\.id) == different)
        #expect(all.where { $0.named[key].in([value, Spot(9, nil)]) }.map(\.id) == equal)
        #expect(all.filter("named[%K] == %@", key, value).map(\.id) == equal)
        #expect(others.index(matching: { $0.named[key] == value }) == equal.first)
        #expect(
          all.where { $0.link.named[key] == value }.map(\.id) == all.filter { $0.link?.named[key] == value }.map(\.id))
      }
    }
    #expect(all.filter("named['k0'].x == 1 AND named['k0'].name == nil").count == 3)
    #expect(all.filter("named['none'].x == nil").count == 24)
    #expect(throws: Realm.Error.self) { try all.filter(parsing: "named['k0'].y == 1") }
    #expect(throws: (any Error).self) { try all.filter(parsing: "TRUEPREDICATE SORT(named['k0'].x ASC)") }
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
    let error = #expect(throws: Realm.Error.self) {
      try MappedValueTests.stops().filter(parsing: "numbers == %@", Numbers(persistedValue: Chain()))
    }
    #expect(error.map { "\($0)".contains("'numbers' of 'Chain'") } ?? false)
  }

  @Test func formatsCompareMappedValuesMemberByMember() throws {
    let all = try MappedValueTests.stops()
    let realm = try #require(all.realm)
    try realm.write { realm.create(Stop.self, value: ["id": 100, "spot": NSNull()] as [String: Any]) }
    let free: [Stop] = all.map { $0.detached() }
    for value in [Spot(1, "s"), Spot(0, nil), Spot(1, nil), Spot(2, "x")] {
      let pairs: [(String, [Any], Results<Stop>)] = [
        ("spot == %@", [value], all.where { $0.spot == value }),
        ("%@ == spot", [value], all.where { $0.spot == value }),
        ("spot != %@", [value], all.where { $0.spot != value }),
        ("NOT spot == %@ AND id > 3", [value], all.where { !($0.spot == value) && $0.id > 3 }),
        ("maybe == %@", [value], all.where { $0.maybe == value }),
        ("maybe != %@", [value], all.where { $0.maybe != value }),
        ("spot IN %@", [[value, Spot(2, nil)]], all.where { $0.spot.in([value, Spot(2, nil)]) }),
        ("maybe IN %@", [[value, nil] as [Spot?]], all.where { $0.maybe.in([value, nil]) }),
        ("ANY spots == %@", [value], all.where { $0.spots.contains(value) }),
        ("spots == %@", [value], all.where { $0.spots.contains(value) }),
        ("%@ IN spots", [value], all.where { $0.spots.contains(value) }),
        ("NONE spots == %@", [value], all.where { !$0.spots.contains(value) }),
        ("ALL spots != %@", [value], all.where { !$0.spots.contains(value) }),
        ("ANY named.@allValues == %@", [value], all.where { $0.named.contains(value) }),
        ("link.spot == %@", [value], all.where { $0.link.spot == value }),
      ]
      for (format, arguments, expected) in pairs {
        let ids: [Int] = expected.map(\.id)
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(all.filter(predicate).map(\.id) == ids, "\(format)")
        #expect(all.chosen { predicate.evaluate(with: $0) }.map(\.id) == ids, "\(format)")
        #expect(
          all.chosen { NSCompoundPredicate(notPredicateWithSubpredicate: predicate).evaluate(with: $0) }.count
            == all.count - ids.count, "\(format)")
        // In the unmanaged copy a null link has become the default.
        if !ids.contains(100) {
          #expect(free.filter { predicate.evaluate(with: $0) }.map(\.id) == ids, "\(format)")
        }
      }
      #expect(all.filter("spot == %@", value).map(\.id) == all.where { $0.spot == value }.map(\.id))
      let open = NSPredicate(format: "spot == $spot").withSubstitutionVariables(["spot": value])
      #expect(all.filter(open).map(\.id) == all.where { $0.spot == value }.map(\.id))
      let linked: [Int] = all.filter("SUBQUERY(spots, $s, $s == %@).@count > 0", value).map(\.id)
      #expect(linked == all.where { $0.spots.contains(value) }.map(\.id))
      #expect(all[5].spots.filter("SELF == %@", value).count == all[5].spots.filter { $0 == value }.count)
    }
    for format in ["spot > %@", "spot BEGINSWITH %@", "count == %@", "nothing == %@", "ANY spot == %@", "link == %@"] {
      #expect(throws: Realm.Error.self) { _ = try all.filter(parsing: format, Spot(1, nil)) }
    }
    #expect(throws: Realm.Error.self) { _ = try all.filter(parsing: "spot IN %@", [Spot(1, nil), 3] as [Any]) }
  }

  @Test func aVariableMayBeTheCountOfASubquery() throws {
    let all = try MappedValueTests.stops()
    let expected: [Int] = all.filter("SUBQUERY(spots, $s, $s.x >= 0).@count > 1").map(\.id)
    for format in ["SUBQUERY(spots, $s, $s.x >= 0).@count > $n", "$n < SUBQUERY(spots, $s, $s.x >= 0).@count"] {
      let open = try FormatPredicate(parsing: format)
      #expect(open.predicateFormat.hasSuffix(".@count > $n"))
      #expect(open == NSPredicate(format: open.predicateFormat) && open != open.withSubstitutionVariables(["n": 1]))
      #expect(all.filter(open.withSubstitutionVariables(["n": 1])).map(\.id) == expected && !expected.isEmpty)
      #expect(all.chosen { open.evaluate(with: $0, substitutionVariables: ["n": 1]) }.map(\.id) == expected)
      let free: [Stop] = all.map { $0.detached() }
      #expect(free.filter { open.evaluate(with: $0, substitutionVariables: ["n": 1]) }.map(\.id) == expected)
    }
    #expect(all.filter("3 > SUBQUERY(spots, $s, $s.x >= 0).@count AND id < %@", 5).count == 5)
  }

  @Test func aVariableThatIsNoNumberIsNoCount() async {
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "SUBQUERY(spots, $s, $s.x >= 0).@count > $n").withSubstitutionVariables(["n": "many"])
    }
    let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try MappedValueTests.stops().filter(NSPredicate(format: "SUBQUERY(spots, $s, $s.x >= 0).@count > $n"))
    }
    for result in [wrong, missing] {
      let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(words.contains("'$n'"))
    }
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
  /// An eager `filter`, because collections also have a lazy one.
  fileprivate func chosen(_ test: (Element) throws -> Bool) rethrows -> [Element] {
    var found: [Element] = []
    for element in self where try test(element) { found.append(element) }
    return found
  }
}
