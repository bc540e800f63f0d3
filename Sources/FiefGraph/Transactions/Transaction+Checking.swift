// The checks before any change, and their error messages.

extension Transaction {
  /// A column, located: the index of its table, its index among the leaves, and the schema of the table.
  @usableFromInline
  struct ColumnLocation {
    @usableFromInline let table: Int
    @usableFromInline let leaf: Int
    @usableFromInline let schema: TableSchema

    @inlinable
    init(table: Int, leaf: Int, schema: TableSchema) {
      assert(schema.columns.indices.contains(leaf), "A column is one of its table.")
      self.table = table
      self.leaf = leaf
      self.schema = schema
    }

    @usableFromInline var column: Column { schema.columns[leaf] }
    @usableFromInline var type: ColumnType { column.type }
  }

  /// The location of a cell whose row exists.
  @inlinable
  func location(of cell: Cell) throws -> ColumnLocation {
    checkNotFilling()
    guard let table = working[cell.table], let leaf = table.schema.leaf(of: cell.column) else {
      throw noColumn(cell)
    }
    guard table.contains(cell.key) else { throw noRow(cell) }
    return ColumnLocation(table: Int(cell.table.rawValue), leaf: leaf, schema: table.schema)
  }

  /// The location of a cell that must be a collection of the given shape.
  func location(of cell: Cell, shape: ColumnShape) throws -> ColumnLocation {
    let location = try self.location(of: cell)
    guard location.type.shape == shape else {
      throw error(.invalidValue, "is \(location.type.phrase), not a \(shape)", at: location, of: cell.key)
    }
    return location
  }

  @usableFromInline func noColumn(_ cell: Cell) -> GraphError { noColumn(cell.column, of: cell.table, cell.key) }

  /// The error for a column, or a table, that does not exist; `row` is the row of the cell, if the caller has one.
  func noColumn(_ column: ColumnKey, of key: TableKey, _ row: ObjectKey? = nil) -> GraphError {
    guard let table = working[key] else {
      return GraphError(.missingObject, "There is no \(key): it was removed, or is another graph's.")
    }
    let owner = row.map { ", of object \($0) or any other" } ?? ""
    return GraphError(
      .missingObject,
      "'\(table.schema.name)' has no \(column)\(owner): it was removed, or is another table's.",
      table: table.schema.name, key: row)
  }

  @usableFromInline
  func noRow(_ cell: Cell) -> GraphError {
    let schema = working[cell.table]?.schema
    let column = schema?.column(cell.column)?.name
    let purpose = column.map { " whose '\($0)' could be reached" } ?? ""
    return GraphError(
      .missingObject,
      "'\(schema?.name ?? "?")' has no object \(cell.key)\(purpose): it was deleted, or is another table's.",
      table: schema?.name, column: column, key: cell.key)
  }

  /// An error about a column: "'Dog.age' " followed by the problem.
  func error(
    _ code: GraphError.Code, _ problem: String, at location: ColumnLocation, of key: ObjectKey?
  ) -> GraphError {
    let row = key.map { " of object \($0)" } ?? ""
    return GraphError(
      code, "'\(location.schema.name).\(location.column.name)'\(row) \(problem).", table: location.schema.name,
      column: location.column.name, key: key)
  }

  /// Throws unless `value` can be stored as the column's value, or as an element of its collection.
  ///
  /// A link into an embedded table is refused here: `createOwned` makes such rows in their cells.
  func check(_ value: Value, at location: ColumnLocation, of key: ObjectKey?) throws {
    let type = location.type
    switch value {
    case .null:
      guard type.allowsNull else {
        throw error(.invalidValue, "cannot be null: it is \(type.phrase)", at: location, of: key)
      }
      return
    case .link(let link):
      guard type.canLink else { break }
      if type.kind == .link && type.target != link.table { break }
      guard let target = working[link.table] else {
        throw error(.missingObject, "cannot link to \(link): there is no such table", at: location, of: key)
      }
      switch target.schema.kind {
      case .ordinary: break
      case .embedded:
        throw error(
          .ownership, "cannot be given an object that is there already: an embedded object is made in its place",
          at: location,
          of: key)
      case .asymmetric:
        throw error(
          .invalidValue, "cannot link to '\(target.schema.name)', whose objects cannot be linked to", at: location,
          of: key)
      }
      guard target.contains(link.key) else {
        throw error(
          .missingObject, "cannot link to object \(link.key) of '\(target.schema.name)', which does not exist",
          at: location,
          of: key)
      }
      return
    case .int(let number) where type.kind == .int:
      guard type.width.range.contains(number) else {
        throw error(
          .invalidValue, "cannot hold \(number): it is an integer of \(type.width.rawValue * 8) bits", at: location,
          of: key)
      }
      return
    case .date(let moment) where !moment.isMoment: break
    default: if type.kind == .any || type.kind == value.kind { return }
    }
    let held = value.linked.flatMap { working[$0.table] }.map { "an object of '\($0.schema.name)'" } ?? "\(value)"
    let target = type.target.flatMap { working[$0] }.map { " to '\($0.schema.name)'" } ?? ""
    throw error(.invalidValue, "cannot hold \(held): it is \(type.phrase)\(target)", at: location, of: key)
  }

  /// Whether `value` owns the row that it links to.
  func isOwning(_ value: Value) -> Bool {
    guard case .link(let link) = value else { return false }
    return working[link.table]?.schema.kind == .embedded
  }

  /// Traps unless `position` is one of `count` elements or, with `orEnd`, their end; the message has the operation.
  func checkBounds(_ position: Int, of count: Int, orEnd: Bool = false, _ operation: @autoclosure () -> String) {
    if position < 0 || position >= count + (orEnd ? 1 : 0) {
      fatalError("Index \(position) is out of bounds: cannot \(operation()) a list of \(count) elements there.")
    }
  }
}
