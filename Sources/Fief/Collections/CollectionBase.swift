import FiefGraph

/// What `List`, `MutableSet` and `Map` have in common: a collection that is a property's, unmanaged at first, managed once its
/// object is.
///
///     unmanaged   `place == nil`: the subclass holds the elements
///     managed     `place` says where the store keeps them
open class CollectionBase {
  @exclusivity(unchecked) @usableFromInline final var place: _CollectionPlace?
  /// The object whose property it is, while both are unmanaged; its number there.
  final var owner: Unmanaged<ObjectBase>?
  final var number = 0
  /// Whether reading it notes names: see `KeyPathNames`.
  final var isTracing = false

  init() {}

  init(_ place: _CollectionPlace) { self.place = place }

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
  func bind(_ place: CollectionPlace) { self.place = place }

  /// Takes note of the object whose property it is.
  final func attach(_ owner: ObjectBase, _ number: Int) {
    self.owner = .passUnretained(owner)
    self.number = number
  }
}
