package import FiefGraph

extension Value {
  /// The value as code that reads by name sees it; nil for null and links.
  package var plain: (any Sendable)? {
    switch self {
    case .null, .link: nil
    case .bool(let value): value
    case .int(let value): Int(truncatingIfNeeded: value)
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value.date
    case .objectId(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    }
  }
}
