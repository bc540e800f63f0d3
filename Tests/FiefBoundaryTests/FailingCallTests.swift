#if os(Linux)
  import FiefTestSupport
  import Foundation
  import Testing

  /// Calls of a real process fail, complete partially, or are its last. Then the power fails in a simulation.
  @Suite(.waitsForProcesses) struct FailingCallTests {
    /// The process dies before, inside or after a call; everything that it wrote stays.
    @Test func aKilledProcessLosesNothingThatItAcknowledged() throws {
      try run(Effort.of(debug: 8, release: 150, night: 10_000)) { record, random in
        "\(Self.call(of: record, &random)):\(["kill-before", "kill-inside", "kill-after"][random.below(3)])"
      }
    }

    /// One call fails, or it and all later calls fail.
    @Test func aCallThatFailsLosesNothingThatWasAcknowledged() throws {
      try run(Effort.of(debug: 15, release: 400, night: 50_000)) { record, random in
        let kind = ["fail", "fail", "dead"][random.below(3)]
        return "\(Self.call(of: record, &random)):\(kind)=\(Self.codes[random.below(Self.codes.count)])"
      }
    }

    /// `FileHandle` treats `EROFS` and `EINVAL` as success.
    @Test(arguments: [EIO, EROFS, EINVAL, ENOSPC, EDQUOT, EBADF])
    func aSynchronizationThatFailsIsNoSuccessWhateverItSays(code: Int32) throws {
      try run(Effort.of(debug: 2, release: 30, night: 2000)) { record, random in
        "\(Self.call(of: record, "begin-sync", &random)):fail=\(code)"
      }
    }

    /// The disk is full during one commit. That write throws `outOfDiskSpace` and leaves no trace, and the next write
    /// succeeds.
    @Test func aFullDiskRefusesTheWriteAloneThatMeetsIt() throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let check = try ImageCheck(folder: scratch.appendingPathComponent("image"))
        let wanted = Effort.of(debug: 2, release: 30, night: 1000)
        var refused = 0
        for seed in Effort.seeds.prefix(20 * wanted) where refused < wanted {
          var random = seed.random
          let record = try RecordedRun(seed, in: folder, .alone, steps: 20).record
          let candidates = record.calls.filter { Self.commit(at: $0.number, of: record) != nil }.dropLast(2)
          let call = try #require(candidates.randomElement(using: &random), "\(seed)").number
          let run = try RecordedRun(seed, in: folder, .alone, steps: 20, plan: "\(call):fail=\(ENOSPC)")
          // The work that follows commits depends on time, so the call may be another one in this run.
          guard let number = Self.commit(at: call, of: run.record) else { continue }
          let notes = run.calls.map(\.note)
          let refusal = try #require(
            notes.firstIndex { $0.starts(with: ["refused", number, "outOfDiskSpace"]) }, "\(seed)")
          let next = notes[refusal...].first { ["done", "relaxed"].contains($0.first) }
          #expect(next?.last == number, "\(seed): \(notes[refusal...].filter { !$0.isEmpty })")
          let (disk, outcomes) = run.state(at: run.calls.count)
          #expect(try check.fault(in: disk.image(.kept, &random), after: outcomes) == nil, "\(seed)")
          refused += 1
        }
        Figures.report("\(refused) commits met a full disk, seeds from \(Effort.firstSeed)")
        #expect(refused > 0)
      }
    }

    @Test func aShortWriteLosesNothing() throws {
      try run(Effort.of(debug: 4, release: 50, night: 5000)) { record, random in
        "\(Self.call(of: record, "write", &random)):short"
      }
    }

    /// The system could not write a page to the disk. It reports the error once, to the first process that synchronizes
    /// the file.
    @Test func anErrorThatIsReportedOnceLosesNothingThatWasAcknowledged() throws {
      try run(Effort.of(debug: 8, release: 150, night: 10_000), .threaded) { record, random in
        let call = Self.call(of: record, "write", &random)
        return random.below(3) == 0 ? "\(call):lose" : "\(call):lose-then=\(ENOSPC)"
      }
    }

    /// A call that is interrupted every time ends in an error after the hundredth attempt. Writes are an exception,
    /// because `FileHandle` repeats them.
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
          // For every kind of call, the process must get an error, unless no work was left.
          let wasTold = run.calls.contains { ["refused", "unknown", "not-opened"].contains($0.note.first) }
          #expect(wasTold || kind == "close", "\(kind), call \(call.number)")
        }
        Figures.report("\(kinds.count) kinds of calls interrupted for ever, seed \(seed)")
      }
    }

    /// A test of the test: a process that treats a failed synchronization as success is detected.
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
            Figures.report("Without its failure a synchronization is missed: seed \(seed), \(plan): \(fault)")
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

    /// The number of the write whose record the call begins to write; nil for any other call.
    private static func commit(at number: Int, of record: Record) -> String? {
      guard number > 0, let index = record.calls.firstIndex(where: { $0.number == number }),
        record.calls[index].kind == "write",
        let start = record.calls[..<index].lastIndex(where: { !$0.note.isEmpty }),
        record.calls[start].note.first == "start",
        !record.calls[start..<index].contains(where: { $0.kind == "write" })
      else { return nil }
      return record.calls[start].note[1]
    }

    /// The number of a call; all kinds are equally likely.
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
          // The first run goes to its end, to collect the calls.
          let plan = plan(try RecordedRun(seed, in: folder, form, steps: steps).record, &random)
          let run = try RecordedRun(seed, in: folder, form, steps: steps, plan: plan)
          for round in 0..<5 {
            // The end comes first, because most acknowledgements are there.
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
        Figures.report("\(runs) processes with failing calls, \(images) images, seeds from \(Effort.firstSeed)")
      }
    }
  }
#endif
