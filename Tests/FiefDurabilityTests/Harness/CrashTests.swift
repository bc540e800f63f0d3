import FiefDurability
import FiefTestSupport
import Testing

/// G1, G11: power fails at every call, and within every write, of random stories.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct CrashTests {
  @Test func everyCrashLeavesACommittedVersion() throws {
    let wanted = Effort.of(debug: 1500, release: 50_000, night: 5_000_000)
    var (tried, stories) = (0, 0)
    for seed in Effort.seeds where tried < wanted {
      let campaign = CrashCampaign(seed: seed, share: Effort.of(debug: 15, release: 100, night: 100))
      tried += try campaign.run(limit: wanted - tried).images
      stories += 1
    }
    // The campaign throws at the first image that breaks a guarantee. This checks that it tried enough images.
    #expect(tried >= wanted)
    Figures.report("G1: \(tried) crash images of \(stories) stories, seeds from \(Effort.firstSeed)")
  }

  /// Power fails while snapshots and journals are written behind their writers, and commits arrive between the
  /// portions.
  @Test func everyCrashWhileFilesAreWrittenBehindLeavesACommittedVersion() throws {
    let wanted = Effort.of(debug: 300, release: 8000, night: 200_000)
    var all = CrashCampaign.Result()
    var stories = 0
    for seed in Effort.seeds where all.images < wanted {
      var campaign = CrashCampaign(seed: seed, share: Effort.of(debug: 5, release: 4, night: 20))
      campaign.isBehind = true
      let result = try campaign.run(limit: wanted - all.images)
      all.images += result.images
      all.portions += result.portions
      all.commitsMeanwhile += result.commitsMeanwhile
      stories += 1
    }
    #expect(all.images >= wanted)
    #expect(all.portions > stories)
    #expect(all.commitsMeanwhile > 0)
    Figures.report(
      "G1, written behind: \(all.images) crash images of \(stories) stories, \(all.portions) portions, "
        + "\(all.commitsMeanwhile) commits between them, seeds from \(Effort.firstSeed)")
  }
}
