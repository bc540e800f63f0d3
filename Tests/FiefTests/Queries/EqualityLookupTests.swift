import FiefTestSupport
import RealmSwift
import Testing

private enum Coat: String, PersistableEnum {
  case short, long, none
}

private struct Weight: CustomPersistable, Hashable {
  var grams: Int
  init(_ grams: Int) { self.grams = grams }
  init(persistedValue: Int) { grams = persistedValue }
  var persistableValue: Int { grams }
}

private class Tag: EmbeddedObject {
  @Persisted var text = ""
}

private class Beast: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted(indexed: true) var nick: String?
  @Persisted(indexed: true) var age = 0
  @Persisted(indexed: true) var legs: Int?
  @Persisted(indexed: true) var small: Int8 = 0
  @Persisted(indexed: true) var coat: Coat = .none
  @Persisted(indexed: true) var weight: Weight?
  @Persisted(indexed: true) var chip: UUID
  @Persisted(indexed: true) var code: ObjectId
  @Persisted(indexed: true) var isTame = false
  @Persisted(indexed: true) var born: Date
  @Persisted(indexed: true) var extra: AnyRealmValue
  @Persisted var plain = ""
  @Persisted var ratio = 0.0
  @Persisted var tag: Tag?
  @Persisted var mate: Beast?
  @Persisted var toys: List<String>
  @Persisted var notes: Map<String, Int>
}

private class Hound: Beast {
  @Persisted var trick = ""
}

/// A class over the table of `Beast`, with other names for its properties.
private class Animal: Object {
  @Persisted(indexed: true) var title = ""
  override class func _realmObjectName() -> String? { "Beast" }
  override class func propertiesMapping() -> [String: String] { ["title": "name"] }
}

