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
  /// and for an object that has since been deleted.
  public let oldValue: Any?
  /// The current value; for a collection property, the collection.
  public let newValue: Any?
}

/// A change to one property of an observed projection.
public typealias ProjectedPropertyChange = PropertyChange

extension RealmCollectionChange {
  init(_ collection: CollectionType, _ changes: PositionChanges?) {
    guard let changes else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications)
  }
}

/// A change to an observed map, as arrays of keys. Each array is ascending.
///
///     token = person.scores.observe { change in
///       if case .update(let scores, let deletions, let insertions, let modifications) = change {
///         print(scores.count, deletions, insertions, modifications)
///       }
///     }
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The state of the map when the observation begins.
  case initial(Collection)
  /// Keys were inserted or deleted, or their values were modified.
  case update(Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never sent.
  case error(any Error)
}
