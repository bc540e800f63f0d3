package import FiefGraph
import Foundation

extension DocumentBuilder {
  /// Adds a scalar. In an any-value, a marker is added when plain JSON would be read as another type.
  package mutating func scalar(_ value: FiefGraph.Value, isAny: Bool) {
    switch value {
    case .null, .link: add(.null)
    case .bool(let value): add(.bool(value))
    case .int(let value): add(.int(value))
    case .string(let value): add(.string(value))
    case .date(let value): marked("$date", value.description, isAny: isAny)
    case .data(let value): marked("$data", value.base64EncodedString(), isAny: isAny)
    case .objectId(let value): marked("$objectId", value.stringValue, isAny: isAny)
    case .uuid(let value): marked("$uuid", value.uuidString, isAny: isAny)
    case .decimal(let value): marked("$decimal", value.description, isAny: isAny)
    case .float(let value):
      if !isAny, let number = Self.number(Double(value)) { return add(number) }
      marked("$float", value.description, isAny: isAny)
    case .double(let value):
      if !isAny || value.rounded() != value, let number = Self.number(value) { return add(number) }
      marked("$double", value.description, isAny: isAny)
    }
  }

  private mutating func marked(_ marker: String, _ text: String, isAny: Bool) {
    assert(marker.hasPrefix("$"), "A marker is told from a key by its first letter.")
    guard isAny else { return add(.string(text)) }
    beginObject()
    name(marker)
    add(.string(text))
    _ = endObject()
  }

  /// A number in the form in which JSON is read back. Nil for numbers that JSON does not have, and for -0, which many
  /// readers read as 0.
  private static func number(_ value: Double) -> Value? {
    value == 0 && value.sign == .minus ? nil : DocumentNumber.value(of: value)
  }
}
