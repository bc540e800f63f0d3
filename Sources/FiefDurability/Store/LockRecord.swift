/// The contents of the lock file: lines of 16 bytes, for people and for messages.
///
///     fief 4711␣␣␣␣␣␣\n      the process that made the file, or opened the store alone while this was the only line
///     turn 4712 59140…\n     two lines: the process that opened the store or had the turn last, and a random number
///                            that its opening has drawn (S27)
///     lost 20␣␣␣␣␣␣␣␣␣…\n    two lines: the last durable version of a process whose disk has failed (S32)
///     wait 4711␣␣␣␣␣␣\n      a process that stands in line for the turn, or that has died there
///     open 4711␣␣␣␣␣␣\n      the members, one in each line
///     open 4712␣␣␣␣␣␣\n
///
/// A file of a store that was never shared has the first line alone. It is synchronized before others follow, and then
/// stays: the file is known by it. Nothing else is synchronized, because after a power failure no process is there whom
/// it could concern. The lines of the turn, the loss and the waiting have an effect, the others do not.
struct LockRecord {
  /// The beginning of every lock file.
  static let mark = "fief "
  /// The length of a line.
  static let lineLength = 16
  /// The number of members that the file can name.
  static let members = 64
  /// The maximum size of a lock file.
  static let largest = lineLength * (firstMember + members)
  private static let firstMember = 6

  /// The lines of the file.
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a lock file.
  init(_ file: any OpenFile) throws(FileFailure) { bytes = try file.readAll(0..<Self.largest) }

  /// The process to name.
  var latest: Int32? { writer ?? holder }

  /// The process in the first line; nil if the file is not one of this library.
  var holder: Int32? { number(in: 0, after: Self.mark).map(Int32.init(clamping:)) }

  /// The process that had the turn last.
  var writer: Int32? { number(in: 1, after: "turn ").map(Int32.init(clamping:)) }

  /// The last durable version of a process whose disk has failed.
  var lost: UInt64? { number(in: Self.lostLines.lowerBound, after: "lost ") }

  /// The process in the line of a member.
  func member(_ index: Int) -> Int32? {
    number(in: Self.firstMember + index, after: "open ").map(Int32.init(clamping:))
  }

  private func number(in line: Int, after mark: String) -> UInt64? {
    let start = line * Self.lineLength
    guard start < bytes.count else { return nil }
    let text = bytes[start...].prefix(2 * Self.lineLength)
    guard text.starts(with: mark.utf8) else { return nil }
    return UInt64(String(decoding: text.dropFirst(mark.utf8.count), as: UTF8.self).prefix { $0.isNumber })
  }

  /// The place and the bytes of a line. Its length is fixed, so that no digits of an older number remain behind it.
  private static func line(_ index: Int, _ text: String, lines: Int = 1) -> (offset: Int, bytes: [UInt8]) {
    let count = lines * lineLength - 1 - text.utf8.count
    return (index * lineLength, Array((text + String(repeating: " ", count: max(0, count)) + "\n").utf8))
  }

  static func holder(_ process: Int32) -> (offset: Int, bytes: [UInt8]) { line(0, mark + "\(process)") }
  static func writer(_ process: Int32, drawn number: UInt64) -> (offset: Int, bytes: [UInt8]) {
    // The number has at most 15 digits, so the lines have room for it.
    line(1, "turn \(process) \(number >> 16)", lines: 2)
  }
  private static let waitingLine = 5
  static func waiting(_ process: Int32) -> (offset: Int, bytes: [UInt8]) { line(waitingLine, "wait \(process)") }
  static let nobodyWaits = blank(waitingLine..<waitingLine + 1)
  static let lostLines = 3..<5
  static func lost(_ version: UInt64) -> (offset: Int, bytes: [UInt8]) {
    line(lostLines.lowerBound, "lost \(version)", lines: lostLines.count)
  }
  static func blank(_ lines: Range<Int>) -> (offset: Int, bytes: [UInt8]) {
    line(lines.lowerBound, "", lines: lines.count)
  }
  static func member(_ index: Int, _ process: Int32) -> (offset: Int, bytes: [UInt8]) {
    line(firstMember + index, "open \(process)")
  }
}

/// The lines that have an effect, as each turn reads them: the second to the sixth. They are vectors, because an array
/// would be allocated in each turn.
struct TurnLines: BitwiseCopyable {
  private var turn = SIMD4<UInt64>.zero
  private var loss = SIMD32<UInt8>.zero
  private var waiting = SIMD16<UInt8>.zero

  /// Reads the lines of a lock file. Zeros stand for missing ones.
  ///
  /// The vectors have no gaps between them, and every pattern of bits is a value of them. So their bytes may be
  /// replaced by any others.
  init(_ file: any OpenFile) throws(FileFailure) {
    let result = unsafe withUnsafeMutableBytes(of: &self) { buffer in
      Result { () throws(FileFailure) in try unsafe file.readAll(into: buffer, at: LockRecord.lineLength) }
    }
    _ = try result.get()
  }

  /// Whether an opening had the turn last.
  ///
  /// - Parameter line: its line, as `vector` makes it.
  func names(_ line: SIMD4<UInt64>) -> Bool { turn == line }

  /// The line of a writer as a vector, as reading it would give it.
  static func vector(_ line: [UInt8]) -> SIMD4<UInt64> {
    assert(line.count == 2 * LockRecord.lineLength, "A writer has two lines.")
    var words = SIMD4<UInt64>.zero
    for (index, byte) in line.enumerated() { words[index / 8] |= UInt64(byte) << (8 * (index % 8)) }
    for index in words.indices { words[index] = UInt64(littleEndian: words[index]) }
    return words
  }

  /// Whether a process may stand in line for the turn.
  var hasWaiting: Bool { waiting[0] == UInt8(ascii: "w") }

  /// Whether the disk may have failed in a process.
  var hasLoss: Bool { loss[0] == UInt8(ascii: "l") }
}
