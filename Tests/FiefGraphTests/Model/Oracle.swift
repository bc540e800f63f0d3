import FiefGraph

/// The contents of a cell, in the simplest form.
enum ModelCell {
  case single(Value)
  case list([Value])
  /// Ascending by `ModelOrder`, no two equal.
  case set([Value])
  /// Ascending by the bytes of the keys.
  case dictionary([(key: String, value: Value)])
}

/// One table: its schema, and its rows in a dictionary.
struct ModelTable {
  let key: TableKey
  var name: String
  var kind: TableKind
  var columns: [Column] = []
  var primaryKey: ColumnKey?
  var indexes: [IndexDefinition] = []
  var nextColumn: UInt32 = 0
  var nextKey: Int64 = 0
  var rows: [Int64: [UInt32: ModelCell]] = [:]

  func column(_ key: ColumnKey) -> Column? { columns.first { $0.key == key } }

  /// The keys of the rows, ascending. (The order of a dictionary differs from run to run.)
  var keys: [Int64] { rows.keys.sorted() }
}

/// The reason for which the oracle refuses an operation.
struct Refusal: Error {
  let code: GraphError.Code?

  init(_ code: GraphError.Code) { self.code = code }

  /// The closure that fills the new row threw its own error.
  static let thrownByClosure = Refusal(code: nil)

  private init(code: GraphError.Code?) { self.code = code }
}

/// A naive second implementation of the kernel: dictionaries, arrays, and a search of all data for every query. It
/// predicts the effect of each operation on the whole graph, or the reason for which it is refused.
///
///     tables ─▶ [row key: [column: cell]]      nothing derived is stored: backlinks, owners, unique values and
///                                              the effects of a delete are computed from all cells
///
/// It is a value: keeping a version is keeping a copy, and rolling back is continuing with an older copy.
struct Oracle {
  /// The tables by their keys; nil for a removed table.
  var tables: [ModelTable?]

  /// The model of `Graph.empty`.
  init() {
    let elements = ColumnKey(rawValue: 0)
    tables = [
      ModelTable(
        key: TableKey(rawValue: 0), name: "any.list", kind: .embedded,
        columns: [Column(key: elements, name: "elements", type: ColumnType(.any, shape: .list))], nextColumn: 1),
      ModelTable(
        key: TableKey(rawValue: 1), name: "any.dictionary", kind: .embedded,
        columns: [Column(key: elements, name: "elements", type: ColumnType(.any, shape: .dictionary))], nextColumn: 1),
    ]
  }

  subscript(key: TableKey) -> ModelTable? {
    get { key.rawValue < tables.count ? tables[Int(key.rawValue)] : nil }
    set { tables[Int(key.rawValue)] = newValue }
  }

  func contains(_ link: ObjectLink) -> Bool { self[link.table]?.rows[link.key.rawValue] != nil }

  func cell(_ cell: Cell) -> ModelCell? { self[cell.table]?.rows[cell.key.rawValue]?[cell.column.rawValue] }

  mutating func put(_ contents: ModelCell, _ cell: Cell) {
    tables[Int(cell.table.rawValue)]?.rows[cell.key.rawValue]?[cell.column.rawValue] = contents
  }

  /// The single value, all elements, or all values of a dictionary.
  static func values(_ cell: ModelCell) -> [Value] {
    switch cell {
    case .single(let value): [value]
    case .list(let values), .set(let values): values
    case .dictionary(let entries): entries.map(\.value)
    }
  }

  static func links(_ cell: ModelCell) -> [ObjectLink] {
    switch cell {
    case .single(.link(let link)): [link]
    case .single: []
    default: values(cell).compactMap(\.linked)
    }
  }

  /// Calls `body` with every link of every row: its cell and its target.
  func forEachLink(_ body: (Cell, ObjectLink) -> Void) {
    for case .some(let table) in tables {
      let columns = table.columns.filter { $0.type.kind == .link || $0.type.kind == .any }
      if columns.isEmpty { continue }
      for (key, cells) in table.rows {
        for column in columns {
          guard let contents = cells[column.key.rawValue] else { continue }
          for link in Oracle.links(contents) { body(Cell(table.key, ObjectKey(key), column.key), link) }
        }
      }
    }
  }

  /// Whether a link to the row owns it.
  func isOwned(_ link: ObjectLink) -> Bool { self[link.table]?.kind == .embedded }

  /// The contents of a cell of the type before it is set.
  static func unset(_ type: ColumnType) -> ModelCell {
    switch type.shape {
    case .single: .single(allowsNull(type) ? .null : zero(type.kind))
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary([])
    }
  }
}
