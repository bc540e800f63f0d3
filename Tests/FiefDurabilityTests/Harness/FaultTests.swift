import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// G8: the k-th call fails, for every k.
@Suite(.leavesNoFileOpen) struct FaultTests {
  @Test func everyFailingCallLeavesTheStoreHonest() throws {
    var (runs, images, errors) = (0, 0, 0)
    let seeds = Effort.of(debug: 1, release: 4, night: 100)
    for seed in Effort.seeds.prefix(seeds) {
      let campaign = FaultCampaign(seed: seed, share: Effort.of(debug: 12, release: 100, night: 100))
      let result = try campaign.run()
      runs += result.runs
      images += result.images
      errors += result.errors
    }
    print(
      "G8: \(runs) runs with a fault, \(errors) errors dealt with, \(images) crash images after them, seeds from "
        + "\(Effort.firstSeed)")
    #expect(errors > 0)
  }
}
