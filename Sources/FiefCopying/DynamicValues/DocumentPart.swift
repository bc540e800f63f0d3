import FiefValues
import Foundation

/// An array or an object of a document, as an untyped value. `DynamicContainer` reads one level of it.
package struct DocumentPart: MessageDescribing {
  let tree: DocumentTree
  let value: DocumentTree.Value

  /// The contents, one level of them; nil for a scalar.
  var container: DynamicContainer? {
    switch value {
    case .array(let span): .array(tree.elements(span).map(tree.untyped), nil)
    case .object(let span): .members(tree, span)
    default: nil
    }
  }

  package var messageDescription: String {
    if case .array(let span) = value { return "an array of \(span.count) elements" }
    return "a dictionary"
  }
}

extension DocumentTree {
  /// A value as Foundation's JSON objects; a container as a `DocumentPart`, which is not read.
  package func untyped(_ value: Value) -> Any {
    switch value {
    case .null: NSNull()
    case .bool(let value): value
    case .int(let value): Int(exactly: value) ?? Double(value)
    case .double(let value): value
    case .decimal(let value): value.foundation.map { NSDecimalNumber(decimal: $0) } ?? value
    case .string(let value): value
    case .array, .object: DocumentPart(tree: self, value: value)
    }
  }
}
