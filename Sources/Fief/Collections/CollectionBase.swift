public import FiefGraph
import FiefRuntime

/// What `List`, `MutableSet` and `Map` have in common: a collection that is a property's, unmanaged at first, managed
/// once its object is.
///
///     unmanaged   `place == nil`: the subclass holds the elements
///     managed     `place` says where the store keeps them; the contents that were found there last are kept at hand
///                 while the session has not changed since
open class CollectionBase {
  // Exclusivity is not checked at run time on these, for the same reason as in `ObjectBase`.

  @exclusivity(unchecked) @usableFromInline final var place: _CollectionPlace?
  /// The session's number of changes when `found` was found; 0 when it was not.
  @exclusivity(unchecked) final var changes: UInt64 = 0
  /// The contents, nil when there are none; held by the session's graph while the session has not changed.
  @exclusivity(unchecked) final var found: Unmanaged<StoredCollection>?
  /// The object whose property it is, while both are unmanaged; its number there.
  final var owner: Unmanaged<ObjectBase>?
  final var number = 0
  /// Whether reading it does more than that: notes names (`KeyPathNames`), or looks at `shown` first.
  @exclusivity(unchecked) final var isTracing = false
  /// The unmanaged collection that this one shows, with elements of another type; nil for all others.
  final var shown: CollectionBase?

  init() {}

  init(_ place: _CollectionPlace) {
    self.place = place
    if place.session.isFrozen { _ = find(place) }
  }

  /// The realm of a managed collection; nil when it is unmanaged.
  public var realm: Realm? { place.map { Realm($0.session) } }

  /// Whether its object was deleted, or its realm invalidated.
  public var isInvalidated: Bool { place.map { !$0.isValid } ?? false }

  /// Whether it is frozen: shows one version for ever, to any thread.
  public var isFrozen: Bool { place?.session.isFrozen ?? false }

  // MARK: For bringing objects into a realm

  /// The elements, or a map's values with their keys, in order. Unmanaged only.
  func contents() -> [(key: String?, content: _Content)] { [] }

  /// Becomes the managed collection at a place, and lets go of the unmanaged elements.
  func bind(_ place: CollectionPlace) {
    self.place = place
    changes = 0
    owner = nil
    if place.session.isFrozen { _ = find(place) }
  }

  /// Whether reading it notes names; of one that does, the name of the property is noted by now.
  @usableFromInline
  final var isTraced: Bool {
    if isTracing { notePassed() }
    return isTracing && shown == nil
  }

  /// Takes note of the object whose property it is.
  final func attach(_ owner: ObjectBase, _ number: Int) {
    self.owner = .passUnretained(owner)
    self.number = number
  }
}

// MARK: - What the store has

extension CollectionBase {
  /// The contents as seen now, nil when there are none. Traps when they may not be read here and now.
  ///
  /// They are the graph's own and not counted: good until the session changes.
  @inline(__always)
  final func stored(_ place: borrowing CollectionPlace) -> Unmanaged<StoredCollection>? {
    if _fastPath(changes == place.session.changes && place.session.thread == currentThread()) { return found }
    return storedSlowly()
  }

  @inline(never)
  private final func storedSlowly() -> Unmanaged<StoredCollection>? {
    guard let place else { return nil }
    place.session.checkConfinement()
    if changes == place.session.changes { return found }
    if !find(place) { place.trapInvalidated() }
    return found
  }

  /// Looks the contents up; false when the row that holds them is gone.
  ///
  /// Of a frozen collection this runs before anybody else can see it, and never again when it has succeeded.
  private final func find(_ place: CollectionPlace) -> Bool {
    if place.session.isClosed || !place.session.isCurrent(place.born) { return false }
    let isThere = place.session.read { graph in
      guard graph.contains(place.cell.object) else { return false }
      found = graph.collection(place.cell).map { .passUnretained($0) }
      return true
    }
    if isThere { changes = place.session.changes }
    return isThere
  }

