import FiefObjects
import Foundation

/// A change to an observed object.
///
///     token = dog.observe { change in
///       if case .change(let dog, let properties) = change {
///         for property in properties { print(dog.age, property.name, property.oldValue ?? "nil") }
///       }
///     }
public enum ObjectChange<T> {
  /// Never sent.
  case error(_ error: NSError)
  /// Properties were changed, in the order of their declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted. No further change follows.
  case deleted
}

/// A change to one property of an observed object.
///
///     token = dog.observe { change in
///       if case .change(_, let properties) = change, let age = properties.first(where: { $0.name == "age" }) {
///         print(age.oldValue as? Int ?? 0, age.newValue as? Int ?? 0)
///       }
///     }
public struct PropertyChange {
  /// The name of the property. For a key path, the first name of the path.
  public let name: String
  /// The value at the previous notification; an object in it shows its present state. Nil for null, for collections,
  /// also in an any-value, and for an object that has since been deleted.
  public let oldValue: Any?
  /// The current value; for a collection property, the collection.
  public let newValue: Any?
}

/// A change to one property of an observed projection.
public typealias ProjectedPropertyChange = PropertyChange

extension ObjectChange: _ObservedChange {
  /// Returns the deletion of an object.
  public static var _deletion: ObjectChange? { .deleted }

  init(_ object: T, _ changes: [PropertyChange]?) {
    self = changes.map { .change(object, $0) } ?? .deleted
  }

  /// Returns the change with another object, and frozen values.
  public func _replacing(_ content: (T) -> T?) -> ObjectChange? {
    guard case .change(let old, let properties) = self else { return self }
    return content(old).map { object in
      .change(
        object,
        properties.map {
          PropertyChange(
            name: $0.name, oldValue: $0.oldValue.map { Transfer.frozen($0) },
            newValue: $0.newValue.map { Transfer.frozen($0) })
        })
    }
  }
}
