import FiefTestSupport
import Foundation
import Testing

/// Random evolutions of an application's classes through the public interface, against dictionaries.
@Suite struct EvolutionTests {
  @Test func everyEvolutionLeadsToTheContentsThatNoMigrationHasMade() throws {
    var (migrated, refused, atOnce) = (0, 0, 0)
    try Seeds.run(count: Effort.of(debug: 180, release: 1000, night: 10_000)) { _, random in
      let folder = try TemporaryFolder()
      let hasRareKinds = random.bool()
      let url = folder.url.appendingPathComponent("evolving.realm")
      var run = try EvolvedRun(url, &random, hasRareKinds: hasRareKinds)
      let writes = random.bool()
      for _ in 0..<(1 + random.below(10)) {
        try run.migrate(&random, hasRareKinds: hasRareKinds)
        if writes { try run.write(&random) }
      }
      atOnce += try run.migrateAtOnce() ? 1 : 0
      migrated += run.migrated
      refused += run.refused
    }
    let environment = ProcessInfo.processInfo.environment
    guard environment["FIEF_SEED"] == nil && environment["FIEF_SEEDS"] == nil else { return }
    #expect(migrated > 100 && refused > 0 && atOnce > 0, "too little was tried")
    Figures.report("\(migrated) migrations, \(refused) refused, \(atOnce) of all versions at once")
  }
}
