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
  package let isBareUnset: Bool
  package let field: any PropertyField

  package init(
    number: Int, name: String, column: ColumnKey, type: ColumnType, isPrimaryKey: Bool = false,
    isStored: Bool = true, embedsTarget: Bool, isBareUnset: Bool, field: any PropertyField
  ) {
    self.number = number
    self.name = name
    self.column = column
    self.type = type
    self.isPrimaryKey = isPrimaryKey
    self.isStored = isStored
    self.embedsTarget = embedsTarget
    self.isBareUnset = isBareUnset
    self.field = field
  }

  /// The type of the value, or of an element.
  package var element: ColumnType { type.element }
  /// Whether the value, or an element, may be null.
  package var allowsNull: Bool { type.allowsNull }

  /// The type as in a declaration.
  package var words: String {
    let inner: String
    switch type.kind {
    case .int: inner = type.width == .bits64 ? "Int" : "Int\(Int(type.width.rawValue) * 8)"
    case .link: inner = field.targetWords
    case .any: inner = "AnyRealmValue"
    case .decimal: inner = "Decimal128"
    case .uuid: inner = "UUID"
    case .objectId: inner = "ObjectId"
    default: inner = "\(type.kind)".prefix(1).uppercased() + "\(type.kind)".dropFirst()
    }
    let allowsNull = self.allowsNull && type.kind != .any
    switch type.shape {
    case .single: return allowsNull ? "\(inner)?" : inner
    case .list: return "List<\(inner)\(allowsNull ? "?" : "")>"
    case .set: return "MutableSet<\(inner)\(allowsNull ? "?" : "")>"
    case .dictionary: return "Map<String, \(inner)\(allowsNull ? "?" : "")>"
    }
  }

  /// The type of one element, as in a declaration.
  package var elementWords: String {
    guard type.shape != .single, let start = words.lastIndex(of: type.shape == .dictionary ? " " : "<") else {
      return words
    }
    return String(words[words.index(after: start)...].dropLast())
  }
}
