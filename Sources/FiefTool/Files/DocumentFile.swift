import FiefDurability
import Foundation

/// Files of text that commands read and write. `-` is standard input or output.
enum DocumentFile {
  static func isFolder(_ file: String) -> Bool {
    (try? URL(fileURLWithPath: file).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
  }

  /// The bytes of a file, or of standard input.
  static func read(_ file: String) throws -> Data {
    if file == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
    guard FileManager.default.fileExists(atPath: file) else {
      throw Failure("There is no file \(file.printable).", .noFile)
    }
    return try bytes(of: file)
  }

  /// The bytes of a file. A pipe or a device is read to its end.
  static func bytes(of file: String) throws -> Data {
    let url = URL(fileURLWithPath: file)
    if isFolder(file) { throw Failure("\(file.printable) is a folder: name a file to read.", .unreadable) }
    // Foundation reads only files as a whole, and says of a pipe that the permission is missing.
    guard FileManager.default.fileExists(atPath: file), !isFile(file) else { return try Data(contentsOf: url) }
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    return try handle.readToEnd() ?? Data()
  }

  /// Whether there is a file that can be read more than once. A pipe cannot, such as the one behind `/dev/stdin` or a
  /// shell's `<(…)`.
  static func isFile(_ file: String) -> Bool {
    let system = PatientFileSystem(system: RealFileSystem())
    guard let path = try? system.resolve(file), let entry = try? system.entry(at: path) else { return false }
    return entry.kind == .file
  }

  /// Writes a file as a whole: until `body` has returned it has another name, which is removed after an error and after
  /// Control-C. An existing file is replaced, and its permissions stay, but the files of a realm are refused. Links
  /// stay, too: the file that they lead to is written. A device or a pipe is opened, and written to.
  ///
  /// - Parameters:
  ///   - source: a file that is read to write this one. It is refused.
  ///   - body: receives a function that appends bytes.
  static func write(
    _ file: String, readFrom source: String? = nil, _ body: ((Data) throws -> Void) throws -> Void
  ) throws {
    let system = PatientFileSystem(system: RealFileSystem())
    do {
      let path = try system.resolve(file)
      let entry = try system.entry(at: path)
      if let source, let entry, try system.entry(at: system.resolve(source))?.identity == entry.identity {
        throw Failure("\(file.printable) is the file that is read: name another one to write.", .usage)
      }
      if entry?.kind == .file, try isOfRealm(path, system) {
        throw Failure("\(file.printable) is a file of a realm, which is not replaced: name another one.", .usage)
      }
      if isFolder(path) { throw Failure("\(file.printable) is a folder: name a file to write.", .unreadable) }
      // The pipe behind `/dev/stdout` has no path, but exists.
      if entry?.kind != .file, FileManager.default.fileExists(atPath: file) {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        defer { try? handle.close() }
        return try body { try handle.write(contentsOf: $0) }
      }
      let url = URL(fileURLWithPath: path)
      let part = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID()).part").path
      try Interruption.cleaningUp({ try? FileManager.default.removeItem(atPath: part) }) {
        try write(part, like: path, on: system, body)
        try system.rename(part, to: path)
      }
    } catch let error as FileFailure {
      throw Failure(StoreError(error, "The file \(file.printable) cannot be written").message, .unreadable)
    } catch let error as Failure {
      throw error
    } catch let error as OutputClosed {
      throw error
    } catch {
      throw Failure("\(file.printable) cannot be written: \(error.localizedDescription)", .unreadable)
    }
  }

  /// Whether a file is the snapshot, the journal, the history or the lock of a realm, or a file of Realm's. One that
  /// cannot be read may be such a file, so it is not replaced either.
  private static func isOfRealm(_ path: String, _ system: some FileSystem) throws -> Bool {
    let file = try system.open(path, for: .reading)
    defer { file.close() }
    let first = try file.readAll(0..<20)
    return ["FiefSnap", "FiefJrnl", "FiefHist"].contains { first.starts(with: $0.utf8) }
      || first.dropFirst(16).starts(with: "T-DB".utf8)
      || path.hasSuffix(".lock") && first.starts(with: "fief ".utf8)
  }

  /// Writes a new file with the permissions of another one, if that exists.
  private static func write(
    _ file: String, like model: String, on system: some FileSystem, _ body: ((Data) throws -> Void) throws -> Void
  ) throws {
    let new = try system.open(file, for: .creating(like: [model]))
    defer { new.close() }
    var length = 0
    try body { data in
      try new.writeAll([UInt8](data), at: length, path: model)
      length += data.count
    }
    try new.synchronize()
  }
}
