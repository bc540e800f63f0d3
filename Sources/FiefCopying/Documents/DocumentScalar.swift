package import FiefGraph
import FiefValues
import Foundation

/// Reads the scalars that JSON does not have, which documents hold as strings: the opposite of
/// `DocumentBuilder.scalar`.
package enum DocumentScalar {
  /// The value of a string by the type of its property; nil when the string has another form, and for a number beyond
  /// the greatest of its type. Infinity is written as a word.
  package static func value(of text: String, _ kind: ValueKind) -> Value? {
    switch kind {
    case .string: .string(text)
    case .date: Timestamp(text).map(Value.date)
    case .data: Data(base64Encoded: text).map(Value.data)
    case .objectId: (try? ObjectId(string: text)).map(Value.objectId)
    case .uuid: UUID(uuidString: text).map(Value.uuid)
    case .decimal:
      (try? Decimal128(validating: text)).flatMap { number in
        number.isInfinite && text.utf8.contains { 0x30...0x39 ~= $0 } ? nil : .decimal(number)
      }
    case .float, .double: Value.string(text).converted(to: kind)
    case .bool, .int, .link, .any: nil
    }
  }

  /// The number of a floating type that is nearest to a number of a document; nil when that is not finite, and for
  /// other types.
  package static func value(of number: Decimal128, _ kind: ValueKind) -> Value? {
    switch kind {
    // From the digits, because a double between would round twice.
    case .float: Float(number.description).flatMap { $0.isFinite ? .float($0) : nil }
    case .double: number.doubleValue.isFinite ? .double(number.doubleValue) : nil
    default: nil
    }
  }

  /// The type that a marker such as `$date` names; nil for other names.
  static func kind(ofMarker name: String) -> ValueKind? {
    switch name {
    case "$date": .date
    case "$data": .data
    case "$objectId": .objectId
    case "$uuid": .uuid
    case "$decimal": .decimal
    case "$float": .float
    case "$double": .double
    default: nil
    }
  }

  /// The value of an object that consists of a marker and a string; nil for everything else.
  package static func marked(_ members: DocumentTree.Span, in tree: DocumentTree) -> Value? {
    guard members.count == 1, let text = tree.value(0, of: members).text,
      let kind = kind(ofMarker: tree.name(0, of: members))
    else { return nil }
    return value(of: text, kind)
  }
}
