/// A working copy of a graph, with everything that can be done to it.
///
///     base ──begin──▶ working copy ──operations──▶ working copy ──publish──▶ next version
///                          │    ▲
///                          ▼    │                    rolling back: drop the transaction
///                        savepoint                   undoing a part: restore a savepoint
///
/// Nothing is logged and nothing is undone: the base is a value that stays as it was. Whatever throws has changed
/// nothing, and the transaction goes on. Every operation leaves links and backlinks, owners, primary keys and indexes
/// exact; `Graph.checkInvariants()` can be called between any two.
///
/// A transaction belongs to one thread at a time. The graphs that it gives out may go anywhere.
public final class Transaction {
  /// The working copy. It is private to this file's two accessors below and to the transaction's own parts, so that no
  /// copy of it can escape without `hot` being let go of.
  @exclusivity(unchecked) @usableFromInline var working: Graph
  /// The version that the transaction began from.
  public let base: Graph

  // The tables that no other graph holds, because this transaction made or copied them since the last copy of the
  // working graph was given out. (A flag, not a look at the reference count: operations hold tables while they work.)
  @exclusivity(unchecked) @usableFromInline var owned = TableFlags()

  /// The cluster that was changed last.
  @exclusivity(unchecked) @usableFromInline var hot: HotCluster?

  /// The row for whose sake a cluster was walked to last: one that was probably changed.
  @exclusivity(unchecked) var lastReached: (table: Int, key: ObjectKey)?

  /// Counts the moments at which a cluster may have been copied, or a row may have changed its slot in one: while it
  /// stays the same, a cluster and a slot that were found stay right.
  @exclusivity(unchecked) @usableFromInline package internal(set) var moves: UInt64 = 0

  /// Counts the moments at which a row may have gone: while it stays the same, every row that was seen is there.
  @exclusivity(unchecked) @usableFromInline package internal(set) var removals: UInt64 = 0

  // Whether a row is being made at this moment, and its cells are written past the working copy's back.
  @exclusivity(unchecked) @usableFromInline var isFilling = false

  /// A transaction on a working copy of `base`.
  public init(_ base: Graph) {
    self.base = base
    working = base
  }

  /// The working copy as it stands, as a version of its own that later changes do not touch. Constant time; the next
  /// change of each part costs the copying of a path.
  public var graph: Graph {
    checkNotFilling()
    share()
    return working
  }

  /// A working copy that was saved: `restore(_:)` goes back to it.
  public struct Savepoint {
    let graph: Graph
  }

  /// Saves the working copy as it stands. Constant time.
  public func savepoint() -> Savepoint { Savepoint(graph: graph) }

  /// Undoes everything that was done since `savepoint` was taken. Constant time. A savepoint can be restored any number
  /// of times.
  public func restore(_ savepoint: Savepoint) {
    checkNotFilling()
    share()
    removals &+= 1
    working = savepoint.graph
  }

  /// Traps when a row is being made.
  @inlinable
  func checkNotFilling() { if isFilling { usedWhileFilling() } }

  @usableFromInline
  func usedWhileFilling() -> Never {
    fatalError("The transaction was used inside the closure that fills a new row: do that before or after.")
  }

  /// Takes note that every part of the working copy may be held by another graph from now on.
  func share() {
    letGoOfHot()
    owned = TableFlags()
  }
}

// MARK: - Reading

extension Transaction {
  /// The value of a single cell as the transaction has it; nil when there is no such row or column.
  public func value(_ cell: Cell) -> Value? { working.value(cell) }

  /// A typed read of a single cell; nil when it is null, or there is no such row or column.
  @inlinable
  public func load<Element: Storable>(_ type: Element.Type, _ cell: Cell) -> Element? {
    guard let table = working[cell.table], let leaf = table.schema.leaf(of: cell.column) else { return nil }
    return table.load(type, cell.key, leaf: leaf)
  }

  /// How many elements the collection cell has; 0 when there is no such row or column, or it holds
  /// single values.
  public func count(of cell: Cell) -> Int { working.collection(cell)?.count ?? 0 }

  /// Whether the row exists.
  public func contains(_ link: ObjectLink) -> Bool { working.contains(link) }
}

// MARK: - The way to what is changed

extension Transaction {
  /// The table, which is this transaction's own after the call.
  @inlinable
  func writable(_ table: Int) -> Table {
    if !owned[table] { own(table) }
    return working.tables[table].unsafelyUnwrapped
  }

  @usableFromInline
  func own(_ table: Int) {
    guard let shared = working.tables[table] else { fatalError("A table that was removed is being changed.") }
    if hot?.table == table { letGoOfHot() }
    working.tables[table] = shared.copy()
    owned[table] = true
  }
}

extension Transaction {
  /// The working copy as the version that follows its base.
  package var successor: Graph {
    var next = graph
    next.version = base.version + 1
    return next
  }
}
