import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Reading leaves: counting integers without decoding, identity of storage, and the initial contents of a column.
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

  @Test(arguments: IntegerWidth.allCases) func integersBelowALimitAreCountedAtEveryCountAndLimit(width: IntegerWidth) {
    var random = SeededRandom(seed: UInt64(width.rawValue))
    let range = width.range
    // Limits at, within and beyond the range of the width.
    var limits: Set<Int64> = [.min, .max, -1, 0, 1, range.lowerBound, range.upperBound, range.lowerBound + 1]
    if width != .bits64 {
      limits.formUnion([range.upperBound + 1, range.upperBound + 2, range.lowerBound - 1, Int64(Int32.max) * 2])
    }
    for count in 0...256 {
      let integers = (0..<count).map { _ in
        random.below(4) == 0
          ? random.element(of: [range.lowerBound, range.upperBound, 0]) : Self.cut(random.int64(), to: width)
      }
      let leaf = Self.leaf(integers, width: width)
      for limit in limits {
        let expected = integers.reduce(0) { $0 + ($1 < limit ? 1 : 0) }
        if leaf.countIntegers(below: limit) != expected { Issue.record("\(count) of \(width) below \(limit)") }
      }
    }
  }

  private static func cut(_ integer: Int64, to width: IntegerWidth) -> Int64 {
    switch width {
    case .bits8: Int64(Int8(truncatingIfNeeded: integer))
    case .bits16: Int64(Int16(truncatingIfNeeded: integer))
    case .bits32: Int64(Int32(truncatingIfNeeded: integer))
    case .bits64: integer
    }
  }

  @Test func allTheSameIsCountedToo() {
    for width in IntegerWidth.allCases {
      for count in [63, 64, 65, 128, 255, 256] {
        let leaf = Self.leaf(Array(repeating: width.range.lowerBound, count: count), width: width)
        #expect(leaf.countIntegers(below: width.range.lowerBound) == 0)
        #expect(leaf.countIntegers(below: width.range.lowerBound + 1) == count)
      }
    }
  }

  @Test(arguments: Seeds.all) func nullCellsAreNotCounted(seed: Seed) {
    var random = seed.random
    for width in IntegerWidth.allCases {
      let count = random.below(257)
      var nulls = Bitmap256()
      // A null cell holds a zero.
      let integers = (0..<count).map { slot -> Int64 in
        if random.below(3) == 0 {
          nulls[slot] = true
          return 0
        }
        return Self.cut(random.int64(), to: width)
      }
      let leaf = Self.leaf(integers, width: width)
      for limit in [.min, -1, 0, 1, 100, .max] as [Int64] {
        let expected = integers.indices.filter { !nulls[$0] && integers[$0] < limit }.count
        #expect(leaf.countIntegers(below: limit, nulls: nulls) == expected, "\(width) below \(limit)")
      }
    }
  }

  @Test func countingWhatIsNoIntegerTraps() async {
    await #expect(processExitsWith: .failure) { _ = LeafValues.double([1]).countIntegers(below: 1) }
  }

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
