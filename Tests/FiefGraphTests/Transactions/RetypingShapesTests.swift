import FiefGraph
import FiefValues
import Testing

/// Changing single cells to collections and back, and the element types of collections.
struct RetypingShapesTests {
  /// One change: the contents before and after it; nil if it is refused because of row 0.
  struct Line: CustomTestStringConvertible, Sendable {
    let from: ColumnType
    let to: ColumnType
    let before: [[Value]]
    let replacement: Value?
    let after: [[Value]]?

    init(_ from: ColumnType, _ before: [[Value]], _ to: ColumnType, or replacement: Value? = nil, _ after: [[Value]]?) {
      self.from = from
      self.to = to
      self.before = before
      self.replacement = replacement
      self.after = after
    }

    var testDescription: String { "\(from.declaration) \(before) to \(to.declaration), or \(replacement as Any)" }
  }

  static func int(_ shape: ColumnShape, _ isOptional: Bool = false, _ width: IntegerWidth = .bits64) -> ColumnType {
    ColumnType(.int, shape: shape, isOptional: isOptional, width: width)
  }

  static func ints(_ numbers: Int64...) -> [Value] { numbers.map(Value.int) }

  static func texts(_ texts: String...) -> [Value] { texts.map(Value.string) }

  static let lines: [Line] = [
    // A single value becomes a list or a set of one element, and null an empty one.
    Line(int(.single), [ints(3), ints(0)], int(.list), [ints(3), ints(0)]),
    Line(int(.single), [ints(3), ints(0)], int(.set), [ints(3), ints(0)]),
    Line(int(.single, true), [[.null], ints(1)], int(.list), [[], ints(1)]),
    Line(int(.single, true), [[.null], ints(1)], int(.set, true), [[], ints(1)]),
    Line(int(.single), [ints(3)], ColumnType(.string, shape: .list), [texts("3")]),
    Line(ColumnType(.string), [texts("x")], int(.list), nil),
    Line(ColumnType(.string), [texts("x")], int(.list), or: .int(9), [ints(9)]),
    Line(ColumnType(.any), [[.null], texts("a")], ColumnType(.any, shape: .list), [[], texts("a")]),
    // And back.
    Line(int(.list), [ints(3), ints(4)], int(.single), [ints(3), ints(4)]),
    Line(int(.list), [[], ints(4)], int(.single, true), [[.null], ints(4)]),
    Line(int(.set), [[], ints(4)], int(.single, true), [[.null], ints(4)]),
    Line(int(.list, true), [[.null], []], int(.single, true), [[.null], [.null]]),
    Line(int(.list, true), [[.null], ints(4)], int(.single), nil),
    Line(int(.list, true), [[.null], ints(4)], int(.single), or: .int(7), [ints(7), ints(4)]),
    Line(int(.list), [ints(3, 3)], int(.single), nil),
    Line(int(.list), [ints(3, 4)], int(.single), or: .int(7), nil),
    Line(int(.set), [ints(3, 4)], int(.single, true), or: .null, nil),
    // Lists and sets.
    Line(int(.set), [ints(5, 2, 9), []], int(.list), [ints(2, 5, 9), []]),
    Line(int(.list), [ints(5, 2, 9), []], int(.set), [ints(2, 5, 9), []]),
    Line(int(.list), [ints(5, 2, 5)], int(.set), nil),
    Line(int(.list), [ints(5, 2, 5)], int(.set), or: .int(0), nil),
    Line(ColumnType(.string, shape: .list), [texts("1", "01")], int(.set), nil),
    Line(ColumnType(.string, shape: .list), [texts("10", "9")], int(.set), [ints(9, 10)]),
    Line(ColumnType(.string, shape: .list), [texts("x", "y")], int(.set), or: .int(0), nil),
    Line(ColumnType(.string, shape: .list), [texts("x", "1")], int(.set), or: .int(0), [ints(0, 1)]),
    Line(ColumnType(.double, shape: .list), [[.double(0), .double(-0.0)]], ColumnType(.double, shape: .set), nil),
    Line(ColumnType(.any, shape: .list), [[.int(1), .double(1)]], ColumnType(.any, shape: .set), nil),
    // The element types.
    Line(int(.list), [ints(1, 2, 1)], ColumnType(.string, shape: .list), [texts("1", "2", "1")]),
    Line(int(.set), [ints(9, 10)], ColumnType(.string, shape: .set), [texts("10", "9")]),
    Line(ColumnType(.any, shape: .set), [ints(1) + texts("1")], ColumnType(.string, shape: .set), nil),
    Line(int(.dictionary), [ints(1, 2)], ColumnType(.any, shape: .dictionary), [ints(1, 2)]),
    Line(ColumnType(.any, shape: .dictionary), [[.int(1), .null]], int(.dictionary), nil),
    Line(ColumnType(.any, shape: .dictionary), [[.int(1), .null]], int(.dictionary), or: .int(5), [ints(1, 5)]),
    // Widths.
    Line(int(.list), [ints(1, 300, 2)], int(.list, false, .bits8), nil),
    Line(int(.list), [ints(1, 300, 2)], int(.list, false, .bits8), or: .int(128), nil),
    Line(int(.list), [ints(1, 300, 2)], int(.list, false, .bits8), or: .int(0), [ints(1, 0, 2)]),
    Line(int(.set), [ints(1, 300, 2)], int(.set, false, .bits8), or: .int(0), [ints(0, 1, 2)]),
    Line(int(.set), [ints(1, 300, 2)], int(.set, false, .bits8), or: .int(2), nil),
    Line(int(.set), [ints(300, 301)], int(.set, false, .bits8), or: .int(0), nil),
    Line(int(.dictionary), [ints(1, 300, 2)], int(.dictionary, false, .bits8), or: .int(0), [ints(1, 0, 2)]),
    Line(int(.dictionary), [ints(300)], int(.dictionary, false, .bits8), nil),
    Line(int(.list, false, .bits8), [ints(-128, 127)], int(.list, false, .bits32), [ints(-128, 127)]),
    // Null.
    Line(int(.list), [ints(1), []], int(.list, true), [ints(1), []]),
    Line(int(.list, true), [[.int(1), .null, .null]], int(.list), nil),
    Line(int(.list, true), [[.int(1), .null, .null]], int(.list), or: .int(0), [ints(1, 0, 0)]),
    Line(int(.set, true), [[.int(1), .null]], int(.set), nil),
    Line(int(.set, true), [[.int(1), .null]], int(.set), or: .int(2), [ints(1, 2)]),
    Line(int(.set, true), [[.int(1), .null]], int(.set), or: .int(1), nil),
    Line(int(.dictionary, true), [[.int(1), .null]], int(.dictionary), nil),
    Line(int(.dictionary, true), [[.int(1), .null]], int(.dictionary), or: .int(2), [ints(1, 2)]),
    Line(int(.dictionary), [ints(1)], int(.dictionary, true), [ints(1)]),
    // No other shape can be converted to a dictionary or from one, because only dictionaries have keys.
    Line(int(.dictionary), [ints(1)], int(.list), nil), Line(int(.dictionary), [ints(1)], int(.set), or: .int(1), nil),
    Line(int(.dictionary), [ints(1)], int(.single), or: .int(1), nil),
    Line(int(.dictionary), [[], []], int(.list), [[], []]), Line(int(.dictionary), [[]], int(.single, true), [[.null]]),
    Line(int(.dictionary, true), [[.null]], int(.list, true), nil),
    Line(int(.list), [ints(1)], int(.dictionary), nil), Line(int(.set), [ints(1)], int(.dictionary), or: .int(1), nil),
    Line(int(.single), [ints(0)], int(.dictionary), or: .int(1), nil),
    Line(int(.single, true), [[.null]], int(.dictionary), [[]]),
    Line(int(.set), [[], []], int(.dictionary), [[], []]),
  ]

