import FiefGraph
import FiefTestSupport

// Chooses tables, rows, cells and values.

extension OperationGenerator {
  func type(_ cell: Cell, _ oracle: Oracle) -> ColumnType? { oracle[cell.table]?.column(cell.column)?.type }

  func count(_ cell: Cell, _ oracle: Oracle) -> Int { oracle.cell(cell).map { Oracle.values($0).count } ?? 0 }

  /// A table; rarely one that does not exist.
  mutating func table(_ oracle: Oracle) -> TableKey? {
    if rarely(60) { return TableKey(rawValue: UInt32(oracle.tables.count + random.below(3))) }
    let key = TableKey(rawValue: UInt32(random.below(oracle.tables.count)))
    return oracle[key] != nil || rarely(4) ? key : nil
  }

  mutating func table(_ oracle: Oracle, where condition: (ModelTable) -> Bool) -> TableKey? {
    let tables = oracle.tables.compactMap { $0 }.filter(condition)
    return tables.isEmpty ? nil : random.element(of: tables).key
  }

  /// A live row.
  mutating func key(in table: ModelTable) -> ObjectKey? {
    if table.rows.isEmpty { return nil }
    for _ in 0..<8 {
      let key = Int64(random.below(Int(table.nextKey)))
      if table.rows[key] != nil { return ObjectKey(key) }
    }
    return ObjectKey(random.element(of: table.keys))
  }

  /// A row; rarely one that was deleted or never existed.
  mutating func row(_ oracle: Oracle) -> ObjectLink? {
    guard let table = table(oracle) else { return nil }
    if rarely(25) { return ObjectLink(table, deadKey(oracle[table])) }
    return oracle[table].flatMap { key(in: $0) }.map { ObjectLink(table, $0) }
  }

  private mutating func deadKey(_ table: ModelTable?) -> ObjectKey {
    let numbers: [Int64] = [-1, .max, .min, (table?.nextKey ?? 0), (table?.nextKey ?? 0) / 2]
    return ObjectKey(random.element(of: numbers))
  }

  /// A cell of the shape; rarely of another shape, or of a row or column that does not exist.
  mutating func cell(
    _ shape: ColumnShape, _ oracle: Oracle, where condition: (Column) -> Bool = { _ in true }
  ) -> Cell? {
    let isWrong = rarely(50)
    let candidates = oracle.tables.compactMap { $0 }.filter { table in
      !table.rows.isEmpty && (isWrong || table.columns.contains { $0.type.shape == shape && condition($0) })
    }
    guard !candidates.isEmpty else { return nil }
    let table = random.element(of: candidates)
    let columns = table.columns.filter { isWrong || $0.type.shape == shape && condition($0) }
    if isWrong {
      let column =
        columns.isEmpty || rarely(2) ? ColumnKey(rawValue: table.nextColumn) : random.element(of: columns).key
      return Cell(table.key, rarely(2) ? deadKey(table) : key(in: table) ?? ObjectKey(0), column)
    }
    guard let key = key(in: table) else { return nil }
    return Cell(table.key, key, random.element(of: columns).key)
  }

  // MARK: Values

  /// A value for a cell or an element of the type; in one of `wrongEvery` cases any value.
  mutating func value(_ type: ColumnType?, _ oracle: Oracle, wrongEvery: Int = 20) -> Value {
    guard let type, !rarely(wrongEvery) else { return anyValue(oracle) }
    if Oracle.allowsNull(type) && rarely(6) { return .null }
    switch type.kind {
    case .any: return anyValue(oracle)
    case .link:
      if rarely(20) { return link(oracle) }
      guard let target = type.target.flatMap({ oracle[$0] }), let key = key(in: target) else { return .null }
      return .link(ObjectLink(target.key, key))
    case .int:
      let fitting = ValuePool.ints.filter { Oracle.fits(.int($0), type) }
      return .int(rarely(3) ? Int64(random.below(100)) : random.element(of: fitting))
    default: return ValuePool.value(type.kind, &random)
    }
  }

  private mutating func anyValue(_ oracle: Oracle) -> Value {
    let kind = random.element(of: ValueKind.allCases)
    switch kind {
    case .any: return .null
    case .link: return link(oracle)
    // Numbers that are equal across kinds.
    case .int where random.bool(): return .int(Int64(random.below(3)))
    default: return ValuePool.value(kind, &random)
    }
  }

  private mutating func link(_ oracle: Oracle) -> Value {
    if rarely(12) { return .link(ObjectLink(TableKey(rawValue: UInt32(random.below(12))), ObjectKey(-1))) }
    return row(oracle).map(Value.link) ?? .null
  }
}
