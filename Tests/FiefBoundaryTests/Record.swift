import Foundation

/// One call of a recorded process, or a note.
struct RecordedCall {
  let number: Int
  let kind: String
  /// The result of the call; negative when it failed.
  let result: Int
  let code: Int32
  let file: UInt64
  /// The offset of a write, or the new length of a file; for a note, its time in nanoseconds.
  let offset: Int
  let name: String
  let otherName: String
  /// The bytes of a write.
  let bytes: [UInt8]

  var failed: Bool { result < 0 }

  /// The words of a note; empty for a call.
  var note: [String] { kind == "note" ? name.split(separator: " ").map(String.init) : [] }
}

/// All calls of a process on the files of one folder, in order.
struct Record {
  let calls: [RecordedCall]

  /// The number of the last call.
  var count: Int { calls.last { $0.number > 0 }?.number ?? 0 }

  init(contentsOf url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    var calls: [RecordedCall] = []
    var position = 0
    while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
      let words = bytes[position..<end].split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 9, let length = Int(words[6]), end + 1 + length <= bytes.count else { break }
      position = end + 1 + length
      calls.append(
        RecordedCall(
          number: Int(words[0]) ?? 0, kind: words[1], result: Int(words[2]) ?? 0, code: Int32(words[3]) ?? 0,
          file: UInt64(words[4]) ?? 0, offset: Int(words[5]) ?? 0, name: words[7], otherName: words[8],
          bytes: Array(bytes[(end + 1)..<position])))
    }
    self.calls = calls
  }
}
