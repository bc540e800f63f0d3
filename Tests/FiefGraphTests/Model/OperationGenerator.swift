import FiefGraph
import FiefTestSupport

/// The kinds of operation in a history.
enum OperationKind: String, CaseIterable {
  case create, createOwned, set
  case append, insert, replace, replaceSubrange, removeAt, removeSubrange, move, swapAt, removeAll
  case insertInSet, removeFromSet, formUnion, subtract, formIntersection
  case setEntry, removeEntry
  case delete, deleteMany, clear, clearMany
  case savepoint, restore
  case addTable, removeTable, renameTable, addColumn, removeColumn, renameColumn, setDeleteRule
  case setPrimaryKey, addIndex, removeIndex

  /// The relative frequency of the kind, unless it is switched off.
  var weight: Int {
    switch self {
    case .create: 40
    case .createOwned: 40
    case .set: 60
    case .append, .insert, .insertInSet, .setEntry: 24
    case .delete: 10
    case .clear, .clearMany, .removeTable: 1
    case .addTable, .renameTable, .renameColumn, .removeColumn, .setDeleteRule, .removeIndex: 1
    case .setPrimaryKey, .addIndex, .addColumn: 2
    case .savepoint, .restore: 3
    default: 8
    }
  }

  /// Whether it deletes many rows at once, which keeps a graph small.
  var isSweeping: Bool { [.clear, .clearMany, .removeTable].contains(self) }
}

/// The size limits of a history.
struct HistorySize {
  /// From this many rows on, no rows are created in a table directly.
  var rows: Int
  /// How many values are inserted into a collection at a time.
  var values: Int
  /// From this length on, nothing is inserted into a collection.
  var length: Int
}

/// Makes operations that fit the current state: most of them valid, some of them not.
struct OperationGenerator {
  var random: SeededRandom
  let size: HistorySize

  /// True in one of `times` cases.
  mutating func rarely(_ times: Int) -> Bool { random.below(times) == 0 }

  /// An operation of the kind; nil if the current state has no object for it.
  mutating func operation(_ kind: OperationKind, _ oracle: Oracle) -> Operation? {
    switch kind {
    case .create: return create(oracle)
    case .createOwned: return createOwned(oracle)
    case .set:
      guard let cell = cell(.single, oracle) else { return nil }
      let type = type(cell, oracle)
      let value = value(type, oracle)
      // Booleans and links are integers in the typed form, which has different rules.
      let hasOtherForm = value.kind == .int && (type?.kind == .bool || type?.kind == .link)
      return .set(cell, value, typed: random.bool() && !hasOtherForm)
    case .append, .insert, .replace, .replaceSubrange, .removeAt, .removeSubrange, .move, .swapAt:
      return cell(.list, oracle).flatMap { listOperation(kind, $0, oracle) }
    case .removeAll:
      let shape = random.element(of: [ColumnShape.list, .set, .dictionary])
      return cell(shape, oracle).map { .removeAll($0) }
    case .insertInSet, .removeFromSet, .formUnion, .subtract, .formIntersection:
      return cell(.set, oracle).map { setOperation(kind, $0, oracle) }
    case .setEntry:
      guard let cell = cell(.dictionary, oracle) else { return nil }
      return .setEntry(cell, random.element(of: ValuePool.keys), value(type(cell, oracle), oracle))
    case .removeEntry: return cell(.dictionary, oracle).map { .removeEntry($0, key($0, oracle)) }
    case .delete: return row(oracle).map { .delete($0) }
    case .deleteMany:
      let rows = (0..<random.below(6)).compactMap { _ in row(oracle) }
      return .deleteMany(rows)
    case .clear: return table(oracle).map { .clear($0) }
    case .clearMany: return .clearMany((0..<random.below(4)).compactMap { _ in table(oracle) })
    case .savepoint, .restore: return nil
    default: return schemaOperation(kind, oracle)
    }
  }

  // MARK: Rows

  private mutating func create(_ oracle: Oracle) -> Operation? {
    guard let key = rarely(30) ? table(oracle) : table(oracle, where: { $0.kind != .embedded }) else { return nil }
    let table = oracle[key]
    if (table?.rows.count ?? 0) >= size.rows && !rarely(50) { return nil }
    var primaryKey: Value?
    if let column = table?.primaryKey.flatMap({ table?.column($0) }) {
      primaryKey = rarely(40) ? nil : value(column.type, oracle)
      if column.type.kind == .int && random.bool() {
        primaryKey = .int(Int64(random.below(max(2, 2 * size.rows))))
      } else if column.type.kind == .string && random.bool() {
        primaryKey = .string("key \(random.below(max(2, 2 * size.rows)))")
      }
    } else if rarely(60) {
      primaryKey = .int(1)
    }
    let cells = firstCells(table, oracle)
    let typed =
      random.bool() && cells.allSatisfy { column, value in table?.column(column)?.type.kind == value.kind }
    return .create(key, primaryKey: primaryKey, cells: cells, typed: typed, throwing: rarely(40))
  }

