import FiefTestSupport
import RealmSwift
import Testing

private enum Level: Int, PersistableEnum {
  case low = 1
  case mid = 5
  case high = 9
}

private struct Metres: CustomPersistable, Hashable, Comparable {
  var value: Double
  init(_ value: Double) { self.value = value }
  init(persistedValue: Double) { value = persistedValue }
  var persistableValue: Double { value }
  static func < (a: Metres, b: Metres) -> Bool { a.value < b.value }
}

private class Part: EmbeddedObject {
  @Persisted var code = ""
  @Persisted var amount = 0
}

private class Machine: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var level: Level
  @Persisted var levels: List<Level>
  @Persisted var height: Metres?
  @Persisted var heights: List<Metres>
  @Persisted var price: Decimal128
  @Persisted var built: Date
  @Persisted var serial: UUID
  @Persisted var photo: Data
  @Persisted var small: Int8
  @Persisted var ratio: Float?
  @Persisted var core: Part?
  @Persisted var parts: List<Part>
  @Persisted var dates: MutableSet<Date>
  @Persisted var nicks: List<String?>
  @Persisted var stock: Map<String, Int>
  @Persisted var notes: Map<String, String?>
  @Persisted var thing: AnyRealmValue
  @Persisted var things: List<AnyRealmValue>
  @Persisted var twin: Machine?
  @Persisted var twins: MutableSet<Machine>
  @Persisted(originProperty: "twin") var twinOf: LinkingObjects<Machine>
}

