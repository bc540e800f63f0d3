import FiefGraph
import FiefTestSupport

/// Damages deltas: parts are dropped, duplicated, changed, or moved to wrong positions.
///
///     valid delta ──damage, damage, …──▶ something that may still be valid, and mostly is not
struct DeltaDamage {
  var random: SeededRandom
  /// The schemas that replace others.
  let schemas: [Schema]
  /// The values that replace others.
  let values: [Value]

  mutating func damage(_ delta: inout Delta) {
    switch random.below(12) {
    case 0: delta.schema = random.bool() ? nil : random.element(of: schemas)
    case 1: delta.schema = delta.schema.map { schema($0) }
    case 2: alter(&delta.tables)
    case 3: exchangeParts(&delta.tables)
    default:
      guard !delta.tables.isEmpty else { return }
      damage(&delta.tables[random.below(delta.tables.count)])
    }
  }

  /// Drops an element, duplicates it, or moves it.
  private mutating func alter<Element>(_ elements: inout [Element]) {
    guard !elements.isEmpty else { return }
    let position = random.below(elements.count)
    switch random.below(3) {
    case 0: elements.remove(at: position)
    case 1: elements.insert(elements[position], at: random.below(elements.count + 1))
    default: elements.swapAt(position, random.below(elements.count))
    }
  }

  /// The schema without one table, or with another number of tables.
  private mutating func schema(_ schema: Schema) -> Schema {
    var tables = schema.tables
    if random.bool() { alter(&tables) }
    let next = random.bool() ? schema.nextTable : UInt32(random.below(2 + 2 * Int(schema.nextTable)))
    return Schema(tables: tables, nextTable: next)
  }

  private mutating func exchangeParts(_ tables: inout [TableDelta]) {
    guard tables.count > 1 else { return }
    let (one, other) = (random.below(tables.count), random.below(tables.count))
    switch random.below(4) {
    case 0: (tables[one].table, tables[other].table) = (tables[other].table, tables[one].table)
    case 1: tables[one].updated += tables[other].updated
    case 2: tables[one].inserted += tables[other].inserted
    default: tables[one].deleted += tables[other].deleted
    }
  }

  private mutating func damage(_ table: inout TableDelta) {
    switch random.below(10) {
    case 0: table.table = TableKey(rawValue: UInt32(random.below(12)))
    case 1: table.nextKey = random.bool() ? Int64(random.below(40)) : random.element(of: [-1, .min, .max, 0])
    case 2: alter(&table.deleted)
    case 3: alter(&table.inserted)
    case 4: alter(&table.updated)
    case 5:
      if !table.deleted.isEmpty { damage(&table.deleted[random.below(table.deleted.count)]) }
    case 6:
      if !table.inserted.isEmpty { table.inserted[random.below(table.inserted.count)].chunk = chunk() }
    default:
      if !table.updated.isEmpty { damage(&table.updated[random.below(table.updated.count)]) }
    }
  }

  private mutating func chunk() -> Int64 { random.element(of: [0, 0, 1, 2, 9, -1, .min, .max, .max >> 8]) }

  private mutating func damage(_ deleted: inout DeletedRows) {
    switch random.below(3) {
    case 0: deleted.chunk = chunk()
    case 1: deleted.rows = deleted.rows | Bitmap256(bit: random.below(random.bool() ? 10 : 256))
    default: deleted.rows = deleted.rows - Bitmap256(bit: random.below(10))
    }
  }

  private mutating func damage(_ column: inout ColumnDelta) {
    guard !column.cells.isEmpty else { return }
    let position = random.below(column.cells.count)
    switch random.below(7) {
    case 0: column.column = ColumnKey(rawValue: random.below(8) == 0 ? .max : UInt32(random.below(12)))
    case 1: alter(&column.cells)
    case 2: column.cells[position].key = ObjectKey(random.element(of: [0, 1, 2, 3, 5, 8, 300, -1, .min, .max]))
    case 3: column.cells[position].change = column.cells[random.below(column.cells.count)].change
    default: column.cells[position].change = damaged(column.cells[position].change)
    }
  }

  private mutating func damaged(_ change: CellChange) -> CellChange {
    switch change {
    case .value: return .value(random.element(of: values))
    case .list(var splices):
      guard !splices.isEmpty, random.below(4) > 0 else {
        alter(&splices)
        return .list(splices)
      }
      let position = random.below(splices.count)
      if random.bool() {
        let lower = random.below(8) - 1
        splices[position].range = lower..<lower + random.below(4)
      } else if random.bool() {
        splices[position].values.append(random.element(of: values))
      } else {
        alter(&splices[position].values)
      }
      return .list(splices)
    case .set(var removed, var inserted):
      switch random.below(5) {
      case 0: alter(&removed)
      case 1: alter(&inserted)
      case 2: removed.append(random.element(of: values))
      case 3: inserted.append(random.element(of: values))
      default: swap(&removed, &inserted)
      }
      return .set(removed: removed, inserted: inserted)
    case .dictionary(var removed, var set):
      switch random.below(4) {
      case 0: alter(&removed)
      case 1: alter(&set)
      case 2: removed.append(set.first?.key ?? "absent")
      default: set.append(DictionaryEntry(key: removed.first ?? "new", value: random.element(of: values)))
      }
      return .dictionary(removed: removed, set: set)
    }
  }
}
