public import FiefGraph
import FiefRuntime
public import FiefSessions

/// The common base of `List`, `MutableSet` and `Map`: a collection that is a property's value, unmanaged at first, and
/// managed once its object is.
///
///     unmanaged   `location == nil`: the subclass holds the elements
///     managed     `location` says where the store keeps them; the contents that were found there last are kept at hand
///                 while the session has not changed since
open class CollectionBase {
  // Exclusivity is not checked at run time for these properties, for the reason that `ObjectBase` states.

  @safe @exclusivity(unchecked) @usableFromInline package final var location: _CollectionLocation?
  /// The moment at which `found` was looked up.
  @safe @exclusivity(unchecked) final var foundStamp = VersionStamp.never
  /// The contents; nil when the collection is empty. The session's graph retains them while the session is unchanged.
  @safe @exclusivity(unchecked) final var found: Borrowed<StoredCollection>?
  /// The object that has the collection as a property, while both are unmanaged; below, the property's index.
  final var owner: Borrowed<ObjectBase>?
  final var number = 0
  /// Whether reads do additional work: they record names (`KeyPathNames`), or copy the elements of `shown` first.
  @safe @exclusivity(unchecked) final var isTracing = false
  /// Whether the library has made it as the value of a property, and nothing else refers to it: the property keeps it.
  final var isUnclaimed = false
  /// The unmanaged collection of which this one is a view with another element type; nil for all other collections.
  final var shown: CollectionBase?

  init() {}

  init(_ location: _CollectionLocation) {
    self.location = location
    if location.session.isFrozen { _ = find(location) }
  }

  /// The realm of a managed collection; nil when it is unmanaged. May be read on any thread.
  ///
  ///     if let realm = person.dogs.realm { try realm.write { person.dogs.removeAll() } }
  public var realm: Realm? { location.map { Realm($0.session) } }

  /// Whether its object was deleted, or its realm invalidated; false for an unmanaged collection.
  ///
  ///     let dogs = person.dogs
  ///     try realm.write { realm.delete(person) }
  ///     print(dogs.isInvalidated)          // true
  ///
  /// Traps off the thread, queue or actor of a live collection's realm.
  public var isInvalidated: Bool {
    guard let location else { return false }
    let isValid = location.isValid
    location.session.noteRead(row: location.cell.object)
    return !isValid
  }

  /// Whether the collection is frozen: it shows one version for good, on any thread. False for an unmanaged collection.
  ///
  ///     print(person.dogs.isFrozen, person.dogs.freeze().isFrozen)          // false true
  public var isFrozen: Bool { location?.session.isFrozen ?? false }

  /// A description of the collection with at most 100 of its elements.
  public final var description: String { ObjectDescription.text(self) }

  /// Whether both are one collection, without a look at their elements; nil when these decide, as both are unmanaged.
  final func isOne(with other: CollectionBase) -> Bool? {
    if self === other { return true }
    switch (location, other.location) {
    case (nil, nil): return nil
    case (let own?, let other?): return own.isSame(as: other)
    default: return false
    }
  }

  // MARK: For adding objects to a realm

  /// The elements, or a map's values with their keys, in order. For unmanaged collections only.
  func contents() -> [(key: String?, content: _PropertyContent)] { [] }

  /// Turns this into the managed collection at a location, and releases the unmanaged elements.
  func bind(_ location: CollectionLocation) {
    self.location = location
    foundStamp = .never
    owner = nil
    if location.session.isFrozen { _ = find(location) }
  }

  /// Whether reads record property names. If so, this call has recorded the name of the property.
  @usableFromInline
  package final var isTraced: Bool {
    if isTracing { notePassed() }
    return isTracing && shown == nil
  }

  /// Sets the object that has the collection as a property.
  final func attach(_ owner: ObjectBase, _ number: Int) {
    self.owner = unsafe Borrowed(owner)
    self.number = number
  }
}

// MARK: - Contents in the store

extension CollectionBase {
  /// The current contents; nil when the collection is empty. Traps when the current thread may not read it, or it was
  /// deleted.
  ///
  /// The reference is not counted, as the graph owns the contents. It is valid until the session changes.
  @inline(__always)
  final func stored(_ location: borrowing CollectionLocation) -> Borrowed<StoredCollection>? {
    if _fastPath(foundStamp == location.session.validity.stamp && location.session.isOnExecutor) { return found }
    return storedSlowly(location)
  }

  @inline(never)
  private final func storedSlowly(_ location: borrowing CollectionLocation) -> Borrowed<StoredCollection>? {
    location.session.checkConfinementInScope()
    location.session.noteRead(location.cell)
    if foundStamp == location.session.validity.stamp { return found }
    if !find(location) { location.trapInvalidated() }
    return found
  }

