import FiefGraph
import FiefValues
import Foundation

/// The parts of a leaf of any-values, each read when it is first needed.
private struct AnyParts {
  let file: FileBytes
  let refs: Integers
  let offset: Int
  private var integers: Integers?
  private var pairs: Integers?
  private var spans: ContiguousArray<Span>?
  private var collections: Integers?

  init(_ file: FileBytes, _ refs: Integers, at offset: Int) {
    self.file = file
    self.refs = refs
    self.offset = offset
  }

  private func part(_ index: Int) throws(RealmFileError) -> Node {
    guard index < refs.count, refs[index] != 0 else {
      throw file.damage("an any-value has no part \(index)", at: offset)
    }
    return try file.node(refs[index])
  }

  private func element<Elements: RandomAccessCollection>(
    _ elements: Elements?, _ index: Int64
  ) throws(RealmFileError) -> Elements.Element where Elements.Index == Int {
    guard let elements, 0..<Int64(elements.count) ~= index else {
      throw file.damage("an any-value is at \(index) of \(elements?.count ?? 0)", at: offset)
    }
    return elements[Int(index)]
  }

  mutating func integer(_ index: Int64) throws(RealmFileError) -> Int64 {
    if integers == nil { integers = try file.integers(try part(1)) }
    return try element(integers, index)
  }

  mutating func pair(_ index: Int64) throws(RealmFileError) -> (Int64, Int64) {
    if pairs == nil { pairs = try file.integers(try part(2)) }
    guard index < .max / 4 else { throw file.damage("an any-value is out of range", at: offset) }
    return (try element(pairs, 2 * index), try element(pairs, 2 * index + 1))
  }

  /// The place of the bytes of a value; an empty range for null.
  mutating func span(_ index: Int64, count: Int? = nil) throws(RealmFileError) -> Span {
    if spans == nil {
      let found = try file.stringSpans(try part(3))
      // A node of nulls takes no bytes, however many it announces. Without this each any-value could visit as many.
      try file.charge(found.count, of: MemoryLayout<Span>.stride)
      spans = found
    }
    let found = try element(spans, index)
    let span = found.isNull ? Span(start: FileHeader.byteCount, count: 0) : found
    guard count == nil || span.count == count else {
      throw file.damage("an any-value has \(span.count) bytes", at: offset)
    }
    return span
  }

  mutating func collection(_ index: Int64) throws(RealmFileError) -> Int64 {
    if collections == nil { collections = try file.refs(try part(4), atLeast: 0) }
    return try element(collections, index)
  }
}

extension CellReader {
  /// The types of collections in any-values, by their numbers in files.
  private enum Nested {
    static let list: Int64 = 19
    static let dictionary: Int64 = 21
  }

  /// The any-values of a leaf.
  ///
  /// - Parameter origin: the row that holds the value at a position.
  func anyValues(_ node: Node, _ origin: (Int) -> Int64) throws(RealmFileError) -> ContiguousArray<Value> {
    if column.type == .typedLink && !node.hasRefs { return try typedLinks(node, origin) }
    let refs = try file.refs(node, atLeast: 1)
    guard refs[0] != 0 else { throw file.damage("any-values have no kinds", at: node.offset) }
    let kinds = try file.integers(try file.node(refs[0]))
    try file.chargeValues(kinds.count, of: MemoryLayout<Value>.stride)
    var parts = AnyParts(file, refs, at: node.offset)
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(kinds.count)
    for (index, kind) in kinds.enumerated() {
      values.append(kind == 0 ? .null : try value(kind, &parts, from: origin(index)))
    }
    return values
  }

  private func value(_ kind: Int64, _ parts: inout AnyParts, from origin: Int64) throws(RealmFileError) -> Value {
    let (content, isElsewhere) = (kind >> 8, kind & 0xE0 != 0)
    let number = kind & 0x1F - 1
    if number == Nested.list || number == Nested.dictionary {
      let ref = try parts.collection(content)
      return .link(try nests.add(isList: number == Nested.list, ref, from: origin, in: file))
    }
    switch FileType(rawValue: number) {
    case .integer: return .int(isElsewhere ? try parts.integer(content) : content)
    case .boolean: return .bool(content != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try parts.integer(content))))
    case .double: return .double(Double(bitPattern: UInt64(bitPattern: try parts.integer(content))))
    case .string: return .string(try file.chargedText(try parts.span(content)))
    case .binary: return .data(try file.chargedData(try parts.span(content)))
    case .timestamp:
      let (seconds, nanoseconds) = try parts.pair(content)
      return .date(try file.timestamp(seconds, nanoseconds, at: parts.offset))
    case .decimal:
      let (low, high) = try parts.pair(content)
      return .decimal(Decimal128(bitPatternHigh: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
    case .objectId:
      let start = try parts.span(content, count: 12).start
      func word(_ offset: Int) -> UInt32 { file.number32(start + offset).byteSwapped }
      return .objectId(ObjectId(words: word(0), word(4), word(8)))
    case .uuid: return .uuid(file.uuid(at: try parts.span(content, count: 16).start))
    case .link: return try link(try parts.integer(content), from: origin).map(Value.link) ?? .null
    case .typedLink:
      let (table, key) = try parts.pair(content)
      return try typedLink(table, key, from: origin).map(Value.link) ?? .null
    case .any, .linkList, .backlinks, nil:
      throw file.damage("an any-value is of the unknown type \(number)", at: parts.offset)
    }
  }

  /// The links of a column of typed links, which have a form of their own.
  private func typedLinks(_ node: Node, _ origin: (Int) -> Int64) throws(RealmFileError) -> ContiguousArray<Value> {
    let numbers = try file.integers(node)
    guard numbers.count.isMultiple(of: 2) else { throw file.damage("a typed link is cut short", at: node.offset) }
    try file.chargeValues(numbers.count / 2, of: MemoryLayout<Value>.stride)
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(numbers.count / 2)
    for index in 0..<numbers.count / 2 {
      let (table, key) = (numbers[2 * index], numbers[2 * index + 1])
      let link = table == 0 ? nil : try typedLink(table &- 1, key &- 1, from: origin(index))
      values.append(link.map(Value.link) ?? .null)
    }
    return values
  }
}