  /// How many elements the managed collection has.
  @usableFromInline
  final var storedCount: Int {
    guard let place else { return 0 }
    return stored(place)?._withUnsafeGuaranteedRef { $0.count } ?? 0
  }

  /// The element at a position of a managed collection, or the value of a map's entry. Traps when out of range.
  @usableFromInline
  final func storedValue(at position: Int) -> _StoredValue {
    guard let place else { return .null }
    guard let stored = stored(place) else { Misuse.outOfRange(position, 0) }
    return stored._withUnsafeGuaranteedRef { contents in
      if position < 0 || position >= contents.count { Misuse.outOfRange(position, contents.count) }
      return contents.value(at: position, as: place.type)
    }
  }

  /// What elements are read with. Managed collections only.
  @usableFromInline
  final var context: _StoreContext { place.unsafelyUnwrapped.context }

  /// Contents that stay as they are whatever happens; nil when there are none.
  final func heldContents(_ place: CollectionPlace) -> StoredCollection? {
    stored(place)?._withUnsafeGuaranteedRef { $0 }
  }

  /// The links among the elements of a managed collection, as often as they are there; none of an unmanaged one.
  final var links: [ObjectLink] {
    guard let place, place.type.canLink, let contents = heldContents(place) else { return [] }
    var links: [ObjectLink] = []
    contents.forEach(as: place.type) {
      if let link = $0.linked { links.append(link) }
      return true
    }
    return links
  }
}

// MARK: - Changing what the store has

extension CollectionBase {
  /// Runs an operation of the write on the managed collection. Traps when it may not be changed here and now.
  final func change(_ place: CollectionPlace, _ operation: (Transaction) throws -> Void) {
    place.checkWriting()
    place.session.perform(operation)
  }

  /// Puts contents into the managed collection: by one operation when all of them are values or rows that are there,
  /// else one after another, as their objects have to be brought into the store.
  ///
  /// - Parameters:
  ///   - contents: what is to be stored.
  ///   - spot: where rows that the collection owns are made, by the content's place in `contents`.
  ///   - one: stores one value.
  ///   - all: stores all values at once.
  final func put(
    _ contents: [_Content], _ place: CollectionPlace, _ transaction: Transaction,
    spot: @escaping (Int) -> OwnedPlace?,
    one: @escaping (Transaction, StoredValue, Int) throws -> Void,
    all: (Transaction, [StoredValue]) throws -> Void
  ) throws {
    if let values = place.plainValues(contents) { return try all(transaction, values) }
    var adder = Adder(place.session, transaction, .error)
    try adder.bring(contents, to: place.cell, spot: spot, one)
  }
}

extension Transaction {
  /// Runs several operations of which all or none happen.
  func undoing(_ body: (Transaction) throws -> Void) throws {
    let saved = savepoint()
    do {
      try body(self)
    } catch {
      let marks = keyMarks
      restore(saved)
      reserveKeys(marks)
      throw error
    }
  }
}

extension _CollectionPlace {
  /// What is stored for contents that need not be brought first: values, and ordinary objects of this session. Nil when
  /// one is something else.
  func plainValues(_ contents: [_Content]) -> [StoredValue]? {
    var values: [StoredValue] = []
    values.reserveCapacity(contents.count)
    for content in contents {
      switch content {
      case .value(let value): values.append(value)
      case .object(let object):
        guard let link = object.link, object.heldSession === session, object.hasRow, !(object is EmbeddedObject) else {
          return nil
        }
        values.append(.link(link))
      default: return nil
      }
    }
    return values
  }

  func trapInvalidated() -> Never {
    fatalError(
      "The collection '\(path)' has been deleted or invalidated with its object and cannot be used: ask isInvalidated first."
    )
  }
}

extension Misuse {
  @usableFromInline
  static func outOfRange(_ position: Int, _ count: Int) -> Never {
    fatalError("Index \(position) is out of bounds of a collection of \(count) elements.")
  }

  static func tooMany(_ number: Int, _ count: Int) -> Never {
    fatalError(
      "Cannot remove \(number) elements from a collection of \(count): it cannot remove more than it contains.")
  }
}
