import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// Two processes share a store, and one call of either fails.
@Suite("Two processes on a disk with a fault", .leavesNoFileOpen, .alsoEncrypted)
struct SharedFaultTests {
  @Test(arguments: SharedScheduleTests.stories) func everyFailingCallLeavesTheStoreHonest(
    story: SharedScheduleTests.Story
  ) throws {
    let calls = try story.schedule().run()
    var random = Effort.firstSeed.random
    var (runs, errors) = (0, 0)
    var images = CrashImages(wanted: Effort.of(debug: 300, release: 5000, night: 100_000), share: 3)
    let share = Effort.of(debug: 5, release: 25, night: 100)
    for call in 0..<calls {
      for kind in FaultCampaign.kinds(using: &random) {
        let (isForEver, change) = (random.below(4) == 0, random.below(calls))
        if random.below(100) >= share { continue }
        let fault = DiskFault(call: call, kind: kind, isForEver: isForEver)
        do {
          let schedule = try SharedSchedule(
            scripts: [story.first, story.second], changes: [change], isThere: story.isThere, history: story.history,
            chance: UInt64(call), fault: fault)
          _ = try schedule.run()
          errors += schedule.errors
          if runs % 5 == 0 { try schedule.tryPowerFailures(&images, using: &random) }
        } catch {
          throw StoryFault(description: "\(fault), a change at \(change): \(error)")
        }
        runs += 1
      }
    }
    #expect(errors > 0)
    Figures.report(
      "Sharing, \(story.testDescription): \(runs) runs with a fault, \(errors) errors, \(images.tried) images")
  }
}
