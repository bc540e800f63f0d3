import FiefGraph
import FiefValues
import Foundation

extension FileBytes {
  /// The values of a leaf of a type that links to nothing.
  ///
  /// - Parameters:
  ///   - type: any but links, any-values and backlinks.
  ///   - isNullable: whether the column may hold null.
  ///   - enumeration: the strings of an enumerated column.
  func values(
    _ node: Node, _ type: FileType, isNullable: Bool, enumeration: Enumeration = Enumeration()
  ) throws(RealmFileError) -> ReadValues {
    var read: ReadValues
    switch type {
    case .integer: read = try integers(node, isNullable: isNullable)
    case .boolean: read = try booleans(node, isNullable: isNullable)
    case .string:
      let texts = try texts(node, enumeration: enumeration, isNullable: isNullable)
      read = ReadValues(values: String.leaf(texts.values), nulls: texts.nulls)
    case .binary:
      let (values, nulls) = try binaries(node)
      read = ReadValues(values: .data(values), nulls: isNullable ? nulls : [])
    case .timestamp: read = try timestamps(node)
    case .float: read = try floats(node, isNullable: isNullable)
    case .double: read = try doubles(node, isNullable: isNullable)
    case .decimal: read = try decimals(node, isNullable: isNullable)
    case .objectId:
      read = try fixedBytes(node, of: 12) { offset in
        func word(_ offset: Int) -> UInt32 { number32(offset).byteSwapped }
        return ObjectId(words: word(offset), word(offset + 4), word(offset + 8))
      }
    case .uuid: read = try fixedBytes(node, of: 16) { uuid(at: $0) }
    case .any, .link, .linkList, .typedLink, .backlinks: throw damage("the column holds links", at: node.offset)
    }
    guard isNullable || read.nulls.isEmpty else { throw damage("a required value is null", at: node.offset) }
    return read
  }

  /// Makes a leaf of values, one after the other; nil stands for null.
  private func cells<Element: Storable>(
    _ count: Int, _ value: (Int) throws(RealmFileError) -> Element?
  ) throws(RealmFileError) -> ReadValues {
    try chargeValues(count, of: MemoryLayout<Element>.stride)
    var (values, nulls): (ContiguousArray<Element>, [Int]) = ([], [])
    values.reserveCapacity(count)
    for index in 0..<count {
      let value = try value(index)
      if value == nil { nulls.append(index) }
      values.append(value ?? Element.zero)
    }
    return ReadValues(values: Element.leaf(values), nulls: nulls)
  }

  // MARK: Numbers

  private func integers(_ node: Node, isNullable: Bool) throws(RealmFileError) -> ReadValues {
    guard isNullable else { return ReadValues(values: try integerLeaf(node, skipping: 0)) }
    let null = try integer(node, at: 0)
    var read = ReadValues(values: try integerLeaf(node, skipping: 1))
    func mark<Number: FixedWidthInteger>(_ values: inout ContiguousArray<Number>) {
      guard let null = Number(exactly: null) else { return }
      for index in values.indices where values[index] == null {
        read.nulls.append(index)
        values[index] = 0
      }
    }
    switch read.values {
    case .int8(var values):
      mark(&values)
      read.values = .int8(values)
    case .int16(var values):
      mark(&values)
      read.values = .int16(values)
    case .int32(var values):
      mark(&values)
      read.values = .int32(values)
    case .int64(var values):
      mark(&values)
      read.values = .int64(values)
    default: break
    }
    return read
  }

  private func booleans(_ node: Node, isNullable: Bool) throws(RealmFileError) -> ReadValues {
    var nulls: [Int] = []
    var values: ContiguousArray<Int8> = []
    try chargeValues(node.count, of: 1)
    for (index, number) in try integers(node).enumerated() {
      switch number {
      case 0, 1: values.append(Int8(number))
      case 3 where isNullable:
        nulls.append(index)
        values.append(0)
      default: throw damage("a boolean is \(number)", at: node.offset)
      }
    }
    return ReadValues(values: .int8(values), nulls: nulls)
  }

