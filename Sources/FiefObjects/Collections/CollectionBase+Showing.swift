import FiefCopying
import Foundation

// Views by names: a live view of an unmanaged object's collection, with elements of another type than the original. The
// view copies the original's elements before each read. Changing the view itself traps.

extension CollectionBase {
  /// Becomes a view of an unmanaged collection, with dynamic objects or stored values as elements.
  final func show(_ collection: CollectionBase) {
    shown = collection
    isTracing = true
    refreshShown()
  }

  /// Copies the current elements of the shown collection. Linear.
  final func refreshShown() {
    guard let shown else { return }
    // Not a view meanwhile, so that its elements can be replaced.
    isTracing = false
    defer { isTracing = true }
    var isKeyed = false
    var values: [Any] = []
    var entries: DynamicEntries = []
    for (key, value) in shown.firstElements(.max).elements {
      var element: Any = NSNull()
      if let value {
        if let object = DynamicValue.cast(value, to: ObjectBase.self) {
          element = DynamicObject.of(object) ?? object
        } else {
          element = plain(value) ?? NSNull()
        }
      }
      if let key {
        isKeyed = true
        entries.append((key, element))
      } else {
        values.append(element)
      }
    }
    let all: Any = isKeyed ? entries : values
    if (isKeyed || !values.isEmpty), (self as? any _CollectionProperty)?._replaceElements(byAny: all) == true { return }
    _ = (self as? any _CollectionProperty)?._replaceElements(byAny: nil)
    if isKeyed || !values.isEmpty {
      fatalError(
        "The elements of an unmanaged collection are read as a '\(type(of: self))', which they are "
          + "none: name their type."
      )
    }
  }

  /// Traps for a view, whose elements are only copies of the shown collection's.
  @usableFromInline
  final func checkOwnElements() {
    if isTracing && shown != nil {
      fatalError(
        "An unmanaged collection was changed through a view by names: change the property's own collection, or add its "
          + "object to a realm first.")
    }
  }
}
