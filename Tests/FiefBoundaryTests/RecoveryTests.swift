#if os(Linux)
  import FiefTestSupport
  import Foundation
  import Testing

  /// The power fails again during a recovery, and once more during the recovery from that.
  @Suite(.waitsForProcesses) struct RecoveryTests {
    /// The number of recoveries recorded one after the other.
    private static let depth = 3

    @Test func aRecoveryThatIsCutOffLosesNothing() throws {
      let rounds = Effort.of(debug: 4, release: 40, night: 5000)
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        var (images, recoveries) = (0, 0)
        for seed in Effort.seeds.prefix(rounds) {
          var random = seed.random
          let run = try RecordedRun(seed, in: folder, .alone, steps: 6 + random.below(20))
          var (disk, outcomes) = run.state(at: random.below(run.calls.count + 1))
          for level in 1...Self.depth {
            let before = disk.image(.random, &random)
            try ImageCheck.write(before, to: folder)
            let recovery = try RecordedProcess(
              ["recover", folder.appendingPathComponent("ledger.realm").path], in: folder
            ).finish()
            recoveries += 1
            for _ in 0..<(level == Self.depth ? 8 : 4) {
              let point = random.below(recovery.calls.count + 1)
              var then = outcomes
              (disk, then) = try state(of: recovery, at: point, on: before, outcomes)
              if let fault = try check.fault(in: disk.image(.any(&random), &random), after: then) {
                Issue.record("\(seed.testDescription), level \(level), call \(point) of the recovery: \(fault)")
                return
              }
              images += 1
              if level < Self.depth && random.below(4) == 0 { break }
            }
            // The next recovery begins at the point where this one was cut off.
            let point = random.below(recovery.calls.count + 1)
            (disk, outcomes) = try state(of: recovery, at: point, on: before, outcomes)
          }
        }
        Figures.report(
          "\(recoveries) recoveries cut off, \(Self.depth) deep, \(images) images, seeds from \(Effort.firstSeed)")
        #expect(images > 0)
      }
    }

    /// The possible contents of the disk after the first `point` calls of a recovery. A state that a process has read
    /// stays from then on.
    private func state(
      of recovery: Record, at point: Int, on image: [String: [UInt8]], _ outcomes: Outcomes
    ) throws -> (RecordedDisk, Outcomes) {
      var disk = RecordedDisk(image)
      var outcomes = outcomes
      for call in recovery.calls[..<point] {
        disk.apply(call)
        let words = call.note
        if words.first == "not-opened" { throw Failure(description: "a recovery does not open: \(call.name)") }
        guard words.first == "found", let number = Int(words[1]) else { continue }
        if let fault = outcomes.fault(ofFinding: number, words[2]) { throw Failure(description: fault) }
        outcomes = Outcomes(number: number, digest: words[2])
      }
      return (disk, outcomes)
    }

    private struct Failure: Error, CustomStringConvertible {
      let description: String
    }
  }
#endif
