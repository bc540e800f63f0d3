public import FiefGraph
import FiefRuntime

/// What `Object`, `EmbeddedObject` and `AsymmetricObject` have in common. Applications derive from those three.
///
/// An instance lives in one of two ways:
///
///     unmanaged   its wrappers hold the values                        realm == nil
///     managed     it is an *accessor*: session, class and key name a row, and every read looks there
///
/// An accessor remembers the cluster and slot of its row and trusts them while the session's stamp is the one
/// under which it found them. It keeps its session alive, and nothing else.
///
/// Who may use it: the thread, queue or actor that its session is confined to; anybody, when that is frozen or the
/// object unmanaged and not shared.
open class ObjectBase: Hashable, CustomStringConvertible {
  // Exclusivity is not checked at run time on these: each is a plain word that is read and written whole, by one thread
  // at a time (of a frozen object: written before anybody else can see it).

  /// The session of a managed object, retained.
  @exclusivity(unchecked) @usableFromInline final var session: Unmanaged<Session>?
  /// The class as the session's store has it; held by the store.
  @exclusivity(unchecked) @usableFromInline final var binding: Unmanaged<ClassBinding>?
  /// The row.
  @exclusivity(unchecked) @usableFromInline final var key: ObjectKey
  /// The stamp of the session under which `cluster` and `slot` were found; 0 when they were not.
  @exclusivity(unchecked) @usableFromInline final var stamp: UInt64
  /// Where the row lies; held by the session's graph while the stamp is the session's.
  @exclusivity(unchecked) @usableFromInline final var cluster: Unmanaged<Cluster>?
  @exclusivity(unchecked) @usableFromInline final var slot: Int32
  @exclusivity(unchecked) @usableFromInline final var flags: ObjectFlags
  /// The session's era in which the object was given out. It never changes after that, so anybody may ask for it.
  @exclusivity(unchecked) final var era: UInt16

  /// Makes an unmanaged object with the declared defaults.
  public required init() {
    session = nil
    binding = nil
    key = ObjectKey(-1)
    stamp = 0
    cluster = nil
    slot = 0
    flags = []
    era = 0
    attachFields()
  }

  deinit {
    session?.release()
    if flags.contains(.faulty) { FaultyObjects.forget(self) }
  }

  // MARK: What a class says of itself

  /// The name of the class in schemas and error messages: without its module and the types around it.
  open class func className() -> String { ModelClass.shortName(of: self) }

  /// Names of stored properties that are not kept, wrapped (`@Persisted`) or not: they are the instance's own.
  open class func ignoredProperties() -> [String] { [] }

  /// Swift names to the names under which properties are stored.
  open class func propertiesMapping() -> [String: String] { [:] }

  /// Whether realms whose configuration names no classes have this one.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }

  /// The name under which the class is stored, when that is not its own. Two classes may share one.
  open class func _realmObjectName() -> String? { nil }

  /// Whether the class is never a model, although it derives from one.
  open class func _realmIgnoreClass() -> Bool { false }

  /// The primary key's name, for classes that do not use `@Persisted(primaryKey: true)`.
  class var olderPrimaryKey: String? { nil }

  /// Names of indexed properties, for classes that do not use `@Persisted(indexed: true)`.
  class var olderIndexes: [String] { [] }
  class var declaredCompoundIndexes: [CompoundIndex] { [] }

  /// What the class says of itself, as stores keep it; nil for the classes that models derive from.
  public static func sharedSchema() -> ObjectSchema? {
    ModelSelection.isBase(self) ? nil : ObjectSchema(ModelClass.of(self))
  }

  // MARK: State

  /// Whether the object's row is gone: deleted, rolled back with the write that made it, or its realm invalidated.
  /// Always false for unmanaged objects.
  ///
  /// May be asked anywhere. Elsewhere than in the realm's place it tells what was committed last, and whether the realm
  /// was invalidated.
  open var isInvalidated: Bool { isManaged && !isThere }

  /// The object with its properties, as text; nested objects to five levels.
  open var description: String { ObjectDescription.of(self) }

  // MARK: Equality

  /// Whether two objects are the same: one instance, or, when their class has a primary key or both are frozen, one row
  /// of one realm (or of one frozen version). Where the class of `a` overrides `isEqual(_:)`, that says so. Traps for
  /// managed objects of which one belongs elsewhere.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool {
    if a === b { return true }
    return a.overridesEquality ? a.isEqual(b) : a.isSameRow(b, forEquality: true)
  }

  /// Whether something is the same object, in the meaning of `==`, which follows an override of this, as do hashed
  /// containers and the unmanaged collections' `index(of:)` and `contains(_:)`. Override `hash` with it. Managed
  /// collections and queries compare rows.
  open func isEqual(_ object: Any?) -> Bool {
    guard let other = object.flatMap(flattened), Untyped.isObject(other), let other = other as? ObjectBase else {
      return false
    }
    return self === other || isSameRow(other, forEquality: true)
  }

  /// The number by which hashed containers find the object: of the primary key's value, where equality goes by rows,
  /// else of the instance.
  open var hash: Int {
    var hasher = Hasher()
    hashRow(into: &hasher)
    return hasher.finalize()
  }

  /// Feeds what `==` compares: what `hash` is made of, or `hash` itself, where the class overrides that.
  open func hash(into hasher: inout Hasher) {
    if overridesEquality { hasher.combine(hash) } else { hashRow(into: &hasher) }
  }

  /// Whether the class says itself what is equal. Known once for each class, so that the others pay for two loads.
  private final var overridesEquality: Bool {
    FieldLayout.peek(type(of: self))._withUnsafeGuaranteedRef { $0.overridesEquality }
  }
}

/// Bits of an object's state.
@usableFromInline
struct ObjectFlags: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

  /// This accessor deleted its row.
  static let deleted = ObjectFlags(rawValue: 1)
  /// Reading a property notes its name: see `KeyPathNames`.
  @usableFromInline static let tracing = ObjectFlags(rawValue: 2)
  /// The value that it was made of was bad; the first error is kept aside.
  static let faulty = ObjectFlags(rawValue: 4)
  /// It is being brought into a realm at this moment.
  static let visited = ObjectFlags(rawValue: 8)
}

// MARK: - Fields

extension ObjectBase {
  /// The first byte behind this class's own stored properties: what lies at or beyond it belongs to subclasses.
  static let end = StoredFields.end(of: ObjectBase.self)

  /// Tells each wrapper whose it is and which. Runs when all stored properties have their first values.
  final func attachFields() {
    let base = address
    let owner = Unmanaged.passUnretained(self)
    FieldLayout.peek(type(of: self))._withUnsafeGuaranteedRef { layout in
      for index in 0..<layout.offsets.count {
        let offset = Int(layout.offsets[index])
        guard offset >= 0 else { continue }
        let header = (base + offset).assumingMemoryBound(to: WrapperHeader.self)
        header.pointee.owner = owner
        header.pointee.index = UInt32(truncatingIfNeeded: index)
      }
      if layout.isMixed { attachOthers(layout) }
    }
  }

  private final func attachOthers(_ layout: FieldLayout) {
    for field in layout.ignored { field.type._settle(address + field.offset) }
    for index in layout.older {
      let field = layout.fields[index]
      field.type._fieldAccess.attach(address + field.offset, self, index)
    }
  }

  /// Where the instance lies. Valid while it lives.
  @usableFromInline
  final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  final var layout: FieldLayout { FieldLayout.of(type(of: self)) }

  /// Whether it is an accessor of a row (which may be gone).
  @inlinable
  final var isManaged: Bool { session != nil }
}