/// One value of one property: a quick lookup finds the objects of a planned query, and those of a plain loop.
@Suite struct EqualityLookupTests {
  private static let names = ["a", "b", "a name that is too long to be kept within the words of its own", ""]
  private static let chips = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0))) }
  private static let codes = ["507f1f77bcf86cd799439011", "507f1f77bcf86cd799439012"].map { ObjectId($0) }

  private static func fill(_ beast: Beast, _ random: inout SeededRandom, _ others: [Beast]) {
    beast.name = names[random.below(4)]
    beast.nick = random.below(3) == 0 ? nil : names[random.below(4)]
    beast.age = random.below(4)
    beast.legs = random.below(3) == 0 ? nil : random.below(4)
    beast.small = Int8(random.below(3) - 1)
    beast.coat = [.short, .long, .none][random.below(3)]
    beast.weight = random.below(3) == 0 ? nil : Weight(random.below(3))
    beast.chip = chips[random.below(4)]
    beast.code = codes[random.below(2)]
    beast.isTame = random.bool(0.5)
    beast.born = Date(timeIntervalSince1970: Double(random.below(3)))
    beast.extra = [.none, .int(1), .string("a"), .bool(true)][random.below(4)]
    beast.plain = names[random.below(4)]
    beast.ratio = Double(random.below(3)) / 2
    beast.tag = random.bool(0.5) ? Tag(value: ["text": names[random.below(4)]]) : nil
    beast.mate = others.isEmpty || random.bool(0.5) ? nil : others[random.below(others.count)]
    beast.toys.removeAll()
    for _ in 0..<random.below(3) { beast.toys.append(names[random.below(4)]) }
    beast.notes["k"] = random.bool(0.5) ? random.below(3) : nil
  }

  private static func beasts(_ count: Int, _ random: inout SeededRandom) throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Beast.self, Hound.self, Tag.self]))
    try realm.write {
      var made: [Beast] = []
      for id in 0..<count {
        let beast = realm.create(Beast.self, value: ["id": id])
        fill(beast, &random, made)
        made.append(beast)
      }
    }
    return realm
  }

  /// A condition, and an equivalent Swift closure.
  private struct Question: Sendable {
    let ask: @Sendable (Query<Beast>) -> Query<Bool>
    let read: @Sendable (Beast) -> Bool
  }

  private static let questions: [Question] = {
    var all: [Question] = []
    func ask(
      _ ask: @escaping @Sendable (Query<Beast>) -> Query<Bool>, _ read: @escaping @Sendable (Beast) -> Bool
    ) { all.append(Question(ask: ask, read: read)) }
    ask({ $0.nick == nil }, { $0.nick == nil })
    ask({ $0.nick != nil }, { $0.nick != nil })
    ask({ $0.legs == nil }, { $0.legs == nil })
    ask({ $0.weight == nil }, { $0.weight == nil })
    ask({ $0.mate == nil }, { $0.mate == nil })
    ask({ $0.tag == nil }, { $0.tag == nil })
    ask({ $0.isTame }, { $0.isTame })
    ask({ !$0.isTame }, { !$0.isTame })
    ask({ $0.isTame == false }, { !$0.isTame })
    ask({ $0.isTame != false }, { $0.isTame })
    ask({ $0.extra == .none }, { $0.extra == .none })
    ask({ $0.extra == .int(1) }, { $0.extra == .int(1) })
    ask({ $0.extra == .string("a") }, { $0.extra == .string("a") })
    ask({ $0.toys.count == 1 }, { $0.toys.count == 1 })
    ask({ $0.notes["k"] == 1 }, { $0.notes["k"] == 1 })
    ask({ ($0.age == 1) == true }, { $0.age == 1 })
    ask({ ($0.age == 1) == false }, { $0.age != 1 })
    ask({ ($0.age == 1) != true }, { $0.age != 1 })
    ask({ $0.age == $0.mate.age }, { $0.age == $0.mate?.age })
    ask({ $0.name == $0.mate.name }, { $0.name == $0.mate?.name })
    for (number, name) in names.enumerated() {
      ask({ $0.name == name }, { $0.name == name })
      ask({ $0.nick == name }, { $0.nick == name })
      ask({ $0.name != name }, { $0.name != name })
      ask({ $0.nick != name }, { $0.nick != name })
      ask({ $0.name > name }, { $0.name.utf8.lexicographicallyPrecedes(name.utf8) == false && $0.name != name })
      ask({ $0.name.equals(name) }, { $0.name == name })
      ask({ $0.name.equals(name, options: .caseInsensitive) }, { $0.name == name })
      ask({ $0.plain == name }, { $0.plain == name })
      ask({ $0.tag.text == name }, { $0.tag?.text == name })
      ask({ $0.mate.name == name }, { $0.mate?.name == name })
      ask({ $0.toys.contains(name) }, { $0.toys.contains(name) })
      ask({ $0.toys == name }, { $0.toys.contains(name) })
      ask({ !($0.name == name) }, { $0.name != name })
      ask({ $0.name == name && $0.age == number }, { $0.name == name && $0.age == number })
      ask({ $0.name == name || $0.age == number }, { $0.name == name || $0.age == number })
      ask({ ($0.mate.name == name) == false }, { $0.mate?.name != name })
    }
    for number in -1..<4 {
      ask({ $0.id == number }, { $0.id == number })
      ask({ $0.age == number }, { $0.age == number })
      ask({ $0.age != number }, { $0.age != number })
      ask({ $0.age >= number }, { $0.age >= number })
      ask({ $0.legs == number }, { $0.legs == number })
      ask({ $0.small == Int8(number) }, { $0.small == number })
      ask({ $0.weight == Weight(number) }, { $0.weight == Weight(number) })
      ask({ $0.weight.persistableValue == number }, { $0.weight?.grams == number })
      ask({ $0.ratio == Double(number) / 2 }, { $0.ratio == Double(number) / 2 })
      ask(
        { $0.born == Date(timeIntervalSince1970: Double(number)) }, { $0.born.timeIntervalSince1970 == Double(number) })
      ask({ $0.age.in([number, 0]) }, { $0.age == number || $0.age == 0 })
    }
    for chip in chips {
      ask({ $0.chip == chip }, { $0.chip == chip })
    }
    for code in codes {
      ask({ $0.code == code }, { $0.code == code })
    }
    for coat in [Coat.short, .long, .none] {
      ask({ $0.coat == coat }, { $0.coat == coat })
      ask({ $0.coat.rawValue == coat.rawValue }, { $0.coat == coat })
    }
    return all
  }()

  private static func check(_ realm: Realm, _ question: Int) {
    let (ask, read) = (questions[question].ask, questions[question].read)
    let all = realm.objects(Beast.self)
    let known = Array(all).filter(read).map(\.id)
    #expect(all.where(ask).count == known.count, "question \(question), counted")
    #expect(Array(all.where(ask)).map(\.id) == known, "question \(question), gone over")
    #expect(all.where(ask).first?.id == known.first, "question \(question), the first")
    // Longer queries are planned.
    #expect(all.where { ask($0) && $0.id >= -1 }.count == known.count, "question \(question), planned")
    #expect(all.where { $0.id >= -1 }.where(ask).count == known.count, "question \(question), as a second condition")
    #expect(all.where(ask).where { $0.id >= -1 }.count == known.count, "question \(question), with a second condition")
    #expect(all.sorted(by: \.age).where(ask).count == known.count, "question \(question), of what is sorted")
    let text = ask(Query<Beast>._constructForTesting())._constructPredicate().0
    #expect(all.filter(text).count == known.count, "question \(question), as a text: \(text)")
  }

  @Test(arguments: Seeds.first(6)) func lookupsFindTheRowsThatExist(seed: Seed) throws {
    var random = seed.random
    let realm = try Self.beasts(40, &random)
    for question in Self.questions.indices { Self.check(realm, question) }
    // Repeats the checks in a write, and after it.
    realm.beginWrite()
    for id in 0..<40 where random.below(3) == 0 {
      Self.fill(realm.object(ofType: Beast.self, forPrimaryKey: id)!, &random, [])
    }
    for question in Self.questions.indices { Self.check(realm, question) }
    realm.cancelWrite()
    for question in Self.questions.indices { Self.check(realm, question) }
    for question in Self.questions.indices { Self.check(realm.freeze(), question) }
  }

  @Test func aCountedViewIsLive() throws {
    var random = SeededRandom(seed: 1)
    let realm = try Self.beasts(0, &random)
    let (young, named) = (
      realm.objects(Beast.self).where { $0.age == 1 }, realm.objects(Beast.self).where { $0.name == "x" }
    )
    #expect(young.count == 0 && named.count == 0)
    try realm.write {
      realm.create(Beast.self, value: ["id": 1, "age": 1, "name": "x"])
      #expect(young.count == 1 && named.count == 1 && named[0].id == 1)
      realm.create(Beast.self, value: ["id": 2, "age": 1])
      #expect(young.count == 2 && named.count == 1)
    }
    #expect(young.count == 2 && Array(young.map(\.id)) == [1, 2])
    let frozen = young.freeze()
    try realm.write { realm.deleteAll() }
    #expect(young.count == 0 && young.isEmpty && frozen.count == 2 && named.count == 0)
    #expect(frozen.thaw()?.count == 0)
  }

  /// A view that is uniquely referenced may become the narrower one; a view that is held elsewhere does not change.
  @Test func aViewThatIsNarrowedStaysWhatItIs() throws {
    var random = SeededRandom(seed: 4)
    let realm = try Self.beasts(20, &random)
    let all = realm.objects(Beast.self)
    let another = all
    let young = all.where { $0.age == 1 }
    let both = young.where { $0.name == "a" }
    let counts = (0..<4).map { age in all.where { $0.age == age }.count }
    #expect(counts.reduce(0, +) == 20 && counts[1] == young.count)
    #expect(all.count == 20 && another.count == 20 && all == another && all != young && young != both)
    #expect(both.count == young.filter { $0.name == "a" }.count)
    #expect(
      Array(all).map(\.id) == Array(0..<20) && Array(all.where { $0.age == 1 }.map(\.id)) == Array(young.map(\.id)))
    func lookup() -> Results<Beast> {
      let mine = realm.objects(Beast.self)
      // The narrower view must not reuse these results.
      #expect(mine.count == 20 && mine[7].id == 7 && mine.last?.id == 19)
      return mine.where { $0.age == 1 }
    }
    let found = lookup()
    #expect(
      found.count == counts[1] && Array(found.map(\.id)) == Array(young.map(\.id)) && found.last?.id == young.last?.id)
    try realm.write { realm.delete(found) }
    #expect(found.isEmpty && young.isEmpty && all.count == 20 - counts[1])
  }

  @Test func equalViewsAreTwo() throws {
    var random = SeededRandom(seed: 1)
    let realm = try Self.beasts(1, &random)
    let view = realm.objects(Beast.self).where { $0.age == 1 }
    #expect(view == view && view != realm.objects(Beast.self).where { $0.age == 1 })
    #expect(realm.objects(Beast.self) != realm.objects(Beast.self))
  }

  @Test func lookupsAreObservedAndExplainedLikeQueries() throws {
    var random = SeededRandom(seed: 1)
    let realm = try Self.beasts(30, &random)
    let view = realm.objects(Beast.self).where { $0.age == 1 }
    let count = view.count
    #expect(view.explain().contains("index on age"))
    #expect(Array(view.sorted(by: \.id).map(\.id)) == Array(view.map(\.id)))
    #expect(view.distinct(by: [\.age]).count == min(1, count))
    #expect(view.limit(2).count == min(2, count))
    #expect(view.sum(of: \.age) == count)
    #expect(view.index(matching: { $0.age == 1 }) == (count == 0 ? nil : 0))
    try realm.write { realm.delete(view) }
    #expect(view.isEmpty && realm.objects(Beast.self).count == 30 - count)
  }

  /// A name may mean different columns in two classes, and a table may have two classes.
  @Test func aClassIsAskedByItsOwnNames() throws {
    func count<Kind: Beast>(_ type: Kind.Type, _ name: String, in realm: Realm) -> Int {
      realm.objects(type).where { $0.name == name }.count
    }
    let realm = try Realm(configuration: .inMemory(objectTypes: [Beast.self, Hound.self, Tag.self]))
    try realm.write {
      for id in 0..<5 { realm.create(Beast.self, value: ["id": id, "name": "x"]) }
      for id in 0..<3 { realm.create(Hound.self, value: ["id": id, "name": "x", "trick": "x"]) }
    }
    #expect(count(Beast.self, "x", in: realm) == 5 && count(Hound.self, "x", in: realm) == 3)
    #expect(realm.objects(Hound.self).where { $0.name == "x" && $0.trick == "x" }.count == 3)
    #expect(realm.objects(Beast.self, includingSubclasses: true).where { $0.name == "x" }.count == 8)
    #expect(realm.objects(Hound.self as Beast.Type).where { $0.name == "x" }.count == 3)
    let other = try Realm(configuration: .inMemory(objectTypes: [Animal.self]))
    try other.write { other.create(Animal.self, value: ["title": "x"]) }
    #expect(other.objects(Animal.self).where { $0.title == "x" }.count == 1)
    #expect(other.objects(Animal.self).where { $0.title == "y" }.count == 0)
  }

  /// A generic function makes a new key path at each call: more than the table keeps.
  @Test func keyPathsWithoutEndMeanWhatTheyMean() throws {
    func count<Kind: Beast>(_ type: Kind.Type, _ age: Int, in realm: Realm) -> Int {
      realm.objects(type).where { $0.age == age }.count
    }
    var random = SeededRandom(seed: 2)
    let realm = try Self.beasts(20, &random)
    let known = (0..<4).map { age in realm.objects(Beast.self).map(\.age).filter { $0 == age }.count }
    let named = realm.objects(Beast.self).map(\.mate?.name).filter { $0 == "a" }.count
    for number in 0..<5000 {
      #expect(count(Beast.self, number % 4, in: realm) == known[number % 4])
      let path = (\Beast.mate).appending(path: \Beast?.?.name)
      #expect(realm.objects(Beast.self).where { $0[dynamicMember: path] == "a" }.count == named)
    }
  }

  /// Threads that make equal conditions at once, each in a realm of its own:
  ///
  ///     one         key path ──▶ resolved ──▶ count
  ///     another     key path ──▶ resolved ──▶ count
  @Test func threadsMakeConditionsAtOnce() async throws {
    nonisolated(unsafe) let frozen = try { () -> Realm in
      var random = SeededRandom(seed: 3)
      return try Self.beasts(60, &random).freeze()
    }()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed: 3)
          guard let own = try? Self.beasts(60, &random) else { return }
          for round in 0..<2 {
            for index in Self.questions.indices {
              let question = (index + thread * 7 + round) % Self.questions.count
              let ask = Self.questions[question].ask
              let count = own.objects(Beast.self).where(ask).count
              #expect(frozen.objects(Beast.self).where(ask).count == count, "question \(question)")
            }
          }
        }
      }
    }
  }

  @Test func aConditionOnAForeignObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      let (realm, other) = (try Self.beasts(1, &random), try Self.beasts(1, &random))
      let mate = other.objects(Beast.self).first
      _ = realm.objects(Beast.self).where { $0.mate == mate }.count
    }
    expectSentence("An object of another Realm cannot be compared with", of: result)
  }

  @Test func allOfNoClassInParticularTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Realm(configuration: .inMemory(objectTypes: [Tag.self, Beast.self])).objects(Object.self)
    }
    let words = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(words.contains("which is no model"))
  }

  @Test func aViewThatWasInvalidatedIsNotCounted() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      let realm = try Self.beasts(1, &random)
      let view = realm.objects(Beast.self).where { $0.age == 1 }
      realm.invalidate()
      _ = view.count
    }
    expectSentence("The collection was invalidated with its realm", of: result)
  }
}
