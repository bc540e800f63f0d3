#if os(Linux) || os(macOS)
  import FiefDurability
  import FiefTestSupport
  import Foundation
  import Testing

  /// S39, with the events of the real system.
  @Suite("Waking up the processes that have a store open", .leavesNoFileOpen)
  struct WakingTests {
    /// A member that counts how often it was woken, and looks for commits then.
    private final class Member: @unchecked Sendable {
      // `@unchecked Sendable` is correct because `lock` guards the values, and one thread changes the store.
      let store: StageStore
      private let lock = NSLock()
      private var number = 0
      private var isFound = false

      init(_ path: String) throws {
        store = try StageStore(path, sharingWithin: 10_000)
        store.file.whenOthersCommit { [weak self] in
          guard let self else { return }
          let isFound = (try? store.file.lookForCommits(waitingFor: 1000)) == true
          lock.withLock {
            number += 1
            self.isFound = self.isFound || isFound
          }
        }
        waitUntil { self.calls > 0 }
      }

      var calls: Int { lock.withLock { number } }

      /// Waits until it has found commits when it was woken.
      func waitForCommits() -> Bool {
        waitUntil { lock.withLock { isFound } }
        return lock.withLock {
          defer { isFound = false }
          return isFound
        }
      }

      private func waitUntil(_ condition: () -> Bool) {
        for _ in 0..<5000 where !condition() { Thread.sleep(forTimeInterval: 0.002) }
      }

      /// Waits until nothing has woken it for a while.
      func rest() {
        var last = -1
        while last != calls {
          last = calls
          Thread.sleep(forTimeInterval: 0.1)
        }
      }
    }

    @Test func `the commits of a process that is alone wake nobody, until another one comes`() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("a.realm").path
        let first = try Member(path)
        // The first turn is noted in the lock file.
        try first.store.commit()
        func expectSilence() throws {
          first.rest()
          let calls = first.calls
          for _ in 0..<5 { try first.store.commit() }
          try first.store.checkpoint()
          try first.store.commit()
          first.rest()
          #expect(first.calls == calls)
        }
        try expectSilence()
        for _ in 0..<3 {
          let second = try Member(path)
          first.rest()
          for member in [second, first] {
            let other = member === first ? second : first
            try member.store.commit()
            #expect(other.waitForCommits())
          }
          try second.store.file.close()
          // The next commit finds that nobody is there.
          try first.store.commit()
          try expectSilence()
        }
        try first.store.file.close()
      }
    }

    @Test func `a process that commits at once after it has come wakes the one that was alone`() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("a.realm").path
        let first = try Member(path)
        for _ in 0..<10 {
          first.rest()
          let second = try StageStore(path, sharingWithin: 10_000)
          try second.commit()
          #expect(first.waitForCommits())
          try first.store.commit()
          try second.file.close()
          try first.store.commit()
        }
        #expect(StageStore.isRight(first.store.graph) && first.store.graph.version == 30)
        try first.store.file.close()
      }
    }
  }
#endif
