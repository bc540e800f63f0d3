#if os(Linux)
  import FiefTestSupport
  import Foundation
  import Testing

  /// Calls of a real process fail, fall short, or are its last; then the power fails on paper.
  @Suite struct FailingCallTests {
    /// The process dies before, inside and after a call; what it wrote stays.
    @Test func aKilledProcessLosesNothingThatItAcknowledged() throws {
      try run(Effort.of(debug: 24, release: 150, night: 10_000)) { record, random in
        "\(Self.call(of: record, &random)):\(["kill-before", "kill-inside", "kill-after"][random.below(3)])"
      }
    }

    /// A call fails once, or it and all that follow.
    @Test func aCallThatFailsLosesNothingThatWasAcknowledged() throws {
      try run(Effort.of(debug: 50, release: 400, night: 50_000)) { record, random in
        let kind = ["fail", "fail", "dead"][random.below(3)]
        return "\(Self.call(of: record, &random)):\(kind)=\(Self.codes[random.below(Self.codes.count)])"
      }
    }

    /// `FileHandle` takes `EROFS` and `EINVAL` for success.
    @Test(arguments: [EIO, EROFS, EINVAL, ENOSPC, EDQUOT, EBADF])
    func aSynchronizationThatFailsIsNoSuccessWhateverItSays(code: Int32) throws {
      try run(Effort.of(debug: 5, release: 30, night: 2000)) { record, random in
        "\(Self.call(of: record, "begin-sync", &random)):fail=\(code)"
      }
    }

    /// The disk is full for one commit: that write throws `outOfDiskSpace` and leaves nothing, and the next one is
    /// made.
    @Test func aFullDiskRefusesTheWriteAloneThatMeetsIt() throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        var refused = 0
        for seed in Effort.seeds.prefix(Effort.of(debug: 5, release: 30, night: 1000)) {
          var random = seed.random
          let record = try RecordedRun(seed, in: folder, .alone, steps: 20).record
          // The first call of a commit after its last look at the names: the bytes of its record.
          let starts = record.calls.indices.filter { record.calls[$0].note.first == "start" }
          let start = try #require(starts.dropLast(2).randomElement(using: &random))
          let commit = record.calls[start...].dropFirst().prefix { $0.note.isEmpty }
          guard let call = commit.first(where: { $0.kind == "write" }) else { continue }
          let number = record.calls[start].note[1]
          let run = try RecordedRun(seed, in: folder, .alone, steps: 20, plan: "\(call.number):fail=\(ENOSPC)")
          let notes = run.calls.map(\.note)
          let refusal = try #require(notes.firstIndex(of: ["refused", number, "outOfDiskSpace"]), "\(seed)")
          let next = notes[refusal...].first { ["done", "relaxed"].contains($0.first) }
          #expect(next?.last == number, "\(seed): \(notes[refusal...].filter { !$0.isEmpty })")
          let (disk, outcomes) = run.state(at: run.calls.count)
          #expect(try check.fault(in: disk.image(.kept, &random), after: outcomes) == nil, "\(seed)")
          refused += 1
        }
        print("\(refused) commits met a full disk, seeds from \(Effort.firstSeed)")
        #expect(refused > 0)
      }
    }

    @Test func aShortWriteLosesNothing() throws {
      try run(Effort.of(debug: 10, release: 50, night: 5000)) { record, random in
        "\(Self.call(of: record, "write", &random)):short"
      }
    }

    /// The system could not bring a page to the disk, and says so once, to whoever synchronizes the file first.
    @Test func anErrorThatIsReportedOnceLosesNothingThatWasAcknowledged() throws {
      try run(Effort.of(debug: 30, release: 150, night: 10_000), .threaded) { record, random in
        let call = Self.call(of: record, "write", &random)
        return random.below(3) == 0 ? "\(call):lose" : "\(call):lose-then=\(ENOSPC)"
      }
    }

    /// An interruption without an end is an error after the hundredth call, but for writes, which `FileHandle` makes
    /// again.
    @Test func aCallThatIsInterruptedForEverEndsInAnError() throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let seed = Effort.firstSeed
        let record = try RecordedRun(seed, in: folder, .alone, steps: 40).record
        let kinds = Set(record.calls.filter { $0.number > 0 }.map(\.kind)).subtracting(["write"])
        #expect(kinds.isSuperset(of: ["open", "create", "lock", "look", "read", "sync", "rename", "unlink"]))
        for kind in kinds.sorted() {
          let call = try #require(record.calls.first { $0.kind == kind })
          let run = try RecordedRun(seed, in: folder, .alone, steps: 40, plan: "\(call.number):dead=\(EINTR)")
          #expect(run.calls.last?.note == ["ended"], "\(kind), call \(call.number)")
          // Whatever began to fail there, the process was told, unless nothing was left to be done.
          let wasTold = run.calls.contains { ["refused", "unknown", "not-opened"].contains($0.note.first) }
          #expect(wasTold || kind == "close", "\(kind), call \(call.number)")
        }
        print("\(kinds.count) kinds of calls interrupted for ever, seed \(seed)")
      }
    }

    /// The test of the test: a process that takes a failed synchronization for a success is found out.
    @Test func aSwallowedFailureIsNoticed() throws {
      try withScratchFolder { scratch in
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        for seed in Effort.seeds.prefix(50) {
          var random = seed.random
          let folder = scratch.appendingPathComponent("store")
          let record = try RecordedRun(seed, in: folder, .alone, steps: 8).record
          let plan = "\(Self.call(of: record, "begin-sync", &random)):swallow=\(EROFS)"
          let run = try RecordedRun(seed, in: folder, .alone, steps: 8, plan: plan)
          let (disk, outcomes) = run.state(at: run.calls.count)
          if let fault = try check.fault(in: disk.image(.lost, &random), after: outcomes) {
            print("Without its failure a synchronization is missed: seed \(seed), \(plan): \(fault)")
            return
          }
        }
        Issue.record("No run with a swallowed failure was found out.")
      }
    }

    private static let codes = [
      EIO, ENOSPC, EROFS, EINVAL, EDQUOT, EINTR, EACCES, EPERM, ENOLCK, EMFILE, ENFILE, ENOMEM, EBADF, EFBIG, EAGAIN,
      ENOENT,
      EEXIST, ELOOP, ENOSYS, EOPNOTSUPP,
    ]

    /// The number of a call: each kind is as likely as any other.
    private static func call(of record: Record, _ random: inout SeededRandom) -> Int {
      let kinds = Set(record.calls.filter { $0.number > 0 }.map(\.kind)).sorted()
      return call(of: record, kinds[random.below(kinds.count)], &random)
    }

    /// The number of a call of one kind.
    private static func call(of record: Record, _ kind: String, _ random: inout SeededRandom) -> Int {
      let calls = record.calls.filter { $0.kind == kind }
      return calls[random.below(calls.count)].number
    }

    private func run(
      _ runs: Int, _ form: RecordedRun.Form = .alone, _ plan: (Record, inout SeededRandom) -> String
    ) throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        var images = 0
        for seed in Effort.seeds.prefix(runs) {
          var random = seed.random
          let steps = 4 + random.below(16)
          // To its end first, to know which calls there are.
          let plan = plan(try RecordedRun(seed, in: folder, form, steps: steps).record, &random)
          let run = try RecordedRun(seed, in: folder, form, steps: steps, plan: plan)
          for round in 0..<5 {
            // The end first: that is where most acknowledgements are.
            let point = round < 3 ? run.calls.count : random.below(run.calls.count + 1)
            let (disk, outcomes) = run.state(at: point)
            let image = disk.image(round == 0 ? .kept : round == 1 ? .lost : .random, &random)
            if let fault = try check.fault(in: image, after: outcomes) {
              Issue.record("\(seed.testDescription), \(plan), call \(point) of \(run.calls.count): \(fault)")
              return
            }
            images += 1
          }
        }
        print("\(runs) processes with failing calls, \(images) images, seeds from \(Effort.firstSeed)")
      }
    }
  }
#endif
