import FiefTestSupport
import Foundation
import RealmSwift

/// A random history: writes of a few steps, each followed by questions.
struct Story {
  enum Sort: CaseIterable {
    case create, createAtOnce, make, add, copy, createFrom, link, append, appendNumber, delete, undone
  }

  private(set) var writes: [(steps: [Step], questions: [Question])] = []

  init(_ random: inout SeededRandom, writes count: Int) {
    let swarm = Swarm(
      [
        (Sort.create, 8), (.createAtOnce, 6), (.make, 6), (.add, 6), (.copy, 3), (.createFrom, 3), (.link, 6),
        (.append, 4), (.appendNumber, 2), (.delete, 1), (.undone, 1),
      ], using: &random)
    for _ in 0..<count {
      var steps: [Step] = []
      for _ in 0..<1 + random.below(5) { steps.append(Step(&random, swarm)) }
      var questions: [Question] = []
      for _ in 0..<random.below(4) { questions.append(Question(&random)) }
      writes.append((steps, questions))
    }
  }
}

extension Step {
  init(_ random: inout SeededRandom, _ swarm: Swarm<Story.Sort>, depth: Int = 0) {
    let kind = random.element(of: Kind.allCases)
    let policy = random.element(of: [Realm.UpdatePolicy.error, .error, .modified, .all])
    let (one, other) = (random.below(40), random.below(40))
    switch swarm.next(using: &random) {
    case .create: self = .create(kind, Given(of: kind, &random), policy)
    case .createAtOnce: self = .createAtOnce(kind, Given(of: kind, &random), policy)
    case .make: self = .make(kind, Given(of: kind, &random))
    case .add: self = .add(one, policy)
    case .copy: self = .copy(foreign: one, random.element(of: [Realm.CopyKeys.keep, .merge]))
    case .createFrom: self = .createFrom(foreign: one)
    case .link: self = .link(one, random.below(4) == 0 ? nil : other)
    case .append: self = .append(one, other)
    case .appendNumber: self = .appendNumber(one, other)
    case .delete: self = .delete(one)
    case .undone:
      guard depth == 0 else { fallthrough }
      self = .undone((0..<1 + random.below(3)).map { _ in Step(&random, swarm, depth: 1) })
    default: self = .make(kind, Given(of: kind, &random))
    }
  }
}

extension Given {
  /// The values of an object: a dictionary, or seldom another form.
  init(of kind: Kind, _ random: inout SeededRandom) {
    var entries = Self.entries(of: kind, &random)
    if random.below(4) == 0 { entries.append(("stranger", .plain(1))) }
    switch random.below(12) {
    case 0: self = .optional(.entries(entries))
    case 1: self = .held(random.below(40))
    case 2: self = .items(entries.map(\.1))
    default: self = .entries(entries)
    }
  }

  private static func entries(of kind: Kind, _ random: inout SeededRandom) -> [(String, Given)] {
    var entries: [(String, Given)] = []
    func with(_ name: String, _ random: inout SeededRandom, _ value: (inout SeededRandom) -> Given) {
      if random.bool() { entries.append((name, random.below(12) == 0 ? wrong(&random) : value(&random))) }
    }
    switch kind {
    case .token:
      with("n", &random) { .plain($0.bool() ? $0.below(9) : Int.max - $0.below(9)) }
      with("text", &random) { .plain(text(&$0)) }
      with("flag", &random) { .plain($0.bool()) }
      with("small", &random) { .plain($0.below(40_000)) }
      with("größe", &random) { .plain($0.bool() ? $0.below(9) as Any : NSNull()) }
      with("aNameOfManyMoreLetters", &random) { .plain($0.bool() ? Double.nan : Double($0.below(99)) / 8) }
      with("data", &random) { .plain(Data([UInt8($0.below(256))])) }
      with("date", &random) { .plain(Date(timeIntervalSince1970: Double($0.below(99)) / 8)) }
      with("uuid", &random) { .plain(UUID(uuid: (UInt8($0.below(9)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))) }
      with("decimal", &random) { .plain(Decimal128($0.below(99))) }
    case .keeper:
      if random.below(12) != 0 { entries.append(("id", .plain(random.below(20)))) }
      with("name", &random) { .plain(text(&$0)) }
      with("age", &random) { .plain($0.below(140)) }
      with("score", &random) { .plain(Double($0.below(99)) / 8) }
      with("city", &random) { .plain(["Rome", "Oslo", "Llanfairpwllgwyngyll"][$0.below(3)]) }
      with("grade", &random) { .plain($0.bool() ? 1 : 10) }
      with("mass", &random) { .plain($0.below(9)) }
      with("home", &random) { plot(&$0) }
      with("work", &random) { plot(&$0) }
      if random.below(3) == 0 {
        with("next", &random) { $0.bool() ? .held($0.below(40)) : .entries([("id", .plain($0.below(20)))]) }
        with("friends", &random) { random in .items((0..<random.below(3)).map { _ in .held(random.below(40)) }) }
        with("numbers", &random) { random in .items((0..<random.below(4)).map { .plain($0) }) }
        with("any", &random) { .plain($0.below(9)) }
      }
    case .ledger:
      if random.below(12) != 0 { entries.append(("name", .plain(text(&random)))) }
      with("email", &random) { .plain("\($0.below(9))@x") }
      with("mass", &random) { .plain($0.below(9)) }
    }
    return entries
  }

  private static func plot(_ random: inout SeededRandom) -> Given {
    let (street, number) = (Given.plain(text(&random)), Given.plain(random.below(99)))
    return switch random.below(6) {
    case 0: .entries([("street", street)])
    case 1: .entries([("number", number), ("other", street)])
    case 2: .plain(["street": "Elm", "number": "7"])
    default: .entries([("street", street), ("number", number)])
    }
  }

  /// A value that few properties take.
  private static func wrong(_ random: inout SeededRandom) -> Given {
    .plain([NSNull(), "wrong", 3.25, Date.distantFuture, [1, 2], UInt8(1), true, Double.nan][random.below(8)])
  }

  static func text(_ random: inout SeededRandom) -> String {
    ["a", "b", "dog\(random.below(30))", "a text that is longer than fifteen bytes \(random.below(9))", "Große", ""][
      random.below(6)]
  }
}

extension Question {
  init(_ random: inout SeededRandom) {
    let text = Given.text(&random)
    self =
      switch random.below(13) {
      case 0: .key(random.below(20))
      case 1: .name(text)
      case 2: .city(["Rome", "Oslo", "Llanfairpwllgwyngyll"][random.below(3)])
      case 3: .text(text)
      case 4: .ages(random.below(50)...50 + random.below(90))
      case 5: .beginning(String(text.prefix(3)))
      case 6: .containing(String(text.suffix(2)), foldsCase: random.bool())
      case 7: .linked(random.below(100))
      case 8: .sorted(byName: random.bool(), first: 1 + random.below(4))
      case 9: .totals
      case 10: .ends
      case 11: .walk
      default: .backlinks(random.below(20))
      }
  }
}
