import FiefRuntime
import FiefTestSupport
import Synchronization
import Testing

/// A clock that stands until it is set.
private final class StandingClock: Sendable {
  private let time = Mutex(Duration.zero)

  func set(_ seconds: Int) { time.withLock { $0 = .seconds(seconds) } }

  var now: @Sendable () -> Duration { { self.time.withLock { $0 } } }
}

@Suite struct WorkMeterTests {
  @Test func aMeterShowsTheStageThatRuns() {
    let clock = StandingClock()
    let meter = WorkMeter(now: clock.now)
    clock.set(2)
    #expect(meter.state == WorkMeter.State(stage: nil, done: 0, total: 0, time: .seconds(2)))
    meter.begin(.reading, of: 100)
    meter.advance(by: 30)
    clock.set(5)
    #expect(meter.state == WorkMeter.State(stage: .reading, done: 30, total: 100, time: .seconds(3)))
    meter.begin(.writing, of: 7)
    #expect(meter.state == WorkMeter.State(stage: .writing, done: 0, total: 7, time: .zero))
  }

  @Test func whatIsGoneThroughTwiceIsDoneAfterTheSecondTime() {
    let meter = WorkMeter()
    meter.begin(.checking, of: 10, passes: 2)
    meter.advance(by: 10)
    #expect(meter.state.done == 5)
    meter.advance(by: 10)
    #expect(meter.state.done == 10)
  }

  @Test func moreThanAllIsNeverDone() {
    let meter = WorkMeter()
    meter.begin(.reading, of: 10)
    meter.advance(by: 64)
    #expect(meter.state.done == 10)
    meter.begin(.reading, of: 0)
    meter.advance(by: 64)
    #expect(meter.state.done == 64, "Of an unknown total anything can be done.")
  }

  @Test(arguments: [(100, 3, [33, 66, 100]), (3, 3, [1, 2, 3]), (2, 4, [0, 1, 1, 2]), (0, 2, [0, 0])])
  func aShareAdvancesInProportion(_ amount: Int, _ steps: Int, _ expected: [Int]) {
    let meter = WorkMeter()
    meter.begin(.reading, of: 1000)
    let share = WorkMeter.Share(amount, of: meter, inSteps: steps)
    let done = (0..<steps).map { _ in
      share.advance(by: 1)
      return meter.state.done
    }
    #expect(done == expected)
    share.advance(by: 9)
    share.finish()
    #expect(meter.state.done == amount, "A share is counted once.")
  }

  @Test func aShareWithoutStepsIsCountedAtItsEnd() {
    let meter = WorkMeter()
    meter.begin(.reading, of: 10)
    let share = WorkMeter.Share(10, of: meter, inSteps: 0)
    share.advance(by: 0)
    #expect(meter.state.done == 0)
    share.finish()
    #expect(meter.state.done == 10)
  }

  @Test func aTaskHasTheMeterThatItWasGiven() async {
    #expect(WorkMeter.current == nil)
    let meter = WorkMeter()
    await WorkMeter.$current.withValue(meter) {
      await Task { #expect(WorkMeter.current === meter) }.value
      await Task.detached { #expect(WorkMeter.current == nil) }.value
    }
  }
}
