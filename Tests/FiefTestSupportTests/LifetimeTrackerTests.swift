import FiefTestSupport
import Testing

@Suite struct LifetimeTrackerTests {
  private final class Ring {
    var next: Ring?
    let content: Tracked<String>
    init(_ content: Tracked<String>) { self.content = content }
  }

  @Test func theCountFollowsTheObjects() {
    let tracker = LifetimeTracker()
    var objects = (0..<3).map { tracker.track($0) }
    #expect(tracker.count == 3)
    objects.remove(at: 1)
    #expect(tracker.count == 2)
    #expect(tracker.survivors == ["0", "2"])
    objects = []
    #expect(tracker.count == 0)
  }

  @Test func trackersDoNotDisturbEachOther() {
    let one = LifetimeTracker()
    let other = LifetimeTracker()
    let object = one.track("a")
    #expect(other.count == 0)
    withExtendedLifetime(object) { #expect(one.count == 1) }
  }

  @Test func aCleanBodyIsSilent() {
    LifetimeTracker.check { tracker in
      let values = [tracker.track(1), tracker.track(2)]
      #expect(values[0] < values[1])
    }
  }

  @Test func aCycleIsReportedWithWhatItCarries() {
    var rescued: Ring?
    let reported = issues {
      LifetimeTracker.check { tracker in
        let ring = Ring(tracker.track("lost"))
        ring.next = ring
        rescued = ring
      }
    }
    #expect(reported.count == 1)
    #expect(reported.first?.contains("lost") == true)
    rescued?.next = nil
  }

  @Test func trackedObjectsCompareAsTheirPayloads() {
    let tracker = LifetimeTracker()
    #expect(tracker.track(1) == tracker.track(1))
    #expect(tracker.track(1) != tracker.track(2))
    #expect(Set([tracker.track(1), tracker.track(1)]).count == 1)
  }
}
