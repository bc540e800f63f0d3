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

  /// Replaces what is written.
  func write(_ bytes: [UInt8]) {
    let length = withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) }
    try? file.seek(toOffset: 0)
    try? file.write(contentsOf: Data(length + bytes))
  }

  /// What was written last.
  static func read(_ path: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: path), data.count >= 8 else { return nil }
    let length = data.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return data.count - 8 < length ? nil : [UInt8](data.dropFirst(8).prefix(Int(length)))
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
