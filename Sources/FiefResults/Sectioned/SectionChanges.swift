import FiefCopying
import FiefGraph
import FiefObjects
import Foundation

/// The elements and sections that differ between two states.
///
///     old   A: 1 2    B: 3         deleted section  1 (B)     deletion  [0, 1]
///     new   A: 1      C: 2 4       inserted section 1 (C)     insertions [1, 0] [1, 1]
///
/// The sections that stay are a longest common subsequence of the keys; within each of them, the elements that stay are
/// one of its elements. An element that stays at its position in the section and was modified is a modification. At
/// another position it is a deletion and an insertion, as in the original.
struct SectionChanges {
  var deletions: [IndexPath] = []
  var insertions: [IndexPath] = []
  var modifications: [IndexPath] = []
  var insertedSections = IndexSet()
  var deletedSections = IndexSet()

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && insertedSections.isEmpty
      && deletedSections.isEmpty
  }

  /// The elements of sections in comparable form.
  struct State<Key: Hashable> {
    let keys: ContiguousArray<SectionKey<Key>>
    let elements: [ContiguousArray<HashedValue>]
    /// The positions of the keys. Each section may have observers, who share the state.
    private let positions: [SectionKey<Key>: Int]

    /// - Parameter binding: the class of elements that are rows.
    init(_ layout: SectionLayout<Key>, of binding: ClassBinding?) {
      positions = layout.positions
      keys = ContiguousArray(layout.keys.map { SectionKey($0) })
      elements = layout.contents.map { ContiguousArray($0.values(of: binding).lazy.map { HashedValue($0) }) }
    }

    /// The position and the elements of a section.
    func section(_ key: Key) -> (section: Int, elements: ContiguousArray<HashedValue>)? {
      positions[SectionKey(key)].map { ($0, elements[$0]) }
    }
  }

  init() {}

  /// The changes that lead from one state to another.
  init<Key>(from old: State<Key>, to new: State<Key>, isModified: (HashedValue) -> Bool) {
    let sections = PositionChanges(from: old.keys, to: new.keys) { _ in false }
    deletedSections = IndexSet(sections.deletions)
    insertedSections = IndexSet(sections.insertions)
    // The sections that stay pair up in their order.
    let added = insertedSections
    var stays = new.keys.indices.filter { !added.contains($0) }.makeIterator()
    for section in old.keys.indices where !deletedSections.contains(section) {
      guard let next = stays.next() else { fatalError("Sections that stay are missing.") }
      let changes = PositionChanges(from: old.elements[section], to: new.elements[next], isModified: isModified)
      add(changes, from: section, to: next)
    }
    for section in sections.insertions {
      insertions += new.elements[section].indices.map { [section, $0] }
    }
    insertions.sort()
  }

  /// The changes of one section, which may be inserted, be deleted, or have another position.
  init<Key>(of key: Key, from old: State<Key>, to new: State<Key>, isModified: (HashedValue) -> Bool) {
    switch (old.section(key), new.section(key)) {
    case (nil, nil): break
    case (let before?, nil): deletedSections.insert(before.section)
    case (nil, let after?):
      insertedSections.insert(after.section)
      insertions = after.elements.indices.map { [after.section, $0] }
    case (let before?, let after?):
      let changes = PositionChanges(from: before.elements, to: after.elements, isModified: isModified)
      add(changes, from: before.section, to: after.section)
    }
  }

  /// Adds the changes of a section that has the position `old` at first, and `new` at the end.
  private mutating func add(_ changes: PositionChanges, from old: Int, to new: Int) {
    var (removed, added) = (changes.deletions, changes.insertions)
    var (left, arrived) = (0, 0)
    for position in changes.modifications {
      while left < changes.deletions.count, changes.deletions[left] < position { left += 1 }
      // The elements that stay keep their order, around the insertions.
      while arrived < changes.insertions.count, changes.insertions[arrived] <= position - left + arrived {
        arrived += 1
      }
      let next = position - left + arrived
      if next == position {
        modifications.append([old, position])
      } else {
        removed.append(position)
        added.append(next)
      }
    }
    deletions += removed.sorted().map { [old, $0] }
    insertions += added.sorted().map { [new, $0] }
  }
}
