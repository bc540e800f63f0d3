public import FiefRuntime
import FiefValues

/// One table in one version: its rows, and the data derived from them.
///
///     rows ──────▶ RadixTree of Cluster            the data: deltas and files hold these
///     primary ───▶ HashIndex: primary key ▶ row    ┐
///     indexes ───▶ PropertyIndex …                 │ derived, exact at every moment
///     incoming ──▶ IncomingLinks …                 ┘
///
/// A transaction changes a table only while it holds the one reference to it; see `Cluster`.
public final class Table: @unchecked Sendable {
  // Exclusivity is not checked at run time on these: only `Transaction` changes a table, never re-entrantly.

  /// The schema of the table.
  @safe @exclusivity(unchecked) public internal(set) var schema: TableSchema
  /// The rows, by the chunk of their keys. No cluster is empty.
  @safe @exclusivity(unchecked) public internal(set) var rows = RadixTree<Cluster>()
  /// How many rows the table has.
  @safe @exclusivity(unchecked) public internal(set) var count = 0
  /// The key of the next new row.
  @safe @exclusivity(unchecked) public internal(set) var nextKey: Int64 = 0
  /// No row has this key or a higher one. Creating rows and applying deltas both refuse such keys.
  static let keyLimit: Int64 = 1 << 62
  /// From primary keys to rows; empty for a table without a primary key.
  @safe @exclusivity(unchecked) public internal(set) var primary = HashIndex()
  /// The property indexes, in the order of `schema.indexes`.
  @safe @exclusivity(unchecked) public internal(set) var indexes: ContiguousArray<PropertyIndex> = []
  /// The links into this table: one entry for each column whose type links here, or whose any-values do.
  @safe @exclusivity(unchecked) public internal(set) var incoming: ContiguousArray<IncomingLinks> = []

  init(schema: TableSchema) {
    self.schema = schema
    indexes = ContiguousArray(schema.indexes.map(PropertyIndex.init))
    LiveNodes.add()
  }

  deinit { LiveNodes.remove() }

  func copy() -> Table {
    let copy = Table(schema: schema, indexes: indexes)
    copy.rows = rows
    copy.count = count
    copy.nextKey = nextKey
    copy.primary = primary
    copy.incoming = incoming
    assert(copy.indexes.count == schema.indexes.count, "A table has the indexes of its schema.")
    return copy
  }

  private init(schema: TableSchema, indexes: ContiguousArray<PropertyIndex>) {
    self.schema = schema
    self.indexes = indexes
    LiveNodes.add()
  }

  /// Whether the table has a row of that key. O(log keys), base 8.
  public func contains(_ key: ObjectKey) -> Bool {
    rows.borrowed(key.chunk)?.with { $0.slot(ofBit: key.bit) != nil } ?? false
  }

  /// The cluster and slot of a row, or nil if it does not exist. O(log keys), base 8.
  @inlinable
  public func find(_ key: ObjectKey) -> (cluster: Cluster, slot: Int)? {
    guard let cluster = rows[key.chunk], let slot = cluster.slot(ofBit: key.bit) else { return nil }
    return (cluster, slot)
  }

  /// The value of a single cell; nil if the row does not exist. Traps for a leaf of collections.
  public func value(_ key: ObjectKey, leaf: Int) -> Value? {
    borrowedRow(key).map { row in row.cluster.with { $0.leaves[leaf].value(at: row.slot, as: schema.types[leaf]) } }
  }

  /// A row as messages name it: by its primary key, if it has one.
  func phrase(of key: ObjectKey) -> String {
    let value = schema.primaryKeyLeaf < 0 ? nil : value(key, leaf: schema.primaryKeyLeaf)
    return value.map { "the object with the primary key \($0)" } ?? "object \(key)"
  }

  /// A typed read of a single cell; nil if it is null or the row does not exist.
  @inlinable
  public func load<Element: Storable>(_ type: Element.Type, _ key: ObjectKey, leaf: Int) -> Element? {
    guard let chunk = rows.borrowed(key.chunk) else { return nil }
    return chunk.with { cluster in
      guard let slot = cluster.slot(ofBit: key.bit) else { return nil }
      return cluster.leaves[leaf].load(type, at: slot)
    }
  }

