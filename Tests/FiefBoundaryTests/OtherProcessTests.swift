#if os(Linux)
  import Fief
  import FiefBoundarySupport
  import FiefTestSupport
  import Foundation
  import Testing

  /// Something else happens to a store's files between two calls of the process that has them open.
  @Suite struct OtherProcessTests {
    /// All files are taken away and another process makes a store of the same name: its commits stay.
    @Test func aStoreWhoseFilesWereTakenAwayOverwritesNothing() throws {
      try disturb(Effort.of(debug: 25, release: 60, night: 3000)) { folder in
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
          try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
      }
    }

    /// The lock file alone is taken away, and the snapshot is replaced by a copy of it.
    @Test func aStoreWhoseLockWasTakenAwayOverwritesNothing() throws {
      try disturb(Effort.of(debug: 25, release: 60, night: 3000)) { folder in
        let snapshot = folder.appendingPathComponent("ledger.realm")
        try? FileManager.default.removeItem(atPath: snapshot.path + ".lock")
        guard let bytes = try? Data(contentsOf: snapshot) else { return }
        try? FileManager.default.removeItem(at: snapshot)
        try bytes.write(to: snapshot)
      }
    }

    /// Pauses a process at a call, disturbs its files, writes as another process, and lets the first go on. Whatever
    /// the other one was acknowledged must be there at the end.
    ///
    /// The calls at which it pauses are all but renamings: between comparing names and renaming is a moment that
    /// nobody can close (S16).
    private func disturb(_ runs: Int, _ disturbance: @escaping (URL) throws -> Void) throws {
      try withScratchFolder { scratch in
        let folder = scratch.appendingPathComponent("store")
        let path = folder.appendingPathComponent("ledger.realm").path
        var acknowledged = 0
        for seed in Effort.seeds.prefix(runs) {
          var random = seed.random
          let steps = 6 + random.below(10)
          let calls = try RecordedRun(seed, in: folder, .alone, steps: steps).calls
            .filter { $0.number > 0 && $0.kind != "rename" }
          let call = calls[random.below(calls.count)]
          var other: (number: Int, digest: String)?
          // This process is the other one.
          _ = try RecordedRun(seed, in: folder, .alone, steps: steps, plan: "\(call.number):pause") {
            try disturbance(folder)
            guard let ledger = try? Ledger(path) else { return }
            try ledger.realm.write {
              ledger.realm.create(Entry.self, value: ["id": 777, "text": "of the other process"], update: .modified)
            }
            other = (ledger.number, ledger.digest)
          }
          guard let other else { continue }
          acknowledged += 1
          let found = try Ledger(path)
          let entry = found.realm.object(ofType: Entry.self, forPrimaryKey: 777)
          if entry?.text != "of the other process" || found.number < other.number {
            let place = "call \(call.number), \(call.kind) \(call.name)"
            Issue.record("\(seed.testDescription): the other process's commit is gone, paused at \(place)")
            return
          }
        }
        print("\(runs) stores disturbed, \(acknowledged) commits of others, seeds from \(Effort.firstSeed)")
        #expect(acknowledged > 0)
      }
    }
  }
#endif
