package import FiefGraph

package typealias RowProperty = _RowProperty

/// A property of a class, with the facts that copying values needs: as the class declares it, or as a store keeps it.
///
/// The module of the classes derives from it what a class declares; it is public for that. Applications do not use it.
open class _RowProperty: @unchecked Sendable {
  // Sendable, as it is immutable, and those that derive from it are.

  /// Its index among the properties of the class.
  package final let number: Int
  /// Its name in the language.
  package final let name: String
  /// The column in the store; 0 as the class declares it.
  package final let column: ColumnKey
  /// The type of the column; without its target as the class declares it.
  package final let type: ColumnType
  package final let isPrimaryKey: Bool
  /// Whether it is a primary key whose values the store hands out, where 0 is given.
  package final let isIncreasing: Bool
  /// Whether it has a column of its own. Linking objects do not.
  package final let isStored: Bool
  /// Whether links point at an embedded class, whose objects their owners' cells make.
  package final let embedsTarget: Bool
  /// Whether an unmanaged property without a value equals the initial state of a new row: null or empty.
  package final let startsEmpty: Bool
  /// The stored name of the class that links point at; nil for a property without links.
  package final let targetName: String?
  /// The name of that class for messages.
  package final let targetTypeName: String
  /// The declaration of the class; nil for the declaration itself.
  private final let declaredProperty: RowProperty?

  package init(
    number: Int, name: String, column: ColumnKey = ColumnKey(rawValue: 0), type: ColumnType, isPrimaryKey: Bool,
    isIncreasing: Bool = false, isStored: Bool = true, embedsTarget: Bool, startsEmpty: Bool, targetName: String?,
    targetTypeName: String,
    declared: RowProperty? = nil
  ) {
    self.number = number
    self.name = name
    self.column = column
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isIncreasing = isIncreasing && isPrimaryKey
    self.isStored = isStored
    self.embedsTarget = embedsTarget
    self.startsEmpty = startsEmpty
    self.targetName = targetName
    self.targetTypeName = targetTypeName
    declaredProperty = declared
  }

  /// A declared property as a store keeps it.
  package convenience init(
    _ declared: RowProperty, column: ColumnKey, type: ColumnType, isPrimaryKey: Bool, embedsTarget: Bool
  ) {
    self.init(
      number: declared.number, name: declared.name, column: column, type: type, isPrimaryKey: isPrimaryKey,
      isIncreasing: declared.isIncreasing, isStored: declared.isStored, embedsTarget: embedsTarget,
      startsEmpty: declared.startsEmpty,
      targetName: declared.targetName, targetTypeName: declared.targetTypeName, declared: declared)
  }

  package final var declared: RowProperty { declaredProperty ?? self }

  package final var element: ColumnType { type.element }
  /// Whether the value, or an element, may be null.
  package final var allowsNull: Bool { type.allowsNull }

  /// The type of the value, or of one element, as in a declaration.
  package final var elementTypeName: String {
    let name: String
    switch type.kind {
    case .int: name = type.width == .bits64 ? "Int" : "Int\(Int(type.width.rawValue) * 8)"
    case .link: name = targetTypeName
    case .any: return "AnyRealmValue"
    case .decimal: name = "Decimal128"
    case .uuid: name = "UUID"
    case .objectId: name = "ObjectId"
    default: name = "\(type.kind)".prefix(1).uppercased() + "\(type.kind)".dropFirst()
    }
    return allowsNull ? "\(name)?" : name
  }

  /// The type as in a declaration.
  package final var typeName: String {
    switch type.shape {
    case .single: elementTypeName
    case .list: "List<\(elementTypeName)>"
    case .set: "MutableSet<\(elementTypeName)>"
    case .dictionary: "Map<String, \(elementTypeName)>"
    }
  }
}