/// The operators of every kind of property, compared with a plain loop.
@Suite struct TypedQueryTests {
  private func machines(_ count: Int, _ random: inout SeededRandom) throws -> Results<Machine> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Machine.self, Part.self]))
    let texts = ["alpha", "Beta", "", "gamma"]
    var made: [Machine] = []
    try realm.write {
      for id in 0..<count {
        let machine = Machine()
        machine.id = id
        machine.level = [.low, .mid, .high][random.below(3)]
        for _ in 0..<random.below(3) { machine.levels.append([.low, .high][random.below(2)]) }
        machine.height = random.below(3) == 0 ? nil : Metres(Double(random.below(5)))
        for _ in 0..<random.below(3) { machine.heights.append(Metres(Double(random.below(5)))) }
        machine.price = Decimal128(value: random.below(50)) / 10
        machine.built = Date(timeIntervalSince1970: Double(random.below(6)))
        machine.serial = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(random.below(4))))
        machine.photo = Data((0..<random.below(4)).map { _ in UInt8(random.below(3)) })
        machine.small = Int8(random.below(200) - 100)
        machine.ratio = random.below(3) == 0 ? nil : Float(random.below(4)) / 2
        if random.below(3) > 0 {
          machine.core = Part(value: ["code": texts[random.below(4)], "amount": random.below(4)])
        }
        for _ in 0..<random.below(4) {
          machine.parts.append(Part(value: ["code": texts[random.below(4)], "amount": random.below(4)]))
        }
        for _ in 0..<random.below(3) { machine.dates.insert(Date(timeIntervalSince1970: Double(random.below(4)))) }
        for _ in 0..<random.below(3) { machine.nicks.append(random.below(2) == 0 ? nil : texts[random.below(4)]) }
        for key in ["a", "b"] where random.below(2) == 0 { machine.stock[key] = random.below(5) }
        for key in ["a", "b"] where random.below(2) == 0 {
          machine.notes[key] = random.below(2) == 0 ? .some(nil) : texts[random.below(4)]
        }
        let values: [AnyRealmValue] = [
          .none, .int(random.below(4)), .double(2), .string("alpha"), .bool(true),
          .fromArray([.int(1), .string("x"), .int(random.below(3))]), .fromDictionary(["k": .int(random.below(3))]),
        ]
        machine.thing = values[random.below(7)]
        for _ in 0..<random.below(3) { machine.things.append(values[random.below(5)]) }
        machine.twin = made.isEmpty || random.below(3) == 0 ? nil : made[random.below(made.count)]
        for _ in 0..<random.below(3) where !made.isEmpty { machine.twins.insert(made[random.below(made.count)]) }
        made.append(machine)
        realm.add(machine)
      }
    }
    return realm.objects(Machine.self)
  }

  @Test(arguments: Seeds.all) func everyKindOfPropertyIsAskedAsItIsRead(seed: Seed) throws {
    var random = seed.random
    let all = try machines(60, &random)
    let each = Array(all)
    let (day, id, metres) = (Date(timeIntervalSince1970: 3), each[0].serial, Metres(2))
    let (cents, bytes, other): (Decimal128, Data, Machine) = (2.5, Data([1, 2]), each[random.below(60)])
    func number(_ value: AnyRealmValue) -> Double? { value.intValue.map { Double($0) } ?? value.doubleValue }
    let conditions: [((Query<Machine>) -> Query<Bool>, (Machine) -> Bool)] = [
      ({ $0.level == .mid }, { $0.level == .mid }),
      ({ $0.level > .low }, { $0.level > .low }),
      ({ $0.level.in([.low, .high]) }, { [.low, .high].contains($0.level) }),
      ({ $0.level.rawValue.contains(2...9) }, { (2...9).contains($0.level.rawValue) }),
      ({ $0.levels.contains(.high) }, { $0.levels.contains(.high) }),
      ({ $0.levels.rawValue > 3 }, { $0.levels.contains { $0.rawValue > 3 } }),
      ({ $0.height == metres }, { $0.height == metres }),
      ({ $0.height != metres }, { $0.height != metres }),
      ({ $0.height == nil }, { $0.height == nil }),
      ({ $0.height.persistableValue > 1 }, { ($0.height?.value ?? 0) > 1 }),
      ({ $0.heights.persistableValue.sum > 4 }, { $0.heights.map(\.value).reduce(0, +) > 4 }),
      ({ $0.heights.contains(metres) }, { $0.heights.contains(metres) }),
      ({ $0.price >= cents }, { $0.price >= cents }),
      ({ $0.price.contains(1..<cents) }, { $0.price >= 1 && $0.price < cents }),
      ({ $0.built < day }, { $0.built < day }),
      ({ $0.built.contains(day...day) }, { $0.built == day }),
      ({ $0.serial == id }, { $0.serial == id }),
      ({ $0.serial != id }, { $0.serial != id }),
      ({ $0.photo.starts(with: Data([1])) }, { $0.photo.first == 1 }),
      ({ $0.photo.contains(bytes) }, { $0.photo.range(of: bytes) != nil }),
      ({ $0.photo.ends(with: Data([0])) }, { $0.photo.last == 0 }),
      ({ $0.small < -50 || $0.small >= 50 }, { $0.small < -50 || $0.small >= 50 }),
      ({ $0.ratio > 0.5 }, { ($0.ratio ?? 0) > 0.5 }),
      ({ $0.ratio != 1 }, { $0.ratio != 1 }),
      ({ $0.core.code == "alpha" }, { $0.core?.code == "alpha" }),
      ({ $0.core.amount >= 2 }, { ($0.core?.amount ?? 0) >= 2 }),
      ({ $0.core == nil }, { $0.core == nil }),
      ({ $0.parts.code.like("?e*", caseInsensitive: true) }, { $0.parts.contains { $0.code == "Beta" } }),
      ({ $0.parts.amount.sum > 4 }, { $0.parts.map(\.amount).reduce(0, +) > 4 }),
      (
        { ($0.parts.amount > 1 && $0.parts.code == "gamma").count == 1 },
        { $0.parts.filter { $0.amount > 1 && $0.code == "gamma" }.map { $0 }.count == 1 }
      ),
      ({ !(($0.parts.code == "alpha").count > 0) }, { !$0.parts.contains { $0.code == "alpha" } }),
      ({ $0.dates.contains(day) }, { $0.dates.contains(day) }),
      ({ $0.dates.max >= day }, { $0.dates.map { $0 }.max().map { $0 >= day } ?? false }),
      ({ $0.nicks.contains(nil) }, { $0.nicks.contains(nil) }),
      ({ $0.nicks.containsAny(in: ["alpha", "gamma"]) }, { $0.nicks.contains("alpha") || $0.nicks.contains("gamma") }),
      ({ $0.notes["a"] == nil }, { $0.notes["a"].flatMap { $0 } == nil }),
      ({ $0.stock["a"] != 2 }, { $0.stock["a"] != 2 }),
      ({ $0.stock.values > 3 }, { $0.stock.values.contains { $0 > 3 } }),
      ({ $0.stock.keys.starts(with: "b") }, { $0.stock.keys.contains("b") }),
      ({ $0.stock.count == 2 }, { $0.stock.count == 2 }),
      ({ $0.stock.sum >= 5 }, { $0.stock.values.reduce(0, +) >= 5 }),
      (
        { $0.stock.contains(1..<4) },
        { !$0.stock.values.isEmpty && $0.stock.values.allSatisfy { (1..<4).contains($0) } }
      ),
      ({ $0.notes["a"] == "alpha" }, { $0.notes["a"] == .some("alpha") }),
      ({ $0.notes.values == nil }, { $0.notes.values.contains(nil) }),
      ({ $0.thing == .none }, { $0.thing == .none }),
      ({ $0.thing == .int(2) }, { number($0.thing) == 2 }),
      ({ $0.thing > .int(1) }, { (number($0.thing) ?? 0) > 1 }),
      ({ $0.thing != .string("alpha") }, { $0.thing != .string("alpha") }),
      ({ $0.thing[0] == .int(1) }, { $0.thing.listValue?.first == .int(1) }),
      ({ $0.thing["k"] == .int(2) }, { $0.thing.dictionaryValue?["k"] == .int(2) }),
      (
        { $0.thing.any == .int(2) },
        {
          ($0.thing.listValue.map { $0.contains(.int(2)) } ?? false)
            || ($0.thing.dictionaryValue.map { $0.values.contains(.int(2)) } ?? false)
        }
      ),
      ({ $0.things.contains(.bool(true)) }, { $0.things.contains(.bool(true)) }),
      ({ $0.twin == other }, { $0.twin?.id == other.id }),
      ({ $0.twin.in([other, nil]) }, { $0.twin == nil || $0.twin?.id == other.id }),
      ({ $0.twin.level == .high }, { $0.twin?.level == .high }),
      ({ $0.twin.parts.count > 1 }, { ($0.twin?.parts.count ?? 0) > 1 }),
      ({ $0.twins.contains(other) }, { $0.twins.map(\.id).contains(other.id) }),
      ({ $0.twins.id.max > 30 }, { ($0.twins.map(\.id).max() ?? 0) > 30 }),
      ({ $0.twinOf.count > 1 }, { $0.twinOf.count > 1 }),
      ({ $0.twinOf.small < 0 }, { $0.twinOf.contains { $0.small < 0 } }),
      ({ $0.id == $0.twin.id }, { $0.id == $0.twin?.id }),
    ]
    for (index, (condition, reading)) in conditions.enumerated() {
      let found = all.where(condition)
      #expect(Array(found.map(\.id)) == each.filter(reading).map(\.id), "condition \(index): \(found.explain())")
      // The string of a typed query parses to an equivalent query.
      let text = condition(Query<Machine>._constructForTesting())._constructPredicate().0
      if !text.contains("link(") {
        #expect(try Array(all.filter(parsing: text).map(\.id)) == Array(found.map(\.id)), "condition \(index): \(text)")
      }
    }
  }
}
