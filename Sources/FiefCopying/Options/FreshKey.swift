package import FiefGraph
import FiefValues
import Foundation

package enum FreshKey {
  /// A new key in its stored form; nil for types that cannot be generated.
  package static func stored(_ kind: ValueKind) -> Value? {
    switch kind {
    case .objectId: .objectId(.generate())
    case .uuid: .uuid(UUID())
    default: nil
    }
  }
}
