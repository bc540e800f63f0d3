package import FiefGraph
package import FiefRuntime

/// A class of rows: its name, its properties, and where a store keeps them.
///
/// It has no access to the class of the language. Immutable once the classes of its store are connected.
// Safe, as the numbers of properties come from the class itself.
package final class RowClass: @unchecked Sendable {
  // Sendable, as `connect` is called once, while the store opens.

  /// The uses of a class's objects.
  package enum Kind: Sendable {
    case object, embedded, asymmetric
  }

  /// The declaration of the class, which the maker of this retains. One declaration may be kept by several stores.
  package let declaration: Borrowed<AnyObject>
  /// The stored name.
  package let name: String
  package let kind: Kind
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
  private let leaves: ContiguousArray<Int32>

  /// Whether a delete rule of this store can refuse or cascade a deletion.
  package private(set) var storeHasDeleteRules = false
  // By the property's number. The references are unretained, as the store retains all of its classes.
  private var targets: ContiguousArray<Borrowed<RowClass>?> = []

  /// - Parameters:
  ///   - declaration: the declaration, which the maker retains for as long as the class is used.
  ///   - all: the properties by their numbers, linking objects included.
  ///   - leaves: by the property's number, the index of its leaf in a cluster; -1 for linking objects.
  ///   - numbers: the numbers of the properties by their names.
  package init(
    _ declaration: Borrowed<AnyObject>, name: String, kind: Kind, table: TableKey, all: ContiguousArray<RowProperty>,
    leaves: ContiguousArray<Int32>, numbers: [String: Int], hasUniqueIndex: Bool
  ) {
    self.declaration = declaration
    self.name = name
    self.kind = kind
    self.table = table
    self.all = all
    self.leaves = leaves
    self.numbers = numbers
    self.hasUniqueIndex = hasUniqueIndex
    properties = all.filter { leaves[$0.number] >= 0 }
    keyProperty = all.first(where: \.isPrimaryKey)
  }

  /// Connects the class with the others of its store.
  ///
  /// - Parameter targets: by the property's number, the class that links point at.
  package func connect(_ targets: ContiguousArray<Borrowed<RowClass>?>, storeHasDeleteRules: Bool) {
    self.targets = targets
    self.storeHasDeleteRules = storeHasDeleteRules
  }

  /// The number of the property with a Swift name.
  package func number(of name: String) -> Int? { numbers[name] }

  /// The index of a property's leaf in a cluster; -1 for linking objects.
  package func leaf(_ number: Int) -> Int { Int(leaves[number]) }

  /// The cell of a row's property.
  package func cell(_ key: ObjectKey, _ number: Int) -> Cell { Cell(table, key, all[number].column) }

  /// The class that a property links to. Traps for properties without links.
  package func target(_ number: Int) -> RowClass {
    guard let target = targets[number] else { fatalError("A property without links was asked for its class.") }
    return target.counted
  }
}
