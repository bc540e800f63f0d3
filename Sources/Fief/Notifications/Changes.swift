import Foundation

/// What happened to an observed object.
public enum ObjectChange<T> {
  /// Never sent.
  case error(_ error: NSError)
  /// Properties were changed, in the order of their declaration.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted. Nothing comes after this.
  case deleted
}

/// What happened to one property of an observed object.
public struct PropertyChange {
  /// The name of the property; of a key path its first name.
  public let name: String
  /// The value when the observer was told last: as it is stored, a link as an object in its present state. Nil for
  /// null, for collections, and for an object that was deleted since.
  public let oldValue: Any?
  /// The value now; of collections the collection.
  public let newValue: Any?
}

/// What happened to an observed collection.
///
/// Deletions and modifications are positions in the old collection, insertions in the new one; each ascends. What has
/// moved is deleted and inserted.
public enum RealmCollectionChange<CollectionType> {
  /// The collection as it is when the observation begins.
  case initial(CollectionType)
  /// Elements came, went, or were changed.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never sent.
  case error(any Error)

  init(_ collection: CollectionType, _ changes: PositionChanges?) {
    guard let changes else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications)
  }
}

/// What happened to an observed map: keys, each ascending.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
  /// The map as it is when the observation begins.
  case initial(Collection)
  /// Keys came, went, or have other values.
  case update(Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never sent.
  case error(any Error)
}
