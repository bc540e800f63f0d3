import FiefSessions

extension Session {
  /// Traps when a collection was deleted and no write is in progress. The deletion is reported before the missing
  /// write.
  func checkPresence(of collection: some RealmCollectionBase) {
    // Reading a deleted collection traps with a message about the collection.
    if transaction == nil && !isFrozen { _ = collection.startIndex == collection.endIndex }
  }
}
