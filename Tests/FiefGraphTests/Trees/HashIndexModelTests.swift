import FiefGraph
import FiefTestSupport
import Testing

/// Random histories against a dictionary of arrays. The swarm determines the operations of a history, and the family
/// determines how its hashes collide.
@Suite struct HashIndexModelTests {
  private typealias Model = [UInt64: [Int64]]

  /// The similarity of the hashes of a history.
  enum Family: CaseIterable {
    case spread, equalLowBits, equalHighBits, allEqual, fewValues, twoFarApart, mostlyOne

    func hash(_ random: inout SeededRandom) -> UInt64 {
      switch self {
      case .spread: random.next()
      case .equalLowBits: random.next() << 44
      case .equalHighBits: random.next() >> 52
      case .allEqual: 0xABCD
      case .fewValues: UInt64(random.below(5)) &* 0x1111_1111_1111_1111
      case .mostlyOne: random.below(8) > 0 ? 0x5555 : random.next()
      case .twoFarApart: UInt64(random.below(2)) << 60 | UInt64(random.below(2)) << 63
      }
    }
  }

  private enum Operation { case insert, insertAgain, remove, removeMissing, find, save, drop, clear }

  private static let operations: [(Operation, Int)] = [
    (.insert, 60), (.insertAgain, 4), (.remove, 40), (.removeMissing, 4), (.find, 10), (.save, 3), (.drop, 1),
    (.clear, 1),
  ]

  @Test(arguments: Seeds.all, Family.allCases)
  func anyHistoryMatchesTheModel(seed: Seed, family: Family) throws {
    var random = seed.random
    let swarm = Swarm(Self.operations, using: &random)
    var (index, model) = (HashIndex(), Model())
    var entries: [(hash: UInt64, key: Int64)] = []
    var saved: [(index: HashIndex, model: Model)] = []
    for step in 0..<600 {
      switch swarm.next(using: &random) {
      case .insert,
        .insertAgain where entries.isEmpty:
        entries.append((family.hash(&random), random.int64()))
        index.insert(entries[entries.count - 1].key, hash: entries[entries.count - 1].hash)
        model[entries[entries.count - 1].hash, default: []].append(entries[entries.count - 1].key)
      case .insertAgain:
        entries.append(random.element(of: entries))
        index.insert(entries[entries.count - 1].key, hash: entries[entries.count - 1].hash)
        model[entries[entries.count - 1].hash, default: []].append(entries[entries.count - 1].key)
      case .remove where !entries.isEmpty:
        let (hash, key) = entries.remove(at: random.below(entries.count))
        let removed = index.remove(key, hash: hash)
        #expect(removed)
        let position = try #require(model[hash]?.firstIndex(of: key))
        model[hash]?.remove(at: position)
        if model[hash] == [] { model[hash] = nil }
      case .remove, .removeMissing:
        let (hash, key) = (family.hash(&random), random.int64())
        guard model[hash]?.contains(key) != true else { continue }
        let removed = index.remove(key, hash: hash)
        #expect(!removed)
      case .find:
        let hash = random.bool() && !entries.isEmpty ? random.element(of: entries).hash : family.hash(&random)
        for key in Set(model[hash] ?? []) { #expect(index.find(hash: hash) { $0 == key } == key) }
        let any = index.find(hash: hash) { _ in true }
        #expect((any == nil) == (model[hash] == nil))
      case .save:
        saved.append((index, model))
        if saved.count > 5 { saved.removeFirst() }
      case .drop:
        if !saved.isEmpty { saved.remove(at: random.below(saved.count)) }
      case .clear:
        (index, model, entries) = (HashIndex(), [:], [])
      }
      try #require(index.checkInvariants() == [], "step \(step)")
      try #require(index.count == entries.count, "step \(step)")
      if step % 50 == 0 { try #require(content(of: index) == sorted(model), "step \(step)") }
    }
    #expect(content(of: index) == sorted(model))
    for (index, model) in saved {
      #expect(index.checkInvariants() == [])
      #expect(content(of: index) == sorted(model))
    }
  }

  private func content(of index: HashIndex) -> Model {
    var result = Model()
    index.forEach { hash, key in result[hash, default: []].append(key) }
    return sorted(result)
  }

  private func sorted(_ model: Model) -> Model {
    model.mapValues { $0.sorted() }
  }
}
