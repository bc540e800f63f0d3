import FiefFuzzing
import FiefTestSupport
import Testing

/// Random inputs of the targets that carry goals of durability, in numbers instead of seconds.
///
/// | goal | targets | in the test command | in a release build | at night |
/// | --- | --- | --- | --- | --- |
/// | G13, decoders | files, formats and documents | some hundred inputs each | what takes some 20 s | 10 million each |
/// | G14, sequences with crashes | `crashes` | 10 stories | 3,000 | a million |
/// | G15, the public interface and an oracle | `programs` | 2,000 operations | 2 million | 100 million |
///
/// `.ci/run` gives each decoder 20 seconds besides.
@Suite struct CampaignTests {
  @Test(arguments: [
    ("snapshots", Effort.of(debug: 300, release: 100_000, night: 10_000_000)),
    ("journals", Effort.of(debug: 300, release: 100_000, night: 10_000_000)),
    ("histories", Effort.of(debug: 100, release: 20_000, night: 10_000_000)),
    ("queries", Effort.of(debug: 50, release: 20_000, night: 10_000_000)),
    ("documents", Effort.of(debug: 100, release: 20_000, night: 10_000_000)),
  ])
  func decodersEndOnRandomInputs(_ name: String, _ count: Int) throws {
    let found = try run(name) { inputs, _ in inputs < count }
    Figures.report("G13: \(name), \(found.inputs) inputs, \(found.seed)")
  }

  @Test func sequencesSurviveCrashes() throws {
    let count = Effort.of(debug: 10, release: 3000, night: 1_000_000)
    let found = try run("crashes") { inputs, _ in inputs < count }
    Figures.report("G14: \(found.inputs) stories of \(found.operations) operations, \(found.seed)")
  }

  @Test func thePublicInterfaceAgreesWithAModel() throws {
    let count = Effort.of(debug: 2000, release: 2_000_000, night: 100_000_000)
    let found = try run("programs") { _, operations in operations < count }
    Figures.report("G15: \(found.operations) operations in \(found.inputs) programs, \(found.seed)")
  }

  /// Runs random inputs until `goesOn` returns false for their number and that of their steps.
  private func run(
    _ name: String, while goesOn: (_ inputs: Int, _ operations: Int) -> Bool
  ) throws -> (inputs: Int, operations: Int, seed: Seed) {
    let target = try #require(FuzzTargets.named(name))
    let seed = Effort.firstSeed
    var random = seed.random
    var (inputs, operations) = (0, 0)
    while goesOn(inputs, operations) {
      let input = target.sample(&random)
      let layout = target.layout(of: input)
      inputs += 1
      operations += (input.count - layout.header + layout.step - 1) / layout.step
      do { try target.check(input) } catch {
        Issue.record("\(seed), input \(inputs): \(error)\n\(target.lines(input).joined(separator: "\n"))")
        break
      }
    }
    return (inputs, operations, seed)
  }
}