  /// Looks the contents up; false when the row that holds them was deleted.
  ///
  /// For a frozen collection this runs before another thread can see it, and never again after a success.
  private final func find(_ location: borrowing CollectionLocation) -> Bool {
    if location.session.isClosed || !location.session.validity.isCurrent(location.madeStamp) { return false }
    let cell = location.cell
    let isThere = location.session.borrowedTable(cell.table)?.with { table in
      guard let row = table.borrowedRow(cell.key), let leaf = table.schema.leaf(of: cell.column) else { return false }
      found = row.collection(leaf: leaf)
      return true
    }
    guard isThere == true else { return false }
    // Read last, because the first look of a session pins a version.
    foundStamp = location.session.validity.stamp
    return true
  }

  /// The number of elements of the managed collection.
  @usableFromInline
  final var storedCount: Int {
    guard let location else { return 0 }
    return stored(location)?.with { $0.count } ?? 0
  }

  /// The element at a position of a managed collection, or the value of a map's entry. Traps when the position is out
  /// of range.
  @usableFromInline
  final func storedValue(at position: Int) -> _StoredValue {
    guard let location else { return .null }
    guard let stored = stored(location) else { Misuse.outOfRange(position, 0) }
    return stored.with { contents in
      if position < 0 || position >= contents.count { Misuse.outOfRange(position, contents.count) }
      return contents.value(at: position, as: location.type)
    }
  }

  /// The context for reading elements. For managed collections only.
  @usableFromInline
  final var context: _StoreContext { unsafe location.unsafelyUnwrapped.context }

  /// The retained contents, which later changes do not affect; nil when the collection is empty.
  final func borrowedContents(_ location: CollectionLocation) -> StoredCollection? {
    stored(location)?.counted
  }

  /// The links among the elements of a managed collection, including duplicates; empty for an unmanaged collection.
  package final var links: [ObjectLink] {
    guard let location, location.type.canLink, let contents = borrowedContents(location) else { return [] }
    var links: [ObjectLink] = []
    contents.forEach(as: location.type) {
      if let link = $0.linked { links.append(link) }
      return true
    }
    return links
  }
}

// MARK: - Changing the contents in the store

extension CollectionBase {
  /// Runs an operation of the write on the managed collection. Traps when the current thread may not change it.
  final func change(_ location: CollectionLocation, _ operation: (Transaction) throws -> Void) {
    location.checkWriting()
    location.session.perform(operation)
  }

  /// Stores contents in the managed collection. Values and existing rows are stored by one operation; contents with
  /// objects that must be added first are stored one after another.
  ///
  /// - Parameters:
  ///   - contents: the contents to store.
  ///   - emptying: removes what the contents replace; nil if they stand beside the others, or each takes the place of
  ///     one. It runs when all contents are known to fit, as they may be made of what they replace.
  ///   - position: the position where a row that the collection owns is made, by the content's index in `contents`.
  ///   - one: stores one value.
  ///   - all: stores several values at once.
  final func put(
    _ contents: [_PropertyContent], in location: CollectionLocation, _ transaction: Transaction,
    emptying: ((Transaction) throws -> Void)? = nil, position: (Int) -> OwnedPosition?,
    one: (Transaction, StoredValue, Int) throws -> Void,
    all: (Transaction, [StoredValue]) throws -> Void
  ) throws {
    if emptying == nil, contents.count == 1, let value = location.plainValue(contents[0]) {
      return try one(transaction, value, 0)
    }
    if let values = location.plainValues(contents) {
      guard let emptying else { return try all(transaction, values) }
      return try transaction.undoing { transaction in
        try emptying(transaction)
        try all(transaction, values)
      }
    }
    try location.session.importer.insert(
      contents, into: location.cell, transaction, emptying: emptying, position: position, store: one)
  }
}

extension _CollectionLocation {
  /// The stored forms of contents that need no new rows: values, and ordinary objects that have a row in this session.
  /// Nil when one content is anything else.
  func plainValues(_ contents: [_PropertyContent]) -> [StoredValue]? {
    var values: [StoredValue] = []
    values.reserveCapacity(contents.count)
    for content in contents {
      guard let value = plainValue(content) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The stored form of a content that needs no new row; nil for any other.
  func plainValue(_ content: _PropertyContent) -> StoredValue? {
    switch content {
    case .value(let value): value
    case .object(let object): object.isOwned ? nil : session.row(of: object).map { .link($0) }
    default: nil
    }
  }

  func trapInvalidated() -> Never {
    fatalError(
      "The collection '\(path)' has been deleted or invalidated with its object and cannot be used: ask isInvalidated "
        + "first."
    )
  }
}

extension Misuse {
  @usableFromInline
  package static func outOfRange(_ position: Int, _ count: Int) -> Never {
    fatalError("Index \(position) is out of bounds of a collection of \(count) elements.")
  }

  static func tooMany(_ number: Int, _ count: Int) -> Never {
    fatalError(
      "Cannot remove \(number) from a collection of \(count) elements: no more can be removed than it contains.")
  }
}

extension CollectionBase: TracedField {
  func notePassed() {
    if shown != nil { return refreshShown() }
    if isTracing, let owner { PropertyTrace.note(self, of: owner, number) }
  }
}
