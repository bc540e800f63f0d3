package import FiefGraph
package import FiefRuntime

/// A class of rows: its name, its properties, and where a store keeps them.
///
/// It has no access to the class of the language. Immutable once the classes of its store are connected.
// Safe, as the numbers of properties come from the class itself.
@safe
package final class RowClass: @unchecked Sendable {
  // Sendable, as `connect` is called once, while the store opens.

  /// The declaration of the class, which the maker of this retains. One declaration may be kept by several stores.
  package let declaration: Borrowed<AnyObject>
  package let name: String
  package let kind: TableKind
  /// The table in the store; 0 for a class that is described without a store.
  package let table: TableKey
  /// The stored properties, in the order of the class.
  package let properties: ContiguousArray<RowProperty>
  /// The properties by their numbers, linking objects included.
  package let all: ContiguousArray<RowProperty>
  package let keyProperty: RowProperty?
  /// Whether a unique index exists on the table.
  package let hasUniqueIndex: Bool
  private let numbers: [String: Int]
  /// By the property's number: the index of its leaf in a cluster; -1 for linking objects. Memory that lives as long as
  /// the class.
  package let leaves: UnsafePointer<Int32>

  /// Whether a delete rule of this store can refuse or cascade a deletion.
  package private(set) var storeHasDeleteRules = false
  // By the property's number. The references are unretained, as the store retains all of its classes.
  private var targets: ContiguousArray<Borrowed<RowClass>?> = []

  /// - Parameters:
  ///   - declaration: the declaration, which the maker retains for as long as the class is used.
  ///   - kind: the kind of the class, which may differ from that of the table during a migration.
  ///   - table: the table in the store; nil for a class that is described without a store.
  ///   - all: the properties by their numbers, linking objects included.
  ///   - numbers: the numbers of the properties by their names.
  package init(
    _ declaration: Borrowed<AnyObject>, name: String, kind: TableKind, table: TableSchema?,
    all: ContiguousArray<RowProperty>, numbers: [String: Int]
  ) {
    assert(all.enumerated().allSatisfy { $0 == $1.number }, "Properties are in the order of their numbers.")
    self.declaration = declaration
    self.name = name
    self.kind = kind
    self.table = table?.key ?? TableKey(rawValue: 0)
    self.all = all
    self.numbers = numbers
    hasUniqueIndex = table?.indexes.contains(where: \.isUnique) ?? false
    let leaves = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, all.count))
    for (number, property) in all.enumerated() {
      let leaf = property.isStored ? table.map { $0.leaf(of: property.column) ?? -1 } ?? 0 : -1
      unsafe (leaves + number).initialize(to: Int32(leaf))
    }
    unsafe self.leaves = unsafe UnsafePointer(leaves)
    properties = all.filter { unsafe leaves[$0.number] >= 0 }
    keyProperty = all.first(where: \.isPrimaryKey)
  }

  deinit { unsafe leaves.deallocate() }

  /// Connects the class with the others of its store.
  ///
  /// - Parameter targets: by the property's number, the class that links point at.
  package func connect(_ targets: ContiguousArray<Borrowed<RowClass>?>, storeHasDeleteRules: Bool) {
    assert(targets.count == all.count, "There is a target, or none, for each property.")
    self.targets = targets
    self.storeHasDeleteRules = storeHasDeleteRules
  }

  /// The number of the property with a Swift name.
  package func number(of name: String) -> Int? { numbers[name] }

  /// The index of a property's leaf in a cluster; -1 for linking objects.
  package func leaf(_ number: Int) -> Int {
    assert(all.indices.contains(number), "A property has the number that its class gave it.")
    return unsafe Int(leaves[number])
  }

  /// The cell of a row's property.
  package func cell(_ key: ObjectKey, _ number: Int) -> Cell { Cell(table, key, all[number].column) }

  /// The class that a property links to. Traps for properties without links.
  package func target(_ number: Int) -> RowClass {
    assert(targets.count == all.count, "The class was connected with the others of its store.")
    guard let target = targets[number] else { fatalError("A property without links was asked for its class.") }
    return target.counted
  }
}
