import Dispatch
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

/// A cell of a ring. The links of all cells form one circle, in every version.
private class RingCell: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value = 0
  @Persisted var next: RingCell?
}

/// What the cells of a version agree with.
private class RingDigest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var commit = 0
  @Persisted var digest = 0
  @Persisted var sum = 0
}

/// G16: one writer and eight readers. Each read computes the digest of what it sees, and finds one version whole.
@Suite struct IsolationTests {
  private static let cells = 5
  /// The contents of a version.
  private struct Content: Equatable {
    var values: [Int]
    /// The numbers of the cells that the links of the cells lead to.
    var links: [Int]

    var digest: Int {
      zip(values, links).reduce(17) { ($0 &* 31 &+ $1.0) &* 31 &+ $1.1 }
    }

    /// Whether the links form one circle through all cells.
    var isRing: Bool {
      var (place, steps) = (0, 0)
      repeat {
        place = links[place]
        steps += 1
      } while place != 0 && steps <= links.count
      return place == 0 && steps == links.count
    }
  }

  /// The objects of one realm, which are kept between reads.
  private struct Reader {
    let realm: Realm
    let cells: [RingCell]
    let digest: RingDigest

    init(_ realm: Realm) throws {
      self.realm = realm
      cells = Array(realm.objects(RingCell.self).sorted(byKeyPath: "id"))
      digest = try #require(realm.object(ofType: RingDigest.self, forPrimaryKey: 0))
    }

    /// Reads and checks a version, and returns the number of its commit.
    func check(_ who: String) -> Int {
      let content = Content(values: cells.map(\.value), links: cells.map { $0.next?.id ?? -1 })
      let commit = digest.commit
      if content.digest != digest.digest || content.values.reduce(0, +) != digest.sum || !content.isRing {
        Issue.record("\(who) reads no version: \(content) at commit \(commit)")
      }
      return commit
    }
  }

  @Test func everyReadSeesOneVersionAndVersionsNeverGoBack() async throws {
    let wanted = Effort.of(debug: 200_000, release: 2_000_000, night: 20_000_000)
    let pinnedFor = Effort.of(debug: 100_000, release: 100_000, night: 2_000_000)
    let configuration = Realm.Configuration.inMemory(objectTypes: [RingCell.self, RingDigest.self])
    let pinned = try Self.begin(configuration)
    let committed = Tally()
    let reads = Tally()
    let isOver = Tally()
    let seed = Effort.firstSeed
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await Self.onThread { try Self.write(configuration, committed, seed, isOver, pinnedFor) }
      }
      try await withThrowingTaskGroup(of: Void.self) { readers in
        for number in 0..<8 {
          readers.addTask {
            try await Self.onThread { try Self.read(configuration, committed, reads, wanted / 8, "reader \(number)") }
          }
        }
        try await readers.waitForAll()
      }
      isOver.add()
      try await group.waitForAll()
    }
    #expect(reads.value == wanted / 8 * 8 && committed.value >= pinnedFor, "\(seed)")
    let old = try Reader(pinned.value)
    #expect(old.check("the pinned version") == 0 && old.cells.allSatisfy { $0.value == 100 })
    let count = committed.value
    try await Self.onThread {
      let last = try Reader(try Realm(configuration: configuration)).check("the end")
      #expect(last == count)
    }
    Figures.report("G16: \(reads.value) reads, \(committed.value) commits, \(seed)")
  }

  /// Makes the first version, and returns it frozen.
  private static func begin(_ configuration: Realm.Configuration) throws -> Held<Realm> {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let made = (0..<cells).map { realm.create(RingCell.self, value: ["id": $0, "value": 100]) }
      for (place, cell) in made.enumerated() { cell.next = made[(place + 1) % cells] }
      let content = Content(values: made.map(\.value), links: made.map { $0.next?.id ?? -1 })
      realm.create(RingDigest.self, value: ["id": 0, "digest": content.digest, "sum": cells * 100])
    }
    return Held(realm.freeze())
  }

  /// Moves amounts between cells and cells within the ring, one of each in a commit.
  private static func write(
    _ configuration: Realm.Configuration, _ committed: Tally, _ seed: Seed, _ isOver: Tally,
    _ least: Int
  ) throws {
    var random = seed.random
    let reader = try Reader(try Realm(configuration: configuration))
    var content = Content(values: reader.cells.map(\.value), links: reader.cells.map { $0.next?.id ?? -1 })
    var commit = 0
    while commit < least || isOver.value == 0 {
      commit += 1
      let (from, to, amount) = (random.below(cells), random.below(cells), random.below(10))
      // The cell after `place` goes one further: a → b → c → d becomes a → c → b → d.
      let place = random.below(cells)
      let (b, c) = (content.links[place], content.links[content.links[place]])
      let d = content.links[c]
      try reader.realm.write {
        if commit % 2 == 0 {
          content.values[from] -= amount
          reader.cells[from].value = content.values[from]
          content.values[to] += amount
          reader.cells[to].value = content.values[to]
        } else {
          (content.links[place], content.links[c], content.links[b]) = (c, b, d)
          reader.cells[place].next = reader.cells[c]
          reader.cells[c].next = reader.cells[b]
          reader.cells[b].next = reader.cells[d]
        }
        reader.digest.commit = commit
        reader.digest.digest = content.digest
      }
      committed.add()
    }
  }

  private static func read(
    _ configuration: Realm.Configuration, _ committed: Tally, _ reads: Tally, _ count: Int, _ who: String
  ) throws {
    let reader = try Reader(try Realm(configuration: configuration))
    var (last, version) = (0, 0 as UInt64)
    for round in 0..<count {
      // What was committed before the read begins is seen by it.
      let owed = committed.value
      if round % 4 != 3 { reader.realm.refresh() }
      let commit = reader.check(who)
      if round % 4 != 3, commit < owed { Issue.record("\(who) sees commit \(commit) after \(owed) returned") }
      if commit < last || reader.realm.version < version { Issue.record("\(who) goes back from \(last) to \(commit)") }
      (last, version) = (commit, reader.realm.version)
      reads.add()
    }
  }

  private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Swift.Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
