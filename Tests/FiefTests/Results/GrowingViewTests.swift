import FiefTestSupport
import RealmSwift
import Testing

private class Boat: Object {
  @Persisted var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var speed = 0
  @Persisted var crew = 0
  @Persisted var consort: Boat?
  @Persisted var marks: List<Int>
  @Persisted var fleet: List<Boat>
}

private final class Ferry: Boat {}

/// A view that grows by one modifier at a time shows the elements of the view that has all of them at once.
@Suite struct GrowingViewTests {
  private func realm(_ random: inout SeededRandom) throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Boat.self, Ferry.self]))
    try realm.write {
      var boats: [Boat] = []
      for number in 0..<40 {
        let boat = number % 4 == 0 ? Ferry() : Boat()
        boat.id = number
        boat.name = "b\(random.below(9))"
        boat.speed = random.below(6)
        boat.crew = random.below(6)
        boat.consort = boats.isEmpty || random.bool(0.3) ? nil : boats[random.below(boats.count)]
        realm.add(boat)
        if number % 4 != 0 { boats.append(boat) }
      }
      for _ in 0..<30 {
        boats[0].marks.append(random.below(8))
        boats[0].fleet.append(boats[random.below(boats.count)])
      }
    }
    return realm
  }

  /// Adds random modifiers to a view, and their spelling to a format. A limit ends the conditions: those that follow
  /// one test other elements.
  private func grow<Element>(
    _ view: Results<Element>, _ conditions: [String], _ steps: [String], _ random: inout SeededRandom
  ) throws -> (view: Results<Element>, format: String) {
    var (view, wanted, arranged, isLimited) = (view, ["TRUEPREDICATE"], "", false)
    for _ in 0...random.below(6) {
      let condition = conditions[random.below(conditions.count)]
      let step = steps[random.below(steps.count)]
      switch random.below(isLimited ? 2 : 5) {
      case 0:
        view = try view.filter(parsing: "TRUEPREDICATE \(step)")
        arranged += " \(step)"
      case 1:
        let (count, offset) = (random.below(25), random.below(3))
        view = view.limit(count, offset: offset)
        arranged += " LIMIT(\(count), \(offset))"
        isLimited = true
      case 2:
        view = try view.filter(parsing: "\(condition) \(step)")
        wanted.append("(\(condition))")
        arranged += " \(step)"
      default:
        view = try view.filter(parsing: condition)
        wanted.append("(\(condition))")
      }
    }
    return (view, wanted.joined(separator: " AND ") + arranged)
  }

  @Test(arguments: Seeds.all) func aViewThatGrewShowsTheElementsOfOneQuery(seed: Seed) throws {
    var random = seed.random
    let realm = try realm(&random)
    let boats = realm.objects(Boat.self)
    let marks = boats[0].marks
    let bases = [boats, realm.objects(Boat.self, includingSubclasses: true), boats[0].fleet.filter("TRUEPREDICATE")]
    for number in 0..<40 {
      let base = bases[number % bases.count]
      // A lookup of one value becomes a query when something is added.
      let isLookup = random.bool(0.3)
      let start = isLookup ? base.where { $0.speed == 2 } : base
      let (view, format) = try grow(
        start,
        [
          "speed > 1", "speed <= 4", "speed == 3", "name BEGINSWITH 'b' AND crew < 5", "consort.crew > 1",
          "consort == nil OR consort.speed < 4", "NOT name IN {'b1', 'b2'}", "ANY marks > 2 OR crew >= 1",
          "SUBQUERY(fleet, $b, $b.speed > 1).@count < 9", "FALSEPREDICATE OR speed != 0",
        ],
        ["SORT(name ASC)", "SORT(crew DESC, speed ASC)", "DISTINCT(name)", "DISTINCT(crew, speed)"], &random)
      let whole = base.filter(isLookup ? "speed == 2 AND \(format)" : format)
      #expect(view.map(\.id) == whole.map(\.id), "\(format)")
      #expect(view.count == whole.count, "\(format)")
      #expect(view.first?.id == whole.first?.id, "\(format)")
      let (numbers, text) = try grow(
        marks.filter("SELF >= 0"), ["SELF > 1", "SELF < 7", "SELF IN {1, 2, 3, 4, 5}", "SELF != 4"],
        ["SORT(SELF DESC)", "DISTINCT(SELF)"], &random)
      #expect(Array(numbers) == Array(marks.filter(text)), "\(text)")
    }
  }

  @Test func aMistakeInAModifierHasTheMessageThatItHasAlone() throws {
    var random = SeededRandom(seed: 1)
    let realm = try realm(&random)
    let boats = realm.objects(Boat.self)
    func message(_ view: some RealmCollection, _ format: String) -> String {
      do {
        _ = try view.filter(parsing: format)
        return "none"
      } catch {
        return "\(error)"
      }
    }
    for base in [boats, realm.objects(Boat.self, includingSubclasses: true)] {
      let grown = base.where { $0.speed > 1 }.sorted(by: \.name)
      for format in [
        "sped == 1", "speed == 'x' SORT(nme ASC)", "TRUEPREDICATE SORT(consort ASC)", "crew > 1 DISTINCT(marks)",
        "crew > 1 AND consort.nme == 'x'",
      ] {
        #expect(message(grown, format) == message(base, format), "\(format)")
        #expect(message(grown, format) != "none", "\(format)")
      }
    }
    let marks = boats[0].marks.filter("SELF > 1")
    for format in ["SELF == 'x' SORT(size ASC)", "SELF == 1 SORT(size ASC)", "size == 1"] {
      #expect(message(marks, format) == message(boats[0].marks, format), "\(format)")
      #expect(message(marks, format) != "none", "\(format)")
    }
  }

  @Test func theElementsOfAGroupEndWithTheirRealm() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Boat.self, Ferry.self]))
      try realm.write { realm.add(Boat()) }
      let groups = realm.objects(Boat.self).grouped(by: \.speed)
      if groups[0].elements.count != 1 { return }
      realm.invalidate()
      _ = groups[0].elements
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("The collection was invalidated with its realm"))
  }
}
