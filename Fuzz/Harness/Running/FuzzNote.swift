import Foundation

/// A file in which a child writes what it runs, so that the parent knows it when the child has died.
final class FuzzNote {
  private let file: FileHandle

  /// Opens the file for writing.
  init(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw Finding("\(path) cannot be written.") }
    self.file = file
  }

  /// Replaces what is written: an input, and the number of inputs before it.
  func write(_ bytes: [UInt8], number: Int) {
    let numbers = [bytes.count, number].flatMap { number in (0..<8).map { UInt8(number >> (8 * $0) & 255) } }
    try? file.seek(toOffset: 0)
    try? file.write(contentsOf: Data(numbers + bytes))
  }

  /// The note that was written last.
  static func read(_ path: String) -> (bytes: [UInt8], number: Int)? {
    guard let data = FileManager.default.contents(atPath: path), data.count >= 16 else { return nil }
    let numbers = [0, 8].map { start in (0..<8).reduce(0) { $0 | Int(data[start + $1]) << (8 * $1) } }
    guard numbers[0] <= data.count - 16 else { return nil }
    return ([UInt8](data.dropFirst(16).prefix(numbers[0])), numbers[1])
  }
}

/// A list of inputs in one file, each after its length in four bytes.
enum InputList {
  static func write(_ inputs: [[UInt8]], to path: String) throws {
    var data = Data()
    for input in inputs {
      data.append(contentsOf: (0..<4).map { UInt8(input.count >> (8 * $0) & 255) })
      data.append(contentsOf: input)
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  static func read(_ path: String) throws -> [[UInt8]] {
    var rest = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))[...]
    var inputs: [[UInt8]] = []
    while rest.count >= 4 {
      let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      inputs.append(Array(rest.dropFirst(4).prefix(count)))
      rest = rest.dropFirst(4 + count)
    }
    return inputs
  }
}
