#if os(Linux)
  import FiefBoundarySupport
  import FiefTestSupport
  import Foundation
  import Testing

  /// A real file system, ext4 in a file, fails and turns read-only between a commit's write and its synchronization.
  ///
  ///     sudo FIEF_LOOP_MOUNT=1 swift test --filter ReadOnlyFileSystemTests
  @Suite(.waitsForProcesses) struct ReadOnlyFileSystemTests {
    /// The reason why the test cannot run here; nil if it can.
    static let obstacle: String? = {
      if ProcessInfo.processInfo.environment["FIEF_LOOP_MOUNT"] != "1" { return "FIEF_LOOP_MOUNT=1 is not set" }
      if getuid() != 0 { return "only root may mount a file system" }
      for tool in ["mkfs.ext4", "mount", "umount", "e2fsck"] where Command.path(of: tool) == nil {
        return "there is no \(tool)"
      }
      return nil
    }()

    @Test func aCommitIsNotAcknowledgedByAFileSystemThatHasGivenUp() throws {
      if let obstacle = Self.obstacle {
        Figures.report("A file system that turns read-only is not tried: \(obstacle).")
        return
      }
      try TemporaryFolder.with { folder in
        let image = folder.appendingPathComponent("ext4.img").path
        let mountPoint = folder.appendingPathComponent("mounted")
        try FileManager.default.createDirectory(at: mountPoint, withIntermediateDirectories: true)
        try Command.run("truncate", "-s", "24M", image)
        try Command.run("mkfs.ext4", "-q", "-F", image)
        var acknowledged = 0
        try Command.run("mount", "-o", "loop,errors=remount-ro", image, mountPoint.path)
        do {
          defer { try? Command.run("umount", mountPoint.path) }
          acknowledged = try commits(on: mountPoint)
        }
        try Command.run("e2fsck", "-f", "-y", image, mayFail: true)
        try Command.run("mount", "-o", "loop", image, mountPoint.path)
        defer { try? Command.run("umount", mountPoint.path) }
        let ledger = try Ledger(mountPoint.appendingPathComponent("store/ledger.realm").path)
        #expect(ledger.number >= acknowledged, "write \(acknowledged) was acknowledged")
        Figures.report(
          "A file system turned read-only: \(acknowledged) writes were acknowledged, \(ledger.number) are found")
      }
    }

    /// - Returns: the last write that was acknowledged.
    private func commits(on mountPoint: URL) throws -> Int {
      let folder = mountPoint.appendingPathComponent("store")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("ledger.realm").path
      // Finds the first call of the third commit, in a run without an error.
      let record = mountPoint.deletingLastPathComponent().appendingPathComponent("record").path
      var environment = ["FIEF_RECORD": record, "FIEF_ROOT": folder.path, "FIEF_SYNC": "really"]
      let first = try Helper(["commit-by-line", path], environment: environment)
      #expect(first.nextLine() == "opened 0")
      for number in 1...2 {
        first.say("")
        #expect(first.nextLine() == "done \(number)")
      }
      let calls = try Record(contentsOf: URL(fileURLWithPath: record)).count
      first.finish()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
      }
      try FileManager.default.removeItem(atPath: record)
      environment["FIEF_PLAN"] = "\(calls + 1):pause-sync"
      let second = try Helper(["commit-by-line", path], environment: environment)
      #expect(second.nextLine() == "opened 0")
      for number in 1...2 {
        second.say("")
        #expect(second.nextLine() == "done \(number)")
      }
      second.say("")
      while !FileManager.default.fileExists(atPath: record + ".paused") { usleep(1000) }
      try fail(mountPoint)
      _ = FileManager.default.createFile(atPath: record + ".go", contents: nil)
      let answer = second.nextLine() ?? "ended"
      #expect(answer == "threw commitOutcomeUnknown")
      second.say("")
      let later = second.nextLine() ?? "ended"
      #expect(later == "threw storeIsReadOnly")
      second.finish()
      return answer == "done 3" ? 3 : 2
    }

    /// Triggers an error in the file system, which then turns read-only.
    private func fail(_ mountPoint: URL) throws {
      let mounts = try String(contentsOfFile: "/proc/mounts", encoding: .utf8).split(separator: "\n")
      let line = try #require(mounts.first { $0.split(separator: " ").dropFirst().first == Substring(mountPoint.path) })
      let device = try #require(line.split(separator: " ").first?.split(separator: "/").last)
      try Data("1".utf8).write(to: URL(fileURLWithPath: "/sys/fs/ext4/\(device)/trigger_fs_error"), options: [])
    }
  }

  /// Programs of the system.
  private enum Command {
    static func path(of name: String) -> String? {
      ["/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"].map { $0 + name }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    struct Failure: Error { let command: [String] }

    static func run(_ name: String, _ arguments: String..., mayFail: Bool = false) throws {
      guard let path = path(of: name) else { throw Failure(command: [name]) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 && !mayFail { throw Failure(command: [name] + arguments) }
    }
  }
#endif
