import FiefGraph
import Foundation

/// The kinds of properties. The numbers are those of Realm.
///
///     switch property.type {
///     case .object, .linkingObjects: print("leads to \(property.objectClassName ?? "")")
///     default: print("holds values of the kind \(property.type)")
///     }
@frozen
public enum PropertyType: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// An integer of any width.
  case int = 0
  /// A boolean.
  case bool = 1
  /// A string.
  case string = 2
  /// Binary data.
  case data = 3
  /// A point in time.
  case date = 4
  /// A number of single precision.
  case float = 5
  /// A number of double precision.
  case double = 6
  /// A link to an object.
  case object = 7
  /// The objects that link to this one.
  case linkingObjects = 8
  /// A value of any type.
  case any = 9
  /// An object identifier of 12 bytes.
  case objectId = 10
  /// A decimal number of 34 digits.
  case decimal128 = 11
  /// A unique identifier.
  case UUID = 12

  /// The name of the kind.
  public var description: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .object: "object"
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .decimal128: "decimal128"
    case .UUID: "uuid"
    }
  }

  package var kind: ValueKind {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .data
    case .date: .date
    case .float: .float
    case .double: .double
    case .object, .linkingObjects: .link
    case .any: .any
    case .objectId: .objectId
    case .decimal128: .decimal
    case .UUID: .uuid
    }
  }

  /// The type of values of a kind.
  package init(_ kind: ValueKind) { self = Self.allCases.first { $0.kind == kind } ?? .any }

  init(_ facts: _TypeFacts) { self = facts.isBacklinks ? .linkingObjects : PropertyType(facts.kind) }
}
