import Foundation

/// Where a command writes: results to standard output, complaints to standard error.
struct Terminal {
  func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

  func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
