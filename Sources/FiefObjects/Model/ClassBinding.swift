public import FiefCopying
import FiefGraph
import FiefRuntime

/// The pairing of a class with its table in one store: for each property the column and the index of its leaf.
///
/// Created when the store opens and immutable afterwards, as the tables of an open store keep their layout.
// Safe, as the numbers of properties and the offsets of fields come from the class itself.
@safe
@usableFromInline
package final class ClassBinding: _RowClass, @unchecked Sendable {
  // Sendable, as all of it is immutable once the store is open.
  @usableFromInline let type: ObjectBase.Type
  /// Whether accessors have property objects that must be bound one by one.
  let hasLegacyProperties: Bool
  /// Whether the class defines the names of all rows in its table. Otherwise another class may define them.
  package let definesNames: Bool
  /// Write the scalars of an unmanaged object into a new row. The primary key is excluded, and so are scalars that
  /// application code converts.
  let fillers: ContiguousArray<Filler>
  /// Reads the primary key; nil without one, and when application code converts it.
  let keyFiller: Filler?
  /// Read the scalars that application code converts. The primary key is excluded.
  let foreignFillers: ContiguousArray<ForeignFiller>
  /// The wrappers that hold more than a scalar. They release their unmanaged values when an object becomes managed.
  /// Scalars and the declarations of linking objects stay, as they are not read any more.
  let wrappers: ContiguousArray<Wrapper>
  /// Whether an ordinary object whose `bareTags` are all unset reaches no other object. It is then made without a
  /// plan.
  let isDirect: Bool
  /// The names of the properties that a dictionary of scalars can give.
  let scalarNames: ScalarNames
  /// The offsets of the tags of links, any-values and collections.
  let bareTags: ContiguousArray<Int>
  /// By the property's number: the number of the property at the other end of linking objects. Set once, while the
  /// store opens.
  @safe @exclusivity(unchecked) package private(set) var origins: [Int?] = []

  /// Reads one scalar of an unmanaged object, or writes it into a new row. The code is specialised for its type.
  struct Filler {
    let number: Int
    let offset: Int
    let column: ColumnKey
    private let type: any _PersistableScalar.Type
    private let isOptional: Bool

    /// Nil for a property that is no scalar, and for one whose value has to be read through `ForeignFiller`.
    init?(_ property: ModelProperty, _ column: ColumnKey) {
      guard property.isWrapper, property.facts.isScalar, let type = property.facts.scalar else { return nil }
      (number, offset) = (property.number, property.offset)
      self.column = column
      self.type = type
      isOptional = property.facts.isOptional
    }

    /// - Parameter field: the address of the property's field.
    @inline(__always)
    func fill(_ field: UnsafeMutableRawPointer, into row: NewRow, _ column: ColumnKey) throws {
      unsafe try type._fill(field, isOptional: isOptional, into: row, column)
    }

    /// The value of the property of an unmanaged object.
    func value(in object: ObjectBase) -> StoredValue {
      assert(!object.isManaged, "A wrapper of a managed object has no value.")
      return unsafe type._stored(at: object.address + offset, isOptional: isOptional)
    }
  }

  /// Reads one scalar of an unmanaged object that is converted by application code, or is in an older property object.
  /// Never called while a row is being written.
  struct ForeignFiller {
    let column: ColumnKey
    private let property: ModelProperty
    var number: Int { property.number }

    /// Nil for a property that is no scalar, and for one that `Filler` writes.
    init?(_ property: ModelProperty, _ column: ColumnKey) {
      guard property.facts.isScalar, Filler(property, column) == nil else { return nil }
      self.property = property
      self.column = column
    }

    func value(in object: ObjectBase) -> StoredValue {
      ShortCut.applicationRuns()
      return property.content(in: object).stored ?? .null
    }
  }

  /// A wrapper that holds more than a scalar.
  struct Wrapper {
    let number: Int
    let offset: Int
    let tag: Int
    let type: any AnyPersistedField.Type
  }

  /// - Parameter graph: the graph whose tables decide about primary keys and kinds, where the classes differ from them:
  ///   during a migration. Nil when the tables are those that the classes declare.
  init(_ model: ModelClass, _ table: TableSchema, migrating graph: Graph? = nil) throws {
    type = model.type
    hasLegacyProperties = !model.layout.legacy.isEmpty
    definesNames = model.type._realmObjectName() == nil && model.type != DynamicObject.self
    let hasKey = graph == nil || table.primaryKey != nil
    let all = try ContiguousArray(
      model.properties.map { property in
        guard property.isStored else { return property as RowProperty }
        guard let column = table.column(named: property.storedName) else {
          throw Realm.Error(.fail, "The store has no column for '\(model.name).\(property.name)'.")
        }
        let target = graph.flatMap { graph in column.type.target.flatMap { graph[$0]?.schema } }
        return RowProperty(
          property, column: column.key, type: column.type, isPrimaryKey: hasKey && property.isPrimaryKey,
          embedsTarget: target.map { $0.kind == .embedded } ?? property.embedsTarget)
      })
    let stored = model.properties.filter(\.isStored)
    let others = stored.filter { !all[$0.number].isPrimaryKey }
    keyFiller = stored.first { all[$0.number].isPrimaryKey }.flatMap { Filler($0, all[$0.number].column) }
    fillers = ContiguousArray(others.compactMap { Filler($0, all[$0.number].column) })
    foreignFillers = ContiguousArray(others.compactMap { ForeignFiller($0, all[$0.number].column) })
    wrappers = ContiguousArray(
      stored.filter { !$0.facts.isScalar }.compactMap { property in
        guard let tag = property.tag, let type = property.access as? any AnyPersistedField.Type else { return nil }
        return Wrapper(number: property.number, offset: property.offset, tag: tag, type: type)
      })
    let linking = stored.filter { !$0.facts.isScalar }
    bareTags = ContiguousArray(linking.compactMap(\.tag))
    let kind = graph == nil || model.kind != .embedded || table.kind == .embedded ? model.kind : .ordinary
    isDirect =
      kind == .ordinary && !all.contains(where: \.isIncreasing)
      && linking.allSatisfy { $0.isWrapper && $0.facts.isEmptyAtFirst }
    scalarNames = ScalarNames(model, all)
    super.init(of: model, name: model.name, kind: kind, table: table, all: all)
  }

  /// Returns the class that a property links to. Traps for properties without links.
  @usableFromInline
  func targetBinding(_ number: Int) -> ClassBinding { unsafe unsafeDowncast(target(number), to: ClassBinding.self) }

  /// Returns the class that a property links to, or that linking objects come from, without retaining it.
  package func borrowedTarget(_ number: Int) -> Borrowed<ClassBinding>? {
    // All classes of a store are of this type.
    targets[number].map { unsafe $0.cast(to: ClassBinding.self) }
  }

  /// Connects the bindings of one store with each other.
  ///
  /// - Parameter target: finds the class at the other end of a property.
  static func connect(_ bindings: some Collection<ClassBinding>, target: (ModelProperty) -> ClassBinding?) {
    let haveRules = bindings.contains { $0.model.properties.contains { $0.declaration.rulesDeletions } }
    for binding in bindings {
      let targets = binding.model.properties.map(target)
      // The store retains all bindings.
      binding.connect(
        ContiguousArray(targets.map { $0.map { unsafe Borrowed($0) } }), deletionsHaveRules: haveRules)
      binding.origins = zip(binding.model.properties, targets).map { property, source in
        property.origin.flatMap { source?.number(of: $0) }
      }
    }
    for binding in bindings { binding.scalarNames.connect(binding) }
  }

  /// Returns the origin of linking objects: the class, and the number of the property there.
  package func origin(_ number: Int) -> (ClassBinding, Int)? {
    guard let origin = origins[number], let source = borrowedTarget(number) else { return nil }
    return (source.counted, origin)
  }
}
