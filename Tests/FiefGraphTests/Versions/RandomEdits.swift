import FiefGraph
import FiefTestSupport
import FiefValues

/// Random operations on any graph: it looks at the schema, and does whatever the columns allow. What is refused is
/// passed over, as an application would.
struct RandomEdits {
  var random: SeededRandom

  /// Makes `count` attempts at a change.
  mutating func edit(_ transaction: Transaction, count: Int, changesSchema: Bool) {
    for _ in 0..<count {
      if changesSchema && random.below(12) == 0 {
        changeSchema(transaction)
      } else {
        changeRow(transaction)
      }
    }
  }

  /// A row of a table that has one.
  mutating func row(_ graph: Graph, _ tables: [Table]? = nil) -> ObjectLink? {
    let tables = (tables ?? graph.allTables).filter { $0.count > 0 }
    if tables.isEmpty { return nil }
    let table = random.element(of: tables)
    let from = Int64(random.below(Int(table.nextKey >> 8) + 1))
    guard let (chunk, cluster) = table.rows.next(from: from) ?? table.rows.next(from: 0) else { return nil }
    return ObjectLink(table.schema.key, ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: random.below(cluster.count))))
  }

  /// A value that may fit the type, or its elements.
  mutating func value(_ type: ColumnType, _ graph: Graph) -> Value {
    if type.allowsNull && random.below(5) == 0 { return .null }
    if type.kind == .link || type.kind == .any && random.below(3) == 0 {
      let targets = graph.allTables.filter {
        type.kind == .link ? $0.schema.key == type.target : $0.schema.kind == .ordinary
      }
      return row(graph, targets).map(Value.link) ?? .null
    }
    let pool = SampleValues.of(type.kind).filter(type.element.holds)
    return pool.isEmpty ? .null : random.element(of: pool)
  }

  private mutating func changeRow(_ transaction: Transaction) {
    let graph = transaction.graph
    if random.below(4) == 0 {
      let tables = graph.allTables.filter { $0.schema.kind != .embedded }
      guard !tables.isEmpty else { return }
      let schema = random.element(of: tables).schema
      let key = schema.primaryKey.flatMap(schema.column)
      let name = key.map { value($0.type, graph) }
      _ = try? transaction.create(in: schema.key, primaryKey: name)
      return
    }
    guard let row = row(graph), let schema = graph[row.table]?.schema else { return }
    if random.below(6) == 0 {
      try? transaction.delete(row)
      return
    }
    guard !schema.columns.isEmpty else { return }
    let column = random.element(of: schema.columns)
    changeCell(transaction, Cell(row.table, row.key, column.key), column.type, graph)
  }

  private mutating func changeCell(_ transaction: Transaction, _ cell: Cell, _ type: ColumnType, _ graph: Graph) {
    let count = type.isCollection ? transaction.count(of: cell) : 0
    let key = random.text(count: random.below(3), of: "ab")
    let owned: TableKey? =
      type.kind == .any
      ? random.element(of: [nil, .nestedLists, .nestedDictionaries])
      : type.target.flatMap { graph[$0]?.schema.kind == .embedded ? $0 : nil }
    if let owned {
      let place: OwnedPlace =
        switch type.shape {
        case .single, .set: .value
        case .list:
          count > 0 && random.bool() ? .element(at: random.below(count)) : .inserted(at: random.below(count + 1))
        case .dictionary: .entry(key)
        }
      _ = try? transaction.createOwned(in: owned, by: cell, place)
      return
    }
    let value = value(type, graph)
    switch type.shape {
    case .single: try? transaction.set(value, cell)
    case .set:
      if random.below(3) == 0 {
        _ = try? transaction.remove(value, fromSet: cell)
      } else {
        _ = try? transaction.insert(value, inSet: cell)
      }
    case .dictionary:
      if random.below(3) == 0 {
        _ = try? transaction.remove(key: key, fromDictionary: cell)
      } else {
        try? transaction.set(value, forKey: key, inDictionary: cell)
      }
    case .list:
      switch random.below(count > 0 ? 5 : 2) {
      case 0, 1: try? transaction.insert(value, at: random.below(count + 1), inList: cell)
      case 2: try? transaction.remove(at: random.below(count), fromList: cell)
      case 3: try? transaction.move(from: random.below(count), to: random.below(count), inList: cell)
      default: try? transaction.replace(at: random.below(count), with: value, inList: cell)
      }
    }
  }

  private mutating func changeSchema(_ transaction: Transaction) {
    let graph = transaction.graph
    let tables = graph.allTables.filter { !$0.schema.key.isNested }
    guard !tables.isEmpty else { return }
    let schema = random.element(of: tables).schema
    let table = schema.key
    let name = "n\(random.below(1000))"
    let target = random.element(of: tables).schema.key
    let type = random.element(of: EveryColumn.types(target: target))
    let column = schema.columns.isEmpty ? nil : random.element(of: schema.columns).key
    switch (random.below(10), column) {
    case (0, _): _ = try? transaction.addTable(name, kind: random.element(of: TableKind.allCases))
    case (1, _) where random.below(4) == 0: try? transaction.removeTable(table)
    case (2, let column?): try? transaction.removeColumn(column, of: table)
    case (3, let column?): try? transaction.renameColumn(column, of: table, to: name)
    case (4, let column?): try? transaction.setPrimaryKey(random.bool() ? column : nil, of: table)
    case (5, let column?): try? transaction.addIndex(IndexDefinition([column], isUnique: random.bool()), to: table)
    case (6, let column?): _ = try? transaction.changeColumn(column, of: table, to: type)
    case (7, let column?): _ = try? transaction.setOptional(random.bool(), column: column, of: table)
    case (8, _): try? transaction.renameTable(table, to: name)
    default: _ = try? transaction.addColumn(to: table, name, type)
    }
  }
}
