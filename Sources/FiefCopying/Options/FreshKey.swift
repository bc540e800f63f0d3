package import FiefGraph
import FiefValues
import Foundation

/// Generates unique primary keys.
package enum FreshKey {
  /// A new key in the application's form; nil for types that cannot be generated.
  package static func value(_ kind: ValueKind) -> Any? {
    switch kind {
    case .objectId: ObjectId.generate()
    case .uuid: UUID()
    default: nil
    }
  }

  /// A new key in its stored form; nil for types that cannot be generated.
  package static func stored(_ kind: ValueKind) -> Value? {
    switch kind {
    case .objectId: .objectId(.generate())
    case .uuid: .uuid(UUID())
    default: nil
    }
  }
}
