#if os(Linux)
  import Fief
  import FiefBoundarySupport
  import FiefDurability
  import FiefTestSupport
  import Foundation
  import Testing

  /// What two processes that share a file see of each other, step by step.
  @Suite(.waitsForProcesses) struct SharedFileTests {
    /// A process that does what it is asked for, line by line.
    private struct Partner {
      let helper: Helper

      init(_ file: URL) throws { helper = try Helper(["share-by-line", file.path]) }

      /// - Returns: the answer.
      @discardableResult
      func ask(_ line: String) -> String {
        helper.say(line)
        return helper.nextLine() ?? "ended"
      }

      func signal(_ signal: Int32) { kill(helper.identifier, signal) }

      /// Ends the process as a crash does.
      func die() {
        signal(SIGKILL)
        helper.finish()
      }
    }

    /// Two processes for one new file, and what is left of it: a sound file, and nothing beside it.
    private func withTwo(_ body: (_ one: Partner, _ two: Partner, _ file: URL) throws -> Void) throws {
      try withScratchFolder { folder in
        let file = folder.appendingPathComponent("bank.realm")
        let (one, two) = (try Partner(file), try Partner(file))
        try body(one, two, file)
        for partner in [one, two] where partner.helper.isRunning {
          partner.ask("close")
          partner.helper.finish()
        }
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        #expect(try Realm.verify(fileURL: file).isSound)
        #expect(try SharedBank(file.path).state.problem == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")
      }
    }

    // MARK: Seeing each other

    @Test func aFileThatOneProcessHasMadeIsReadByAnother() throws {
      try withTwo { one, two, _ in
        #expect(one.ask("open") == "opened 0")
        #expect(one.ask("write") == "done 1")
        #expect(two.ask("open") == "opened 1")
        #expect(one.ask("close") == "closed")
        #expect(two.ask("write") == "done 2")
        #expect(two.ask("close") == "closed")
        #expect(one.ask("open") == "opened 2")
      }
    }

    @Test func aCommitReachesARunLoopElsewhereByItself() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        two.ask("open")
        for number in 1...5 {
          #expect(two.ask("write") == "done \(number)")
          #expect(one.ask("await \(number)") == "number \(number)")
        }
      }
    }

    @Test func aRealmWithoutAutorefreshStaysUntilItIsRefreshed() throws {
      try withTwo { one, two, _ in
        one.ask("open still")
        two.ask("open")
        #expect(two.ask("write") == "done 1")
        #expect(one.ask("settle") == "number 0")
        #expect(one.ask("refresh") == "number 1")
      }
    }

    @Test func aRealmWhoseThreadIsBusyStaysUntilItIsRefreshed() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        two.ask("open")
        #expect(two.ask("write") == "done 1")
        #expect(one.ask("number") == "number 0")
        #expect(one.ask("refresh") == "number 1")
      }
    }

    @Test func aCommitElsewhereIsNotifiedAndAnOpeningIsNot() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        one.ask("write")
        one.ask("settle")
        let before = one.ask("notifications")
        for options in ["", " reader"] {
          two.ask("open\(options)")
          #expect(two.ask("refresh") == "number 1")
          two.ask("close")
        }
        one.ask("settle")
        #expect(one.ask("notifications") == before)
        two.ask("open")
        two.ask("write")
        one.ask("await 2")
        #expect(one.ask("notifications") != before)
      }
    }

    @Test func twoProcessesAnswerEachOther() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        two.ask("open")
        one.helper.say("alternate 0 100")
        #expect(two.ask("alternate 1 100") == "number 100")
        #expect(one.helper.nextLine() == "number 100")
      }
    }

    @Test func tenProcessesCountTogether() throws {
      try withScratchFolder { folder in
        let file = folder.appendingPathComponent("bank.realm")
        let partners = try (0..<10).map { _ in try Partner(file) }
        for partner in partners { partner.helper.say("open") }
        for partner in partners { #expect(partner.helper.nextLine()?.hasPrefix("opened ") == true) }
        for _ in 0..<10 {
          for partner in partners { partner.helper.say("write") }
        }
        var numbers: [Int] = []
        for partner in partners {
          for _ in 0..<10 { numbers.append(partner.helper.nextLine().flatMap { Int($0.dropFirst(5)) } ?? 0) }
        }
        #expect(numbers.sorted() == Array(1...100))
        for partner in partners { #expect(partner.ask("refresh") == "number 100") }
        for partner in partners { partner.helper.finish() }
        #expect(try SharedBank(file.path).state.problem == nil)
      }
    }

    @Test func aReaderFollows() throws {
      try withTwo { one, two, _ in
        #expect(two.ask("open reader").hasPrefix("threw fileNotFound"))
        one.ask("open")
        one.ask("write")
        #expect(two.ask("open reader") == "opened 1")
        one.ask("write")
        #expect(two.ask("await 2") == "number 2")
        one.ask("compact")
        one.ask("write")
        #expect(two.ask("await 3") == "number 3")
      }
    }

    /// Threads that follow the other process may just retain the store that was released.
    @Test func aReleasedRealmIsOpenedInAnotherWayWhileAnotherProcessCommits() throws {
      try withTwo { _, two, file in
        two.ask("open")
        two.ask("write")
        let rounds = Effort.of(debug: 100, release: 400, night: 20_000)
        two.helper.say("burst \(4 * rounds)")
        for _ in 0..<rounds {
          for isReadOnly in [true, false] {
            let number = try SharedBank(file.path, isReadOnly: isReadOnly).number
            #expect(number > 0)
          }
        }
        #expect(two.helper.nextLine() == "done \(4 * rounds + 1)")
      }
    }

    // MARK: Readers and changing classes

    /// A migration need not wait for a reader.
    @Test func aReaderGoesOnAfterAMigrationThatAddsAProperty() throws {
      try withTwo { one, two, file in
        one.ask("open extra")
        one.ask("add 1")
        #expect(two.ask("open reader extra") == "opened 0")
        #expect(two.ask("extras") == "extras 1 notified 1")
        one.ask("close")
        #expect(one.ask("open wide version=1") == "opened 0")
        one.ask("add 2")
        #expect(two.ask("extras") == "extras 2 notified 2")
        one.ask("compact")
        one.ask("add 3")
        #expect(two.ask("extras") == "extras 3 notified 3")
        one.ask("close")
        two.ask("close")
        // The check of what is left opens the file as an older process does.
        #expect(one.ask("delete") == "deleted true")
      }
    }

    @Test func aReaderStaysWhenAPropertyIsTakenAway() throws {
      try withTwo { one, two, _ in
        one.ask("open wide")
        one.ask("add 1")
        #expect(two.ask("open reader wide") == "opened 0")
        one.ask("close")
        #expect(one.ask("open extra version=1") == "opened 0")
        one.ask("add 2")
        #expect(two.ask("extras") == "extras 1 notified 1")
        one.ask("compact")
        one.ask("add 3")
        #expect(two.ask("extras") == "extras 1 notified 1")
        #expect(two.ask("close") == "closed")
        #expect(two.ask("open reader extra version=1") == "opened 0")
        #expect(two.ask("extras") == "extras 3 notified 1")
        one.ask("close")
        two.ask("close")
        #expect(one.ask("delete") == "deleted true")
      }
    }

    @Test func aReaderOfAClassThatTheFileLacksFollowsAndGetsIt() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        #expect(two.ask("open reader extra") == "opened 0")
        #expect(two.ask("extras") == "extras 0 notified 1")
        one.ask("write")
        #expect(two.ask("await 1") == "number 1")
        one.ask("close")
        #expect(one.ask("open extra") == "opened 1")
        one.ask("add 1")
        #expect(two.ask("extras") == "extras 1 notified 2")
        one.ask("write")
        #expect(two.ask("await 2") == "number 2")
      }
    }

    // MARK: Compacting

    @Test func aFileIsCompactedAtItsOpeningWhileAnotherProcessHasIt() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        for _ in 0..<30 { one.ask("write") }
        #expect(two.ask("open compacting") == "opened 30")
        #expect(one.ask("write") == "done 31")
        #expect(two.ask("write") == "done 32")
        #expect(one.ask("compact") == "compacted")
        #expect(two.ask("write") == "done 33")
        #expect(one.ask("refresh") == "number 33")
      }
    }

    /// No commit lets the second process find the snapshot of the first before.
    @Test func processesCompactOneAfterTheOther() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        two.ask("open")
        var number = 0
        for _ in 0..<4 {
          for (first, second) in [(one, two), (two, one)] {
            number += 1
            #expect(first.ask("write") == "done \(number)")
            #expect(first.ask("compact") == "compacted")
            // It has not seen the commit that the snapshot holds.
            #expect(second.ask("compact") == "compacted")
            #expect(first.ask("compact") == "compacted")
          }
        }
        #expect(one.ask("refresh") == "number \(number)")
        #expect(two.ask("refresh") == "number \(number)")
      }
    }

    @Test func aFileIsCompactedAtItsOpeningAlone() throws {
      try withTwo { one, _, file in
        one.ask("open")
        for _ in 0..<30 { one.ask("write") }
        one.ask("close")
        func size() throws -> Int {
          let attributes = try FileManager.default.attributesOfItem(atPath: file.path + ".journal")
          return attributes[.size] as? Int ?? 0
        }
        let before = try size()
        #expect(one.ask("open compacting") == "opened 30")
        #expect(try size() < before)
      }
    }

    /// A process that sleeps over commits and their compaction reads a whole version. It still knows the changes since
    /// versions that it knew, and since those that it never saw, and its own compaction keeps them.
    @Test(arguments: [false, true]) func aProcessThatSleptKnowsWhatHasChanged(isReader: Bool) throws {
      try withTwo { one, two, _ in
        one.ask("open kept")
        for _ in 0..<3 { one.ask("write") }
        #expect(two.ask(isReader ? "open kept reader" : "open kept") == "opened 3")
        func version(_ partner: Partner) -> Int { Int(partner.ask("version").dropFirst("version ".count)) ?? 0 }
        let known = version(two)
        two.signal(SIGSTOP)
        for _ in 0..<2 { one.ask("write") }
        one.ask("compact")
        let unseen = version(one)
        for _ in 0..<2 { one.ask("write") }
        one.ask("compact")
        one.ask("write")
        two.signal(SIGCONT)
        #expect(two.ask("await 8") == "number 8")
        let versions = [known - 1, known, known + 1, unseen, unseen + 1, unseen + 3]
        func check() {
          for version in versions {
            let answer = one.ask("since \(version)")
            #expect(answer != "since unknown" && two.ask("since \(version)") == answer, "\(version)")
          }
        }
        check()
        one.ask("write")
        two.ask("await 9")
        check()
        if isReader { return }
        #expect(two.ask("write") == "done 10" && two.ask("compact") == "compacted" && two.ask("write") == "done 11")
        one.ask("await 11")
        check()
        one.ask("close")
        two.ask("close")
        one.ask("open kept")
        two.ask("open kept")
        check()
      }
    }

    // MARK: Death

    @Test func aWriteOfAProcessThatDiesIsGone() throws {
      for isOpen in [false, true] {
        try withTwo { one, two, _ in
          if isOpen { one.ask("open") }
          two.ask("open")
          #expect(two.ask("begin").hasPrefix("begun"))
          two.die()
          if !isOpen { one.ask("open") }
          #expect(one.ask("write") == "done 1")
        }
      }
    }

    /// A write of another process is waited for, and not overtaken, while that process is stopped. The error after the
    /// limit names it.
    @Test func aStoppedWriterIsNamedAndGoesOn() throws {
      try withTwo { one, _, file in
        one.ask("open")
        one.ask("write")
        let (store, _) = try StoreFile.open(file.path, sharingWithin: 200)
        try store.share()
        #expect(one.ask("begin") == "begun 1")
        one.signal(SIGSTOP)
        let error = #expect(throws: StoreError.self) { try store.beginTurn() }
        #expect(error?.code == .alreadyOpen && error?.holder == one.helper.identifier)
        #expect(
          error?.message.contains("by process \(one.helper.identifier) ") ?? false, "\(String(describing: error))")
        one.signal(SIGCONT)
        #expect(one.ask("commit") == "done 2")
        try store.beginTurn()
        store.endTurn()
        #expect(one.ask("write") == "done 3")
        try store.close()
      }
    }

    // MARK: Long writes

    /// It opens, reads, follows and is closed; its own write waits.
    @Test func aFileIsOpenedAndReadWhileAnotherProcessIsInsideAWrite() throws {
      try withTwo { one, two, file in
        one.ask("open")
        one.ask("write")
        #expect(one.ask("begin") == "begun 1")
        for options in ["", " reader", " compacting", " still"] {
          #expect(two.ask("open" + options) == "opened 1", "open\(options)")
          #expect(two.ask("refresh") == "number 1")
          #expect(two.ask("close") == "closed")
        }
        #expect(two.ask("open") == "opened 1")
        two.helper.say("write")
        #expect(one.ask("commit") == "done 2")
        #expect(two.helper.nextLine() == "done 3")
        #expect(one.ask("refresh") == "number 3")
        #expect(one.ask("begin") == "begun 3")
        let third = try Partner(file)
        #expect(third.ask("open") == "opened 3")
        one.die()
        #expect(third.ask("write") == "done 4")
        #expect(two.ask("write") == "done 5")
        third.ask("close")
        third.helper.finish()
      }
    }

    /// Work that needs the file alone is refused at once; work that needs the turn waits for the limit. Both name the
    /// process that is in the way, and change nothing.
    @Test(arguments: [false, true]) func whatCannotBeDoneBesideAWriteNamesItsProcess(isStopped: Bool) throws {
      try withTwo { one, two, file in
        one.ask("open")
        one.ask("write")
        let third = try Partner(file)
        #expect(third.ask("open hurried") == "opened 1")
        third.ask("write")
        #expect(one.ask("begin") == "begun 2")
        if isStopped { one.signal(SIGSTOP) }
        func data() throws -> [Data] {
          try ["", ".journal"].map { try Data(contentsOf: URL(fileURLWithPath: file.path + $0)) }
        }
        let before = try data()
        let others = [one, third].map { "process \($0.helper.identifier)" }
        for act in ["delete", "open newer", "open exclusive", "open newer exclusive"] {
          let answer = two.ask(act)
          #expect(
            answer.hasPrefix("threw alreadyOpen") && others.contains(where: { answer.contains($0) }),
            "\(act): \(answer)")
        }
        for act in ["compact", "write", "open extra hurried"] {
          let answer = act.hasPrefix("open") ? two.ask(act) : third.ask(act)
          #expect(answer.hasPrefix("threw alreadyOpen") && answer.contains(others[0]), "\(act): \(answer)")
        }
        #expect(try data() == before)
        if isStopped { one.signal(SIGCONT) }
        #expect(one.ask("commit") == "done 3")
        #expect(third.ask("compact") == "compacted")
        #expect(two.ask("open extra") == "opened 3")
        #expect(third.ask("write") == "done 4")
        third.ask("close")
        third.helper.finish()
      }
    }

    /// The writer is stopped at random, also inside a call that appends.
    @Test func aFileIsOpenedBesideAStoppedWriter() throws {
      var random = Effort.firstSeed.random
      try withTwo { one, two, file in
        one.ask("open")
        var last = 0
        for _ in 0..<Effort.of(debug: 10, release: 40, night: 500) {
          one.helper.say("burst 20")
          usleep(UInt32(random.below(20_000)))
          one.signal(SIGSTOP)
          let answer = two.ask("open")
          let seen = Int(answer.dropFirst("opened ".count)) ?? -1
          #expect(answer.hasPrefix("opened ") && seen >= last && seen <= last + 20, "\(answer) after \(last)")
          let read = try SharedBank(file.path, isReadOnly: true).number
          #expect(read >= seen)
          one.signal(SIGCONT)
          #expect(one.helper.nextLine() == "done \(last + 20)")
          last += 21
          #expect(two.ask("write") == "done \(last)")
          #expect(two.ask("close") == "closed")
        }
      }
    }

    @Test func aReaderThatIsStoppedHoldsUpNobody() throws {
      var random = Effort.firstSeed.random
      try withTwo { one, two, file in
        let (store, _) = try StoreFile.open(file.path, sharingWithin: 500)
        try store.share()
        one.ask("open")
        one.ask("write")
        #expect(two.ask("open reader") == "opened 1")
        for round in 1...Effort.of(debug: 20, release: 100, night: 2000) {
          two.helper.say("refresh 2000")
          usleep(UInt32(random.below(4000)))
          two.signal(SIGSTOP)
          try store.beginTurn()
          store.endTurn()
          #expect(one.ask("write") == "done \(round + 1)")
          two.signal(SIGCONT)
          #expect(two.helper.nextLine()?.hasPrefix("number ") == true)
          #expect(two.ask("refresh") == "number \(round + 1)")
        }
        try store.close()
      }
    }

    // MARK: Alone

    @Test func whoHasAFileForItselfRefusesOthersAndTheReverse() throws {
      try withTwo { one, two, _ in
        for (first, second) in [("open exclusive", "open"), ("open", "open exclusive")] {
          #expect(one.ask(first).hasPrefix("opened"))
          let answer = two.ask(second)
          #expect(
            answer.hasPrefix("threw alreadyOpen") && answer.contains("process \(one.helper.identifier)"), "\(answer)")
          #expect(one.ask("write").hasPrefix("done"))
          #expect(two.ask("open reader").hasPrefix("opened"))
          two.ask("close")
          one.ask("close")
          #expect(two.ask(second).hasPrefix("opened"))
          two.ask("close")
        }
      }
    }

    @Test func aNewerProcessMigratesOnlyAlone() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        one.ask("write")
        let answer = two.ask("open newer")
        #expect(
          answer.hasPrefix("threw alreadyOpen") && answer.contains("process \(one.helper.identifier)"), "\(answer)")
        #expect(one.ask("write") == "done 2")
        one.ask("close")
        #expect(two.ask("open newer") == "opened 2")
        #expect(one.ask("open").hasPrefix("threw "))
        #expect(two.ask("write") == "done 3")
        two.ask("close")
        #expect(one.ask("open newer") == "opened 3")
        one.ask("close")
        // The check of what is left opens the file as the older process does.
        #expect(two.ask("delete") == "deleted true")
      }
    }

    @Test func aFileIsDeletedOnlyAlone() throws {
      try withTwo { one, two, file in
        one.ask("open")
        one.ask("write")
        let answer = two.ask("delete")
        #expect(
          answer.hasPrefix("threw alreadyOpen") && answer.contains("process \(one.helper.identifier)"), "\(answer)")
        #expect(one.ask("write") == "done 2")
        one.ask("close")
        #expect(two.ask("delete") == "deleted true")
        #expect(!FileManager.default.fileExists(atPath: file.path))
      }
    }

    @Test func aForkedProcessReadsAndCannotWrite() throws {
      try withTwo { one, two, _ in
        one.ask("open")
        two.ask("open")
        one.ask("write")
        one.helper.say("fork")
        var answers: [String] = []
        while let line = one.helper.nextLine() {
          answers.append(line)
          if line.hasPrefix("forked") { break }
        }
        #expect(
          answers == [
            "child number 1", "child refused alreadyOpen", "child opened 1", "child refused alreadyOpen", "forked 0",
          ])
        #expect(one.ask("write") == "done 2")
        #expect(two.ask("write") == "done 3")
      }
    }

    // MARK: Full disks

    @Test func aProcessWhoseDiskIsFullUndoesItsWriteAndOthersGoOn() throws {
      var random = Effort.firstSeed.random
      var refusals = 0
      for _ in 0..<Effort.of(debug: 3, release: 20, night: 500) {
        try withTwo { one, two, file in
          one.ask("open")
          two.ask("open")
          var number = 0
          for _ in 0..<(1 + random.below(5)) {
            number += 1
            #expect(two.ask("write") == "done \(number)")
          }
          let size = try FileManager.default.attributesOfItem(atPath: file.path + ".journal")[.size] as? Int ?? 0
          one.ask("limit \(size + random.below(200))")
          for _ in 0..<12 {
            let answer = one.ask("write")
            if answer == "done \(number + 1)" {
              number += 1
            } else {
              #expect(answer.hasPrefix("threw outOfDiskSpace"), "\(answer)")
              refusals += 1
            }
            if random.below(3) == 0 {
              number += 1
              #expect(two.ask("write") == "done \(number)")
            }
          }
          #expect(one.ask("refresh") == "number \(number)")
          one.ask("unlimit")
          #expect(one.ask("write") == "done \(number + 1)")
          #expect(two.ask("refresh") == "number \(number + 1)")
        }
      }
      Figures.report("\(refusals) writes of sharing processes refused by full disks, seed \(Effort.firstSeed)")
      #expect(refusals > 0)
    }

    // MARK: Documents

    @Test func oneProcessDeliversAndAnotherTakesOverWhenItDies() throws {
      try withTwo { one, two, _ in
        one.ask("open delivering")
        two.ask("open delivering")
        func answers(_ partners: [Partner]) -> [String] {
          for partner in partners { partner.ask("settle") }
          return partners.map { $0.ask("delivered") }
        }
        one.ask("send 1")
        two.ask("send 2")
        one.ask("send 3")
        #expect(waits { Set(answers([one, two])) == ["delivered", "delivered 1 2 3"] })
        let isFirst = one.ask("delivered") != "delivered"
        let (deliverer, other) = isFirst ? (one, two) : (two, one)
        deliverer.die()
        #expect(other.ask("send 4") == "sent")
        // Documents that the dead process did not remove any more come again.
        #expect(waits { answers([other])[0].hasSuffix(" 4") })
        #expect(["delivered 4", "delivered 1 2 3 4", "delivered 2 3 4", "delivered 3 4"].contains(answers([other])[0]))
      }
    }
  }
#endif
