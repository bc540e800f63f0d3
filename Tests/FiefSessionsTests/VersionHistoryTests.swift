#if DEBUG  // @testable needs a debug build.
  import FiefGraph
  import Foundation
  import Testing

  @testable import FiefSessions

  @Suite("The kept versions of a store")
  struct VersionHistoryTests {
    private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    @Test func `the oldest versions beyond the number go first`() {
      var history = VersionHistory(HistoryLimits(versions: 3, age: nil))
      for version in 1...100 {
        let dropped = history.add(Graph.empty.numbered(UInt64(version)), at: at(0))
        #expect(dropped.map(\.version) == (version > 3 ? [UInt64(version - 3)] : []))
      }
      #expect(history.oldest == 98 && history.graph(98)?.version == 98 && history.graph(97) == nil)
    }

    @Test func `versions go when they were replaced longer ago than the age`() {
      var history = VersionHistory(HistoryLimits(versions: nil, age: 10))
      for version in 1...5 { _ = history.add(Graph.empty.numbered(UInt64(version)), at: at(Double(version))) }
      #expect(history.count == 5)
      #expect(history.trim(at: at(13.5)).map(\.version) == [1, 2, 3])
      #expect(history.oldest == 4)
      _ = history.trim(at: at(100))
      #expect(history.oldest == nil)
    }
  }
#endif
