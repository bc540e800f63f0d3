public import FiefGraph
public import FiefRuntime

package typealias RowClass = _RowClass

/// A class of rows: its name, its properties, and where a store keeps them.
///
/// The module of the classes derives two kinds from it, and it is public for that: what a class declares, without a
/// store, and its pairing with a table. Immutable once the classes of its store are connected. Applications do not use
/// it.
// Safe, as the numbers of properties come from the class itself.
@safe
open class _RowClass: @unchecked Sendable {
  // Sendable, as `connect` is called once, while the store opens.

  package final let name: String
  /// The names of the classes from which it inherits properties, the nearest first.
  package final let superclasses: [String]
  package final let kind: TableKind
  /// The table in the store; 0 for a class that is described without a store.
  @usableFromInline package final let table: TableKey
  /// The stored properties, in the order of the class.
  package final let stored: ContiguousArray<RowProperty>
  /// The properties by their numbers, linking objects included.
  package final let all: ContiguousArray<RowProperty>
  /// By the property's number: its column. The entry of linking objects is a placeholder.
  @usableFromInline package final let columns: [ColumnKey]
  package final let primaryKey: Int?
  /// Whether a unique index exists on the table.
  package final let hasUniqueIndex: Bool
  private final let names: PropertyNames
  /// The declaration of the class; nil for the declaration itself.
  private final let declaredClass: RowClass?
  /// By the property's number: the index of its leaf in a cluster; -1 for linking objects. Reads of properties go
  /// through it: an array would be checked and retained. The memory lives as long as the class.
  @usableFromInline final let leaves: UnsafePointer<Int32>

  /// Whether a delete rule of this store can refuse or cascade a deletion.
  package private(set) final var deletionsHaveRules = false
  @safe @exclusivity(unchecked) @usableFromInline final var targetsStorage: ContiguousArray<Borrowed<_RowClass>?> = []
  /// By the property's number: the class that links point at, or that linking objects come from. The references are
  /// unretained, as the store retains all of its classes.
  // Other modules would check the exclusivity of the stored property, which is set once, while the store opens.
  @inlinable
  package final var targets: ContiguousArray<Borrowed<_RowClass>?> { targetsStorage }

  /// - Parameters:
  ///   - declaration: what the class declares; nil for a declaration.
  ///   - superclasses: the names of the classes above a declaration.
  ///   - kind: the kind of the class, which may differ from that of the table during a migration.
  ///   - table: the table in the store; nil for a class that is described without a store.
  ///   - all: the properties by their numbers, linking objects included.
  package init(
    of declaration: RowClass? = nil, name: String, superclasses: [String] = [], kind: TableKind, table: TableSchema?,
    all: ContiguousArray<RowProperty>
  ) {
    assert(all.enumerated().allSatisfy { $0 == $1.number }, "Properties are in the order of their numbers.")
    declaredClass = declaration
    self.name = name
    self.superclasses = declaration?.superclasses ?? superclasses
    self.kind = kind
    self.table = table?.key ?? TableKey(rawValue: 0)
    self.all = all
    columns = all.map(\.column)
    names = PropertyNames(all.map(\.name))
    hasUniqueIndex = table?.indexes.contains(where: \.isUnique) ?? false
    let leaves = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, all.count))
    for (number, property) in all.enumerated() {
      let leaf = property.isStored ? table.map { $0.leaf(of: property.column) ?? -1 } ?? 0 : -1
      unsafe (leaves + number).initialize(to: Int32(leaf))
    }
    unsafe self.leaves = unsafe UnsafePointer(leaves)
    stored = all.filter { unsafe leaves[$0.number] >= 0 }
    primaryKey = all.first(where: \.isPrimaryKey)?.number
  }

  deinit { unsafe leaves.deallocate() }

  /// The class as it is declared. One declaration may be kept by several stores.
  package final var declaration: RowClass { declaredClass ?? self }

  /// Whether `other` declares the class. Unlike a comparison with `declaration`, this retains nothing.
  package final func isDeclared(by other: RowClass) -> Bool {
    guard let declaredClass else { return other === self }
    return other === declaredClass
  }

  package final var keyProperty: RowProperty? { primaryKey.map { all[$0] } }

  /// Connects the class with the others of its store.
  ///
  /// - Parameter targets: by the property's number, the class that links point at, or that linking objects come from.
  package final func connect(_ targets: ContiguousArray<Borrowed<RowClass>?>, deletionsHaveRules: Bool) {
    assert(targets.count == all.count, "There is a target, or none, for each property.")
    targetsStorage = targets
    self.deletionsHaveRules = deletionsHaveRules
  }

  /// The number of the property with a Swift name.
  package final func number(of name: String) -> Int? { names.number(of: name) }

  /// The index of a property's leaf in a cluster; -1 for linking objects.
  @inlinable
  @inline(__always)
  package final func leaf(_ number: Int) -> Int {
    assert(columns.indices.contains(number), "A property has the number that its class gave it.")
    return unsafe Int(leaves[number])
  }

  package final func type(of number: Int) -> ColumnType { all[number].type }

  /// The cell of a row's property.
  package final func cell(_ key: ObjectKey, _ number: Int) -> Cell { Cell(table, key, columns[number]) }

  /// The class that a property links to. Traps for properties without links.
  package final func target(_ number: Int) -> RowClass {
    assert(targets.count == all.count, "The class was connected with the others of its store.")
    guard let target = targets[number] else { fatalError("A property without links was asked for its class.") }
    return target.counted
  }
}
