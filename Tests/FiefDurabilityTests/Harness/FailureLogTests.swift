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

    /// Takes the only message.
    func single() throws -> String {
      let all = all.withLock { all in
        defer { all = [] }
        return all
      }
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
