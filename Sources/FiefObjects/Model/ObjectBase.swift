import FiefCopying
public import FiefGraph
import FiefRuntime
public import FiefSessions
public import Observation

/// The common base of `Object`, `EmbeddedObject` and `AsymmetricObject`. Applications derive from those three.
///
/// An instance lives in one of two ways:
///
///     unmanaged   its wrappers hold the values                        realm == nil
///     managed     it is an *accessor*: session, class and key name a row, and every read looks there
///
/// An accessor caches the cluster and slot of its row. The cache is valid while the accessor's rowStamp equals the
/// session's present one (`Validity`). An accessor retains its session and nothing else.
///
/// A managed object takes part in observation: `withObservationTracking` is notified when a property changes that its
/// closure has read, or when the object is deleted. That happens when the object's realm shows the change: at the end
/// of its own write, or when it advances to that of another realm. Tracking keeps neither object nor realm alive.
///
///     withObservationTracking {
///       label = dog.name
///     } onChange: {
///       Task { await render() }
///     }
///
/// A managed object belongs to the thread, queue or actor that its session is confined to. Objects of frozen sessions
/// may be used from any thread, and so may an unmanaged object that is not shared.
open class ObjectBase: Hashable, CustomStringConvertible, Observable {
  // Exclusivity is not checked at run time for these properties. Each is a plain word that one thread at a time reads
  // and writes whole; those of a frozen object are written before any other thread can see it.

  /// The session of a managed object, retained.
  @safe @exclusivity(unchecked) @usableFromInline final var session: Kept<Session>?
  /// The class's binding in the session's store, which retains it.
  @safe @exclusivity(unchecked) @usableFromInline package final var binding: Borrowed<ClassBinding>?
  /// The key of the row.
  @safe @exclusivity(unchecked) @usableFromInline final var key: ObjectKey
  /// The knowledge about the row; says whether `cluster` and `slot` are valid.
  @safe @exclusivity(unchecked) @usableFromInline final var rowStamp: RowStamp
  /// The cluster that holds the row. The session's graph retains it while `rowStamp` is the session's present one.
  @safe @exclusivity(unchecked) @usableFromInline final var cluster: Borrowed<Cluster>?
  @safe @exclusivity(unchecked) @usableFromInline final var slot: Int32
  /// The session's epoch when the object was bound. It never changes afterwards, so any thread may read it.
  @safe @exclusivity(unchecked) final var epoch: Epoch
  @safe @exclusivity(unchecked) @usableFromInline final var flags: ObjectFlags

  /// Makes an unmanaged object with the declared defaults. The library calls it for each object that it returns.
  ///
  ///     class Visit: Object {
  ///       @Persisted var begin: Date
  ///       required override init() {
  ///         super.init()
  ///         begin = Date(timeIntervalSinceNow: -60)
  ///       }
  ///     }
  public required init() {
    session = nil
    binding = nil
    key = ObjectKey(-1)
    rowStamp = .none
    cluster = nil
    slot = 0
    epoch = Epoch(0)
    flags = []
    attachFields()
    HeapTrimming.noteObject(at: UInt(bitPattern: ObjectIdentifier(self)))
  }

  deinit {
    unsafe session?.release()
    HeapTrimming.noteRelease(ofObjectAt: UInt(bitPattern: ObjectIdentifier(self)))
    if !flags.isDisjoint(with: [.faulty, .ignoring]) {
      FaultyObjects.remove(self)
      IgnoredWrappers.remove(self)
    }
  }

  // MARK: Declarations of a class

  /// The name of the class in schemas and error messages, without its module and enclosing types.
  ///
  ///     print(Dog.className())          // Dog
  open class func className() -> String { ModelClass.shortName(of: self) }

  /// The names of stored properties that are not persisted, wrapped (`@Persisted`) or not; their values stay in the
  /// instance. Empty by default.
  ///
  ///     override class func ignoredProperties() -> [String] { ["isSelected"] }
  open class func ignoredProperties() -> [String] { [] }

  /// Maps Swift names to the names under which properties are stored. Empty by default.
  ///
  ///     override class func propertiesMapping() -> [String: String] { ["birthday": "date_of_birth"] }
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Whether realms whose configuration names no classes include this one. True by default.
  ///
  ///     override class func shouldIncludeInDefaultSchema() -> Bool { false }
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// The name under which the class is stored, when it differs from the class's own. Two classes may share one stored
  /// name.
  ///
  ///     override class func _realmObjectName() -> String? { "Hound" }
  open class func _realmObjectName() -> String? { nil }

  /// Whether the class is never a model, although it derives from a model class.
  ///
  ///     override class func _realmIgnoreClass() -> Bool { true }
  open class func _realmIgnoreClass() -> Bool { false }

  /// The primary key's name, for classes that do not use `@Persisted(primaryKey: true)`.
  class var legacyPrimaryKey: String? { nil }

  /// Names of indexed properties, for classes that do not use `@Persisted(indexed: true)`.
  class var legacyIndexes: [String] { [] }
  class var declaredCompoundIndexes: [CompoundIndex] { [] }

  // MARK: State

