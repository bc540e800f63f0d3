public import Fief
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// A binding to a map of a realm: a map that views can change.
///
/// Each change is a write, as for `BoundCollection`.
@MainActor
public protocol BoundMap {
  /// The type of the map.
  associatedtype Value: RealmKeyedCollection

  /// The map as the view shows it.
  var wrappedValue: Value { get }

  /// Requests that views are evaluated again, after a change of an unmanaged map.
  func _changedDirectly()
}

extension Binding: BoundMap where Value: RealmKeyedCollection {
  /// Requests that views are evaluated again, after a change of an unmanaged map.
  public func _changedDirectly() { wrappedValue = wrappedValue }
}

extension BoundMap {
  /// The value for a key; nil when the key is missing. Assigning writes; nil removes the entry.
  ///
  ///     $pond.levels["may"] = 3
  public subscript(key: Value.Key) -> Value.Value? {
    get { wrappedValue[key] }
    nonmutating set { set(object: newValue, for: key) }
  }

  /// Sets the value for a key.
  ///
  ///     $pond.levels.set(object: 3, for: "may")
  ///
  /// - Parameters:
  ///   - object: the value; an unmanaged object is added to the realm, a frozen one is thawed, and nil removes the
  ///     entry.
  ///   - key: the key.
  public func set(object: Value.Value?, for key: Value.Key) {
    let map = wrappedValue
    ImplicitWrite.change(map) { map in
      if let object { map.updateValue(ImplicitWrite.thawed(object), forKey: key) } else { map.removeObject(for: key) }
    }
    if map.realm == nil { _changedDirectly() }
  }
}
