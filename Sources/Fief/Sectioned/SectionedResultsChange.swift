public import Foundation

/// What happened to observed sections.
///
/// A path has two numbers, a section and a position in it. Deletions, modifications and deleted sections are told as
/// they were in the old state; insertions and inserted sections as they are in the new one. The elements of an inserted
/// section are among the insertions; those of a deleted section are gone with it, and not among the deletions. What has
/// moved, an element or a section, is deleted and inserted.
public enum SectionedResultsChange<Collection> {
  /// The sections as they are when the observation begins.
  case initial(Collection)
  /// Elements or sections came, went, or were changed; each in ascending order.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)

  init(_ collection: Collection, _ changes: SectionChanges?) {
    guard let changes else {
      self = .initial(collection)
      return
    }
    self = .update(
      collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications,
      sectionsToInsert: changes.insertedSections, sectionsToDelete: changes.deletedSections)
  }
}
