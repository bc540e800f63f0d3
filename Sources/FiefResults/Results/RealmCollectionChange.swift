import FiefObjects

/// A change to an observed collection.
///
///     token = dogs.observe { change in
///       if case .update(let dogs, let deletions, let insertions, let modifications) = change {
///         print(dogs.count, deletions, insertions, modifications)
///       }
///     }
///
/// Deletions and modifications are positions in the old collection, insertions are positions in the new one. Each array
/// is ascending. A moved element is reported as a deletion and an insertion.
///
/// Removing the deletions in descending order, then inserting the insertions in ascending order, turns the old order
/// into the new one.
public enum RealmCollectionChange<CollectionType> {
  /// The state of the collection when the observation begins.
  case initial(CollectionType)
  /// Elements were inserted, deleted or modified.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never sent.
  case error(any Error)
}

extension RealmCollectionChange: _ObservedChange {
  init(_ collection: CollectionType, _ changes: PositionChanges?) {
    guard let changes else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications)
  }

  /// Returns the change with another collection.
  public func _replacing(_ content: (CollectionType) -> CollectionType?) -> RealmCollectionChange? {
    switch self {
    case .initial(let old): content(old).map { .initial($0) }
    case .update(let old, let deletions, let insertions, let modifications):
      content(old).map {
        .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
      }
    case .error: self
    }
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

extension RealmMapChange: _ObservedChange {
  /// Returns the change with another map.
  public func _replacing(_ content: (Collection) -> Collection?) -> RealmMapChange? {
    switch self {
    case .initial(let old): content(old).map { .initial($0) }
    case .update(let old, let deletions, let insertions, let modifications):
      content(old).map {
        .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
      }
    case .error: self
    }
  }
}
