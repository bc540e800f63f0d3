import Foundation

/// The output of a command: results on standard output, errors on standard error.
struct Terminal {
  func say(_ text: String, terminator: String = "\n") {
    FileHandle.standardOutput.write(Data("\(text)\(terminator)".utf8))
  }

  func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
