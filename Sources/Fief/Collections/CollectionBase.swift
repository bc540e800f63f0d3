public import FiefGraph
import FiefRuntime
public import FiefSessions

/// The common base of `List`, `MutableSet` and `Map`: a collection that is a property's value, unmanaged at first, and
/// managed once its object is.
///
///     unmanaged   `place == nil`: the subclass holds the elements
///     managed     `place` says where the store keeps them; the contents that were found there last are kept at hand
///                 while the session has not changed since
open class CollectionBase {
  // Exclusivity is not checked at run time for these properties, for the reason that `ObjectBase` states.

  @safe @exclusivity(unchecked) @usableFromInline final var place: _CollectionPlace?
  /// The moment at which `found` was looked up.
  @safe @exclusivity(unchecked) final var seen = Moment.never
  /// The contents; nil when the collection is empty. The session's graph retains them while the session is unchanged.
  @safe @exclusivity(unchecked) final var found: Borrowed<StoredCollection>?
  /// The object that has the collection as a property, while both are unmanaged; below, the property's index.
  final var owner: Borrowed<ObjectBase>?
  final var number = 0
  /// Whether reads do additional work: they record names (`KeyPathNames`), or copy the elements of `shown` first.
  @safe @exclusivity(unchecked) final var isTracing = false
  /// The unmanaged collection of which this one is a view with another element type; nil for all other collections.
  final var shown: CollectionBase?

  init() {}

  init(_ place: _CollectionPlace) {
    self.place = place
    if place.session.isFrozen { _ = find(place) }
  }

  /// The realm of a managed collection; nil when it is unmanaged. May be read on any thread.
  public var realm: Realm? { place.map { Realm($0.session) } }

  /// Whether its object was deleted, or its realm invalidated; false for an unmanaged collection.
  ///
  /// Traps off the thread, queue or actor of a live collection's realm.
  public var isInvalidated: Bool { place.map { !$0.isValid } ?? false }

  /// Whether the collection is frozen: it shows one version for good, on any thread. False for an unmanaged collection.
  public var isFrozen: Bool { place?.session.isFrozen ?? false }

  // MARK: For adding objects to a realm

  /// The elements, or a map's values with their keys, in order. For unmanaged collections only.
  func contents() -> [(key: String?, content: _Content)] { [] }

  /// Turns this into the managed collection at a place, and releases the unmanaged elements.
  func bind(_ place: CollectionPlace) {
    self.place = place
    seen = .never
    owner = nil
    if place.session.isFrozen { _ = find(place) }
  }

  /// Whether reads record property names. If so, this call has recorded the name of the property.
  @usableFromInline
  final var isTraced: Bool {
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
  final func stored(_ place: borrowing CollectionPlace) -> Borrowed<StoredCollection>? {
    if _fastPath(seen == place.session.validity.moment && place.session.isInPlace) { return found }
    return storedSlowly()
  }

  @inline(never)
  private final func storedSlowly() -> Borrowed<StoredCollection>? {
    guard let place else { return nil }
    place.session.checkConfinement()
    if seen == place.session.validity.moment { return found }
    if !find(place) { place.trapInvalidated() }
    return found
  }

  /// Looks the contents up; false when the row that holds them was deleted.
  ///
  /// For a frozen collection this runs before another thread can see it, and never again after a success.
  private final func find(_ place: CollectionPlace) -> Bool {
    if place.session.isClosed || !place.session.validity.isCurrent(place.born) { return false }
    let isThere = place.session.read { graph in
      guard graph.contains(place.cell.object) else { return false }
      found = graph.collection(place.cell).map { unsafe Borrowed($0) }
      return true
    }
    if isThere { seen = place.session.validity.moment }
    return isThere
  }

  /// The number of elements of the managed collection.
  @usableFromInline
  final var storedCount: Int {
    guard let place else { return 0 }
    return stored(place)?.with { $0.count } ?? 0
  }

  /// The element at a position of a managed collection, or the value of a map's entry. Traps when the position is out
  /// of range.
  @usableFromInline
  final func storedValue(at position: Int) -> _StoredValue {
    guard let place else { return .null }
    guard let stored = stored(place) else { Misuse.outOfRange(position, 0) }
    return stored.with { contents in
      if position < 0 || position >= contents.count { Misuse.outOfRange(position, contents.count) }
      return contents.value(at: position, as: place.type)
    }
  }

  /// The context for reading elements. For managed collections only.
  @usableFromInline
  final var context: _StoreContext { unsafe place.unsafelyUnwrapped.context }

  /// The retained contents, which later changes do not affect; nil when the collection is empty.
  final func heldContents(_ place: CollectionPlace) -> StoredCollection? {
    stored(place)?.counted
  }

  /// The links among the elements of a managed collection, including duplicates; empty for an unmanaged collection.
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

// MARK: - Changing the contents in the store

extension CollectionBase {
  /// Runs an operation of the write on the managed collection. Traps when the current thread may not change it.
  final func change(_ place: CollectionPlace, _ operation: (Transaction) throws -> Void) {
    place.checkWriting()
    place.session.perform(operation)
  }

  /// Stores contents in the managed collection. Values and existing rows are stored by one operation; contents with
  /// objects that must be added first are stored one after another.
  ///
  /// - Parameters:
  ///   - contents: the contents to store.
  ///   - spot: the position where a row that the collection owns is made, by the content's index in `contents`.
  ///   - one: stores one value.
  ///   - all: stores all values at once.
  final func put(
    _ contents: [_Content], _ place: CollectionPlace, _ transaction: Transaction,
    spot: @escaping (Int) -> OwnedPlace?,
    one: @escaping (Transaction, StoredValue, Int) throws -> Void,
    all: (Transaction, [StoredValue]) throws -> Void
  ) throws {
    if let values = place.plainValues(contents) { return try all(transaction, values) }
    try place.session.importer.insert(contents, into: place.cell, place.session, transaction, spot: spot, one)
  }
}

extension _CollectionPlace {
  /// The stored forms of contents that need no new rows: values, and ordinary objects of this session. Nil when one
  /// content is anything else.
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

extension CollectionBase: TracedField {
  func notePassed() {
    if shown != nil { return refreshShown() }
    if isTracing, let owner { PropertyTrace.note(self, of: owner, number) }
  }
}