  /// The contents of a collection cell; nil if it is empty or the row does not exist. Traps for single values.
  public func collection(_ key: ObjectKey, leaf: Int) -> StoredCollection? {
    borrowedRow(key)?.collection(leaf: leaf)?.counted
  }

  /// The row whose primary key is `value`, or nil. O(log16 rows) if hashes are spread. Also nil for a table without a
  /// primary key and for a value of another type.
  public func find(primaryKey value: Value) -> ObjectKey? {
    // The most frequent kind first. Its hash is computed before the index is read, which would else be retained.
    if case .int(let number) = value, schema.hasIntegerKey {
      let hash = KeyHash.of(number)
      return primary.find(exactly: hash).map(ObjectKey.init(_:))
    }
    return findByComparing(value)
  }

  @inline(never)
  private func findByComparing(_ value: Value) -> ObjectKey? {
    let leaf = schema.primaryKeyLeaf
    guard leaf >= 0, let hash = value.primaryKeyHash else { return nil }
    // Strings take a fast path.
    if case .string(let wanted) = value, schema.types[leaf].kind == .string {
      return primary.find(hash: hash) {
        load(String.self, ObjectKey($0), leaf: leaf).map { String.isIdentical($0, wanted) } ?? false
      }.map(ObjectKey.init(_:))
    }
    return primary.find(hash: hash) { self.value(ObjectKey($0), leaf: leaf) == value }.map(ObjectKey.init(_:))
  }

  /// The row with a primary key, without counting a reference.
  package func borrowedRow(primaryKey value: Value) -> BorrowedRow? {
    find(primaryKey: value).flatMap { borrowedRow($0) }
  }

  /// The row of that key, without counting a reference.
  @inline(__always)
  package func borrowedRow(_ key: ObjectKey) -> BorrowedRow? {
    guard let cluster = rows.borrowed(key.chunk),
      let slot = cluster.with({ $0.slot(ofBit: key.bit) })
    else { return nil }
    return BorrowedRow(key: key, cluster: cluster, slot: slot)
  }

  /// The index in `incoming` of the links through a column, or nil.
  func incomingIndex(from origin: TableKey, _ column: ColumnKey) -> Int? {
    incoming.firstIndex { $0.origin == origin && $0.column == column }
  }

  /// The links to row `key` through a column of a table; nil if there are no such links.
  public func backlinks(to key: ObjectKey, from origin: TableKey, _ column: ColumnKey) -> BacklinkBag? {
    incomingIndex(from: origin, column).flatMap { incoming[$0].bag(of: key) }
  }

  /// How many links lead to row `key` through a column of a table. No reference is counted.
  package func countBacklinks(to key: ObjectKey, from origin: TableKey, _ column: ColumnKey) -> Int {
    incomingIndex(from: origin, column).map { incoming[$0].count(of: key) } ?? 0
  }

  /// The entry of a row in an index over `columns`.
  func entry(of key: ObjectKey, in cluster: Cluster, slot: Int, columns: [ColumnKey]) -> IndexEntry {
    assert(!columns.isEmpty, "An index has a column.")
    assert(0..<cluster.count ~= slot, "Only a live row is indexed.")
    func value(_ column: ColumnKey) -> Value {
      guard let leaf = schema.leaf(of: column) else { fatalError("An index names a column that is not there.") }
      return cluster.leaves[leaf].value(at: slot, as: schema.columns[leaf].type)
    }
    return IndexEntry(
      first: value(columns[0]), rest: columns.count == 1 ? [] : ContiguousArray(columns.dropFirst().map(value)),
      key: key)
  }

  /// Calls `body` with the entries of a row in an index: one, or one for each of its words.
  func forEachEntry(
    of key: ObjectKey, in cluster: Cluster, slot: Int, _ definition: IndexDefinition, _ body: (IndexEntry) -> Void
  ) {
    if !definition.isFullText { return body(entry(of: key, in: cluster, slot: slot, columns: definition.columns)) }
    assert(definition.columns.count == 1, "A full-text index is over one column.")
    guard let leaf = schema.leaf(of: definition.columns[0]),
      let text = cluster.leaves[leaf].load(String.self, at: slot)
    else { return }
    for word in Set(FullText.words(of: text).map { IdenticalText($0) }) {
      body(IndexEntry(first: .string(word.text), key: key))
    }
  }
}
