import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Leaves: identity of storage, and the initial contents of a column.
struct LeafValuesTests {
  /// These integers in a leaf of the given width.
  static func leaf(_ integers: [Int64], width: IntegerWidth) -> LeafValues {
    switch width {
    case .bits8: .int8(ContiguousArray(integers.map { Int8(truncatingIfNeeded: $0) }))
    case .bits16: .int16(ContiguousArray(integers.map { Int16(truncatingIfNeeded: $0) }))
    case .bits32: .int32(ContiguousArray(integers.map { Int32(truncatingIfNeeded: $0) }))
    case .bits64: .int64(ContiguousArray(integers))
    }
  }

  static func values(_ leaf: LeafValues) -> [Int64] { (0..<leaf.count).map { Int64.load(from: leaf, at: $0) } }

  @Test func aColumnBeginsWithAnEmptyLeafOfItsTypeAndIntegersWithTheNarrowest() {
    for kind in ValueKind.allCases {
      for shape in ColumnShape.allCases {
        let leaf = LeafValues(for: ColumnType(kind, shape: shape))
        #expect(leaf.count == 0)
        let isExpected: Bool =
          switch (leaf, kind, shape == .single) {
          case (.collection, _, false): true
          case (.int8, .bool, true), (.int8, .int, true), (.int8, .link, true): true
          case (.float, .float, true), (.double, .double, true), (.string, .string, true), (.data, .data, true): true
          case (.date, .date, true), (.objectId, .objectId, true), (.uuid, .uuid, true): true
          case (.decimal, .decimal, true), (.any, .any, true): true
          default: false
          }
        #expect(isExpected, "\(kind) \(shape)")
      }
    }
  }

  @Test func sameStorageMeansOneArrayAndNotEqualValues() {
    for kind in ValueKind.allCases where kind != .link {
      let leaf = Self.filled(kind)
      let copy = leaf
      #expect(leaf.isSameStorage(as: copy), "\(kind)")
      #expect(!leaf.isSameStorage(as: Self.filled(kind)), "\(kind): equal, and another array")
      #expect(!leaf.isSameStorage(as: .vacant))
    }
    #expect(!LeafValues.int8([1]).isSameStorage(as: .int16([1])))
  }

  /// The array with storage of its own: the compiler merges all arrays that have equal constant elements.
  @inline(never)
  private static func fresh<Element>(_ array: ContiguousArray<Element>) -> ContiguousArray<Element> {
    var array = array
    array.reserveCapacity(array.count + 8)
    return array
  }

  private static func filled(_ kind: ValueKind) -> LeafValues {
    switch kind {
    case .bool, .int, .link: .int8(fresh([1, 2]))
    case .float: .float(fresh([1, 2]))
    case .double: .double(fresh([1, 2]))
    case .string: .string(fresh(["a", "b"]))
    case .data: .data(fresh([Data([1]), Data([2])]))
    case .date: .date(fresh([Timestamp(seconds: 1), Timestamp(seconds: 2)]))
    case .objectId: .objectId(fresh([ObjectId(), ObjectId(words: 1, 1, 1)]))
    case .uuid: .uuid(fresh([UUID.zero, UUID.zero]))
    case .decimal: .decimal(fresh([Decimal128(1), Decimal128(2)]))
    case .any: .any(fresh([.null, .int(1)]))
    }
  }
}
