import FiefGraph

/// The types of columns and of any-values, by their numbers in files.
enum FileType: Int64 {
  case integer = 0
  case boolean = 1
  case string = 2
  case binary = 4
  case any = 6
  case timestamp = 8
  case float = 9
  case double = 10
  case decimal = 11
  case link = 12
  case linkList = 13
  case backlinks = 14
  case objectId = 15
  case typedLink = 16
  case uuid = 17

  /// The kind of the values here; nil for backlinks.
  var kind: ValueKind? {
    switch self {
    case .integer: .int
    case .boolean: .bool
    case .string: .string
    case .binary: .data
    case .any, .typedLink: .any
    case .timestamp: .date
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .link, .linkList: .link
    case .objectId: .objectId
    case .uuid: .uuid
    case .backlinks: nil
    }
  }
}
