import FiefDurability
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen) struct RealFileSystemTests {
  private let system = RealFileSystem()

  @Test func bytesWrittenAtAnOffsetAreReadThere() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a").path
      let file = try system.open(path, for: .creating(like: []))
      #expect(try Array("hello".utf8).withUnsafeBytes { try file.write($0, at: 0) } == 5)
      #expect(try Array("!".utf8).withUnsafeBytes { try file.write($0, at: 9) } == 1)
      #expect(try Array("J".utf8).withUnsafeBytes { try file.write($0, at: 0) } == 1)
      try file.synchronize()
      try system.synchronizeFolder(folder.path)
      #expect(try file.size() == 10)
      var bytes = [UInt8](repeating: 1, count: 20)
      let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
      #expect(bytes[..<count] == [UInt8]("Jello\0\0\0\0!".utf8)[...])
      try file.truncate(to: 4)
      #expect(try file.size() == 4)
      file.close()
      file.close()
      #expect(throws: FileFailure.self) { try file.size() }
    }
  }

  #if !os(Windows)
    /// In a program that was started without a standard stream, a file with its number would get what is printed.
    @Test func noFileTakesTheNumberOfAStandardStream() async {
      await #expect(processExitsWith: .success) {
        try TemporaryFolder.with { folder in
          let (system, path) = (RealFileSystem(), folder.appendingPathComponent("a").path)
          for stream: Int32 in 0...2 { close(stream) }
          let files = [try system.open(path, for: .creating(like: [])), try system.open(path, for: .updating)]
          for stream: Int32 in 0...2 { try #require(fcntl(stream, F_GETFD) == -1) }
          for file in files { file.close() }
        }
      }
    }
  #endif

  @Test func aSecondNameLeadsToTheSameFile() throws {
    try TemporaryFolder.with { folder in
      let (path, second) = (folder.appendingPathComponent("a").path, folder.appendingPathComponent("b").path)
      let file = try system.open(path, for: .creating(like: []))
      try system.link(path, as: second)
      #expect(try system.entry(at: second)?.identity == file.identity)
      #expect(throws: FileFailure(.link, at: second, EEXIST)) { try system.link(path, as: second) }
      try system.remove(path)
      #expect(try system.entry(at: second)?.identity == file.identity)
      #expect(throws: FileFailure(.link, at: path, ENOENT)) { try system.link(second + "2", as: path) }
      #expect(FileFailure(.link, at: path, EPERM).isWithoutSecondNames)
      #expect(!FileFailure(.rename, at: path, EPERM).isWithoutSecondNames)
    }
  }

  @Test func failuresCarryTheCallTheFileAndTheNumber() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("none").path
      for purpose in [OpenPurpose.reading, .updating] {
        let failure = #expect(throws: FileFailure.self) { _ = try system.open(path, for: purpose) }
        #expect(failure == FileFailure(.open, at: path, ENOENT))
        #expect(failure?.meaning == .fileNotFound)
      }
      #expect(throws: FileFailure(.remove, at: path, ENOENT)) { try system.remove(path) }
      #expect(throws: FileFailure(.rename, at: path, ENOENT)) { try system.rename(path, to: path + "2") }
      #expect(throws: FileFailure(.inspect, at: path, ENOENT)) { _ = try system.resolve(path + "/below") }
      let entry = try system.entry(at: path)
      #expect(entry == nil)
    }
  }

  @Test func aWriteThatIsRefusedTellsWhy() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a").path
      try Data([1]).write(to: URL(fileURLWithPath: path))
      let file = try system.open(path, for: .reading)
      let failure = #expect(throws: FileFailure.self) {
        _ = try [UInt8(1)].withUnsafeBytes { try file.write($0, at: 0) }
      }
      #expect(failure?.code == EBADF)
      #if os(Linux)
        let full = try system.open("/dev/full", for: .updating)
        let space = #expect(throws: FileFailure.self) {
          _ = try [UInt8(1)].withUnsafeBytes { try full.write($0, at: 0) }
        }
        #expect(space?.code == ENOSPC)
        #expect(space?.meaning == .outOfDiskSpace)
      #endif
    }
  }

  @Test func everyCallOnAClosedFileTellsWhy() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a").path
      let file = try system.open(path, for: .creating(like: []))
      // Writing zero bytes succeeds, whatever the state of the file.
      #expect(try file.write(UnsafeRawBufferPointer(start: nil, count: 0), at: 0) == 0)
      file.close()
      func failure(_ body: () throws -> Void) -> FileFailure? {
        do { try body() } catch { return error as? FileFailure }
        return nil
      }
      var byte = [UInt8(0)]
      #expect(failure { _ = try byte.withUnsafeMutableBytes { try file.read(into: $0, at: 0) } }?.operation == .read)
      #expect(failure { try file.truncate(to: 1) } == FileFailure(.truncate, at: path, EBADF))
      #expect(failure { _ = try file.lock() } == FileFailure(.lock, at: path, EBADF))
      #expect(failure { try file.synchronize() }?.operation == .synchronize)
      #expect(failure { _ = try file.size() } == FileFailure(.inspect, at: path, EBADF))
      // Advice does not fail.
      file.startWriting(0..<1)
    }
  }

  @Test func aPathThatIsNoFolderIsReportedWithItsReason() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("a").path
      try Data([1]).write(to: URL(fileURLWithPath: path))
      let failure = #expect(throws: FileFailure.self) { try system.synchronizeFolder(path) }
      #expect(failure == FileFailure(.open, at: path, ENOTDIR))
      let code = #expect(throws: FileFailure.self) { _ = try system.entry(at: path + "/below") }?.code
      #expect(code == ENOTDIR)
      let other = #expect(throws: FileFailure.self) { _ = try system.resolve(path + "/below") }?.code
      #expect(other == ENOTDIR)
      #expect(try system.resolve("/no-such-file") == "/no-such-file")
      // An absolute link to a file that does not exist yet.
      let link = folder.appendingPathComponent("link").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/to come")
      #expect(try system.resolve(link) == system.resolve(folder.path) + "/to come")
    }
  }

  @Test func aLockIsTakenOnceAndFreedByClosing() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("lock").path
      let first = try system.open(path, for: .creatingLock(like: []))
      let second = try system.open(path, for: .updating)
      #expect(first.identity == second.identity)
      #expect(try first.lock())
      #expect(try first.lock())
      #expect(try !second.lock())
      first.close()
      #expect(try second.lock())
    }
  }

  @Test func locksOfBytesAreGivenBackOneByOneOrTogether() throws {
    try TemporaryFolder.with { folder in
      let path = folder.appendingPathComponent("lock").path
      let first = try system.open(path, for: .creatingLock(like: []))
      let second = try system.open(path, for: .updating)
      func free() throws -> [Int] { try (1...4).filter { try !second.isLocked(byte: $0) } }
      for byte in 1...3 { #expect(try first.lock(byte: byte, byte == 3 ? .shared : .exclusive) == true) }
      #expect(try first.lock())
      #expect(try free() == [4])
      #expect(try second.lock(byte: 1, .exclusive) == false)
      #expect(try second.lock(byte: 4, .exclusive) == true)
      first.unlock(byte: 2)
      #expect(try free() == [2, 4])
      first.unlockBytes()
      #expect(try free() == [1, 2, 3, 4])
      // Neither the lock of the file nor those of another opening.
      #expect(try !second.lock())
      #expect(try first.lock(byte: 4, .exclusive) == false)
      second.close()
      #expect(try first.lock(byte: 4, .exclusive) == true)
      first.close()
    }
  }

  @Test func renamingReplacesAndNamesAreResolved() throws {
    try TemporaryFolder.with { folder in
      let real = try system.resolve(folder.path)
      let (a, b) = (real + "/a", real + "/b")
      try Data("a".utf8).write(to: URL(fileURLWithPath: a))
      try Data("bb".utf8).write(to: URL(fileURLWithPath: b))
      let identity = try system.entry(at: a)?.identity
      try system.rename(a, to: b)
      let entry = try system.entry(at: a)
      #expect(entry == nil)
      #expect(try system.entry(at: b)?.identity == identity)
      #expect(try system.entry(at: b)?.size == 1)
      #expect(try system.entry(at: real)?.kind == .folder)
      #expect(try system.entry(at: "/dev/null")?.kind == .other)
      try FileManager.default.createSymbolicLink(atPath: real + "/link", withDestinationPath: "b")
      #expect(try system.resolve(real + "/link") == b)
      #expect(try system.resolve(real + "/./new") == real + "/new")
      try system.remove(b)
      #expect(try system.resolve(real + "/link") == b)
      try FileManager.default.createSymbolicLink(atPath: real + "/link to link", withDestinationPath: "./link")
      #expect(try system.resolve(real + "/link to link") == b)
      try FileManager.default.createSymbolicLink(atPath: real + "/circle", withDestinationPath: "circle")
      #expect(throws: FileFailure.self) { try system.resolve(real + "/circle") }
    }
  }

  @Test func everyNumberOfTheSystemHasAMeaning() {
    let meanings: [(Int32, StoreError.Code)] = [
      (ENOENT, .fileNotFound), (EACCES, .filePermissionDenied), (EPERM, .filePermissionDenied),
      (EROFS, .filePermissionDenied), (EEXIST, .fileExists), (ENOSPC, .outOfDiskSpace), (EDQUOT, .outOfDiskSpace),
      (EFBIG, .outOfDiskSpace), (EIO, .fileOperationFailed), (EMFILE, .fileOperationFailed),
    ]
    for (code, meaning) in meanings {
      let failure = FileFailure(.write, at: "/a", code)
      #expect(failure.meaning == meaning)
      #expect(failure.description.contains("errno \(code)"))
    }
  }
}
