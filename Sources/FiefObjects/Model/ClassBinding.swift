import FiefCopying
public import FiefGraph
public import FiefRuntime

/// The binding of one class to one store: its table, and for each property the column and the index of its leaf.
///
/// Created when the store opens and immutable afterwards, as the tables of an open store keep their layout.
// Safe, as the numbers of properties and the offsets of fields come from the class itself.
@safe
@usableFromInline
package final class ClassBinding: @unchecked Sendable {
  // Sendable, as all of it is immutable once the store is open.
  package let model: ModelClass
  /// The pairing of the class with its table. What reads of properties need of it is repeated here, so that they do not
  /// go through a second object.
  let rows: RowClass
  @usableFromInline let type: ObjectBase.Type
  /// Whether accessors have property objects that must be bound one by one.
  let hasLegacyProperties: Bool
  @usableFromInline package let table: TableKey
  /// Whether the class defines the names of all rows in its table. Otherwise another class may define them.
  package let definesNames: Bool
  /// By the property's number. The entry of linking objects is a placeholder.
  @usableFromInline package let columns: [ColumnKey]
  // Memory of `rows`, as reads go through it: an array would be checked and retained.
  @usableFromInline let leaves: UnsafePointer<Int32>
  /// The number of the primary key.
  let primaryKey: Int?
  /// Write the scalars of an unmanaged object into a new row. The primary key is excluded, and so are scalars that
  /// application code converts.
  let fillers: [Filler]
  /// Read the scalars that application code converts. The primary key is excluded.
  let foreignFillers: [ForeignFiller]

  /// The wrappers that hold more than a scalar. They release their unmanaged values when an object becomes managed.
  /// Scalars and the declarations of linking objects stay, as they are not read any more.
  let wrappers: ContiguousArray<Wrapper>
  /// Whether an ordinary object whose `bareOffsets` are all unset reaches no other object. It is then made without a
  /// plan.
  let isDirect: Bool
  /// The names of the properties that a dictionary of scalars can give.
  let scalarNames: ScalarNames
  /// The offsets of the wrappers of links, any-values and collections.
  let bareOffsets: ContiguousArray<Int>
  /// The primary key as the class declares it.
  let keyField: ModelProperty?

  /// Writes one scalar of an unmanaged object into a new row.
  struct Filler {
    let offset: Int
    let column: ColumnKey
    private let type: any _PersistableScalar.Type
    private let isOptional: Bool

    /// Nil for a property that is no scalar, and for one whose value has to be read through `ForeignFiller`.
    init?(_ property: ModelProperty, _ column: ColumnKey) {
      guard property.isWrapper, property.facts.isScalar, let type = property.facts.scalar else { return nil }
      offset = property.offset
      self.column = column
      self.type = type
      isOptional = property.facts.isOptional
    }

    /// - Parameter field: the address of the property's field.
    @inline(__always)
    func fill(_ field: UnsafeMutableRawPointer, _ row: NewRow, _ column: ColumnKey) throws {
      unsafe try type._fill(field, isOptional: isOptional, row, column)
    }
  }

  /// Reads one scalar of an unmanaged object that is converted by application code, or is in an older property object.
  /// Never called while a row is being written.
  struct ForeignFiller {
    let column: ColumnKey
    private let property: ModelProperty

    /// Nil for a property that is no scalar, and for one that `Filler` writes.
    init?(_ property: ModelProperty, _ column: ColumnKey) {
      guard property.facts.isScalar, Filler(property, column) == nil else { return nil }
      self.property = property
      self.column = column
    }

    /// The value as it is stored.
    func value(in object: ObjectBase) -> StoredValue {
      ShortCut.applicationRuns()
      return property.content(in: object).stored ?? .null
    }
  }

  /// A wrapper that holds more than a scalar.
  struct Wrapper {
    let number: Int
    let offset: Int
    let type: any AnyPersistedField.Type
  }

  /// By the property's number: the class that links point at, or that linking objects come from. Set once, while the
  /// store opens. The references are unretained, as the store retains all bindings.
  @usableFromInline package fileprivate(set) var targets: [Borrowed<ClassBinding>?] = []

  /// By the property's number: the origin of linking objects. Set once, while the store opens.
  package fileprivate(set) var origins: [LinkOrigin?] = []

  /// The other end of linking objects: a property of a class.
  package struct LinkOrigin {
    package let source: Borrowed<ClassBinding>
    package let column: ColumnKey
  }

  /// - Parameter graph: the graph whose tables decide about primary keys and kinds, where the classes differ from them:
  ///   during a migration. Nil when the tables are those that the classes declare.
  init(_ model: ModelClass, _ table: TableSchema, migrating graph: Graph? = nil) throws {
    self.model = model
    type = model.type
    hasLegacyProperties = !model.layout.legacy.isEmpty
    self.table = table.key
    definesNames = model.type._realmObjectName() == nil && model.type != DynamicObject.self
    let primaryKey = graph == nil || table.primaryKey != nil ? model.primaryKey : nil
    self.primaryKey = primaryKey
    let all = try ContiguousArray(
      model.properties.map { property in
        guard property.isStored else { return RowProperty(property, ColumnKey(rawValue: 0), ColumnType(.link)) }
        guard let column = table.column(named: property.storedName) else {
          throw Realm.Error(.fail, "The store has no column for '\(model.name).\(property.name)'.")
        }
        return RowProperty(property, column.key, column.type, migrating: graph, primaryKey: primaryKey)
      })
    columns = all.map(\.column)
    let stored = model.properties.filter(\.isStored)
    let others = stored.filter { $0.number != primaryKey }
    fillers = others.compactMap { Filler($0, all[$0.number].column) }
    let kind = graph == nil || model.kind != .embedded || table.kind == .embedded ? model.kind : .ordinary
    // The model lives as long as this object, and this object as long as its rows' class is used.
    rows = unsafe RowClass(
      Borrowed(model), name: model.name, kind: kind, table: table, all: all, numbers: model.numbers)
    wrappers = ContiguousArray(
      stored.filter { $0.isWrapper && !$0.facts.isScalar }.compactMap { property in
        (property.access as? any AnyPersistedField.Type).map {
          Wrapper(number: property.number, offset: property.offset, type: $0)
        }
      })
    let linking = stored.filter { !$0.facts.isScalar }
    isDirect = kind == .ordinary && linking.allSatisfy { $0.isWrapper && $0.facts.isEmptyAtFirst }
    scalarNames = ScalarNames(rows)
    foreignFillers = others.compactMap { ForeignFiller($0, all[$0.number].column) }
    bareOffsets = ContiguousArray(linking.map(\.offset))
    keyField = primaryKey.map { model.properties[$0] }
    unsafe leaves = unsafe rows.leaves
  }

  /// The index of a property's leaf in a cluster; -1 for linking objects.
  @inlinable
  @inline(__always)
  package func leaf(_ number: Int) -> Int {
    assert(columns.indices.contains(number), "A property has the number that its class gave it.")
    return unsafe Int(leaves[number])
  }

  /// The type of a property's column.
  package func type(of number: Int) -> ColumnType { rows.all[number].type }

  /// Returns the cell of a row's property.
  package func cell(_ key: ObjectKey, _ number: Int) -> Cell { Cell(table, key, columns[number]) }

  /// Returns the class that a property links to. Traps for properties without links.
  @usableFromInline
  func target(_ number: Int) -> ClassBinding {
    guard let target = targets[number] else { fatalError("A property without links was asked for its class.") }
    return target.counted
  }

  /// Connects the bindings of one store with each other.
  ///
  /// - Parameter target: finds the class at the other end of a property.
  static func connect(_ bindings: some Collection<ClassBinding>, target: (ModelProperty) -> ClassBinding?) {
    let hasRules = bindings.contains { $0.model.properties.contains { $0.deleteRule != .nullify } }
    for binding in bindings {
      let targets = binding.model.properties.map(target)
      // The store retains all bindings.
      binding.targets = targets.map { $0.map { unsafe Borrowed($0) } }
      binding.rows.connect(
        ContiguousArray(targets.map { $0.map { unsafe Borrowed($0.rows) } }), storeHasDeleteRules: hasRules)
      binding.origins = zip(binding.model.properties, targets).map { property, source in
        guard let name = property.origin, let source, let number = source.model.number(of: name) else { return nil }
        return LinkOrigin(source: unsafe Borrowed(source), column: source.columns[number])
      }
    }
    for binding in bindings { binding.scalarNames.connect(binding.targets) }
  }

  /// Returns the origin of linking objects: the class, and the number of the property there.
  package func origin(_ number: Int) -> (ClassBinding, Int)? {
    guard let origin = origins[number], let name = model.properties[number].origin else { return nil }
    let source = origin.source.counted
    return source.model.number(of: name).map { (source, $0) }
  }
}
