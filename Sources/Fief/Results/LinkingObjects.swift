import FiefGraph
import FiefRuntime
import FiefSessions

/// The objects that link to an object through a property of theirs: the inverse of links, computed from backlinks.
///
///     class Dog: Object {
///       @Persisted var name = ""
///       @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
///     }
///     class Person: Object {
///       @Persisted var name = ""
///       @Persisted var dogs: List<Dog>
///     }
///     print(dog.owners.map { $0.name }, dog.owners.count)
///
/// An object occurs once for each of its links, so twice when one of its lists contains the target twice. The
/// collection is live and read-only; for unmanaged objects it is empty. Reading it traps when its object was deleted.
/// Assigning it fails the write.
public struct LinkingObjects<Element: ObjectBase> {
  /// The name of the linking property.
  @usableFromInline let origin: String
  /// The handle that shows the objects; nil for the declaration of an unmanaged object, which shows nothing.
  @usableFromInline let handle: LinkingHandle?

  init(_ handle: LinkingHandle, origin: String = "") {
    self.origin = origin
    self.handle = handle
  }

  /// Declares the objects of a class that link through a property of theirs, without a wrapper.
  ///
  ///     class Dog: Object {
  ///       let owners = LinkingObjects(fromType: Person.self, property: "dogs")
  ///     }
  ///
  /// - Parameters:
  ///   - type: the class of the linking objects.
  ///   - propertyName: the name of their property, which holds objects of the declaring class. Opening a realm throws
  ///     for any other name.
  public init(fromType type: Element.Type, property propertyName: String) {
    origin = propertyName
    handle = LinkingHandle()
  }

  /// Whether reads record property names. If so, this call has recorded the name of the property.
  private var isTraced: Bool { handle?.isTraced ?? false }

  /// The core that evaluates the links; nil while the object is unmanaged.
  private var core: ResultsStorage? {
    guard let core = handle?.core else { return nil }
    if core.isInvalidated { LinkingHandle.trapInvalidated(core.session) }
    return core
  }
}

/// The shared state of a `LinkingObjects`. A declaration without a wrapper receives its object after its
/// initialization.
///
/// The view is made when more than the number of links is read. For a frozen object it is made at once, as any thread
/// may read it.
@usableFromInline
final class LinkingHandle {
  /// The target row, and the property at the other end of the links.
  struct Source {
    let session: Session
    let origin: ClassBinding.LinkOrigin
    let target: ObjectLink

    init?(_ session: Session, _ binding: ClassBinding, _ key: ObjectKey, _ number: Int) {
      guard let origin = binding.origins[number] else { return nil }
      self.session = session
      self.origin = origin
      target = ObjectLink(binding.table, key)
    }

    var core: ResultsStorage {
      ResultsStorage(session, .backlinks(origin.source.counted, origin.column, target))
    }
  }

  private(set) var source: Source?
  private var made: ResultsStorage?
  /// Whether reads record property names: see `KeyPathNames`.
  private var isTracing: Bool
  /// The tracing object that contains the field and outlives the trace; below, the property's index in it.
  private var owner: Borrowed<ObjectBase>?
  private var number = 0

  init(_ source: Source? = nil, core: ResultsStorage? = nil, isTracing: Bool = false) {
    self.isTracing = isTracing
    made = core
    self.source = source
    if let source, source.session.isFrozen { made = source.core }
  }

  /// Binds the handle to the row of its object.
  func bind(_ source: Source?) {
    self.source = source
    made = source.flatMap { $0.session.isFrozen ? $0.core : nil }
  }

  /// Makes reads record property names from now on, beginning with the name of this property, which has no wrapper.
  func trace(_ owner: ObjectBase, _ number: Int) {
    isTracing = true
    self.owner = unsafe Borrowed(owner)
    self.number = number
  }

  /// Whether reads record property names. If so, this call has recorded the name of the property.
  var isTraced: Bool {
    if isTracing { notePassed() }
    return isTracing
  }

  func notePassed() {
    if let owner { PropertyTrace.note(self, of: owner, number) }
  }

