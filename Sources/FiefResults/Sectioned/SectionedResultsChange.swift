import FiefObjects
public import Foundation

/// A change of observed sections.
///
///     token = realm.objects(Song.self).sectioned(by: \.genre).observe { change in
///       if case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted) = change {
///         print(deletions, insertions, modifications, inserted, deleted)
///       }
///     }
///
/// An index path consists of a section and a position in it. Deletions, modifications and deleted sections have the
/// indices of the old state; insertions and inserted sections those of the new one. The elements of an inserted section
/// are among the insertions; those of a deleted section are not among the deletions. A moved element or section is
/// deleted and inserted.
public enum SectionedResultsChange<Collection> {
  /// The sections as they are when the observation begins.
  case initial(Collection)
  /// Elements or sections were inserted, deleted or modified. Each array and set is in ascending order.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

/// The name that older code uses for `SectionedResultsChange`.
@available(*, deprecated, renamed: "SectionedResultsChange")
public typealias RealmSectionedResultsChange = SectionedResultsChange

extension SectionedResultsChange: _ObservedChange {
  init(_ collection: Collection, _ changes: SectionChanges?) {
    guard let changes else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications,
      sectionsToInsert: changes.insertedSections, sectionsToDelete: changes.deletedSections)
  }
  /// Returns the change with other sections.
  public func _replacing(_ content: (Collection) -> Collection?) -> SectionedResultsChange? {
    switch self {
    case .initial(let old): content(old).map { .initial($0) }
    case .update(let old, let deletions, let insertions, let modifications, let inserted, let deleted):
      content(old).map {
        .update(
          $0, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: inserted,
          sectionsToDelete: deleted)
      }
    }
  }
}
