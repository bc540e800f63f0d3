import FiefGraph
import FiefObjects
import FiefSessions

extension LinkingObjects: RealmCollection {
  /// The realm of its object; nil when the object is unmanaged.
  public var realm: Realm? { handle?.session.map { Realm($0) } }

  /// Whether its object was deleted, or the realm invalidated.
  public var isInvalidated: Bool { handle?.core?.isInvalidated ?? false }

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
  public var description: String { CollectionDescription.of(self, kind: "LinkingObjects", identity: handle) }

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

  /// The elements as results, on which queries are based; none while its object is unmanaged.
  public func _asResults() -> Results<Element> { Results(core ?? .nothing()) }

  /// Returns the backlinks in another realm of their store; nil when their target does not exist there.
  public func _resolved(in realm: Realm) -> LinkingObjects? {
    guard let core = handle?.core else { Misuse.unmanaged("A counterpart in another realm") }
    let seen = core.moved(to: realm.session)
    return seen.isInvalidated ? nil : LinkingObjects(seen, origin: origin)
  }
}

extension LinkingObjects {
  /// Whether reads record property names. If so, this call has recorded the name of the property.
  private var isTraced: Bool { handle?.isTraced ?? false }

  /// The core that evaluates the links; nil while the object is unmanaged.
  private var core: ResultsStorage? {
    guard let core = handle?.core else { return nil }
    if core.isInvalidated { LinkingHandle.trapInvalidated(core.session) }
    return core
  }

  private init(_ core: ResultsStorage, origin: String) {
    self.init(LinkingHandle(core.session, view: core), origin: origin)
  }
}

extension LinkingHandle {
  /// The core of the view; nil while the object is unmanaged. Traps off the session's thread, queue or actor.
  fileprivate var core: ResultsStorage? {
    session?.checkConfinementOfUse()
    return view { ResultsStorage($0, of: .backlinks($1.origin.counted, $1.column, $1.target)) }
  }

  /// Whether both show the links to one object through one property, in the same version. Handles of unmanaged objects
  /// are never equal.
  fileprivate func isSame(as other: LinkingHandle) -> Bool {
    guard let session, let otherSession = other.session, session.sees(sameAs: otherSession),
      case .backlinks(let source, let column, let target)? = core?.base,
      case .backlinks(let otherSource, let otherColumn, let otherTarget)? = other.core?.base
    else { return false }
    return source === otherSource && column == otherColumn && target == otherTarget
  }

  /// The number of links.
  fileprivate var count: Int {
    if let count = countOfUnviewed { return count }
    session?.checkConfinement()
    guard let core else { return 0 }
    if core.isInvalidated { Self.trapInvalidated(core.session) }
    return core.count
  }

  fileprivate static func trapInvalidated(_ session: Session) -> Never {
    session.checkConfinement()
    fatalError(
      "LinkingObjects of an object that has been deleted or invalidated cannot be used: ask isInvalidated first.")
  }
}