  /// The session of the object; nil while the object is unmanaged. May be read on any thread.
  var session: Session? { source?.session ?? made?.session }

  /// The view; nil while the object is unmanaged. Traps off the session's thread, queue or actor.
  var core: ResultsStorage? {
    session?.checkConfinementOfUse()
    if let made { return made }
    made = source?.core
    return made
  }

  /// Whether both show the links to one object through one property, in the same version. Handles of unmanaged objects
  /// are never equal.
  func isSame(as other: LinkingHandle) -> Bool {
    guard let session, let otherSession = other.session, session.sees(sameAs: otherSession), let core,
      let otherCore = other.core
    else { return false }
    return core.base.isBacklinks(like: otherCore.base)
  }

  /// The number of links.
  var count: Int {
    session?.checkConfinement()
    guard made == nil, let source, ShortCut.backlinkCounts.isOn, source.session.isOnExecutor else {
      return core.map(Self.count) ?? 0
    }
    ShortCut.backlinkCounts.taken()
    let session = source.session
    let found = session.borrowedTable(source.target.table)?.with { target -> Int? in
      guard target.contains(source.target.key) else { return nil }
      let table = source.origin.source.with { $0.table }
      return target.backlinks(to: source.target.key, from: table, source.origin.column)?.count ?? 0
    }
    guard let count = found else { Self.trapInvalidated(session) }
    return count
  }

  private static func count(_ core: ResultsStorage) -> Int {
    if core.isInvalidated { trapInvalidated(core.session) }
    return core.count
  }

  static func trapInvalidated(_ session: Session) -> Never {
    session.checkConfinement()
    fatalError(
      "LinkingObjects of an object that has been deleted or invalidated cannot be used: ask isInvalidated first.")
  }
}

extension LinkingObjects: RealmCollection {
  /// The realm of its object; nil when the object is unmanaged.
  public var realm: Realm? { handle?.session.map { Realm($0) } }

  /// Whether its object was deleted, or the realm invalidated.
  public var isInvalidated: Bool { handle?.core?.isInvalidated ?? false }

  /// Whether the collection is frozen: it shows one version for good, on any thread.
  public var isFrozen: Bool { handle?.session?.isFrozen ?? false }

  /// Returns a frozen counterpart at the current version, readable from any thread. Traps when its object is unmanaged.
  ///
  ///     let before = dog.owners.freeze()
  ///     try realm.write { person.dogs.append(dog) }
  ///     print(dog.owners.count - before.count)          // 1
  public func freeze() -> LinkingObjects {
    guard let core else { Misuse.unmanaged("freeze()") }
    return LinkingObjects(LinkingHandle(core: core.moved(to: core.session.frozen())), origin: origin)
  }

  /// Returns the live counterpart in the realm of the current thread; nil when its object does not exist there. Traps
  /// when the object is unmanaged.
  ///
  ///     let frozen = dog.owners.freeze()
  ///     if let owners = frozen.thaw() { print(owners.count) }
  public func thaw() -> LinkingObjects? {
    guard let core = handle?.core else { Misuse.unmanaged("thaw()") }
    let thawed = core.moved(to: core.session.thawed())
    return thawed.isInvalidated ? nil : LinkingObjects(LinkingHandle(core: thawed), origin: origin)
  }

  /// The position of the first element, always 0.
  public var startIndex: Int { 0 }

  /// The position after the last element: the number of elements.
  public var endIndex: Int { count }

  /// The number of links; 0 while the object is unmanaged.
  ///
  ///     if dog.owners.count > 1 { print("\(dog.name) is shared.") }
  public var count: Int { isTraced ? 1 : handle?.count ?? 0 }

  /// The object at a position, 0..<count; each read makes a new accessor. Traps when the position is out of range.
  ///
  ///     if !dog.owners.isEmpty { print(dog.owners[0].name) }
  ///
  /// - Complexity: O(log n).
  public subscript(position: Int) -> Element {
    if isTraced { return Tracing.element(Element.self) }
    guard let core else { Misuse.outOfRange(position, 0) }
    return unsafe unsafeDowncast(core.object(at: position), to: Element.self)
  }

