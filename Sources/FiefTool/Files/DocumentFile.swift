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
    return try Data(contentsOf: URL(fileURLWithPath: file))
  }

  /// Writes a file as a whole: until `body` has returned it has another name, which is removed after an error and after
  /// Control-C. An existing file is replaced.
  ///
  /// - Parameter body: receives a function that appends bytes.
  static func write(_ file: String, _ body: ((Data) throws -> Void) throws -> Void) throws {
    let url = URL(fileURLWithPath: file)
    let part = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID()).part")
    do {
      try Interruption.cleaningUp({ try? FileManager.default.removeItem(at: part) }) {
        try Data().write(to: part)
        let handle = try FileHandle(forWritingTo: part)
        try body { try handle.write(contentsOf: $0) }
        try handle.synchronize()
        try handle.close()
        try RealFileSystem().rename(part.path, to: url.path)
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
}
