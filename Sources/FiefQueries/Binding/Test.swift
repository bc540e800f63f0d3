import FiefGraph
import FiefValues

/// One bound comparison that can be evaluated for rows. The simple forms test a whole leaf at a time.
enum Test: Sendable {
  /// Integers, booleans and links inside or outside a range. The first case, and not `indirect`: evaluation loads no
  /// box before it reads the leaf.
  case integers(leaf: Int, ClosedRange<Int64>, isInverted: Bool, ofNull: Bool)
  /// Integers, booleans and links that are members of a set.
  case integerSet(leaf: Int, Set<Int64>, ofNull: Bool)
  /// Floats and doubles inside or outside a range.
  case numbers(leaf: Int, low: Double, high: Double, orNaN: Bool, isInverted: Bool, ofNull: Bool)
  /// Strings that equal or differ from one string.
  case sameText(leaf: Int, String, short: (UInt64, UInt64)?, isInverted: Bool, ofNull: Bool)
  /// Strings in any other relation to one string.
  indirect case text(leaf: Int, TextMatcher, ofNull: Bool)
  /// Any other single cell.
  indirect case cell(leaf: Int, ColumnType, ValueMatcher)
  /// A test of the row at the end of to-one links. `memo` is the index of its memo in the run.
  indirect case linked([BoundPath.Hop], Test, ofNull: Bool, memo: Int)
  /// Any other comparison, evaluated row by row.
  indirect case general(GeneralTest)
  /// The number of elements that satisfy a condition.
  indirect case subquery(SubqueryTest)

  /// The approximate cost of one row in nanoseconds. Cheaper tests are evaluated first.
  var cost: Int {
    switch self {
    case .integers: 0
    case .numbers: 1
    case .sameText: 2
    case .integerSet: 10
    case .text: 12
    case .cell(_, _, let matcher): matcher.searchesWords ? 80 : 15
    case .linked(_, let test, _, _): 20 + test.cost
    case .general: 100
    case .subquery: 500
    }
  }

  /// Whether the result depends on the cells of the row alone, and not on other rows.
  var readsRowAlone: Bool {
    switch self {
    case .integers, .integerSet, .numbers, .sameText, .text, .cell: true
    case .linked, .general, .subquery: false
    }
  }

  /// The nesting levels of the rows at which the paths of the test begin: 0 for the row of the query, 1 for an element
  /// of an outermost subquery, and so on. Tests of cells read the tested row alone.
  var levels: Set<Int> {
    switch self {
    case .general(let test): test.levels
    case .subquery(let test): test.levels
    case .linked(_, let test, _, _): test.levels
    default: []
    }
  }
}

/// A comparison that is evaluated row by row: over collections, of aggregates, of two properties, or with shapes.
struct GeneralTest: Sendable {
  enum Right: Sendable {
    case constant(ValueMatcher)
    case path(BoundPath, Comparison.Operator, TextOptions)
    case shape(BoundShape)
    case nested([NestedConstant], beside: ValueMatcher, isEqual: Bool)
  }

  let quantifier: Comparison.Quantifier
  let left: BoundPath
  let right: Right
  /// The level of the row that is tested.
  let level: Int

  var levels: Set<Int> {
    if case .path(let path, _, _) = right { return [left.level, path.level] }
    return [left.level]
  }
}

/// A shape, with the leaves in which the table of points stores type and coordinates.
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
    assert(typeLeaf != coordinatesLeaf, "A point has a type and coordinates.")
    if case .polygon(let polygon) = shape { region = polygon.region } else { region = nil }
  }

  func contains(_ point: GeoPoint) -> Bool { region?.contains(point) ?? shape.contains(point) }
}

/// `SUBQUERY(...).@count relation number`.
struct SubqueryTest: Sendable {
  /// The path to the elements; its last hop leads to them.
  let path: BoundPath
  /// The condition on each element.
  let program: Program
  let relation: Comparison.Operator
  let count: Int64
  /// The level of the row that is tested. Its elements are one level deeper.
  let level: Int
  /// The index of its memo in the run.
  let memo: Int
  /// The levels of the rows that decide the result: those that the path and the condition read, outside its elements.
  let levels: Set<Int>
  /// The deepest of these levels, and the others in ascending order.
  let deepest: Int?
  let outerLevels: [Int]

  init(path: BoundPath, program: Program, relation: Comparison.Operator, count: Int64, level: Int, memo: Int) {
    assert(path.hops.last?.isMany == true, "A subquery counts the rows of a collection.")
    assert(relation.flipped != nil && level >= 0, "A count is compared with a number.")
    self.path = path
    self.program = program
    self.relation = relation
    self.count = count
    self.level = level
    self.memo = memo
    levels = program.tests.reduce(Set([path.level])) { $0.union($1.levels) }.filter { $0 <= level }
    deepest = levels.max()
    outerLevels = levels.sorted().dropLast()
  }
}

extension Test {
  /// Whether a missing row, whose properties all read as null, satisfies the test. Only for tests of one cell.
  var ofNull: Bool {
    switch self {
    case .integers(_, _, _, let ofNull), .integerSet(_, _, let ofNull), .numbers(_, _, _, _, _, let ofNull),
      .sameText(_, _, _, _, let ofNull), .text(_, _, let ofNull), .linked(_, _, let ofNull, _):
      ofNull
    case .cell(_, _, let matcher): matcher.matches(.null)
    case .general, .subquery: false
    }
  }
}
