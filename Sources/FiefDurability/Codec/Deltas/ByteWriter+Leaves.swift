import FiefGraph
import FiefValues
import Foundation

extension ByteWriter {
  /// Appends the values and nulls of one column in one chunk.
  func leaf(_ leaf: Leaf) {
    let start = count
    append(0 as UInt8)
    if !leaf.nulls.isEmpty { bitmap(leaf.nulls) }
    let tag = values(leaf.values)
    patch(tag.rawValue | (leaf.nulls.isEmpty ? 0 : LeafTag.hasNulls), at: start)
  }

  /// Appends values with their tag.
  private func taggedValues(_ values: LeafValues) {
    let start = count
    append(0 as UInt8)
    patch(self.values(values).rawValue, at: start)
  }

  /// Appends values; the caller stores the returned tag.
  private func values(_ values: LeafValues) -> LeafTag {
    switch values {
    case .vacant: fatalError("A leaf that is being changed cannot be encoded.")
    case .int8(let array): return integers(array)
    case .int16(let array): return integers(array)
    case .int32(let array): return integers(array)
    case .int64(let array): return integers(array)
    case .float(let array):
      for value in array { fixed(value.bitPattern) }
      return .float
    case .double(let array):
      for value in array { fixed(value.bitPattern) }
      return .double
    case .string(let array):
      unsafe array.withUnsafeBufferPointer { unsafe strings($0) }
      return .string
    case .data(let array):
      lengths(array.lazy.map(\.count))
      for value in array { data(value) }
      return .data
    case .date(let array):
      for value in array { date(value) }
      return .date
    case .objectId(let array):
      for value in array { objectId(value) }
      return .objectId
    case .uuid(let array):
      for value in array { uuid(value) }
      return .uuid
    case .decimal(let array):
      for value in array { decimal(value) }
      return .decimal
    case .any(let array):
      for value in array { self.value(value) }
      return .any
    case .collection(let array): return collections(array)
    }
  }

  /// Appends integers in the narrowest width that holds all of them.
  @inline(__always)
  private func integers<Number: FixedWidthInteger & SignedInteger>(_ array: ContiguousArray<Number>) -> LeafTag {
    let width = IntegerRun.width(of: array)
    if width == MemoryLayout<Number>.size {
      unsafe array.withUnsafeBufferPointer { unsafe run($0) }
    } else {
      switch width {
      case 1: for value in array { append(UInt8(truncatingIfNeeded: value)) }
      case 2: for value in array { fixed(Int16(truncatingIfNeeded: value)) }
      default: for value in array { fixed(Int32(truncatingIfNeeded: value)) }
      }
    }
    return IntegerRun.tag(ofWidth: width)
  }

  /// Appends the lengths of strings, and their UTF-8 in one run.
  private func strings(_ strings: UnsafeBufferPointer<String>) {
    let total = unsafe shortLengths(strings) ?? lengths(strings.lazy.map(\.utf8.count))
    unsafe utf8(strings, total: total)
  }

  /// Appends the narrowest width that holds all lengths, and the lengths in that width.
  ///
  /// - Returns: their sum.
  @inline(__always)
  @discardableResult
  private func lengths(_ lengths: some Sequence<Int>) -> Int {
    var all = 0
    var total = 0
    for length in lengths {
      all |= length
      total += length
    }
    if all <= UInt8.max {
      append(1 as UInt8)
      for length in lengths { append(UInt8(truncatingIfNeeded: length)) }
    } else if all <= UInt16.max {
      append(2 as UInt8)
      for length in lengths { fixed(UInt16(truncatingIfNeeded: length)) }
    } else if all <= UInt32.max {
      append(4 as UInt8)
      for length in lengths { fixed(UInt32(truncatingIfNeeded: length)) }
    } else {
      append(8 as UInt8)
      for length in lengths { fixed(UInt64(truncatingIfNeeded: length)) }
    }
    return total
  }

  // MARK: Collections

  private func collections(_ cells: ContiguousArray<StoredCollection?>) -> LeafTag {
    guard let first = cells.lazy.compactMap({ $0 }).first else {
      for _ in cells { append(0 as UInt8) }
      return .emptyCollections
    }
    lengths(cells.map { $0?.count ?? 0 })
    if let first = first as? StoredDictionary {
      dictionaries(cells, first)
      return .dictionaries
    }
    guard let first = first as? AnyStoredElements else { fatalError("A collection is neither elements nor entries.") }
    let run: LeafValues =
      switch first.kind {
      case .int: .int64(elements(cells))
      case .float: .float(ContiguousArray(elements(cells).lazy.map(Float.init(exactBits:))))
      case .double: .double(elements(cells))
      case .string: .string(.any(elements(cells)))
      case .data: .data(converted(elements(cells)))
      case .date: .date(converted(elements(cells)))
      case .objectId: .objectId(converted(elements(cells)))
      case .uuid: .uuid(converted(elements(cells)))
      case .decimal: .decimal(converted(elements(cells)))
      case .any: .any(elements(cells))
      case .bool, .link: mixed()
      }
    taggedValues(run)
    return first.shape == .set ? .sets : .lists
  }

  private func converted<Element: Storable>(_ values: ContiguousArray<Value>) -> ContiguousArray<Element> {
    ContiguousArray(
      values.lazy.map { value in
        guard let element = Element(value) else { self.mixed() }
        return element
      })
  }

  private func elements<Element: Storable>(_ cells: ContiguousArray<StoredCollection?>) -> ContiguousArray<Element> {
    var all: ContiguousArray<Element> = []
    for case .some(let cell) in cells {
      guard let cell = cell as? StoredElements<Element> else { mixed() }
      cell.elements.forEachLeaf(in: 0..<cell.elements.count) { part, _ in
        all.append(contentsOf: part)
        return true
      }
    }
    return all
  }

  private func dictionaries(_ cells: ContiguousArray<StoredCollection?>, _ first: StoredDictionary) {
    var keys: ContiguousArray<String> = []
    var values: ContiguousArray<Value> = []
    for case .some(let cell) in cells {
      guard let cell = cell as? StoredDictionary else { mixed() }
      for entry in cell.entries {
        keys.append(entry.key)
        values.append(entry.value)
      }
    }
    unsafe keys.withUnsafeBufferPointer { unsafe strings($0) }
    for value in values { self.value(value) }
  }

  private func mixed() -> Never { fatalError("The collections of one column are of different types.") }
}

/// The widths of a run of integers.
enum IntegerRun {
  /// The narrowest of 1, 2, 4 and 8 bytes that holds every number.
  @inline(__always)
  static func width<Number: FixedWidthInteger & SignedInteger>(of numbers: ContiguousArray<Number>) -> Int {
    // The exclusive or of a number and its sign has a set bit for each bit that the number needs.
    var needed: Number = 0
    unsafe numbers.withUnsafeBufferPointer { numbers in
      for index in numbers.indices {
        let number = unsafe numbers[index]
        needed |= number ^ number &>> (Number(Number.bitWidth &- 1))
      }
    }
    let bits = Number.bitWidth - needed.leadingZeroBitCount
    return bits < 8 ? 1 : bits < 16 ? 2 : bits < 32 ? 4 : 8
  }

  /// The tag of a run of that width.
  static func tag(ofWidth width: Int) -> LeafTag {
    switch width {
    case 1: .int8
    case 2: .int16
    case 4: .int32
    default: .int64
    }
  }
}
