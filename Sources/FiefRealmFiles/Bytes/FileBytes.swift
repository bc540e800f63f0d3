/// The bytes of a file while they are read.
///
/// It hands out nodes, each once: the bytes of a node are *claimed*, and a second claim of a byte is an error. So a
/// forged file with cycles, shared or overlapping nodes is refused, and reading takes no more steps than the file has
/// bytes. The claims take a bit for each eight bytes.
final class FileBytes {
  let bytes: ContiguousArray<UInt8>
  let header: FileHeader
  /// What is being read, for errors.
  var place = FilePlace()
  /// How many strings were not UTF-8, and were repaired.
  private(set) var repairedTexts = 0
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
  func noteRepair() { repairedTexts += 1 }

  // MARK: Limits

  /// Notes that so many things are about to be made of the file, of so many bytes of memory each.
  func charge(_ count: Int, of size: Int) throws(RealmFileError) {
    guard budget.take(count, of: size) else {
      throw damage("it announces more values than a file of \(bytes.count) bytes can hold")
    }
  }

  /// Notes that the values of a leaf are about to be made, of so many bytes of memory each.
  func chargeValues(_ count: Int, of size: Int) throws(RealmFileError) {
    guard count <= budget.leafLimit else { throw damage("a leaf announces \(count) values") }
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
    let kind = bytes[offset + 3]
    guard kind == 0x41 else {
      throw damage("the node is of kind \(kind), which this format does not have", at: offset)
    }
    let node = Node(
      offset: offset, flags: bytes[offset + 4],
      count: Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7]))
    guard let byteCount = node.byteCount else { throw damage("the node has no known scheme", at: offset) }
    guard byteCount <= header.end - node.start else {
      throw damage("the node has \(node.count) elements, and the file ends before the last", at: offset)
    }
    try claim(offset, node.start + byteCount)
    return node
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
