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
