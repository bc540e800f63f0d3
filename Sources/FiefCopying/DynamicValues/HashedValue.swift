package import FiefGraph

/// A stored value that can be a dictionary key.
package struct HashedValue: Hashable {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.bitPattern)
    case .double(let value): hasher.combine(value.bitPattern)
    case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
    // The hash of data is that of the first 80 bytes and the count.
    case .data(let value): for byte in value { hasher.combine(byte) }
    case .date(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .decimal(let value):
      hasher.combine(value.description)
    case .link(let value): hasher.combine(value)
    }
  }
}
