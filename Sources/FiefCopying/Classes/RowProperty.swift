package import FiefGraph

/// A property of a class, with the facts that copying values needs.
package final class RowProperty: Sendable {
  /// Its index among the properties of the class.
  package let number: Int
  package let name: String
  /// The column in the store; 0 for a class that is described without a store.
  package let column: ColumnKey
  package let type: ColumnType
  package let isPrimaryKey: Bool
  /// Whether it has a column of its own. Linking objects do not.
  package let isStored: Bool
  /// Whether links point at an embedded class, whose objects their owners' cells make.
  package let embedsTarget: Bool
  /// Whether an unmanaged property without a value equals the initial state of a new row: null or empty.
  package let startsEmpty: Bool
  package let field: any PropertyField

  package init(
    number: Int, name: String, column: ColumnKey, type: ColumnType, isPrimaryKey: Bool = false,
    isStored: Bool = true, embedsTarget: Bool, startsEmpty: Bool, field: any PropertyField
  ) {
    self.number = number
    self.name = name
    self.column = column
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isStored = isStored
    self.embedsTarget = embedsTarget
    self.startsEmpty = startsEmpty
    self.field = field
  }

  package var element: ColumnType { type.element }
  /// Whether the value, or an element, may be null.
  package var allowsNull: Bool { type.allowsNull }

  /// The type of the value, or of one element, as in a declaration.
  package var elementTypeName: String {
    let name: String
    switch type.kind {
    case .int: name = type.width == .bits64 ? "Int" : "Int\(Int(type.width.rawValue) * 8)"
    case .link: name = field.targetTypeName
    case .any: return "AnyRealmValue"
    case .decimal: name = "Decimal128"
    case .uuid: name = "UUID"
    case .objectId: name = "ObjectId"
    default: name = "\(type.kind)".prefix(1).uppercased() + "\(type.kind)".dropFirst()
    }
    return allowsNull ? "\(name)?" : name
  }

  /// The type as in a declaration.
  package var typeName: String {
    switch type.shape {
    case .single: elementTypeName
    case .list: "List<\(elementTypeName)>"
    case .set: "MutableSet<\(elementTypeName)>"
    case .dictionary: "Map<String, \(elementTypeName)>"
    }
  }
}
