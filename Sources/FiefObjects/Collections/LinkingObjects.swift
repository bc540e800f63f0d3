import FiefGraph
import FiefRuntime
import FiefSessions
import Synchronization

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
/// An object occurs once for each of its links, so twice when one of its lists contains the target twice. The linking
/// property may be one of any-values. Their own links count; links in the lists and dictionaries that they hold do not.
/// The collection is live and read-only; for unmanaged objects it is empty, and so are queries of it, for good. Reading
/// it traps when its object was deleted. Assigning it fails the write.
public struct LinkingObjects<Element: ObjectBase> {
  /// The name of the linking property.
  @usableFromInline package let origin: String
  /// The handle that shows the objects; nil for the declaration of an unmanaged object, which shows nothing.
  @usableFromInline package let handle: LinkingHandle?

  package init(_ handle: LinkingHandle, origin: String = "") {
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
}

/// The shared state of a `LinkingObjects`. A declaration without a wrapper receives its object after its
/// initialization.
///
/// It holds the view of the links for those who evaluate it. The view is made when more than the number of links is
/// read.
@usableFromInline
package final class LinkingHandle {
  // Exclusivity is not checked at run time for these properties: no code of the application runs within an access.

  /// The target row, and the property at the other end of the links.
  package struct Source {
    package let origin: Borrowed<ClassBinding>
    package let column: ColumnKey
    package let target: ObjectLink

    init?(_ binding: ClassBinding, _ key: ObjectKey, number: Int) {
      guard let property = binding.origins[number], let origin = binding.borrowedTarget(number) else { return nil }
      self.origin = origin
      column = origin.with { $0.columns[property] }
      target = ObjectLink(binding.table, key)
    }
  }

  /// The session of the object; nil while the object is unmanaged. May be read on any thread.
  @safe @exclusivity(unchecked) package private(set) var session: Session?
  /// The links; nil while the object is unmanaged, and for a handle that was made with its view.
  @safe @exclusivity(unchecked) private(set) var source: Source?
  /// The view. In a frozen session, whose views any thread may use, it is made under the lock.
  @safe @exclusivity(unchecked) private var view: AnyObject?
  private let making = Mutex(())
  /// Whether reads record property names: see `KeyPathNames`.
  @safe @exclusivity(unchecked) private var isTracing = false
  /// The tracing object that contains the field and outlives the trace; below, the property's index in it.
  @safe @exclusivity(unchecked) private var owner: Borrowed<ObjectBase>?
  @safe @exclusivity(unchecked) private var number = 0

  /// Makes a handle of an unmanaged object.
  init(isTracing: Bool = false) { self.isTracing = isTracing }

  /// Makes a handle of the row of an object.
  init(_ session: Session, _ source: Source?) {
    self.session = source == nil ? nil : session
    self.source = source
  }

  /// Makes a handle of a view.
  package init(_ session: Session, view: AnyObject) {
    self.session = session
    self.view = view
  }

  /// Binds the handle to the row of its object.
  func bind(_ session: Session, _ source: Source?) {
    self.session = source == nil ? nil : session
    self.source = source
    view = nil
  }

  /// Makes reads record property names from now on, beginning with the name of this property, which has no wrapper.
  func trace(_ owner: ObjectBase, _ number: Int) {
    isTracing = true
    self.owner = unsafe Borrowed(owner)
    self.number = number
  }

  /// Whether reads record property names. If so, this call has recorded the name of the property.
  package var isTraced: Bool {
    if isTracing { notePassed() }
    return isTracing
  }

  func notePassed() {
    if let owner { PropertyTrace.note(self, of: owner, number) }
  }

  /// The number of links of a live object of which no view was made. Nil for all others, and where the quick check of
  /// the executor fails: the view has to be asked then, and says what is wrong. No references are counted.
  package var countOfUnviewed: Int? {
    // Other threads may make the view of a frozen session meanwhile.
    guard let session = borrowedSession, session.with({ !$0.isFrozen }), view == nil, let source else { return nil }
    return ShortCut.backlinkCounts.attempt {
      session.with { session in
        guard session.isOnExecutor else { return nil }
        return session.borrowedTable(source.target.table)?.with { table in
          guard table.contains(source.target.key) else { return nil }
          return table.countBacklinks(
            to: source.target.key, from: source.origin.with { $0.table }, source.column)
        }
      }
    }
  }

  /// The session, which this holds. Nobody binds the handle anew while the session is asked.
  private var borrowedSession: Borrowed<Session>? { session.map { unsafe Borrowed($0) } }

  /// The view; nil while the object is unmanaged. The first call makes it. All calls have to ask for one type.
  package func view<View: AnyObject>(_ make: (Session, Source) -> View) -> View? {
    guard let session else { return nil }
    // After this, the view of a frozen session never changes.
    if session.isFrozen { making.withLock { _ in makeView(session, make) } } else { makeView(session, make) }
    return view.map { unsafe unsafeDowncast($0, to: View.self) }
  }

  private func makeView(_ session: Session, _ make: (Session, Source) -> AnyObject) {
    if view == nil { view = source.map { make(session, $0) } }
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
    _ value: LinkingObjects, to storage: inout LinkingObjects?, of owner: ObjectBase?, _ index: Int
  ) {
    // Other objects determine the links to an object, so assigning keeps the declaration.
    if storage == nil { storage = value }
  }

  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> LinkingObjects? { _load(object, index) }

  public static func _load(_ object: ObjectBase, _ index: Int) -> LinkingObjects {
    object.locate(nil)
    let source = unsafe object.binding.unsafelyUnwrapped.with {
      LinkingHandle.Source($0, object.key, number: index)
    }
    return unsafe LinkingObjects(object.session.unsafelyUnwrapped.with { LinkingHandle($0, source) })
  }

  public static func _save(_ value: LinkingObjects?, to object: ObjectBase, _ index: Int) {
    let session = unsafe object.retainedSession.unsafelyUnwrapped
    session.checkWriting("LinkingObjects were assigned", with: object)
    session.fail(
      Realm.Error(
        .invalidValue,
        "Linking objects '\(type(of: object).className()).\(object.layout.fields[index].name)' cannot be assigned: "
          + "change the links of the objects at the other end."))
  }
}

// Declared without a wrapper, as in `let owners = LinkingObjects(fromType: Person.self, property: "dogs")`.
extension LinkingObjects: AnyPersistedField {
  static var tagOffset: Int? { nil }

  static func value(at field: UnsafeMutableRawPointer) -> LinkingObjects {
    unsafe field.assumingMemoryBound(to: LinkingObjects.self).pointee
  }

  static func assign(_ value: LinkingObjects, at field: UnsafeMutableRawPointer) {}

  static func bind(_ field: UnsafeMutableRawPointer, to row: RowBinding, _ index: Int) {
    unsafe value(at: field).handle?.bind(row.session, LinkingHandle.Source(row.binding, row.key, number: index))
  }

  static func attach(_ field: UnsafeMutableRawPointer, to owner: ObjectBase, _ index: Int) {
    if owner.flags.contains(.tracing) { unsafe value(at: field).handle?.trace(owner, index) }
  }
}

extension LinkingObjects: TracedField {
  func notePassed() { handle?.notePassed() }
}
