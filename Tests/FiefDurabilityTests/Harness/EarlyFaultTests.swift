import FiefDurability
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// G8 for commits that no thread waits for: single and grouped ones, among synchronous ones, with documents in the
/// outbox and without, on a disk whose k-th call fails, once or from then on.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct EarlyFaultTests {
  @Test func everyFailingCallLeavesEarlyCommitsHonest() throws {
    let wanted = Effort.of(debug: 250, release: 2_500, night: 100_000)
    var counts = EarlyFaultStory.Counts()
    for seed in Effort.seeds where counts.runs < wanted {
      var random = seed.random
      let steps = EarlyFaultStory.Step.story(using: &random)
      let healthy = try EarlyFaultStory.run(
        steps, fault: nil, "seed \(seed.testDescription), healthy", &random, &counts)
      // How many commits share a synchronization varies, and with it the number of calls.
      for call in 0..<healthy {
        for kind in FaultCampaign.kinds(using: &random) {
          let isForEver = random.bool()
          var drawing = random.split()
          if random.below(100) >= Effort.of(debug: 15, release: 50, night: 100) || counts.runs >= wanted { continue }
          let fault = DiskFault(call: call, kind: kind, isForEver: isForEver)
          _ = try EarlyFaultStory.run(steps, fault: fault, "seed \(seed.testDescription), \(fault)", &drawing, &counts)
        }
      }
    }
    Figures.report(
      "G8, early: \(counts.runs) runs with a fault, \(counts.failures) failed commits, \(counts.images) crash images, "
        + "seeds from \(Effort.firstSeed)")
    #expect(counts.runs >= wanted && counts.failures > wanted / 4 && counts.lost > 0 && counts.refused > 0)
  }

  @Test(arguments: [EIO, ENOSPC])
  func aFullOrBrokenDiskTellsEveryCommitAndLeavesTheDurableVersion(_ code: Int32) throws {
    var counts = EarlyFaultStory.Counts()
    var random = Effort.firstSeed.random
    let steps: [EarlyFaultStory.Step] = [
      .early(isGrouped: false, document: true), .wait, .early(isGrouped: true, document: false),
      .early(isGrouped: true, document: true), .synchronous(document: false), .early(isGrouped: false, document: false),
    ]
    let calls = try EarlyFaultStory.run(steps, fault: nil, "healthy", &random, &counts)
    for call in 0..<calls {
      for isForEver in [false, true] {
        let fault = DiskFault(call: call, kind: .refuse(code), isForEver: isForEver)
        _ = try EarlyFaultStory.run(steps, fault: fault, "\(fault)", &random, &counts)
      }
    }
    #expect(counts.failures > 0)
  }
}
