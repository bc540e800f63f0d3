#if os(Linux)
  import FiefTestSupport
  import Foundation
  import Testing

  /// Records a process at the system's boundary and simulates a power failure at every kind of moment.
  @Suite(.waitsForProcesses) struct PowerLossTests {
    /// The number of images that a test examines in all.
    private static let images = Effort.of(debug: 120, release: 4000, night: 1_000_000)

    @Test func nothingAcknowledgedIsLostWhenThePowerFails() throws {
      try run(.alone, images: Self.images)
    }

    @Test func nothingAcknowledgedIsLostWhenThreadsShareSynchronizations() throws {
      try run(.threaded, images: Self.images / 2)
    }

    private func run(_ form: RecordedRun.Form, images: Int) throws {
      try withScratchFolder { scratch in
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        var (tried, runs, calls) = (0, 0, 0)
        for seed in Effort.seeds {
          guard tried < images else { break }
          var random = seed.random
          let run = try RecordedRun(
            seed, in: scratch.appendingPathComponent("store"), form, steps: 5 + random.below(40))
          runs += 1
          calls += run.calls.count
          for _ in 0..<min(30, images - tried) {
            let point = random.below(run.calls.count + 1)
            let (disk, outcomes) = run.state(at: point)
            if let fault = try check.fault(in: disk.image(.any(&random), &random), after: outcomes) {
              Issue.record("\(seed.testDescription), after call \(point) of \(run.calls.count): \(fault)")
              return
            }
            tried += 1
          }
        }
        Figures.report(
          "Power failed in \(tried) ways, \(runs) runs (\(form)), \(calls) calls, seeds from \(Effort.firstSeed)")
        #expect(tried > 0)
      }
    }
  }
#endif
