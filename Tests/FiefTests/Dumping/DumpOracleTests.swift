import FiefTestSupport
import RealmSwift
import Testing

private class Keyed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var link: Loose?
  @Persisted var list: List<Keyed>
  @Persisted var part: Part?
}

private class Loose: Object {
  @Persisted var number = 0
  @Persisted var link: Loose?
  @Persisted var set: MutableSet<Loose>
  @Persisted var map: Map<String, Loose?>
  @Persisted var any: AnyRealmValue
}

private class Part: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var loose: List<Loose>
}

/// A graph as a plain value, with the positions of objects as links.
private struct Model {
  struct Keyed {
    var text = ""
    var link: Int?
    var list: [Int] = []
    /// The text and the links of the part.
    var part: (String, [Int])?
  }
  struct Loose {
    var number = 0
    var link: Int?
    var set: Set<Int> = []
    var map: [String: Int?] = [:]
    var any: [Int]?
  }
  var keyed: [Keyed] = []
  var loose: [Loose] = []

  init(_ random: inout SeededRandom) {
    let (keyed, loose) = (1 + random.below(5), 1 + random.below(8))
    func some(_ count: Int, of bound: Int) -> [Int] { (0..<random.below(count + 1)).map { _ in random.below(bound) } }
    self.keyed = (0..<keyed).map { _ in
      Keyed(
        text: random.text(count: 1, of: "ab"), link: random.bool() ? random.below(loose) : nil,
        list: some(3, of: keyed), part: random.bool() ? (random.text(count: 1, of: "ab"), some(2, of: loose)) : nil)
    }
    self.loose = (0..<loose).map { _ in
      Loose(
        number: random.below(3), link: random.bool() ? random.below(loose) : nil, set: Set(some(2, of: loose)),
        map: random.bool() ? ["a": random.bool() ? random.below(loose) : nil] : [:],
        any: random.bool(0.3) ? some(2, of: loose) : nil)
    }
  }

  /// A realm with the graph, whose objects are made in a random order.
  func realm(_ random: inout SeededRandom) throws -> Realm {
    let realm = try Realm(
      configuration: .inMemory(objectTypes: [FiefTests.Keyed.self, FiefTests.Loose.self, Part.self]))
    try realm.write {
      var keys: [Int: FiefTests.Keyed] = [:]
      var others: [Int: FiefTests.Loose] = [:]
      for index in random.shuffled(0..<keyed.count) {
        keys[index] = realm.create(FiefTests.Keyed.self, value: ["id": index])
      }
      for index in random.shuffled(0..<loose.count) {
        others[index] = realm.create(FiefTests.Loose.self, value: ["number": loose[index].number])
      }
      for index in random.shuffled(0..<keyed.count) {
        guard let object = keys[index] else { continue }
        let model = keyed[index]
        object.text = model.text
        object.link = model.link.flatMap { others[$0] }
        object.list.append(objectsIn: model.list.compactMap { keys[$0] })
        object.part = model.part.map { _ in Part() }
        object.part?.text = model.part?.0 ?? ""
        object.part?.loose.append(objectsIn: (model.part?.1 ?? []).compactMap { others[$0] })
      }
      for index in random.shuffled(0..<loose.count) {
        guard let object = others[index] else { continue }
        let model = loose[index]
        object.link = model.link.flatMap { others[$0] }
        object.set.insert(objectsIn: model.set.sorted().compactMap { others[$0] })
        for (key, target) in model.map { object.map[key] = .some(target.flatMap { others[$0] }) }
        object.any = model.any.map { .fromArray($0.compactMap { others[$0] }.map { .object($0) }) } ?? .none
      }
    }
    return realm
  }

  /// Changes one property of one object, and returns what a difference has to name.
  mutating func change(_ random: inout SeededRandom) -> (object: String, property: String) {
    if random.bool() {
      let index = random.below(keyed.count)
      let property: String
      switch random.below(4) {
      case 0: (property, keyed[index].text) = ("text", keyed[index].text + "x")
      case 1: (property, keyed[index].link) = ("link", keyed[index].link == nil ? 0 : nil)
      case 2: (property, keyed[index].list) = ("list", keyed[index].list + [index])
      default: (property, keyed[index].part) = ("part", keyed[index].part == nil ? ("p", []) : nil)
      }
      return ("Keyed[\(index)]", property)
    }
    let index = random.below(loose.count)
    let property: String
    switch random.below(5) {
    case 0: (property, loose[index].number) = ("number", loose[index].number + 10)
    case 1: (property, loose[index].link) = ("link", loose[index].link == nil ? index : nil)
    case 2:
      property = "set"
      if loose[index].set.remove(index) == nil { loose[index].set.insert(index) }
    case 3:
      property = "map"
      if loose[index].map.removeValue(forKey: "z") == nil { loose[index].map["z"] = .some(index) }
    default: (property, loose[index].any) = ("any", (loose[index].any ?? []) + [index])
    }
    return ("Loose#", property)
  }
}

@Suite struct DumpOracleTests {
  @Test(arguments: Seeds.first(150)) func equalGraphsHaveOneTextInWhateverOrderTheyWereMade(seed: Seed) throws {
    var random = seed.random
    let model = Model(&random)
    let (a, b) = (try model.realm(&random), try model.realm(&random))
    #expect(a.dump() == b.dump())
    #expect(Realm.difference(a, b) == nil)
  }

  @Test(arguments: Seeds.first(150)) func oneChangeGivesADifferenceThatNamesIt(seed: Seed) throws {
    var random = seed.random
    var model = Model(&random)
    let a = try model.realm(&random)
    let (object, property) = model.change(&random)
    let b = try model.realm(&random)
    #expect(a.dump() != b.dump())
    let text = try #require(Realm.difference(a, b), "\(object).\(property)")
    let lines = text.split(separator: "\n")
    #expect(lines.contains { $0.dropFirst(2).hasPrefix(object) }, "\(object).\(property): \(text)")
    #expect(lines.contains { $0.dropFirst(4).hasPrefix("\(property): ") }, "\(object).\(property): \(text)")
    if object != "Loose#" {
      #expect(lines.filter { !$0.dropFirst(2).hasPrefix(" ") }.count == 1, "\(object).\(property): \(text)")
    }
    // The other way round, the same lines change their signs.
    #expect(Realm.difference(b, a) != nil)
  }
}
