/// One version of the whole database: an immutable value.
///
/// Holding a graph is a pinned read transaction. It costs a reference, shares all unchanged nodes with the versions
/// before and after it, may be read from any thread, and is freed with its last reference.
///
/// A graph changes only through a `Transaction`, which works on a copy of its own.
public struct Graph: Sendable {
  /// The tables by their keys; nil for a table that was removed.
  @usableFromInline var tables: ContiguousArray<Table?>
  /// How many versions were published before this one. Equality ignores it.
  public internal(set) var version: UInt64

  /// A graph with an empty schema and no rows.
  public static let empty = Graph(tables: ContiguousArray(Schema.empty.tables.map(Table.init(schema:))), version: 0)

  init(tables: ContiguousArray<Table?>, version: UInt64) {
    assert(
      tables.indices.allSatisfy { tables[$0]?.schema.key.index ?? $0 == $0 }, "A table is at the index of its key.")
    self.tables = tables
    self.version = version
  }

  /// The table of that key, or nil.
  @inlinable
  public subscript(key: TableKey) -> Table? {
    let index = Int(key.rawValue)
    return index < tables.count ? tables[index] : nil
  }

  /// The table of that name, or nil. Linear in the number of tables.
  public func table(named name: String) -> Table? { tables.lazy.compactMap { $0 }.first { $0.schema.name == name } }

  /// All tables, in the order of their keys.
  public var allTables: [Table] { tables.compactMap { $0 } }

  /// The schemas of all tables.
  public var schema: Schema { Schema(tables: allTables.map(\.schema), nextTable: UInt32(tables.count)) }

  /// Whether the row exists.
  public func contains(_ link: ObjectLink) -> Bool { self[link.table]?.contains(link.key) ?? false }

  /// The value of a single cell; nil if the row or column does not exist, or the column is a collection.
  public func value(_ cell: Cell) -> Value? {
    borrowedTable(cell.table.index)?.with { table in
      guard let leaf = table.schema.leaf(of: cell.column), !table.schema.types[leaf].isCollection else { return nil }
      return table.value(cell.key, leaf: leaf)
    }
  }

  /// The contents of a collection cell; nil if it is empty, the row or column does not exist, or the column holds
  /// single values.
  public func collection(_ cell: Cell) -> StoredCollection? {
    borrowedTable(cell.table.index)?.with { table in
      guard let leaf = table.schema.leaf(of: cell.column), table.schema.types[leaf].isCollection else { return nil }
      return table.collection(cell.key, leaf: leaf)
    }
  }

  /// The cell that owns an embedded object, or a collection inside an any-value; nil if the row does not exist, or its
  /// table is not embedded.
  public func owner(of link: ObjectLink) -> Cell? {
    guard let table = self[link.table], table.schema.kind == .embedded else { return nil }
    for incoming in table.incoming {
      if let bag = incoming.bag(of: link.key) {
        assert(bag.count > 0, "A bag has a link.")
        return Cell(incoming.origin, bag[0], incoming.column)
      }
    }
    return nil
  }
}

extension Graph {
  /// This graph as version `version`. A graph that is read from a file continues the file's numbering.
  package func numbered(_ version: UInt64) -> Graph { Graph(tables: tables, version: version) }
}