  /// Iterates over the linking objects that exist when the iteration begins.
  ///
  ///     for owner in dog.owners { print(owner.name) }
  public func makeIterator() -> RLMIterator<Element> {
    guard let core else { return RLMIterator(isTraced ? [self[0]] : []) }
    return RLMIterator(walk: core.walk(), context: core.context)
  }

  /// A description of the collection with at most 100 of its objects.
  public var description: String { CollectionDescription.of(self, "LinkingObjects", handle) }

  /// The position of an object, or nil. Traps for a deleted object.
  ///
  ///     let isOwner = dog.owners.index(of: person) != nil
  ///
  /// - Complexity: O(log n).
  public func index(of object: Element) -> Int? { core?.index(of: .object(object)) }

  /// Whether both show the links to one object through one property, in one realm (or in one frozen version).
  ///
  ///     print(dog.owners == dog.owners)          // true
  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    guard let a = a.handle, let b = b.handle else { return false }
    return a === b || a.isSame(as: b)
  }

  /// The elements as results, on which queries are based. Traps when its object is unmanaged.
  public func _asResults() -> Results<Element> {
    guard let core else { Misuse.unmanaged("A query") }
    return Results(core)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension LinkingObjects: _Persistable, LinkingObjectsProtocol {
  public typealias PersistedType = LinkingObjects

  /// Declares the objects that link through a property of theirs, as the initial value of a `@Persisted` property.
  ///
  ///     @Persisted var owners = LinkingObjects<Person>(originProperty: "dogs")
  ///
  /// - Parameter originProperty: the name of the linking property of `Element`. Opening a realm throws for any other
  ///   name.
  @inlinable
  public init(originProperty: String) {
    origin = originProperty
    handle = nil
  }

  public static var _facts: _TypeFacts {
    var facts = _TypeFacts(.link, target: Element.self)
    facts.isBacklinks = true
    return facts
  }

  public var _origin: String { origin }

  public static func _encode(_ value: LinkingObjects) -> _PropertyContent { .value(.null) }
  public static func _fromAny(_ value: Any) -> LinkingObjects? { nil }
  public static func _makeDefault() -> LinkingObjects { LinkingObjects(originProperty: "") }
  public static func _standIn() -> LinkingObjects? { LinkingObjects(LinkingHandle(isTracing: true)) }

  public static func _assign(
    _ value: LinkingObjects, to storage: inout LinkingObjects?, _ owner: ObjectBase?, _ index: Int
  ) {
    // Other objects determine the links to an object, so assigning keeps the declaration.
    if storage == nil { storage = value }
  }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> LinkingObjects? {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    object.locate(nil)
    let binding = unsafe object.binding.unsafelyUnwrapped.counted
    return LinkingObjects(LinkingHandle(LinkingHandle.Source(session, binding, object.key, index)))
  }

  public static func _save(_ value: LinkingObjects?, _ object: ObjectBase, _ index: Int) {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    session.checkWriting("LinkingObjects were assigned", of: object)
    session.fail(
      Realm.Error(
        .invalidValue,
        "Linking objects '\(type(of: object).className()).\(object.layout.fields[index].name)' cannot be assigned: "
          + "change the links of the objects at the other end."))
  }
}

// Declared without a wrapper, as in `let owners = LinkingObjects(fromType: Person.self, property: "dogs")`.
extension LinkingObjects: AnyPersistedField {
  static var isWrapper: Bool { false }

  static func value(at field: UnsafeMutableRawPointer) -> LinkingObjects {
    unsafe field.assumingMemoryBound(to: LinkingObjects.self).pointee
  }

  static func assign(_ value: LinkingObjects, at field: UnsafeMutableRawPointer) {}

  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int) {
    unsafe value(at: field).handle?.bind(LinkingHandle.Source(row.session, row.binding, row.key, index))
  }

  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int) {
    if owner.flags.contains(.tracing) { unsafe value(at: field).handle?.trace(owner, index) }
  }
}

extension LinkingObjects: TracedField {
  func notePassed() { handle?.notePassed() }
}
