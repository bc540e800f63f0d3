/// The bytes of a file while they are read.
///
/// A file is read twice: to check it, and to make the graph of it. In the check it hands out each node once: the bytes
/// of a node are *claimed*, and a second claim of a byte is an error. So a forged file with cycles, shared or
/// overlapping nodes is refused, and reading takes no more steps than the file has bytes. The claims take a bit for
/// each eight bytes.
final class FileBytes {
  let bytes: ContiguousArray<UInt8>
  let header: FileHeader
  /// The part that is being read, for errors.
  var place = FilePlace()
  /// How many strings were not UTF-8, and were repaired.
  private(set) var repairedTexts = 0
  /// Whether strings and data are made of the bytes. While a file is checked, a short string stands for a long one, and
  /// empty data for all data.
  private(set) var keepsValues = true
  /// The number of the long strings that are made all the same.
  private(set) var keptNumber: UInt64?
  /// How many values a leaf may have. Leaves of Realm have at most 1,000, but for the enumerated strings of a column.
  private(set) var leafLimit = MemoryBudget.leafLimit
  // Whether nodes are claimed, and memory is counted. Both happen once.
  private var isChecking = true
  private var claims: ContiguousArray<UInt64>
  private var budget: MemoryBudget

  /// - Throws: `RealmFileError` unless this is a file of Realm in a format that can be read.
  init(_ bytes: ContiguousArray<UInt8>) throws(RealmFileError) {
    header = try FileHeader(bytes)
    self.bytes = bytes
    claims = ContiguousArray(repeating: 0, count: header.end / 512 + 1)
    budget = MemoryBudget(fileSize: bytes.count)
    claims[0] = 7
  }

  // MARK: Errors

  /// The error for a fault at a byte of the file.
  func damage(_ fault: String, at offset: Int? = nil) -> RealmFileError {
    let position = offset.map { " at byte \($0)" } ?? ""
    return RealmFileError(.damaged, "The file is damaged\(position)\(place): \(fault).", offset: offset, place: place)
  }

  /// The error for something sound that cannot be imported.
  func unsupported(_ reason: String) -> RealmFileError {
    RealmFileError(.unsupported, "The file cannot be imported\(place): \(reason).", place: place)
  }

  /// Notes that a string was repaired.
  func noteRepair() { if isChecking { repairedTexts += 1 } }

  // MARK: Readings

  /// From now on nothing is made of strings and data.
  func beginCheck() { keepsValues = false }

  /// From now on all nodes are known to be sound: they are not claimed again, nor is memory counted again.
  func endCheck() {
    isChecking = false
    keepsValues = true
    claims = []
  }

  /// Reads nodes again that were claimed.
  ///
  /// - Parameter number: the number of the long strings that are made of the bytes.
  func again(making number: UInt64, _ body: () throws(RealmFileError) -> Void) throws(RealmFileError) {
    let before = (isChecking, keepsValues)
    (isChecking, keepsValues, keptNumber) = (false, false, number)
    defer {
      (isChecking, keepsValues) = before
      keptNumber = nil
    }
    try body()
  }

  /// Reads a leaf that may have more values than those of rows and collections.
  func withLongLeaves<Result>(_ body: () throws(RealmFileError) -> Result) throws(RealmFileError) -> Result {
    let before = leafLimit
    leafLimit = max(before, bytes.count / 16)
    defer { leafLimit = before }
    return try body()
  }

  // MARK: Limits

  /// Notes that so many things are about to be made of the file, of so many bytes of memory each.
  func charge(_ count: Int, of size: Int) throws(RealmFileError) {
    guard !isChecking || budget.take(count, of: size) else {
      throw unsupported(
        "its objects would take more than \(budget.limit >> 20) MB of memory, which is the limit for a file of "
          + "\(bytes.count) bytes")
    }
  }

  /// Notes that a table or a column is about to be made, of so many bytes of memory.
  func chargeSchema(_ size: Int) throws(RealmFileError) {
    guard budget.takeSchema(size) else {
      throw unsupported("it has more tables and columns than a file of \(bytes.count) bytes may have")
    }
    try charge(1, of: size)
  }

  /// Notes that the values of a leaf are about to be made, of so many bytes of memory each.
  func chargeValues(_ count: Int, of size: Int) throws(RealmFileError) {
    guard count <= leafLimit else { throw damage("a leaf announces \(count) values") }
    try charge(count, of: size)
  }

  /// How many bytes of memory were charged so far.
  var charged: Int { budget.taken }

  // MARK: Nodes

  /// The node at a ref, whose bytes are claimed.
  func node(_ ref: Int64) throws(RealmFileError) -> Node {
    guard ref & 7 == 0, ref >= FileHeader.byteCount, ref <= Int64(header.end - Node.headerByteCount) else {
      throw damage("\(ref) is not the position of a node")
    }
    let offset = Int(ref)
    let node = knownNode(at: offset)
    guard let byteCount = node.byteCount else { throw damage("the node has no known scheme", at: offset) }
    guard byteCount <= header.end - node.start else {
      throw damage("the node has \(node.count) elements, and the file ends before the last", at: offset)
    }
    if isChecking { try claim(offset, node.start + byteCount) }
    return node
  }

  /// The node at an offset where one was read before.
  func knownNode(at offset: Int) -> Node {
    Node(
      offset: offset, flags: bytes[offset + 4],
      count: Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7]))
  }

  /// Marks the bytes of a node as read, in units of eight.
  private func claim(_ start: Int, _ end: Int) throws(RealmFileError) {
    let (first, last) = (start >> 3, (end - 1) >> 3)
    for word in first >> 6...last >> 6 {
      var mask = UInt64.max
      if word == first >> 6 { mask &= .max << UInt64(first & 63) }
      if word == last >> 6 { mask &= .max >> UInt64(63 - last & 63) }
      guard claims[word] & mask == 0 else {
        throw damage("the node overlaps another, or is part of the file twice", at: start)
      }
      claims[word] |= mask
    }
  }

  // MARK: Numbers

  @inline(__always)
  func number16(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }

  @inline(__always)
  func number32(_ offset: Int) -> UInt32 { UInt32(number16(offset)) | UInt32(number16(offset + 2)) << 16 }

  @inline(__always)
  func number64(_ offset: Int) -> UInt64 { UInt64(number32(offset)) | UInt64(number32(offset + 4)) << 32 }
}
