import FiefRuntime
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// A trimming whose time passes when it is told to, and which counts instead of giving memory back.
private struct Stage {
  private final class Record: Sendable {
    struct State {
      var planned: [@Sendable () -> Void] = []
      var delay = 0
      var trims = 0
    }

    let state = Mutex(State())
  }

  let trimming: HeapTrimming
  private let record: Record

  /// - Parameter duration: how many seconds a trim takes.
  init(trimTakes duration: Double = 0) {
    let record = Record()
    trimming = HeapTrimming { delay, work in
      record.state.withLock { state in
        state.planned.append(work)
        state.delay = delay
      }
    } trim: {
      Thread.sleep(forTimeInterval: duration)
      record.state.withLock { $0.trims += 1 }
    }
    self.record = record
  }

  /// How often the heap was trimmed.
  var count: Int { record.state.withLock { $0.trims } }
  /// How many looks are planned.
  var plans: Int { record.state.withLock { $0.planned.count } }
  /// The milliseconds to the look that was planned last.
  var delay: Int { record.state.withLock { $0.delay } }

  /// Lets the time pass until each planned look.
  func pass() {
    let due = record.state.withLock { state in
      defer { state.planned = [] }
      return state.planned
    }
    for work in due { work() }
  }
}

@Suite struct HeapTrimmingTests {
  @Test func aLargeReleaseIsFollowedByOneTrim() {
    let stage = Stage()
    stage.trimming.add(10_000)
    for _ in 0..<10_000 { stage.trimming.remove(1) }
    #expect(stage.plans == 1 && stage.count == 0, "What is released is given back later.")
    stage.pass()
    #expect(stage.count == 1)
    stage.trimming.remove(HeapTrimming.least - 1)
    #expect(stage.plans == 0, "What was given back is not given back again.")
  }

  @Test func aSmallReleaseIsFollowedByNone() {
    let stage = Stage()
    stage.trimming.add(HeapTrimming.least * 8)
    stage.trimming.remove(HeapTrimming.least * 2 - 1)
    #expect(stage.plans == 0, "A quarter has to be free.")
    let small = Stage()
    small.trimming.add(HeapTrimming.least - 1)
    small.trimming.remove(HeapTrimming.least - 1)
    #expect(small.plans == 0, "A trim has to give back much.")
  }

  @Test func whatIsInUseAgainIsNotGivenBack() {
    let stage = Stage()
    stage.trimming.add(10_000)
    stage.trimming.remove(10_000)
    stage.trimming.add(9_000)
    #expect(stage.plans == 1)
    stage.pass()
    #expect(stage.count == 0)
    stage.trimming.remove(9_000)
    stage.pass()
    #expect(stage.count == 1, "A look that came too early does not prevent the next.")
  }

  @Test func afterALongTrimTheNextWaitsLonger() {
    let stage = Stage(trimTakes: 0.03)
    for least in [1000, 3000] {
      stage.trimming.add(10_000)
      stage.trimming.remove(10_000)
      #expect(stage.delay >= least && (least > 1000 || stage.delay == least))
      stage.pass()
    }
    #expect(stage.count == 2)
  }

  @Test func eachTrimFollowsAsLargeARelease() {
    var random = SeededRandom(seed: 7)
    let stage = Stage()
    var (held, released, highest, last) = (0, 0, 0, 0)
    for _ in 0..<Effort.of(debug: 2000, release: 20_000) {
      if random.bool(0.5) {
        let more = random.below(4000)
        stage.trimming.add(more)
        held += more
        highest = max(highest, held)
      } else {
        let less = random.below(held + 1)
        stage.trimming.remove(less)
        held -= less
        released += less
      }
      if random.below(3) > 0 { continue }
      let before = stage.count
      stage.pass()
      let isDue = highest - held >= HeapTrimming.least && highest - held >= highest / 4
      #expect(stage.count - before == (isDue ? 1 : 0))
      if isDue {
        #expect(released - last >= HeapTrimming.least)
        (highest, last) = (held, released)
      }
    }
    #expect(stage.count > 0)
  }
}
