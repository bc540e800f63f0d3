import FiefGraph
import Foundation

/// Primary keys that nobody has yet.
enum FreshKey {
  /// A new key as an application sees it; nil for types whose values are not made anew.
  static func value(_ kind: ValueKind) -> Any? {
    switch kind {
    case .objectId: ObjectId.generate()
    case .uuid: UUID()
    default: nil
    }
  }

  /// A new key as it is stored.
  static func stored(_ kind: ValueKind) -> StoredValue? {
    switch kind {
    case .objectId: .objectId(.generate())
    case .uuid: .uuid(UUID())
    default: nil
    }
  }
}
