/// A change to an observed collection.
///
/// Deletions and modifications are positions in the old collection, insertions are positions in the new one. Each array
/// is ascending. A moved element is reported as a deletion and an insertion.
public enum RealmCollectionChange<CollectionType> {
  /// The state of the collection when the observation begins.
  case initial(CollectionType)
  /// Elements were inserted, deleted or modified.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never sent.
  case error(any Error)
}