  /// Values for some of the cells that a fill closure may set, and rarely for one that it may not.
  private mutating func firstCells(_ table: ModelTable?, _ oracle: Oracle) -> [(ColumnKey, Value)] {
    guard let table, !table.columns.isEmpty else { return rarely(30) ? [(ColumnKey(rawValue: 9), .null)] : [] }
    if rarely(60) { return [(ColumnKey(rawValue: table.nextColumn + 3), .int(1))] }
    var cells: [(ColumnKey, Value)] = []
    for column in table.columns where random.bool() {
      let isAllowed = column.type.shape == .single && column.type.kind != .link && column.key != table.primaryKey
      if !isAllowed && !rarely(100) { continue }
      let value = value(column.type, oracle, wrongEvery: 60)
      if value.linked == nil || rarely(30) { cells.append((column.key, value)) }
    }
    return cells
  }

  private mutating func createOwned(_ oracle: Oracle) -> Operation? {
    let shape = random.element(of: [ColumnShape.single, .list, .list, .dictionary, .dictionary])
    let owning: (Column) -> Bool = { column in
      column.type.kind == .any || column.type.target.map { oracle[$0]?.kind == .embedded } ?? false
    }
    let cell =
      rarely(25)
      ? self.cell(random.element(of: ColumnShape.allCases), oracle) : self.cell(shape, oracle, where: owning)
    guard let cell else { return nil }
    let type = type(cell, oracle)
    let nested = TableKey(rawValue: UInt32(random.below(2)))
    guard let table = rarely(25) ? table(oracle) : type?.target ?? nested else { return nil }
    if (oracle[table]?.rows.count ?? 0) >= size.rows * 2 { return nil }
    var spot = OwnedPosition.value
    switch rarely(40) ? random.element(of: ColumnShape.allCases) : type?.shape {
    case .list?:
      let count = count(cell, oracle)
      if count > size.length { return nil }
      // A position that does not exist traps, so a cell of another shape gets position 0, which is always valid.
      spot = count > 0 && random.bool() ? .element(at: random.below(count)) : .inserted(at: random.below(count + 1))
    case .dictionary?: spot = .entry(random.element(of: ValuePool.keys))
    case .single?, .set?, nil: spot = .value
    }
    if type?.shape != .list, case .element = spot { spot = .inserted(at: 0) }
    return .createOwned(table, cell, spot, cells: firstCells(oracle[table], oracle), throwing: rarely(40))
  }

  // MARK: Collections

  private mutating func listOperation(_ kind: OperationKind, _ cell: Cell, _ oracle: Oracle) -> Operation? {
    let count = type(cell, oracle)?.shape == .list ? count(cell, oracle) : 0
    let position = count == 0 ? 0 : random.below(count)
    let isThere = count > 0 || type(cell, oracle)?.shape != .list
    let lower = random.below(count + 1)
    let range = lower..<lower + random.below(min(count - lower, rarely(10) ? count : 4) + 1)
    let mayGrow = count < size.length
    switch kind {
    case .append: return mayGrow ? .append(cell, value(type(cell, oracle), oracle)) : nil
    case .insert: return mayGrow ? .insert(cell, values(cell, oracle), at: lower) : nil
    case .replace: return isThere ? .replace(cell, at: position, value(type(cell, oracle), oracle)) : nil
    case .replaceSubrange: return .replaceSubrange(cell, range, mayGrow ? values(cell, oracle) : [])
    case .removeAt: return isThere ? .removeAt(cell, position) : nil
    case .removeSubrange: return .removeSubrange(cell, range)
    case .move: return isThere ? .move(cell, position, count == 0 ? 0 : random.below(count)) : nil
    default: return isThere ? .swapAt(cell, position, count == 0 ? 0 : random.below(count)) : nil
    }
  }

  private mutating func setOperation(_ kind: OperationKind, _ cell: Cell, _ oracle: Oracle) -> Operation {
    switch kind {
    case .insertInSet: return .insertInSet(cell, value(type(cell, oracle), oracle))
    case .removeFromSet: return .removeFromSet(cell, element(cell, oracle))
    case .formUnion: return .formUnion(cell, values(cell, oracle))
    case .subtract: return .subtract(cell, (0..<random.below(size.values + 2)).map { _ in element(cell, oracle) })
    default:
      return .formIntersection(cell, (0..<random.below(size.values * 2 + 2)).map { _ in element(cell, oracle) })
    }
  }

  /// An element that the collection contains in about half of the cases.
  private mutating func element(_ cell: Cell, _ oracle: Oracle) -> Value {
    let values = oracle.cell(cell).map(Oracle.values) ?? []
    return values.isEmpty || random.bool() ? value(type(cell, oracle), oracle) : random.element(of: values)
  }

  private mutating func key(_ cell: Cell, _ oracle: Oracle) -> String {
    guard case .dictionary(let entries)? = oracle.cell(cell), !entries.isEmpty, random.bool() else {
      return random.element(of: ValuePool.keys)
    }
    return random.element(of: entries).key
  }

  mutating func values(_ cell: Cell, _ oracle: Oracle) -> [Value] {
    let type = type(cell, oracle)
    return (0..<random.below(size.values + 1)).map { _ in value(type, oracle, wrongEvery: 8 * size.values + 20) }
  }
}
