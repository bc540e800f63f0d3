import FiefGraph
import FiefValues
import Foundation

// The rules for values in columns, and for sound schemas.

extension Oracle {
  static func allowsNull(_ type: ColumnType) -> Bool {
    type.kind == .any || type.isOptional || type.kind == .link && (type.shape == .single || type.shape == .dictionary)
  }

  static func zero(_ kind: ValueKind) -> Value {
    switch kind {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(Data())
    case .date: .date(Timestamp(seconds: 0))
    case .objectId: .objectId(ObjectId())
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .decimal: .decimal(Decimal128())
    case .link, .any: .null
    }
  }

  /// Whether the value fits the type, as a single value or as an element. The targets of links are not checked.
  static func fits(_ value: Value, _ type: ColumnType) -> Bool {
    switch value {
    case .null: return allowsNull(type)
    case .int(let number) where type.kind == .int:
      switch type.width {
      case .bits8: return Int8(exactly: number) != nil
      case .bits16: return Int16(exactly: number) != nil
      case .bits32: return Int32(exactly: number) != nil
      case .bits64: return true
      }
    case .link(let link) where type.kind == .link: return link.table == type.target
    default: return type.kind == .any || value.kind == type.kind
    }
  }

  /// Throws if the value cannot be stored in the column.
  func check(_ value: Value, _ type: ColumnType) throws {
    guard Oracle.fits(value, type) else { throw Refusal(.invalidValue) }
    guard case .link(let link) = value else { return }
    guard let target = self[link.table] else { throw Refusal(.missingObject) }
    switch target.kind {
    case .embedded: throw Refusal(.ownership)
    case .asymmetric: throw Refusal(.invalidValue)
    case .ordinary: if target.rows[link.key.rawValue] == nil { throw Refusal(.missingObject) }
    }
  }

  /// The column of an existing cell.
  func column(of cell: Cell) throws -> Column {
    guard let table = self[cell.table], let column = table.column(cell.column),
      table.rows[cell.key.rawValue] != nil
    else { throw Refusal(.missingObject) }
    return column
  }

  func column(of cell: Cell, _ shape: ColumnShape) throws -> Column {
    let column = try column(of: cell)
    guard column.type.shape == shape else { throw Refusal(.invalidValue) }
    return column
  }

  // MARK: Unique values

  /// Throws if the table contains a primary key, or unique values, twice.
  func checkUnique(_ table: TableKey) throws {
    guard let table = self[table] else { return }
    if let key = table.primaryKey, hasRepetition(table, [key], nullsAreFree: false) {
      throw Refusal(.duplicatePrimaryKey)
    }
    for index in table.indexes where index.isUnique {
      if hasRepetition(table, index.columns, nullsAreFree: true) { throw Refusal(.uniqueConstraint) }
    }
  }

  private func hasRepetition(_ table: ModelTable, _ columns: [ColumnKey], nullsAreFree: Bool) -> Bool {
    var seen: [[Value]] = []
    for cells in table.rows.values {
      let values = columns.map { column -> Value in
        guard case .single(let value)? = cells[column.rawValue] else { return .null }
        return value
      }
      if nullsAreFree && values.contains(where: \.isNull) { continue }
      if seen.contains(where: { zip($0, values).allSatisfy { ModelOrder.compare($0, $1) == 0 } }) { return true }
      seen.append(values)
    }
    return false
  }

  /// Throws if the row repeats a primary key, or unique values, of another row.
  func checkUnique(_ row: ObjectLink) throws {
    guard let table = self[row.table], let own = table.rows[row.key.rawValue] else { return }
    func value(_ cells: [UInt32: ModelCell], _ column: ColumnKey) -> Value {
      if case .single(let value)? = cells[column.rawValue] { value } else { .null }
    }
    func isRepeated(_ columns: [ColumnKey], nullsAreFree: Bool) -> Bool {
      let values = columns.map { value(own, $0) }
      if nullsAreFree && values.contains(where: \.isNull) { return false }
      return table.rows.contains { key, cells in
        key != row.key.rawValue
          && zip(columns, values).allSatisfy { ModelOrder.compare(value(cells, $0), $1) == 0 }
      }
    }
    if let key = table.primaryKey, isRepeated([key], nullsAreFree: false) { throw Refusal(.duplicatePrimaryKey) }
    for index in table.indexes where index.isUnique && isRepeated(index.columns, nullsAreFree: true) {
      throw Refusal(.uniqueConstraint)
    }
  }

  // MARK: Schemas

  /// Throws if the schema is unsound.
  func checkSchema() throws {
    let all = tables.compactMap { $0 }
    guard Set(all.map(\.name)).count == all.count, all.allSatisfy({ isSound($0) }) else {
      throw Refusal(.invalidSchema)
    }
  }

  private func isSound(_ table: ModelTable) -> Bool {
    guard !table.name.isEmpty, Set(table.columns.map(\.name)).count == table.columns.count,
      table.columns.allSatisfy({ isSound($0, in: table) })
    else { return false }
    if let key = table.primaryKey {
      guard let type = table.column(key)?.type, table.kind != .embedded, type.shape == .single,
        [.int, .string, .objectId, .uuid].contains(type.kind)
      else { return false }
    }
    for index in table.indexes {
      guard !index.columns.isEmpty, Set(index.columns).count == index.columns.count,
        table.indexes.filter({ $0.columns == index.columns && $0.isFullText == index.isFullText }).count == 1,
        !index.isFullText || index.columns.count == 1 && !index.isUnique
      else { return false }
      for key in index.columns {
        guard let type = table.column(key)?.type, type.shape == .single, type.kind != .link,
          !index.isFullText || type.kind == .string
        else { return false }
      }
    }
    return true
  }

  private func isSound(_ column: Column, in table: ModelTable) -> Bool {
    let type = column.type
    guard !column.name.isEmpty, type.kind == .int || type.width == .bits64, type.kind != .any || !type.isOptional
    else { return false }
    guard type.kind == .link else { return type.target == nil && column.deleteRule == .nullify }
    guard let key = type.target, key.rawValue > 1, let target = self[key], target.kind != .asymmetric else {
      return false
    }
    if type.isOptional && (type.shape == .list || type.shape == .set) { return false }
    if target.kind == .embedded { return type.shape != .set && column.deleteRule == .nullify }
    return table.kind != .asymmetric
  }
}
