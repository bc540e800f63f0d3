import FiefGraph
import FiefValues

/// One comparison made ready to be asked of rows: the simple ones over whole leaves at a time.
enum Test: Sendable {
  /// Integers, booleans and links in, or out of, a range. The first form so that nothing stands between it and the
  /// leaf.
  case integers(leaf: Int, ClosedRange<Int64>, isInverted: Bool, ofNull: Bool)
  /// Integers, booleans and links among several.
  case integerSet(leaf: Int, Set<Int64>, ofNull: Bool)
  /// Floats and doubles in, or out of, a range.
  case numbers(leaf: Int, low: Double, high: Double, orNaN: Bool, isInverted: Bool, ofNull: Bool)
  /// Strings that are, or are not, one.
  case sameText(leaf: Int, String, short: (UInt64, UInt64)?, isInverted: Bool, ofNull: Bool)
  /// Strings in any other relation to one.
  indirect case text(leaf: Int, TextMatcher, ofNull: Bool)
  /// Strings that have words.
  indirect case words(leaf: Int, WordSearch)
  /// Any other single cell.
  indirect case cell(leaf: Int, ColumnType, ValueMatcher)
  /// A test of the row at the end of to-one links. `memo` is its number among those of the query.
  indirect case linked([BoundPath.Hop], Test, ofNull: Bool, memo: Int)
  /// Everything else, row by row.
  indirect case general(GeneralTest)
  /// The number of elements that satisfy a condition.
  indirect case subquery(SubqueryTest)

  /// How dear a row is, roughly in nanoseconds: what is cheap is asked first.
  var cost: Int {
    switch self {
    case .integers: 0
    case .numbers: 1
    case .sameText: 2
    case .integerSet: 10
    case .text: 12
    case .cell: 15
    case .words: 80
    case .linked(_, let test, _, _): 20 + test.cost
    case .general: 100
    case .subquery: 500
    }
  }

  /// Whether it looks at elements of enclosing queries, so that its answer depends on more than the row.
  var looksOutside: Bool {
    switch self {
    case .general(let test): test.looksOutside
    case .subquery: true
    case .linked(_, let test, _, _): test.looksOutside
    default: false
    }
  }
}

/// A comparison that is asked row by row: over collections, of aggregates, of two properties, of shapes.
struct GeneralTest: Sendable {
  enum Right: Sendable {
    case constant(ValueMatcher)
    case path(BoundPath, Comparison.Operator, TextOptions)
    case shape(BoundShape)
    case nested(NestedConstant, isEqual: Bool)
  }

  let quantifier: Comparison.Quantifier
  let left: BoundPath
  let right: Right
  /// The level of the row that it is asked of.
  let level: Int

  var looksOutside: Bool {
    if left.level != level { return true }
    if case .path(let path, _, _) = right { return path.level != level }
    return false
  }
}

/// A shape, and where the rows of a table of points keep theirs.
struct BoundShape: Sendable {
  let shape: GeoShape
  let region: GeoPolygon.Region?
  let table: TableKey
  let typeLeaf: Int
  let coordinatesLeaf: Int

  init(_ shape: GeoShape, table: TableKey, typeLeaf: Int, coordinatesLeaf: Int) {
    self.shape = shape
    self.table = table
    self.typeLeaf = typeLeaf
    self.coordinatesLeaf = coordinatesLeaf
    if case .polygon(let polygon) = shape { region = polygon.region } else { region = nil }
  }

  func contains(_ point: GeoPoint) -> Bool { region?.contains(point) ?? shape.contains(point) }
}

/// `SUBQUERY(...).@count relation number`.
struct SubqueryTest: Sendable {
  /// The way to the elements; its last hop leads to them.
  let path: BoundPath
  /// What each is asked.
  let program: Program
  let relation: Comparison.Operator
  let count: Int64
  /// The level of the row that it is asked of; its elements are a level deeper.
  let level: Int
}

extension Test {
  /// Whether a row that is not there, all of whose properties read as null, satisfies it. Of tests of one cell alone.
  var ofNull: Bool {
    switch self {
    case .integers(_, _, _, let ofNull), .integerSet(_, _, let ofNull), .numbers(_, _, _, _, _, let ofNull),
      .sameText(_, _, _, _, let ofNull), .text(_, _, let ofNull), .linked(_, _, let ofNull, _):
      ofNull
    case .cell(_, _, let matcher): matcher.matches(.null)
    case .words, .general, .subquery: false
    }
  }
}
