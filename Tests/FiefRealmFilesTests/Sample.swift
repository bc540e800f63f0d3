import Foundation

/// A file that realm-core 14.14 wrote, and what it says of the contents. `Files/README.md` describes them.
enum Sample: String, CaseIterable {
  case empty, small, sparse, largeValues = "large-values", encrypted

  /// Those that can be read.
  static let readable: [Sample] = [.empty, .small, .sparse, .largeValues]

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Files")

  /// The bytes of the file. The larger files are packed.
  var bytes: ContiguousArray<UInt8> {
    get throws {
      let plain = Self.folder.appendingPathComponent("\(rawValue).realm")
      if let data = try? Data(contentsOf: plain) { return ContiguousArray(data) }
      return Self.unpacked(try Data(contentsOf: plain.appendingPathExtension("packed")))
    }
  }

  /// The contents as realm-core prints them; only of the smaller files.
  var json: Data {
    get throws { try Data(contentsOf: Self.folder.appendingPathComponent("\(rawValue).json")) }
  }

  /// A line for each class: its name, the number of its objects, and a digest of their contents as realm-core prints
  /// them.
  var digests: String {
    get throws {
      try String(contentsOf: Self.folder.appendingPathComponent("\(rawValue).digests"), encoding: .utf8)
    }
  }

  /// Undoes the packing: the number of literal bytes, the bytes, the length of a repetition (0 at the end) and its
  /// distance, and so on; numbers in groups of seven bits.
  private static func unpacked(_ packed: Data) -> ContiguousArray<UInt8> {
    let packed = ContiguousArray(packed)
    var position = 0
    func number() -> Int {
      var (value, shift) = (0, 0)
      while true {
        let byte = Int(packed[position])
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128 { return value }
      }
    }
    var bytes: ContiguousArray<UInt8> = []
    while true {
      let count = number()
      bytes.append(contentsOf: packed[position..<position + count])
      position += count
      let length = number()
      if length == 0 { return bytes }
      let distance = number()
      for _ in 0..<length { bytes.append(bytes[bytes.count - distance]) }
    }
  }
}
