import FiefDurability
import FiefTestSupport
import Testing

/// G1, G11: power fails at every call, and within every write, of random stories.
@Suite(.leavesNoFileOpen) struct CrashTests {
  @Test func everyCrashLeavesACommittedVersion() throws {
    let wanted = Effort.of(debug: 4000, release: 50_000, night: 5_000_000)
    var (tried, stories) = (0, 0)
    for seed in Effort.seeds where tried < wanted {
      let campaign = CrashCampaign(seed: seed, share: Effort.of(debug: 15, release: 100, night: 100))
      tried += try campaign.run(limit: wanted - tried)
      stories += 1
    }
    // The campaign throws at the first image that breaks a promise; this is that it was as long as it says.
    #expect(tried >= wanted)
    print("G1: \(tried) crash images of \(stories) stories, seeds from \(Effort.firstSeed)")
  }
}
