/// One table in one version: its rows, and what is derived from them.
///
///     rows ──────▶ RadixTree of Cluster            the data: deltas and files hold these
///     primary ───▶ HashIndex: primary key ▶ row    ┐
///     indexes ───▶ PropertyIndex …                 │ derived, exact at every moment
///     incoming ──▶ IncomingLinks …                 ┘
///
/// It is changed only by a transaction that holds the one reference to it; see `Cluster`.
public final class Table: @unchecked Sendable {
  // Exclusivity is not checked at run time on these: only `Transaction` changes a table, never re-entrantly.

  /// The facts about the table.
  @exclusivity(unchecked) public internal(set) var schema: TableSchema
  /// The rows, by the chunk of their keys. No cluster is empty.
  @exclusivity(unchecked) public internal(set) var rows = RadixTree<Cluster>()
  /// How many rows there are.
  @exclusivity(unchecked) public internal(set) var count = 0
  /// The number that the next new row gets.
  @exclusivity(unchecked) public internal(set) var nextKey: Int64 = 0
  /// No row has this key or a higher one: what is made refuses it as well as what is read.
  static let keyLimit: Int64 = 1 << 62
  /// Primary keys to rows; empty for a table without one.
  @exclusivity(unchecked) public internal(set) var primary = HashIndex()
  /// The property indexes, in the order of `schema.indexes`.
  @exclusivity(unchecked) public internal(set) var indexes: ContiguousArray<PropertyIndex> = []
  /// Links into this table: one entry for each column that may link here by its type, or does so by an any-value.
  @exclusivity(unchecked) public internal(set) var incoming: ContiguousArray<IncomingLinks> = []

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
    return copy
  }

  private init(schema: TableSchema, indexes: ContiguousArray<PropertyIndex>) {
    self.schema = schema
    self.indexes = indexes
    LiveNodes.add()
  }

  /// Whether there is a row of that key. O(log keys), base 8.
  public func contains(_ key: ObjectKey) -> Bool {
    rows.peek(key.chunk)?._withUnsafeGuaranteedRef { $0.slot(ofBit: key.bit) != nil } ?? false
  }

  /// The cluster and slot of a row, or nil when there is none. O(log keys), base 8.
  @inlinable
  public func find(_ key: ObjectKey) -> (cluster: Cluster, slot: Int)? {
    guard let cluster = rows[key.chunk], let slot = cluster.slot(ofBit: key.bit) else { return nil }
    return (cluster, slot)
  }

  /// The value of a single cell; nil when there is no such row. Traps for a leaf of collections.
  public func value(_ key: ObjectKey, leaf: Int) -> Value? {
    guard let chunk = rows.peek(key.chunk) else { return nil }
    return chunk._withUnsafeGuaranteedRef { cluster in
      guard let slot = cluster.slot(ofBit: key.bit) else { return nil }
      return cluster.leaves[leaf].value(at: slot, as: schema.types[leaf])
    }
  }

  /// A typed read of a single cell; nil when it is null or there is no such row.
  @inlinable
  public func load<Element: Storable>(_ type: Element.Type, _ key: ObjectKey, leaf: Int) -> Element? {
    guard let chunk = rows.peek(key.chunk) else { return nil }
    return chunk._withUnsafeGuaranteedRef { cluster in
      guard let slot = cluster.slot(ofBit: key.bit) else { return nil }
      return cluster.leaves[leaf].load(type, at: slot)
    }
  }

  /// The contents of a collection cell; nil when it is empty or there is no such row. Traps for single values.
  @inlinable
  public func collection(_ key: ObjectKey, leaf: Int) -> StoredCollection? {
    guard let (cluster, slot) = find(key) else { return nil }
    return cluster.leaves[leaf].values.collection(at: slot)
  }

  /// The row whose primary key is `value`, or nil. O(1) on average; nil, too, for a table without a primary key or
  /// a value of another type.
  public func find(primaryKey value: Value) -> ObjectKey? {
    let leaf = schema.primaryKeyLeaf
    guard leaf >= 0, let hash = value.primaryKeyHash else { return nil }
    // The two common types without a detour.
    switch value {
    case .int where hasExactHashes: return primary.find(exactly: hash).map(ObjectKey.init(_:))
    case .string(let wanted) where schema.types[leaf].kind == .string:
      return primary.find(hash: hash) {
        load(String.self, ObjectKey($0), leaf: leaf).map { String.isIdentical($0, wanted) } ?? false
      }.map(ObjectKey.init(_:))
    default: break
    }
    return primary.find(hash: hash) { self.value(ObjectKey($0), leaf: leaf) == value }.map(ObjectKey.init(_:))
  }

  /// Whether the primary key is a number that is never null: then its hash says which it is.
  private var hasExactHashes: Bool {
    let type = schema.types[schema.primaryKeyLeaf]
    return type.kind == .int && !type.isOptional
  }

  /// The row whose primary key is a number, in a table whose primary key is one that is never null; without a reference
  /// counted.
  @usableFromInline
  package func peekRow(primaryKey number: Int64) -> PeekedRow? {
    // Before the index is touched: it would be retained for as long as this runs.
    let hash = HashIndex.hash(number)
    guard let key = primary.find(exactly: hash) else { return nil }
    return peekRow(ObjectKey(key))
  }

  /// The row of that key, without a reference counted.
  @inline(__always)
  package func peekRow(_ key: ObjectKey) -> PeekedRow? {
    guard let cluster = rows.peek(key.chunk), let slot = cluster._withUnsafeGuaranteedRef({ $0.slot(ofBit: key.bit) })
    else { return nil }
    return PeekedRow(key: key, cluster: cluster, slot: slot)
  }

  /// Where the links of a column stand in `incoming`, or nil.
  func incomingPlace(from origin: TableKey, _ column: ColumnKey) -> Int? {
    incoming.firstIndex { $0.origin == origin && $0.column == column }
  }

  /// The links to row `key` through a column of another table; nil when there are none.
  public func backlinks(to key: ObjectKey, from origin: TableKey, _ column: ColumnKey) -> BacklinkBag? {
    incomingPlace(from: origin, column).flatMap { incoming[$0].bag(of: key) }
  }

  /// The entry of a row in the index at `place`.
  func entry(of key: ObjectKey, in cluster: Cluster, slot: Int, index place: Int) -> IndexEntry {
    entry(of: key, in: cluster, slot: slot, columns: indexes[place].definition.columns)
  }

  /// The entry of a row in an index over `columns`.
  func entry(of key: ObjectKey, in cluster: Cluster, slot: Int, columns: [ColumnKey]) -> IndexEntry {
    func value(_ column: ColumnKey) -> Value {
      guard let leaf = schema.leaf(of: column) else { fatalError("An index names a column that is not there.") }
      return cluster.leaves[leaf].value(at: slot, as: schema.columns[leaf].type)
    }
    return IndexEntry(
      first: value(columns[0]), rest: columns.count == 1 ? [] : ContiguousArray(columns.dropFirst().map(value)),
      key: key)
  }

  /// The entries of a row in a full-text index: one for each of its words.
  func wordEntries(
    of key: ObjectKey, in cluster: Cluster, slot: Int, _ definition: IndexDefinition
  ) -> [IndexEntry] {
    guard let leaf = schema.leaf(of: definition.columns[0]),
      let text = cluster.leaves[leaf].load(String.self, at: slot)
    else { return [] }
    return Set(FullText.words(of: text).map(WholeText.init)).map { IndexEntry(first: .string($0.text), key: key) }
  }
}

/// A text that is equal to another when their bytes are.
private struct WholeText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: WholeText, b: WholeText) -> Bool { StoredOrder.areIdentical(a.text, b.text) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension Value {
  /// The hash under which a primary key of this value is found; nil for values that cannot be one.
  var primaryKeyHash: UInt64? {
    switch self {
    case .null: HashIndex.hash(0x6e75_6c6c, 0)
    case .int(let value): HashIndex.hash(value)
    case .string(let value): HashIndex.hash(value)
    case .objectId(let value): value.hash
    case .uuid(let value): value.hash
    default: nil
    }
  }
}
