import FiefGraph

/// The integers of a node. They are read from the bytes of the file when they are asked for, and take no memory.
struct Integers: RandomAccessCollection {
  fileprivate let file: FileBytes
  /// The node.
  let node: Node
  // All bits for signed numbers.
  fileprivate let mask: Int64

  var startIndex: Int { 0 }
  var endIndex: Int { node.count }

  @inline(__always)
  subscript(index: Int) -> Int64 { file.element(node, index) & mask }
}

extension FileBytes {
  /// Throws unless the elements of a node are integers.
  private func checkIntegers(_ node: Node) throws(RealmFileError) {
    guard node.scheme == .bits else { throw damage("the node should hold integers", at: node.offset) }
  }

  /// The integer at a position of a node, which must hold integers.
  @inline(__always)
  fileprivate func element(_ node: Node, _ index: Int) -> Int64 {
    switch node.width {
    case 0: 0
    case 1: Int64(bytes[node.start + index >> 3] >> UInt8(index & 7) & 1)
    case 2: Int64(bytes[node.start + index >> 2] >> UInt8((index & 3) << 1) & 3)
    case 4: Int64(bytes[node.start + index >> 1] >> UInt8((index & 1) << 2) & 15)
    case 8: Int64(Int8(bitPattern: bytes[node.start + index]))
    case 16: Int64(Int16(bitPattern: number16(node.start + 2 * index)))
    case 32: Int64(Int32(bitPattern: number32(node.start + 4 * index)))
    default: Int64(bitPattern: number64(node.start + 8 * index))
    }
  }

  /// The integer at `index` of a node.
  func integer(_ node: Node, at index: Int) throws(RealmFileError) -> Int64 {
    try checkIntegers(node)
    guard 0..<node.count ~= index else {
      throw damage("the node has \(node.count) elements, and more are needed", at: node.offset)
    }
    return element(node, index)
  }

  /// All integers of a node.
  func integers(_ node: Node) throws(RealmFileError) -> Integers {
    try checkIntegers(node)
    return Integers(file: self, node: node, mask: -1)
  }

  /// All integers of a node that holds unsigned ones. Those of 2^63 and more come as the negative numbers of the same
  /// bits.
  func unsigned(_ node: Node) throws(RealmFileError) -> Integers {
    try checkIntegers(node)
    return knownIntegers(at: node.offset, areUnsigned: true)
  }

  /// The integers of the node at an offset where they were read before.
  func knownIntegers(at offset: Int, areUnsigned: Bool = false) -> Integers {
    let node = knownNode(at: offset)
    let hasMask = areUnsigned && 8..<64 ~= node.width
    return Integers(file: self, node: node, mask: hasMask ? 1 << Int64(node.width) - 1 : -1)
  }

  /// The integers of a node as cells, in the width of the node.
  ///
  /// - Parameter skipped: how many integers in front are left out.
  func integerLeaf(_ node: Node, skipping skipped: Int) throws(RealmFileError) -> LeafValues {
    try checkIntegers(node)
    let range = skipped..<max(skipped, node.count)
    try chargeValues(range.count, of: max(node.width >> 3, 1))
    switch node.width {
    case 0...4: return .int8(filled(range) { Int8(truncatingIfNeeded: element(node, $0)) })
    case 8: return .int8(filled(range) { Int8(bitPattern: bytes[node.start + $0]) })
    case 16: return .int16(filled(range) { Int16(bitPattern: number16(node.start + 2 * $0)) })
    case 32: return .int32(filled(range) { Int32(bitPattern: number32(node.start + 4 * $0)) })
    default: return .int64(filled(range) { Int64(bitPattern: number64(node.start + 8 * $0)) })
    }
  }

  @inline(__always)
  private func filled<Number>(_ range: Range<Int>, _ value: (Int) -> Number) -> ContiguousArray<Number> {
    var values: ContiguousArray<Number> = []
    values.reserveCapacity(range.count)
    for index in range { values.append(value(index)) }
    return values
  }

  // MARK: Refs

  /// The elements of a node of refs, at least `count` of them.
  func refs(_ node: Node, atLeast count: Int) throws(RealmFileError) -> Integers {
    guard node.hasRefs, node.count >= count else {
      throw damage("the node should hold \(count) refs", at: node.offset)
    }
    return try integers(node)
  }

  /// The number that a tagged element stands for.
  func tagged(_ element: Int64, of node: Node) throws(RealmFileError) -> Int64 {
    guard element & 1 == 1, element >= 0 else {
      throw damage("\(element) should be a tagged number", at: node.offset)
    }
    return element >> 1
  }
}
