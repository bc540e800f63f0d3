#if os(Linux)
  import Fief
  import FiefBoundarySupport
  import FiefTestSupport
  import Foundation
  import Testing

  /// Another process changes the files of a store between two calls of the process that has them open.
  @Suite(.waitsForProcesses) struct OtherProcessTests {
    /// All files are removed, and another process makes a store with the same name: its commits stay.
    @Test func aStoreWhoseFilesWereTakenAwayOverwritesNothing() throws {
      try disturb(Effort.of(debug: 10, release: 60, night: 3000)) { folder in
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
      }
    }

    /// Only the lock file is removed, and the snapshot is replaced by a copy.
    @Test func aStoreWhoseLockWasTakenAwayOverwritesNothing() throws {
      try disturb(Effort.of(debug: 10, release: 60, night: 3000)) { folder in
        let snapshot = folder.appendingPathComponent("ledger.realm")
        try? FileManager.default.removeItem(atPath: snapshot.path + ".lock")
        guard let bytes = try? Data(contentsOf: snapshot) else { return }
        try? FileManager.default.removeItem(at: snapshot)
        try bytes.write(to: snapshot)
      }
    }

    /// A forked process reads the existing data. It cannot write through the realm with which it was forked, nor
    /// through another realm of that file.
    @Test func aForkedProcessReadsARealmAndCannotWriteIt() throws {
      try withScratchFolder { scratch in
        for _ in 0..<Effort.of(debug: 3, release: 20, night: 500) {
          let folder = scratch.appendingPathComponent("forked")
          try folder.makeEmptyFolder()
          let path = folder.appendingPathComponent("ledger.realm").path
          let lines = try Helper(["fork", path]).finish()
          #expect(
            lines == [
              "parent wrote 1", "child reads 1", "child refused alreadyOpen", "child reads 1",
              "child refused alreadyOpen", "child ended 0", "parent wrote 2",
            ])
          #expect(try Realm.verify(fileURL: URL(fileURLWithPath: path)).isSound)
          let ledger = try Ledger(path)
          #expect(ledger.number == 2)
          #expect(ledger.realm.objects(Entry.self).map(\.text) == ["of the parent", "of the parent"])
        }
      }
    }

    /// The error of a second process contains the process identifier of the first.
    @Test func theErrorOfAnOpenStoreNamesTheProcessThatHasIt() throws {
      try withScratchFolder { scratch in
        let path = scratch.appendingPathComponent("ledger.realm").path
        let first = try Helper(["commit-by-line", path])
        #expect(first.nextLine() == "opened 0")
        let error = #expect(throws: Realm.Error.self) { try Ledger(path) }
        #expect(error?.code == .alreadyOpen)
        #expect(error?.fileURL == URL(fileURLWithPath: path))
        let message = try #require(error?.localizedDescription)
        #expect(message.contains("by process \(first.identifier),"), "\(message)")
        first.finish()
        #expect(try Ledger(path).number == 0)
      }
    }

    /// Pauses a process at a call, disturbs its files, writes as another process, and continues the first. All writes
    /// that were acknowledged to the other process must be there at the end.
    ///
    /// The process pauses at all calls except renames. Between the comparison of names and the rename there is a window
    /// that cannot be closed (S16).
    private func disturb(_ runs: Int, _ disturbance: @escaping (URL) throws -> Void) throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        var acknowledged = 0
        for seed in Effort.seeds.prefix(runs) {
          let other = OtherProcess(folder: folder, disturbance: disturbance)
          let moment = try pause(seed, other)
          guard let number = other.number else { continue }
          acknowledged += 1
          let found = try Ledger(other.path)
          let entry = found.realm.object(ofType: Entry.self, forPrimaryKey: 777)
          if entry?.text != "of the other process" || found.number < number {
            Issue.record("\(seed.testDescription): the other process's commit is gone, paused at \(moment)")
            return
          }
        }
        Figures.report("\(runs) stores disturbed, \(acknowledged) commits of others, seeds from \(Effort.firstSeed)")
        #expect(acknowledged > 0)
      }
    }

    /// Runs a process that pauses at one of its calls while the other process works.
    ///
    /// - Returns: the call.
    private func pause(_ seed: Seed, _ other: OtherProcess) throws -> String {
      var random = seed.random
      let steps = 6 + random.below(10)
      let calls = try RecordedRun(seed, in: other.folder, .alone, steps: steps).calls
        .filter { $0.number > 0 && $0.kind != "rename" }
      let call = calls[random.below(calls.count)]
      let plan = "\(call.number):pause"
      _ = try RecordedRun(seed, in: other.folder, .alone, steps: steps, plan: plan) { try other.work() }
      return "call \(call.number), \(call.kind) \(call.name)"
    }
  }

  /// The work of another process on a store, with its acknowledgement. The test itself is that process.
  private final class OtherProcess {
    let folder: URL
    private let disturbance: (URL) throws -> Void
    /// The number in the ledger after its commit; nil when it could not commit.
    private(set) var number: Int?

    init(folder: URL, disturbance: @escaping (URL) throws -> Void) {
      self.folder = folder
      self.disturbance = disturbance
    }

    var path: String { folder.appendingPathComponent("ledger.realm").path }

    func work() throws {
      try disturbance(folder)
      guard let ledger = try? Ledger(path) else { return }
      try ledger.realm.write {
        ledger.realm.create(Entry.self, value: ["id": 777, "text": "of the other process"], update: .modified)
      }
      number = ledger.number
    }
  }
#endif
