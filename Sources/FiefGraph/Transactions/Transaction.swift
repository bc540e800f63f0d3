import FiefRuntime

/// A working copy of a graph, and the operations on it.
///
///     base ──begin──▶ working copy ──operations──▶ working copy ──publish──▶ next version
///                          │    ▲
///                          ▼    │                    rolling back: drop the transaction
///                        savepoint                   undoing a part: restore a savepoint (keys stay used)
///
/// Nothing is logged or undone: the base is a value that never changes. An operation that throws has changed nothing,
/// and the transaction can continue. Every operation leaves links and backlinks, owners, primary keys and indexes
/// consistent. `Graph.checkInvariants()` can be called between any two operations.
///
/// A transaction belongs to one thread at a time. The graphs that it returns may be used on any thread.
public final class Transaction {
  // Exclusivity is not checked at run time on these: one thread uses a transaction, and the closures that its
  // operations call never change it. The one that fills a new row traps on any use of it.

  /// The working copy. Only `graph`, `goBack(to:)` and the transaction's own extensions use it, so that no copy of it
  /// can escape without resetting `cachedCluster`.
  @safe @exclusivity(unchecked) @usableFromInline var working: Graph
  /// The version that the transaction began from.
  public let base: Graph

  // The tables that no other graph holds: this transaction made or copied them after it last returned a copy of the
  // working graph. This is a flag rather than a test of the reference count, because operations retain tables while
  // they work.
  @safe @exclusivity(unchecked) @usableFromInline var owned = TableFlags()

  /// The cluster that was changed last.
  @safe @exclusivity(unchecked) @usableFromInline var cachedCluster: CachedCluster?

  /// The row for which a cluster was cached last. In a small write, it is the row that changed.
  @safe @exclusivity(unchecked) var lastReached: (table: Int, key: ObjectKey)?

  @safe @exclusivity(unchecked) @usableFromInline var motionStorage = RowMotion()
  /// The changes so far to the positions of rows.
  // Other modules would check the exclusivity of the stored property.
  @inlinable
  package internal(set) var motion: RowMotion {
    @inline(__always) get { motionStorage }
    @inline(__always) _modify { yield &motionStorage }
  }

  // Whether a row is being made. Its cells are then written without the transaction's checks.
  @safe @exclusivity(unchecked) @usableFromInline var isFilling = false

  #if DEBUG
    /// The number of changes so far, for the checks of `ShortCut`.
    @exclusivity(unchecked) @usableFromInline var changeCount = 0
  #endif

  /// Begins a transaction on a working copy of `base`.
  public init(_ base: Graph) {
    self.base = base
    working = base
  }

  /// The current working copy, as a version that later changes do not affect. Constant time; the next change of each
  /// part copies a path.
  public var graph: Graph {
    checkNotFilling()
    share()
    return working
  }

  /// A saved working copy, for `restore(_:)`.
  public struct Savepoint {
    let graph: Graph
  }

  /// Saves the current working copy. Constant time.
  public func savepoint() -> Savepoint { Savepoint(graph: graph) }

  /// Undoes all changes since `savepoint` was taken, except for keys: a key that was assigned since is not assigned
  /// again, because a caller may still hold it. A savepoint can be restored any number of times. Linear in the number
  /// of tables.
  public func restore(_ savepoint: Savepoint) {
    let undone = working
    goBack(to: savepoint)
    for (index, table) in undone.tables.enumerated() where index < working.tables.count {
      guard let table, let present = working.tables[index], present.nextKey < table.nextKey else { continue }
      writable(index).nextKey = table.nextKey
    }
    assert(
      zip(undone.tables, working.tables).allSatisfy { $1?.nextKey ?? .max >= $0?.nextKey ?? 0 },
      "A key that was assigned is not assigned again.")
  }

  /// Returns to the graph of `savepoint`, including its keys: for operations that have shown no caller a row. Constant
  /// time.
  package func goBack(to savepoint: Savepoint) {
    checkNotFilling()
    share()
    motion.remove()
    assert(savepoint.graph.version == working.version, "A savepoint belongs to the transaction that saved it.")
    working = savepoint.graph
    assert(cachedCluster == nil, "A savepoint shares its clusters, so none is cached.")
  }

  /// Runs several operations atomically: if `body` throws, they are undone as by `restore(_:)`.
  public func undoing<Result>(_ body: (Transaction) throws -> Result) rethrows -> Result {
    let saved = savepoint()
    do {
      return try body(self)
    } catch {
      restore(saved)
      throw error
    }
  }

  /// Runs one operation: if `body` throws, the transaction goes back to where it was, keys included.
  func allOrNothing<Result>(_ body: () throws -> Result) rethrows -> Result {
    let saved = savepoint()
    do {
      return try body()
    } catch {
      goBack(to: saved)
      throw error
    }
  }

  /// Traps while a row is being made.
  @inlinable func checkNotFilling() { if isFilling { usedWhileFilling() } }

  @usableFromInline
  func usedWhileFilling() -> Never {
    fatalError("The transaction was used inside the closure that fills a new row: do that before or after.")
  }

  /// Marks every part of the working copy as possibly shared with another graph.
  func share() {
    assert(!isFilling, "No row is open while a version is made.")
    releaseCachedCluster()
    owned = TableFlags()
  }
}

// MARK: - Reading

extension Transaction {
  /// The value of a single cell in the working copy; nil if the row or column does not exist.
  public func value(_ cell: Cell) -> Value? { working.value(cell) }

  /// A typed read of a single cell; nil if it is null, or the row or column does not exist.
  @inlinable
  public func load<Element: Storable>(_ type: Element.Type, _ cell: Cell) -> Element? {
    guard let table = working[cell.table], let leaf = table.schema.leaf(of: cell.column) else { return nil }
    return table.load(type, cell.key, leaf: leaf)
  }

  /// How many elements the collection cell has; 0 if the row or column does not exist, or the cell is not a collection.
  public func count(of cell: Cell) -> Int { working.collection(cell)?.count ?? 0 }

  /// Whether the row exists.
  public func contains(_ link: ObjectLink) -> Bool { working.contains(link) }
}

// MARK: - Access for changes

extension Transaction {
  /// The table at an index, which only this transaction holds after the call.
  @inlinable
  func writable(_ table: Int) -> Table {
    if !owned[table] { makeUnique(table) }
    assert(working.tables[table] != nil, "A table that was removed is not owned.")
    return unsafe working.tables[table].unsafelyUnwrapped
  }

  /// The same, without counting a reference. It lives as long as the working copy holds it.
  @inline(__always)
  func borrowedWritable(_ table: Int) -> Borrowed<Table> {
    if !owned[table] { makeUnique(table) }
    return unsafe working.borrowedTable(table).unsafelyUnwrapped
  }

  @usableFromInline
  func makeUnique(_ table: Int) {
    assert(!owned[table], "A table that only this transaction holds is not copied.")
    guard let shared = working.tables[table] else { fatalError("A table that was removed is being changed.") }
    if cachedCluster?.table == table { releaseCachedCluster() }
    working.tables[table] = shared.copy()
    owned[table] = true
    assert(working.tables[table] !== shared, "A table that another graph holds is copied before it changes.")
  }
}

extension Transaction {
  /// The working copy as the version that follows its base.
  package var successor: Graph {
    var next = graph
    next.version = base.version + 1
    assert(cachedCluster == nil, "A version shares its clusters, so none is cached.")
    return next
  }
}
