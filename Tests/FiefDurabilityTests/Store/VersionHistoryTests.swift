import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

@Suite("The kept versions of a store")
struct VersionHistoryTests {
  private func version(_ number: Int) -> Graph { Graph.empty.numbered(UInt64(number)) }

  @Test func `the oldest versions beyond the number go first`() {
    var history = VersionHistory(HistoryLimits(versions: 3, age: nil))
    for number in 1...100 {
      let dropped = history.add(version(number), at: 0)
      #expect(dropped.map(\.version) == (number > 3 ? [UInt64(number - 3)] : []))
    }
    #expect(history.oldest == 98 && history[98]?.graph.version == 98 && history[97] == nil && history[101] == nil)
  }

  @Test func `versions go when they were replaced longer ago than the age`() {
    var history = VersionHistory(HistoryLimits(versions: nil, age: 10))
    for number in 1...5 { _ = history.add(version(number), at: UInt64(number) * 1000) }
    #expect(history.count == 5)
    #expect(history.trim(at: 13_500).map(\.version) == [1, 2, 3])
    #expect(history.oldest == 4)
    _ = history.trim(at: 100_000)
    #expect(history.oldest == nil)
  }

  @Test func `a clock that goes back drops nothing`() {
    var history = VersionHistory(HistoryLimits(versions: nil, age: 10))
    _ = history.add(version(1), at: 1_000_000)
    #expect(history.trim(at: 0).isEmpty && history.count == 1)
  }

  @Test func `versions that a clock ahead of time has dated go with the next ones`() {
    var history = VersionHistory(HistoryLimits(versions: nil, age: 60))
    for number in 1...3 { _ = history.add(version(number), at: 10_000_000_000 + UInt64(number)) }
    var dropped: [UInt64] = []
    for number in 4...100 {
      dropped += history.add(version(number), at: UInt64(number) * 60_000).map(\.version)
      #expect(history.count <= 5)
    }
    // One that is a minute old is kept.
    #expect(dropped == Array(1...98) && history.oldest == 99)
  }

  /// With a clock that jumps, and with older versions that come later, as from a file.
  @Test func `a version is kept as long as it and all later ones are within the limits`() {
    var random = Effort.firstSeed.random
    for _ in 0..<Effort.of(debug: 50, release: 500, night: 10_000) {
      let limits = HistoryLimits(
        versions: random.bool() ? 1 + random.below(8) : nil, age: random.bool() ? Double(random.below(10)) : nil)
      var (history, older) = (VersionHistory(limits), VersionHistory(HistoryLimits(versions: nil, age: nil)))
      var kept: [(number: Int, time: Int)] = []
      var clock = 100_000
      func isBeyond(_ time: Int) -> Bool { limits.age.map { Double(clock - time) > $0 * 1000 } ?? false }
      func trim() {
        while kept.count > limits.versions ?? .max || kept.contains(where: { isBeyond($0.time) }) { kept.removeFirst() }
      }
      for number in 11...50 {
        clock += random.below(4) == 0 ? random.below(40_000) - 20_000 : random.below(2000)
        clock = max(0, clock)
        _ = history.add(version(number), at: UInt64(clock))
        kept.append((number, clock))
        trim()
        if number == 13, kept.first?.number == 11 {
          let times = (8...10).map { (number: $0, time: random.below(200_000)) }
          for (number, time) in times { _ = older.add(version(number), at: UInt64(time)) }
          _ = history.add(Array(older.versions(before: 11)), before: 11, at: UInt64(clock))
          kept = times + kept
          trim()
        }
        let numbers = history.versions(before: UInt64(number) + 1).reversed().map(\.graph.version)
        #expect(numbers == kept.map { UInt64($0.number) })
      }
    }
  }

  @Test func `the versions before a number are given without gaps, the newest first`() {
    var history = VersionHistory(HistoryLimits(versions: 4, age: nil))
    for number in 1...6 { _ = history.add(version(number), at: 0) }
    #expect(history.versions(before: 7).map(\.graph.version) == [6, 5, 4, 3])
    #expect(history.versions(before: 5).map(\.graph.version) == [4, 3])
    #expect(history.versions(before: 3).isEmpty && history.versions(before: 8).isEmpty)
  }

  @Test func `a change of a table that is there ends the history, and a new table does not`() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("a")
    let first = transaction.graph.numbered(1)
    _ = try transaction.addTable("b")
    let second = transaction.graph.numbered(2)
    try transaction.addColumn(to: table, "number", ColumnType(.int))
    let third = transaction.graph.numbered(3)
    var history = VersionHistory(HistoryLimits(versions: 9, age: nil))
    #expect(history.add(first, at: 0, replacedBy: second).isEmpty && history.count == 1)
    #expect(history.add(second, at: 0, replacedBy: third).map(\.version) == [1, 2] && history.count == 0)
    #expect(history.add(third, at: 0).isEmpty && history.oldest == 3)
  }
}