  /// Whether the object's row is gone: deleted, rolled back with the write that made it, or its realm invalidated.
  /// Always false for unmanaged objects.
  ///
  ///     if !dog.isInvalidated { print(dog.name) }
  ///
  /// May be called from any thread. Off the realm's thread, queue or actor it reflects the last commit, and whether the
  /// realm was invalidated.
  open var isInvalidated: Bool { isManaged && !isThere }

  /// A description of the object with its properties; nested objects are included to five levels. An invalidated object
  /// is described as `[invalid object]`. Traps outside the thread, queue or actor of a managed object.
  open var description: String { ObjectDescription.of(self) }

  // MARK: Equality

  /// Whether two objects are equal: one instance, or, when their class has a primary key or both are frozen, one row of
  /// one realm (or of one frozen version). Objects of different realms are never equal, on any thread. An override of
  /// `isEqual(_:)` in the class of `a` decides instead. Traps when both show one row of a live realm that is confined
  /// to another thread, queue or actor.
  ///
  ///     print(person == realm.object(ofType: Person.self, forPrimaryKey: person.id))          // true
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
    a === b || a.isEqual(b)
  }

  /// Whether the given value is an object equal to this one, as `==` defines it. `==`, hashed containers and the
  /// `index(of:)` and `contains(_:)` of unmanaged collections use an override of this method. Override `hash` with it.
  /// Managed collections and queries compare rows.
  ///
  ///     override func isEqual(_ object: Any?) -> Bool { (object as? Dog)?.chip == chip }
  ///     override var hash: Int { chip.hashValue }
  ///
  /// - Parameter object: any value; nil and values that are not objects are not equal.
  ///
  /// Traps when both show one row of a live realm that is confined to another thread, queue or actor.
  open func isEqual(_ object: Any?) -> Bool {
    guard let object, let other = DynamicValue.cast(object, to: ObjectBase.self) else { return false }
    return self === other || isSameRow(other, forEquality: true)
  }

  /// The hash value for hashed containers. It hashes the primary key's value; of a frozen object without one the row's
  /// key; of any other object the instance.
  ///
  /// The key of an unmanaged object is hashed as that of its row, so containers find the object after it was added. A
  /// key that changes while a container holds the object makes it unfindable there, as with every hashed value. That
  /// includes an increasing key, which an object gets when it is added; until then the instance is hashed.
  open var hash: Int {
    var hasher = Hasher()
    hashRow(into: &hasher)
    return hasher.finalize()
  }

  /// Hashes `hash`, which a class may override.
  open func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// Bits of an object's state.
@usableFromInline
struct ObjectFlags: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

  /// This accessor deleted its row.
  static let deleted = ObjectFlags(rawValue: 1)
  /// Reads of properties record their names: see `KeyPathNames`.
  @usableFromInline static let tracing = ObjectFlags(rawValue: 2)
  /// The object was made from a bad value; `FaultyObjects` holds the first error.
  static let faulty = ObjectFlags(rawValue: 4)
  /// The object is being added to a realm.
  static let visited = ObjectFlags(rawValue: 8)
  /// The class ignores wrappers; `IgnoredWrappers` holds their values.
  static let ignoring = ObjectFlags(rawValue: 16)
}

// MARK: - Fields

extension ObjectBase {
  /// The first byte behind this class's own stored properties: what lies at or beyond it belongs to subclasses.
  static let end = StoredFields.end(of: ObjectBase.self)

  /// Writes owner and tag into each wrapper. Runs when all stored properties have their first values.
  final func attachFields() {
    let base = unsafe address
    let owner: Borrowed<ObjectBase>? = unsafe Borrowed(self)
    FieldLayout.borrowed(type(of: self)).with { layout in
      for index in unsafe 0..<layout.places.count {
        let place = unsafe layout.places[index]
        guard place.offset >= 0 else { continue }
        unsafe (base + Int(place.offset)).assumingMemoryBound(to: Borrowed<ObjectBase>?.self).pointee = owner
        let tag = unsafe _WrapperTag.at(base + Int(place.tag))
        unsafe tag.pointee.index = UInt16(truncatingIfNeeded: index)
        unsafe tag.pointee.word = UInt16(truncatingIfNeeded: place.offset >> 3)
      }
      if layout.isMixed { attachOthers(layout) }
    }
  }

  private final func attachOthers(_ layout: FieldLayout) {
    if !layout.ignored.isEmpty {
      let first = IgnoredWrappers.add(layout.ignored.count, for: self)
      flags.insert(.ignoring)
      for (number, field) in layout.ignored.enumerated() {
        unsafe field.type.storeDefault(in: address + field.offset, ignoredNumber: first + number)
      }
    }
    for index in layout.legacy {
      let field = layout.fields[index]
      unsafe field.type.attach(address + field.offset, to: self, index)
    }
  }

  /// The address of the instance, valid while the instance lives.
  @inlinable
  final var address: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  final var layout: FieldLayout { FieldLayout.of(type(of: self)) }

  /// Whether the object is an accessor of a row (which may be deleted).
  @inlinable
  final var isManaged: Bool { session != nil }
}