  @Test(arguments: lines) func contentsAreCarriedOverOrTheChangeIsRefused(line: Line) throws {
    let one = try OneColumn(line.from, line.before)
    guard let after = line.after else { return one.expectRefusal(line.to, replacing: line.replacement) }
    let (graph, key) = try one.expect(line.to, replacing: line.replacement, after)
    if line.from.shape == .dictionary && line.to.shape == .dictionary {
      for row in 0..<after.count {
        let cell = Cell(one.row, ObjectKey(Int64(row)), key)
        #expect(
          graph.entries(cell).keys.sorted() == one.graph.entries(Cell(one.row, cell.key, one.column)).keys.sorted())
      }
    }
  }

  @Test func aColumnStaysTheSameOneWhileItsCellsAreStoredAlike() throws {
    let lines: [(ColumnType, ColumnType, isSame: Bool)] = [
      (Self.int(.single), Self.int(.single, true), true), (Self.int(.dictionary), Self.int(.dictionary, true), true),
      (Self.int(.list), Self.int(.list, true), false), (Self.int(.set, true), Self.int(.set), false),
      (Self.int(.list), Self.int(.list, false, .bits8), true), (Self.int(.list), Self.int(.set), false),
      (Self.int(.single), ColumnType(.double), false), (Self.int(.single), Self.int(.list), false),
    ]
    for (from, to, isSame) in lines {
      let one = try OneColumn(from, [Self.ints(1)])
      let contents: [Value] = to.kind == .double ? [.double(1)] : Self.ints(1)
      let (graph, key) = try one.expect(to, [contents])
      #expect(key == (isSame ? one.column : ColumnKey(rawValue: 1)), "\(from.declaration) to \(to.declaration)")
      #expect(graph[one.row]?.schema.nextColumn == (isSame ? 1 : 2))
    }
  }

  @Test func aChangeConcernsEveryClusterAndNoOtherColumn() throws {
    let one = try OneColumn(Self.int(.single), (0..<600).map { [.int($0)] }) { transaction, row, _ in
      try transaction.addColumn(to: row, "last", ColumnType(.string), value: .string("stays"))
      try transaction.delete((0..<300).map { ObjectLink(row, ObjectKey($0 * 2)) })
    }
    var key = one.column
    let after = try one.graph.after {
      key = try $0.changeColumn(one.column, of: one.row, to: ColumnType(.string, shape: .list))
    }
    #expect(after[one.row]?.schema.columns.map(\.name) == ["cell", "last"])
    for row in stride(from: Int64(1), to: 600, by: 2) {
      #expect(after.contents(Cell(one.row, ObjectKey(row), key)) == [.string("\(row)")])
      #expect(after.value(Cell(one.row, ObjectKey(row), ColumnKey(rawValue: 1))) == .string("stays"))
    }
  }
}
