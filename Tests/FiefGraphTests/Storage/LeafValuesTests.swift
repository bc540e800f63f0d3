import FiefGraph
import FiefRuntime
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

  @Test func aLeafOfShortStringsBecomesOneOfAnyStringsAtItsFirstLongOne() throws {
    func leaf(_ graph: Graph) throws -> LeafValues {
      let table = try #require(graph.table(named: "T"))
      var values: LeafValues?
      table.rows.forEach { _, cluster in
        values = cluster[leaf: 0].values
        return true
      }
      return try #require(values)
    }
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let column = try transaction.addColumn(to: table, "name", ColumnType(.string))
    let keys = try ["a", "fifteen bytes!!", ""].map { text in
      try transaction.create(in: table) { try $0.set(text, column) }
    }
    let before = transaction.graph
    try transaction.set("a text that is not short", Cell(table, keys[1], column))
    let after = transaction.graph
    if case .string(.small) = try leaf(before) {} else { #expect(!SmallString.isAvailable) }
    guard case .string(.any(let texts)) = try leaf(after) else {
      Issue.record("The leaf is one of any strings.")
      return
    }
    #expect(texts == ["a", "a text that is not short", ""])
    #expect(try leaf(before).value(at: 1, as: ColumnType(.string)) == .string("fifteen bytes!!"))
    // Forms are no difference of values.
    try transaction.set("fifteen bytes!!", Cell(table, keys[1], column))
    #expect(Delta(from: before, to: transaction.graph).isEmpty)
    #expect(before.checkInvariants() == [] && transaction.graph.checkInvariants() == [])
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
    case .string: .string(.any(fresh(["a", "b"])))
    case .data: .data(fresh([Data([1]), Data([2])]))
    case .date: .date(fresh([Timestamp(seconds: 1), Timestamp(seconds: 2)]))
    case .objectId: .objectId(fresh([ObjectId(), ObjectId(words: 1, 1, 1)]))
    case .uuid: .uuid(fresh([UUID.zero, UUID.zero]))
    case .decimal: .decimal(fresh([Decimal128(1), Decimal128(2)]))
    case .any: .any(fresh([.null, .int(1)]))
    }
  }
}
