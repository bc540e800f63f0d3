import FiefGraph

/// A view of a class's objects that shows some of their properties under names of its own.
///
///     class PersonView: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.address?.city) var city
///     }
///     let view = PersonView(projecting: person)
///     let all = realm.objects(PersonView.self)
///
/// It holds its root object and nothing else: reading goes to the root, writing too where the key path allows it. It
/// belongs to the root's realm, lives as long as the root, and equals every other projection of its class over the same
/// root.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: CustomStringConvertible {
  /// The object that is shown.
  public let rootObject: Root

  /// A projection of an object, managed or not.
  ///
  /// The first of a class traps when a property of the class shows what the root does not keep: its changes could never
  /// be told.
  public required init(projecting object: Root) {
    rootObject = object
    CheckedProjections.check(self)
  }

  /// The name of the projection, for messages.
  public static func className() -> String { String(describing: self) }

  /// Name and root object, as text.
  open var description: String { "\(Self.className())<\(rootObject.description)>" }
}

/// A type that shows objects of a root class.
public protocol ProjectionObservable: ThreadConfined {
  /// The class of the objects that are shown.
  associatedtype Root: ObjectBase & RealmCollectionValue & ThreadConfined

  /// The object that is shown.
  var rootObject: Root { get }
  /// A projection of an object.
  init(projecting object: Root)
}

extension Projection: ThreadConfined, ProjectionObservable {
  /// The realm of the root object; nil when that is unmanaged.
  public var realm: Realm? { rootObject.realm }
  /// Whether the root object is.
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the root object is.
  public var isFrozen: Bool { rootObject.isFrozen }
  /// A projection of the frozen root object.
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  /// A projection of the live root object; nil when that is not there.
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  /// The same as another realm of its store sees it; nil when it is not there.
  public func _seen(in realm: Realm) -> Self? { rootObject._seen(in: realm).map { Self(projecting: $0) } }
}

extension Projection: Hashable, KeypathSortable {
  /// Whether both are of one class and show one object: the same row, or the same instance.
  public static func == (a: Projection, b: Projection) -> Bool {
    type(of: a) == type(of: b)
      && (a.rootObject === b.rootObject || a.rootObject.isSameRow(b.rootObject, forEquality: false))
  }

  /// That of the root's row, or of its instance.
  public func hash(into hasher: inout Hasher) {
    if let link = rootObject.link {
      rootObject.heldSession?.checkPlaceOfUse()
      hasher.combine(link)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The number that names the root object.
  public var id: UInt64 { rootObject.rowIdentity }
}

/// Shows a property of the root object of a projection.
///
/// The key path begins at the root class and may go through links. Assigning writes to the root object when the key
/// path can be written to, and traps otherwise.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// Shows what a key path leads to.
  public init(_ keyPath: KeyPath<T, Value>) { self.keyPath = keyPath }

  /// Not to be used: the value is the enclosing projection's to read.
  @available(*, unavailable, message: "@Projected belongs to properties of classes that derive from Projection")
  public var wrappedValue: Value {
    get { fatalError("@Projected belongs to properties of classes that derive from Projection.") }
    // swift-format-ignore: the setter makes the projected property one that can be assigned
    set { fatalError("@Projected belongs to properties of classes that derive from Projection.") }
  }

  /// The value of the root object's property.
  public static subscript<Enclosing: Projection<T>>(
    _enclosingInstance projection: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      guard let keyPath = projection[keyPath: storage].keyPath as? ReferenceWritableKeyPath<T, Value> else {
        fatalError(
          "A property of projection '\(Enclosing.className())' was assigned whose key path can only be read: assign it on the root object."
        )
      }
      projection.rootObject[keyPath: keyPath] = newValue
    }
  }
}

/// The name of the root object's property, or the path of names, that a projection's property shows.
///
///     _name(for: \PersonView.city)   // "address.city"
///
/// Traps when the key path passes no kept property.
public func _name<P: ProjectionObservable>(for keyPath: PartialKeyPath<P>) -> String {
  if let name = KeyPathNames.name(of: keyPath) { return name }
  fatalError(
    "The key path \(keyPath) of '\(P.self)' passes no managed property of its root: name one that is declared with @Projected."
  )
}
