import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// G8: the k-th call fails, for every k.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct FaultTests {
  @Test func everyFailingCallLeavesTheStoreHonest() throws {
    var (runs, images, errors) = (0, 0, 0)
    let seeds = Effort.of(debug: 2, release: 4, night: 100)
    for (number, seed) in Effort.seeds.prefix(seeds).enumerated() {
      // New files are written behind their writers in every other story.
      let share = Effort.of(debug: 6, release: 100, night: 100)
      let campaign = FaultCampaign(seed: seed, isBehind: number % 2 == 1, share: share)
      let result = try campaign.run()
      runs += result.runs
      images += result.images
      errors += result.errors
    }
    Figures.report(
      "G8: \(runs) runs with a fault, \(errors) errors dealt with, \(images) crash images after them, seeds from "
        + "\(Effort.firstSeed)")
    #expect(errors > 0)
  }

  /// The timer synchronizes the last commit of this story, so its failure is reported by no call but the closing. The
  /// power fails at every moment after a fault.
  @Test func aFailureOfTheTimerLeavesTheStoreHonest() throws {
    let seed = Effort.firstSeed
    let campaign = FaultCampaign(seed: seed, crashes: .max, isBrief: true)
    let steps: [Step] = [.commit, .commit, .relaxedCommit, .rest(2), .reopen, .commit]
    let healthy = SimulatedDisk(isRecording: false, chance: seed.value)
    try StoryTeller(on: healthy, seed: seed.value).tell(steps)
    var (random, result) = (seed.random, FaultCampaign.Result())
    for call in 0..<healthy.calls {
      for kind in [.refuse(EIO), .dropOnSync(EIO)] as [DiskFault.Kind] {
        for isForEver in [false, true] {
          let fault = DiskFault(call: call, kind: kind, isForEver: isForEver)
          try campaign.run(steps, seed.value, [fault], &random, &result)
        }
      }
    }
    #expect(result.errors > healthy.calls)
  }
}
