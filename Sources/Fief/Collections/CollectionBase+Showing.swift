import Foundation

// A collection of an unmanaged object that is seen by names: a live view of the property's own, which has elements of
// another type. It looks at that before it is read, and is never changed itself.

extension CollectionBase {
  /// Becomes a view of an unmanaged collection, by the names of what its objects have or the stored values.
  final func show(_ collection: CollectionBase) {
    shown = collection
    isTracing = true
    refreshShown()
  }

  /// Takes over the elements of what it shows, as they are now. Linear.
  final func refreshShown() {
    guard let shown else { return }
    // Meanwhile changes are its own.
    isTracing = false
    defer { isTracing = true }
    var isKeyed = false
    var values: [Any] = []
    var entries: [String: Any] = [:]
    for (key, value) in shown.firstElements(.max).elements {
      var element: Any = NSNull()
      if let value {
        if let object = Untyped.cast(value, to: ObjectBase.self) {
          element = DynamicObject.of(object) ?? object
        } else {
          element = plain(value) ?? NSNull()
        }
      }
      if let key {
        isKeyed = true
        entries[key] = element
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

  /// Traps when it is a view: what it shows may have changed since it was looked at.
  @usableFromInline
  final func checkOwnElements() {
    if isTracing && shown != nil {
      fatalError(
        "An unmanaged collection was changed through a view by names: change the property's own collection, or add its "
          + "object to a realm first.")
    }
  }
}
