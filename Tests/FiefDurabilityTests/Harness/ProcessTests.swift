#if os(Linux) || os(macOS)
  import FiefDurability
  import FiefGraph
  import FiefTestSupport
  import Foundation
  import Testing

  /// G9, G10, G20: real processes on the real disk.
  @Suite(.serialized)
  struct ProcessTests {
    /// What a diary must hold at its version: an entry for each commit after the first.
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

    /// G10: a process with four writers is killed; all that it said was durable is there, and nothing that it did not begin.
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
          // Reading first, then opening: both find the same.
          let read = try StoreFile.read(path)
          let (file, stored) = try StoreFile.open(path)
          #expect(read.version == stored.version)
          #expect(stored.version >= durable, "round \(round)")
          // Four writers: so many can be begun and not yet promised.
          #expect(stored.version <= durable + 4, "round \(round)")
          try expectDiary(stored.graph)
          if random.bool() { try file.close() }
          promises += Int(durable - last)
          last = stored.version
        }
      }
      print("G10: \(kills) kills, \(promises) promised commits, seed \(Effort.firstSeed)")
    }

    /// G9: the disk is full from some size on; commits are undone or done, and go on when there is space again.
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
      print("G9: \(runs) full disks, \(refusals) commits refused, \(commits) done, seed \(Effort.firstSeed)")
      #expect(refusals > 0)
    }

    /// G20: another process holds the store, by whatever name this one comes.
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
      print("G20: \(rounds) rounds of two processes, seed \(Effort.firstSeed)")
    }

    /// What a process starts does not keep its lock alive.
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
