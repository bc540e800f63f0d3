import FiefCopying
import FiefGraph
import FiefObjects
import FiefSessions
import Foundation

extension List {
  /// Returns the present positions of elements that an earlier version of the list shows.
  ///
  /// Views delete and move by positions in what they show, and the list may have changed since.
  ///
  /// - Parameters:
  ///   - offsets: positions in `earlier`; larger ones have no present position.
  ///   - earlier: this list in an earlier version.
  /// - Returns: the position of each element, in the order of the offsets; nil for an element that is gone. An object
  ///   that was moved is followed; of an equal value that was removed and inserted elsewhere this is not known, and it
  ///   counts as moved, too.
  /// - Complexity: linear in both lists; constant for each offset when the list is unmanaged or unchanged.
  package func positions(of offsets: IndexSet, in earlier: List) -> [Int?] {
    guard let location, let before = earlier.location, earlier !== self else {
      return offsets.map { $0 < count ? $0 : nil }
    }
    let old = before.elements
    let new = location.elements
    if old == new { return offsets.map { $0 < new.count ? $0 : nil } }
    let changes = PositionChanges(from: old, to: new) { _ in false }
    var present = [Int?](repeating: nil, count: old.count)
    let gone = Set(changes.deletions)
    let added = Set(changes.insertions)
    for (position, index) in zip(old.indices.filter { !gone.contains($0) }, new.indices.filter { !added.contains($0) })
    {
      present[position] = index
    }
    var moved = Dictionary(grouping: changes.insertions.reversed()) { new[$0] }
    for position in changes.deletions { present[position] = moved[old[position]]?.popLast() }
    return offsets.map { $0 < old.count ? present[$0] : nil }
  }
}

extension CollectionLocation {
  /// The elements, for comparison.
  fileprivate var elements: ContiguousArray<HashedValue> {
    read { stored in
      var elements: ContiguousArray<HashedValue> = []
      stored?.forEach(as: type) { value in
        elements.append(HashedValue(value))
        return true
      }
      return elements
    }
  }
}
