#if os(Linux) || os(macOS)
  import FiefDurability
  import FiefGraph
  import FiefTestSupport
  import Foundation
  import Testing

  /// G9, G10, G20: real processes on the real disk.
  @Suite(.serialized, .leavesNoFileOpen)
  struct ProcessTests {
    /// Checks the contents of a diary at its version: an entry for each commit after the first.
    private func expectDiary(_ graph: Graph) throws {
      let entries = graph.version == 0 ? 0 : Int(graph.version) - 1
      let table = graph.table(named: "Entry")
      #expect((table?.count ?? 0) == entries)
      #expect(graph.checkInvariants() == [])
      if let table, let leaf = table.schema.column(named: "number").flatMap({ table.schema.leaf(of: $0.key) }) {
        for entry in 0..<entries {
          #expect(table.load(Int64.self, ObjectKey(Int64(entry)), leaf: leaf) == Int64(entry + 2))
        }
      }
    }

    /// G10: a process with four writers is killed. Every commit that it reported as durable is there, and no commit
    /// that it did not begin.
    @Test func aKilledProcessLosesNothingThatItPromised() throws {
      let kills = Effort.of(debug: 10, release: 50, night: 1000)
      var random = Effort.firstSeed.random
      var promises = 0
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("diary.realm").path
        var last: UInt64 = 0
        for round in 0..<kills {
          let helper = try Helper("write", path)
          var durable = last
          var lines = 3 + random.below(150)
          while lines > 0, let line = helper.nextLine() {
            durable = max(durable, line.split(separator: " ").last.flatMap { UInt64($0) } ?? 0)
            lines -= 1
            if line.hasPrefix("failed") { Issue.record("The writer said: \(line)") }
          }
          helper.kill()
          for line in helper.restOfLines() where line.hasPrefix("durable ") {
            durable = max(durable, UInt64(line.dropFirst(8)) ?? 0)
          }
          // Reading first, then opening: both find the same version.
          let read = try StoreFile.read(path)
          let (file, stored) = try StoreFile.open(path)
          #expect(read.version == stored.version)
          #expect(stored.version >= durable, "round \(round)")
          // With four writers, this many commits can be begun but not yet reported.
          #expect(stored.version <= durable + 4, "round \(round)")
          try expectDiary(stored.graph)
          if random.bool() { try file.close() }
          promises += Int(durable - last)
          last = stored.version
        }
      }
      Figures.report("G10: \(kills) kills, \(promises) promised commits, seed \(Effort.firstSeed)")
    }

    /// G9: the disk is full from some size on; commits are undone or done, and continue when there is space again.
    @Test func aFullDiskIsAnErrorAndNoDisaster() throws {
      let runs = Effort.of(debug: 5, release: 20, night: 1000)
      var random = Effort.firstSeed.random
      var (refusals, commits) = (0, 0)
      for _ in 0..<runs {
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("diary.realm").path
          let limit = 300 + random.below(12_000)
          let lines = try Helper("fill", path, "\(limit)").restOfLines()
          #expect(lines.last == "closed", "limit \(limit): \(lines.suffix(4))")
          #expect(!lines.contains { $0.hasPrefix("refusal") })
          let refused = lines.filter { $0.hasPrefix("refused") }
          for line in refused { #expect(line.hasSuffix("outOfDiskSpace"), "\(line)") }
          let durable = lines.last { $0.hasPrefix("durable") }.flatMap { UInt64($0.dropFirst(8)) }
          let stored = try StoreFile.read(path)
          #expect(stored.version == durable)
          #expect(stored.state == .closed)
          try expectDiary(stored.graph)
          refusals += refused.count
          commits += Int(stored.version)
        }
      }
      Figures.report("G9: \(runs) full disks, \(refusals) commits refused, \(commits) done, seed \(Effort.firstSeed)")
      #expect(refusals > 0)
    }

    /// G9: fills a file system: a small one in memory, which this process does not see.
    @Test(.enabled(if: SmallDisk.isAvailable, "A process cannot mount a small file system for itself here."))
    func aFullFileSystemIsAnErrorAndNoDisaster() throws {
      let runs = Effort.of(debug: 5, release: 20, night: 1000)
      var random = Effort.firstSeed.random
      var (refusals, commits) = (0, 0)
      for run in 0..<runs {
        try TemporaryFolder.with { folder in
          let copy = folder.appendingPathComponent("copy.realm").path
          let room = 4096 * random.below(12)
          let lines = try SmallDisk.helper(folder, kilobytes: 256, room: room, copy: copy).restOfLines()
          #expect(lines.last == "copied", "run \(run), room for \(room): \(lines.suffix(4))")
          #expect(lines.contains { $0.hasPrefix("full after") })
          #expect(!lines.contains { $0.hasPrefix("refusal") || $0.hasPrefix("failed") })
          let refused = lines.filter { $0.hasPrefix("refused") }
          #expect(refused.count == 3, "run \(run), room for \(room)")
          for line in refused { #expect(line.hasSuffix("outOfDiskSpace"), "\(line)") }
          let durable = lines.last { $0.hasPrefix("durable") }.flatMap { UInt64($0.dropFirst(8)) }
          let stored = try StoreFile.read(copy)
          #expect(stored.version == durable)
          #expect(stored.state == .closed)
          try expectDiary(stored.graph)
          refusals += refused.count
          commits += Int(stored.version)
        }
      }
      Figures.report(
        "G9: \(runs) full file systems, \(refusals) commits refused, \(commits) done, seed \(Effort.firstSeed)")
    }

    /// G20: another process holds the store, whatever name this one uses.
    @Test func oneProcessWritesAtATime() throws {
      let rounds = Effort.of(debug: 4, release: 20, night: 1000)
      var random = Effort.firstSeed.random
      for _ in 0..<rounds {
        try TemporaryFolder.with { folder in
          let manager = FileManager.default
          let path = folder.appendingPathComponent("held.realm").path
          try StoreFile.open(path).file.close()
          try manager.createDirectory(atPath: folder.path + "/sub", withIntermediateDirectories: true)
          let symlink = folder.path + "/sub/linked.realm"
          try manager.createSymbolicLink(atPath: symlink, withDestinationPath: path)
          let hardLink = folder.path + "/hard.realm"
          try manager.linkItem(atPath: path, toPath: hardLink)
          let dotted = folder.path + "/sub/../held.realm"

          let helper = try Helper("hold", "held.realm", in: folder)
          #expect(helper.nextLine() == "opened 0 0")
          for (name, isHolderKnown) in [(path, true), (symlink, true), (dotted, true), (hardLink, false)] {
            let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(name) }
            #expect(error?.code == .alreadyOpen, "\(name): \(String(describing: error))")
            if isHolderKnown {
              #expect(error?.holder == helper.processIdentifier)
              #expect(error?.message.contains("\(helper.processIdentifier)") == true)
              #expect(error?.message.contains("held.realm") == true)
            }
          }
          // Reading needs no lock.
          #expect(try StoreFile.read(symlink).version == 0)
          if random.bool() { helper.kill() } else { helper.finish() }
          let (file, _) = try StoreFile.open(symlink)
          #expect(file.path == path || file.path.hasSuffix("/held.realm"))
          let second = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
          #expect(second?.code == .alreadyOpen)
          #expect(second?.holder == ProcessInfo.processInfo.processIdentifier)
          try file.close()
          try StoreFile.open(path).file.close()
        }
      }
      Figures.report("G20: \(rounds) rounds of two processes, seed \(Effort.firstSeed)")
    }

    /// G20: a forked process cannot use the store, and its end takes nothing from it.
    @Test func aForkedProcessHasNoPartInTheStore() throws {
      let rounds = Effort.of(debug: 4, release: 20, night: 1000)
      for round in 0..<rounds {
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("held.realm").path
          let helper = try Helper("fork", path)
          let holder = helper.processIdentifier
          #expect(helper.nextLine() == "durable 1", "round \(round)")
          #expect(helper.nextLine() == "child refused alreadyOpen \(holder)")
          #expect(helper.nextLine() == "child closed")
          // The child has closed its store and ended: the parent continues, and still has the lock.
          #expect(helper.nextLine() == "durable 2")
          #expect(helper.nextLine()?.hasPrefix("parent ") == true)
          let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
          #expect(error?.code == .alreadyOpen)
          #expect(error?.holder == holder)
          helper.finish()
          #expect(helper.restOfLines() == ["closed"])
          let stored = try StoreFile.read(path)
          #expect(stored.version == 2)
          #expect(stored.state == .closed)
          try expectDiary(stored.graph)
        }
      }
      Figures.report("G20: \(rounds) rounds of a forked process that ended")
    }

    /// G20: the lock belongs to an opening, of which a fork has a copy: it ends with the last of them.
    @Test func aForkedProcessThatStaysKeepsTheLockOfOneThatWasKilled() throws {
      let rounds = Effort.of(debug: 4, release: 20, night: 1000)
      for round in 0..<rounds {
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("held.realm").path
          let helper = try Helper("fork-and-stay", path)
          var lines: [String] = []
          while lines.count < 4, let line = helper.nextLine() { lines.append(line) }
          let child = try #require(
            lines.first { $0.hasPrefix("parent ") }.flatMap { Int32($0.dropFirst(7)) }, "round \(round): \(lines)")
          #expect(lines.contains("child refused alreadyOpen \(helper.processIdentifier)"))
          helper.killWithoutWaiting()
          // No process writes now, and no other may: opening throws an error with a name and a number.
          let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
          #expect(error?.code == .alreadyOpen)
          #expect(Foundation.kill(child, SIGKILL) == 0)
          // The system may take a moment to remove the process.
          var opened: StoreFile?
          #expect(
            waits {
              opened = try? StoreFile.open(path).file
              return opened != nil
            })
          #expect(opened?.version == 2)
          try opened?.close()
        }
      }
      Figures.report("G20: \(rounds) rounds of a forked process that stayed")
    }

    /// S36: a fork that closes its copy of a store takes nothing from its parent's.
    @Test func aForkedProcessThatClosesTheStoreEndsNoWatch() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("watched.realm").path
        let helper = try Helper("fork-while-watching", path)
        #expect(helper.nextLine() == "child closed")
        #expect(helper.nextLine()?.hasPrefix("parent ") == true)
        let other = try StageStore(path, sharingWithin: 60_000)
        try other.commit()
        helper.finish()
        #expect(helper.restOfLines() == ["news", "closed"])
        try other.file.close()
      }
    }

    /// A child process does not keep the lock alive.
    @Test func aChildInheritsNoLock() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("held.realm").path
        let helper = try Helper("hold-with-child", path)
        let line = try #require(helper.nextLine())
        helper.kill()
        let child = try #require(line.split(separator: " ").last.flatMap { Int32($0) })
        #expect(Foundation.kill(child, 0) == 0)
        try StoreFile.open(path).file.close()
        Foundation.kill(child, SIGKILL)
      }
    }
  }
#endif
