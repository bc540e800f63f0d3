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