  private func checkMultiple(_ node: Node, of width: Int) throws(RealmFileError) {
    guard node.scheme == .multiple, node.width == width || node.count == 0 else {
      throw damage("the node should hold values of \(width) bytes", at: node.offset)
    }
  }

  private func floats(_ node: Node, isNullable: Bool) throws(RealmFileError) -> ReadValues {
    try checkMultiple(node, of: 4)
    return try cells(node.count) { index in
      let bits = number32(node.start + 4 * index)
      return isNullable && bits == 0x7FC0_00AA ? nil : Float(bitPattern: bits)
    }
  }

  private func doubles(_ node: Node, isNullable: Bool) throws(RealmFileError) -> ReadValues {
    try checkMultiple(node, of: 8)
    return try cells(node.count) { index in
      let bits = number64(node.start + 8 * index)
      return isNullable && bits == 0x7FF8_0000_0000_00AA ? nil : Double(bitPattern: bits)
    }
  }

  // MARK: Moments

  private func timestamps(_ node: Node) throws(RealmFileError) -> ReadValues {
    let parts = try refs(node, atLeast: 2)
    let seconds = try integers(try self.node(parts[0]))
    let nanoseconds = try integers(try self.node(parts[1]))
    guard let null = seconds.first, seconds.count == nanoseconds.count + 1 else {
      throw damage("there are \(seconds.count) seconds and \(nanoseconds.count) nanoseconds", at: node.offset)
    }
    return try cells(nanoseconds.count) { (index) throws(RealmFileError) in
      let whole = seconds[index + 1]
      return whole == null ? nil : try timestamp(whole, nanoseconds[index], at: node.offset)
    }
  }

  /// A moment of seconds and nanoseconds, which have one sign.
  func timestamp(_ seconds: Int64, _ nanoseconds: Int64, at offset: Int) throws(RealmFileError) -> Timestamp {
    guard -1_000_000_000 < nanoseconds, nanoseconds < 1_000_000_000 else {
      throw damage("a moment has \(nanoseconds) nanoseconds", at: offset)
    }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  // MARK: Decimals

  private func decimals(_ node: Node, isNullable: Bool) throws(RealmFileError) -> ReadValues {
    guard node.scheme == .multiple else { throw damage("the node should hold decimals", at: node.offset) }
    return try cells(node.count) { (index) throws(RealmFileError) -> Decimal128? in
      let offset = node.start + index * node.width
      switch node.width {
      case 0: return node.isFlagged ? Decimal128() : nil
      case 4:
        let bits = number32(offset)
        return bits == 0x7C00_00AA ? nil : Decimal128(decimal32: bits)
      case 8:
        let bits = number64(offset)
        return bits == 0x7C00_0000_0000_00AA ? nil : Decimal128(decimal64: bits)
      case 16:
        let (low, high) = (number64(offset), number64(offset + 8))
        return high == 0x7C00_0000_0000_0000 && low == 0xAA ? nil : Decimal128(bitPatternHigh: high, low: low)
      default: throw damage("the node should hold decimals", at: node.offset)
      }
    }
  }

  // MARK: Identifiers

  func uuid(at offset: Int) -> UUID {
    let high = number64(offset).byteSwapped
    let low = number64(offset + 8).byteSwapped
    func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
        byte(low, 6), byte(low, 7)
      ))
  }

  /// Blocks of a byte, whose bits say which values are null, and up to eight values.
  private func fixedBytes<Element: Storable>(
    _ node: Node, of width: Int, _ value: (Int) -> Element
  ) throws(RealmFileError) -> ReadValues {
    let block = 8 * width + 1
    let count = (node.count - (node.count + block - 1) / block) / width
    guard !node.hasRefs, node.byteCount == node.count, node.count == count * width + (count + 7) / 8 else {
      throw damage("the node should hold values of \(width) bytes", at: node.offset)
    }
    return try cells(count) { index in
      let start = node.start + index / 8 * block
      return bytes[start] >> UInt8(index & 7) & 1 == 1 ? nil : value(start + 1 + index % 8 * width)
    }
  }
}
