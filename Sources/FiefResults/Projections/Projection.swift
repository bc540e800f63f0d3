import FiefGraph
import FiefObjects
import FiefSessions
public import Observation

/// A view of a class's objects that shows some of their properties under other names.
///
///     class PersonView: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.address?.city) var city
///     }
///     let view = PersonView(projecting: person)
///     let all = realm.objects(PersonView.self)
///     try realm.write { view.name = "Ann" }        // writes to the person
///
/// A projection holds its root object and nothing else. Reads go to the root; so do writes, where the key path is
/// writable. A projection belongs to the root's realm and is valid as long as the root. Two projections are equal when
/// they are of one class and show the same root.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>: CustomStringConvertible,
  Observable
{
  /// The object that the projection shows.
  ///
  ///     print(view.rootObject.id)
  public let rootObject: Root

  /// Makes a projection of a managed or unmanaged object.
  ///
  ///     let view = PersonView(projecting: person)
  ///
  /// The first projection of a class traps when one of its properties shows something that the root does not persist.
  /// Changes of such a property could never be reported.
  ///
  /// - Parameter object: the root object, which the projection retains.
  public required init(projecting object: Root) {
    rootObject = object
    CheckedProjections.check(self)
  }

  /// The name of the projection, for messages.
  ///
  ///     print(PersonView.className())          // PersonView
  public static func className() -> String { String(describing: self) }

  /// The projection's properties with the paths that they show, and their values.
  ///
  ///     PersonView<Person> <0x600000c0> {
  ///     	name(\.name) = Ann;
  ///     	city(\.address.city) = Ghent;
  ///     }
  open var description: String {
    if rootObject.isInvalidated { return "[invalid object]" }
    let root = UInt(bitPattern: ObjectIdentifier(rootObject))
    let lines = ProjectedMember.all(of: self).map { member in
      let value = ObjectDescription.text(member.value(rootObject), ObjectDescription.deepest - 1)
      return "\t\(member.name)(\\.\(member.path)) = \(ObjectDescription.indented(value));\n"
    }
    let name = "\(Self.className())<\(type(of: rootObject).className())>"
    return "\(name) <0x\(String(root, radix: 16))> {\n\(lines.joined())}"
  }
}

extension Projection: ThreadConfined, ProjectionObservable {
  /// The realm of the root object; nil when the root is unmanaged.
  ///
  ///     try view.realm?.write { view.name = "Ann" }
  public var realm: Realm? { rootObject.realm }
  /// Whether the root object is invalidated.
  ///
  ///     try realm.write { realm.delete(view.rootObject) }
  ///     print(view.isInvalidated)          // true
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the root object is frozen.
  public var isFrozen: Bool { rootObject.isFrozen }
  /// Returns a projection of the frozen root object. Traps when the root is unmanaged.
  ///
  ///     let before = view.freeze()
  ///     try realm.write { view.name = "Bob" }
  ///     print(before.name, view.name)          // Ann Bob
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  /// Returns a projection of the live root object; nil when that object does not exist. Traps when the root is
  /// unmanaged.
  ///
  ///     if let view = frozenView.thaw() { try view.realm?.write { view.name = "Ann" } }
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }

  /// Returns this projection in another realm of its store; nil when the root does not exist there.
  public func _resolved(in realm: Realm) -> Self? { rootObject._resolved(in: realm).map { Self(projecting: $0) } }
}

extension Projection: _ObjectRepresentable {
  /// The root object.
  public var _object: ObjectBase { rootObject }

  /// Makes a projection of an object that records which of its properties are read.
  public static func _tracing() -> Self { Self(projecting: Root._tracing()) }
}

extension Projection: Hashable {
  /// Whether both are of one class and show one object: the same row, or the same instance.
  ///
  ///     print(PersonView(projecting: person) == PersonView(projecting: person))          // true
  public static func == (a: Projection, b: Projection) -> Bool {
    type(of: a) == type(of: b)
      && (a.rootObject === b.rootObject || a.rootObject.isSameRow(b.rootObject, forEquality: false))
  }

  /// Hashes the root's row, or the instance of an unmanaged root.
  public func hash(into hasher: inout Hasher) {
    if let link = rootObject.rowLink {
      rootObject.retainedSession?.checkConfinementOfUse()
      hasher.combine(link)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// A number that identifies the root object.
  ///
  ///     class DogRow: Projection<Dog>, ObjectKeyIdentifiable {
  ///       @Projected(\Dog.name) var title
  ///     }
  ///     print(DogRow(projecting: dog).id == dog.freeze().id)          // true, as 'Dog' is identifiable, too
  public var id: UInt64 { rootObject.rowIdentity }
}

/// Shows a property of the root object of a projection.
///
///     class DogView: Projection<Dog> {
///       @Projected(\Dog.name) var title
///       @Projected(\Dog.toy?.color) var color
///     }
///
/// The key path begins at the root class and may follow links. Assigning writes to the root object, and traps when the
/// key path is not writable, and outside a write transaction when the root is managed.
@propertyWrapper
public struct Projected<T: ObjectBase, Value> {
  let keyPath: KeyPath<T, Value>

  /// Shows the property at the end of a key path.
  ///
  ///     @Projected(\Person.address?.city) var city
  ///
  /// - Parameter keyPath: a path from the root class that passes a persisted property.
  public init(_ keyPath: KeyPath<T, Value>) { self.keyPath = keyPath }

  /// Unavailable: the value is read through the enclosing projection.
  @available(*, unavailable, message: "@Projected belongs to properties of classes that derive from Projection")
  public var wrappedValue: Value {
    get { fatalError("@Projected belongs to properties of classes that derive from Projection.") }
    // swift-format-ignore: the setter makes the projected property one that can be assigned
    set { fatalError("@Projected belongs to properties of classes that derive from Projection.") }
  }

  /// The value of the root object's property. Setting it traps when the key path is not writable.
  public static subscript<Enclosing: Projection<T>>(
    _enclosingInstance projection: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      guard let keyPath = projection[keyPath: storage].keyPath as? ReferenceWritableKeyPath<T, Value> else {
        fatalError(
          "A property of projection '\(Enclosing.className())' was assigned whose key path can only be read: assign it "
            + "on the root object."
        )
      }
      projection.rootObject[keyPath: keyPath] = newValue
    }
  }
}
