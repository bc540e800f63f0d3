import FiefRuntime
import FiefTestSupport
import Synchronization
import Testing

@Suite struct ProcessorsTests {
  @Test func partsFollowEachOtherAndCoverAllItems() {
    for items in [0, 1, 2, 63, 64, 65, 1000] {
      let parts = Processors.parts(of: items, least: 32)
      #expect(parts.flatMap { Array($0) } == Array(0..<items))
      #expect(parts.count == max(1, min(Processors.count, items / 32)))
    }
    #expect(Processors.parts(of: 1000, least: .max) == [0..<1000])
  }

  @Test(arguments: [0, 1, 2, 100]) func resultsAreInTheOrderOfTheNumbers(count: Int) {
    let calls = Mutex(0)
    let results = Processors.map(count) { number in
      calls.withLock { $0 += 1 }
      return number * number
    }
    #expect(results == (0..<count).map { $0 * $0 })
    #expect(calls.withLock { $0 } == count)
  }
}
