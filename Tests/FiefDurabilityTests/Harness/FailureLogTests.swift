import FiefDurability
import FiefSessions
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// The messages about failures of the disk that no call reports. Each test has the shared logger of a process of its
/// own.
@Suite struct FailureLogTests {
  /// Collects messages of errors.
  private final class Messages: Sendable {
    private let all = Mutex<[String]>([])

    init() { Logger.shared = Logger(level: .error) { [self] _, message in all.withLock { $0.append(message) } } }

    /// Takes all messages.
    func take() -> [String] {
      all.withLock { all in
        defer { all = [] }
        return all
      }
    }

    /// Takes the only message.
    func single() throws -> String {
      let all = take()
      try #require(all.count == 1, "\(all)")
      return all[0]
    }
  }

  @Test func relaxedCommitsThatMayBeLostAreLogged() async {
    await #expect(processExitsWith: .success) {
      let (messages, disk) = (Messages(), SimulatedDisk())
      var numbers: EarlyCommits? = try EarlyCommits(SimulatedProcess(disk), waitsForDisk: false)
      try numbers?.commit()
      disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO), isForEver: true)]
      numbers = nil
      let message = try messages.single()
      #expect(message.contains("is unknown, because its disk failed"), "\(message)")
      #expect(!message.contains("no commit is lost"), "\(message)")
      #expect(message.contains(EarlyCommits.path), "\(message)")
    }
  }

  @Test func commitsThatTheTimerCouldNotSynchronizeAreLogged() async {
    await #expect(processExitsWith: .success) {
      let (messages, disk) = (Messages(), SimulatedDisk())
      let process = SimulatedProcess(disk)
      var numbers: EarlyCommits? = try EarlyCommits(process, waitsForDisk: false)
      try numbers?.commit()
      process.passTime()
      disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO))]
      process.passTime()
      disk.faults = []
      // At once, because the application may not write again for a long time.
      #expect(try messages.single().contains("takes no more commits"))
      numbers = nil
      #expect(try messages.single().contains("is unknown, because its disk failed"))
    }
  }

  /// The simulated disk reports no events, so a reader looks now and then: once in each round here.
  @Test func aJournalThatCannotBeReadIsLoggedOnceForEachLook() async {
    await #expect(processExitsWith: .success) {
      let (messages, disk) = (Messages(), SimulatedDisk())
      let writer = try EarlyCommits(SimulatedProcess(disk))
      try writer.commit()
      let process = SimulatedProcess(disk, number: 2)
      let reader = try EarlyCommits(process, isReadOnly: true)
      process.passTime()
      let journal = "\(EarlyCommits.path).journal"
      disk.rename(journal, to: "\(journal).aside")
      disk.newFile(at: journal).bytes = Array(repeating: 7, count: 1000)
      for _ in 0..<5 {
        process.passTime()
        #expect(try messages.single().contains("cannot be applied"))
      }
      disk.rename("\(journal).aside", to: journal)
      try writer.commit()
      process.passTime()
      #expect(messages.take().isEmpty)
      #expect(reader.store.published.current.version == writer.store.published.current.version)
    }
  }

  @Test func theCommitsOfAnOverwrittenJournalAreNotSaidToBeThere() async {
    await #expect(processExitsWith: .success) {
      let (messages, disk) = (Messages(), SimulatedDisk())
      let process = SimulatedProcess(disk)
      var numbers: EarlyCommits? = try EarlyCommits(process)
      try numbers?.commit()
      let journal = "\(EarlyCommits.path).journal"
      let backup = try #require(disk.files[journal])
      try numbers?.commit()
      disk.names[journal]?.bytes = backup
      numbers = nil
      let message = try messages.single()
      #expect(message.contains("could not be closed in order: "), "\(message)")
      #expect(message.contains("was overwritten while it was open"), "\(message)")
      #expect(disk.files[journal] == backup)
    }
  }

  @Test func aSealThatCouldNotBeWrittenLosesNoCommit() async {
    await #expect(processExitsWith: .success) {
      let (messages, disk) = (Messages(), SimulatedDisk())
      var numbers: EarlyCommits? = try EarlyCommits(SimulatedProcess(disk))
      try numbers?.commit()
      disk.faults = [DiskFault(call: disk.calls, kind: .refuse(EIO), isForEver: true)]
      numbers = nil
      #expect(try messages.single().contains("no commit is lost by that"))
    }
  }
}
