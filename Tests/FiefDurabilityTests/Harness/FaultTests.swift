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
    let campaign = FaultCampaign(seed: Effort.firstSeed, crashes: .max, isBrief: true)
    let (result, calls) = try campaign.run([.commit, .commit, .relaxedCommit, .rest(2), .reopen, .commit]) { call in
      [.refuse(EIO), .dropOnSync(EIO)].flatMap { kind in
        [false, true].map { DiskFault(call: call, kind: kind, isForEver: $0) }
      }
    }
    #expect(result.errors > calls)
  }
}
