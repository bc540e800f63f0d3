import FiefTestSupport
import Synchronization
import Testing

/// Stands for the kernel's count of live nodes, which is one per process.
private let living = Atomic<Int>(0)

private final class Counted {
  var other: Counted?
  init() { living.add(1, ordering: .relaxed) }
  deinit { living.subtract(1, ordering: .relaxed) }
}

@Suite struct LeakCheckTests {
  @Test func inAChildAGlobalCountIsCertain() async {
    await #expect(processExitsWith: .success) {
      expectNoLeaks(of: { living.load(ordering: .relaxed) }) {
        let object = Counted()
        object.other = Counted()
      }
    }
  }

  @Test func aLeakIsReportedWithItsSize() {
    var count = 0
    let reported = issues { expectNoLeaks(of: { count }) { count += 2 } }
    #expect(reported.count == 1)
    #expect(reported.first?.contains("2 leaked: 2 before, 4 after") == true)
  }

  @Test func aLeakInAChildReachesTheParent() async {
    let reported = await issues(ofAsync: {
      await #expect(processExitsWith: .success) {
        expectNoLeaks(of: { living.load(ordering: .relaxed) }) {
          let object = Counted()
          object.other = object
        }
      }
    })
    #expect(reported.contains { $0.contains("1 leaked: 1 before, 2 after") })
  }

  @Test func globalsMadeOnFirstUseAreNotReportedAsLeaks() {
    var cache: Int?
    expectNoLeaks(of: { cache == nil ? 0 : 1 }) { cache = 1 }
  }

  @Test func anErrorPasses() {
    #expect(throws: Planted.self) {
      try expectNoLeaks(of: { 0 }) { throw Planted() }
    }
  }

  @Test func anAsynchronousLeakIsReported() async {
    var count = 0
    let reported = await issues(ofAsync: {
      await expectNoLeaks(of: { count }) {
        await Task.yield()
        count += 1
      }
    })
    #expect(reported.count == 1)
  }
}
