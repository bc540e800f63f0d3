import FiefGraph

/// What a cell holds, in the plainest form.
enum ModelCell {
  case single(Value)
  case list([Value])
  /// Ascending by `ModelOrder`, no two equal.
  case set([Value])
  /// Ascending by the bytes of the keys.
  case dictionary([(key: String, value: Value)])
}

/// One table: its facts, and its rows in a dictionary.
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

  /// The rows' keys, ascending: dictionaries have an order that differs from run to run.
  var keys: [Int64] { rows.keys.sorted() }
}

/// Why the oracle would refuse an operation.
struct Refusal: Error {
  let code: GraphError.Code?

  init(_ code: GraphError.Code) { self.code = code }

  /// The closure that fills the new row threw an error of its own.
  static let thrownByClosure = Refusal(code: nil)

  private init(code: GraphError.Code?) { self.code = code }
}

/// The kernel once more, as naively as it can be written: dictionaries, arrays, and a search of everything for every
/// question. It knows what each operation does to the whole graph, or why it is refused.
///
///     tables ─▶ [row key: [column: cell]]      nothing derived is kept: backlinks, owners, unique values and
///                                              what a delete takes along are found by looking at all cells
///
/// It is a value: keeping a version is keeping a copy, rolling back is going on with an older copy.
struct Oracle {
  /// The tables by their keys; nil where one was removed.
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

  /// The single value, or all elements, or all values of a dictionary.
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

  /// Every link of every row: where it is, and where it leads.
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

  /// What a cell of the type holds before it is set.
  static func unset(_ type: ColumnType) -> ModelCell {
    switch type.shape {
    case .single: .single(allowsNull(type) ? .null : zero(type.kind))
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary([])
    }
  }
}
