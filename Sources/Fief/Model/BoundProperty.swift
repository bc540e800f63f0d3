import FiefGraph

/// A stored property of a class in one store, with all facts that inserting values needs.
final class BoundProperty: @unchecked Sendable {
  // Immutable. The closures are those of the property's type and capture only metatypes.

  let number: Int
  let name: String
  let column: ColumnKey
  let type: ColumnType
  /// The type of the value, or of an element.
  let element: ColumnType
  /// Whether the value, or an element, may be null.
  let allowsNull: Bool
  let offset: Int
  let isPrimaryKey: Bool
  let facts: _TypeFacts
  let access: _FieldAccess
  /// Converts an untyped value or element; nil when it has a wrong type.
  let take: (Any) -> _PropertyContent?
  /// Whether an unmanaged property without a value equals the initial state of a new row: null or empty.
  let isBareUnset: Bool

  init(_ property: ModelProperty, _ column: ColumnKey, _ type: ColumnType) {
    number = property.number
    name = property.name
    self.column = column
    self.type = type
    element = type.element
    allowsNull = type.allowsNull
    offset = property.offset
    isPrimaryKey = property.isPrimaryKey
    facts = property.facts
    access = property.access
    take = property.facts.element?.take ?? property.access.take
    isBareUnset = facts.shape != .single || facts.kind == .any || facts.isOptional
  }

  /// The type as in a declaration.
  var words: String {
    let inner: String
    switch facts.kind {
    case .int: inner = type.width == .bits64 ? "Int" : "Int\(Int(type.width.rawValue) * 8)"
    case .link: inner = facts.target?.className() ?? "Object"
    case .any: inner = "AnyRealmValue"
    case .decimal: inner = "Decimal128"
    case .uuid: inner = "UUID"
    case .objectId: inner = "ObjectId"
    default: inner = "\(facts.kind)".prefix(1).uppercased() + "\(facts.kind)".dropFirst()
    }
    let allowsNull = self.allowsNull && facts.kind != .any
    switch facts.shape {
    case .single: return allowsNull ? "\(inner)?" : inner
    case .list: return "List<\(inner)\(allowsNull ? "?" : "")>"
    case .set: return "MutableSet<\(inner)\(allowsNull ? "?" : "")>"
    case .dictionary: return "Map<String, \(inner)\(allowsNull ? "?" : "")>"
    }
  }

  /// The type of one element, as in a declaration.
  var elementWords: String {
    guard facts.shape != .single, let start = words.lastIndex(of: facts.shape == .dictionary ? " " : "<") else {
      return words
    }
    return String(words[words.index(after: start)...].dropLast())
  }
}
