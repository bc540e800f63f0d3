#if os(Linux) || os(macOS)
  import FiefTestSupport
  import Foundation

  /// A small file system in memory that one process mounts in a namespace of its own (`unshare`, Linux).
  enum SmallDisk {
    /// Whether this machine permits such a mount.
    static let isAvailable: Bool = {
      (try? TemporaryFolder.with { folder in
        let trial = try run("echo mounted", on: folder.path, kilobytes: 64)
        return trial.restOfLines().last == "mounted"
      }) ?? false
    }()

    /// Starts the helper, which fills a small file system that is mounted at a folder below `folder`, and copies its
    /// store to `copy`.
    static func helper(_ folder: URL, kilobytes: Int, room: Int, copy: String) throws -> Helper {
      let folderPath = folder.appendingPathComponent("small").path
      try FileManager.default.createDirectory(atPath: folderPath, withIntermediateDirectories: true)
      return try run(
        "exec '\(Helper.program.path)' fill-disk '\(folderPath)/diary.realm' \(room) '\(copy)'", on: folderPath,
        kilobytes: kilobytes)
    }

    /// Runs a shell command with a small file system at `folderPath`, which no other process sees.
    private static func run(_ command: String, on folderPath: String, kilobytes: Int) throws -> Helper {
      try Helper(
        running: URL(fileURLWithPath: "/usr/bin/env"),
        [
          "unshare", "--map-root-user", "--mount", "/bin/sh", "-c",
          "mount -t tmpfs -o size=\(kilobytes)k none '\(folderPath)' && \(command)",
        ])
    }
  }
#endif
