import FiefGraph
import FiefSessions
import Foundation

extension List {
  /// Moves an element to another position.
  ///
  ///     try realm.write { person.dogs.move(from: 2, to: 0) }     // the third becomes the first
  ///
  /// - Parameters:
  ///   - from: the element's position, 0..<count.
  ///   - to: the element's position after the move, 0..<count.
  /// - Complexity: O(log n).
  public func move(from: Int, to: Int) {
    checkPosition(from)
    checkPosition(to)
    guard let location else {
      unmanaged.insert(unmanaged.remove(at: from), at: to)
      return
    }
    change(location) { try $0.move(from: from, to: to, inList: location.cell) }
  }

  /// Moves elements to the position before another element, with the parameters that list views pass.
  ///
  ///     // The third becomes the first.
  ///     try realm.write { person.dogs.move(fromOffsets: IndexSet(integer: 2), toOffset: 0) }
  ///
  /// The result is that of the array method with this name: the moved elements follow each other in their present
  /// order, and all others keep theirs. Realm moves one element after another, and gives another order for several.
  ///
  /// - Parameters:
  ///   - offsets: the positions of the elements to move.
  ///   - destination: the position of the element before which they are inserted, 0...count.
  /// - Complexity: O(log n) for each element to move; O(n) in an unmanaged list.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let count = count
    if let last = offsets.last, last >= count { Misuse.outOfRange(last, count) }
    if destination < 0 || destination > count { Misuse.outOfRange(destination, count) }
    guard let location else {
      let moved = offsets.map { unmanaged[$0] }
      let before = (0..<destination).filter { !offsets.contains($0) }.map { unmanaged[$0] }
      let after = (destination..<count).filter { !offsets.contains($0) }.map { unmanaged[$0] }
      unmanaged = before + moved + after
      return
    }
    change(location) { transaction in
      // A move shifts what lies between. In this order it shifts none of the elements that are still to be moved.
      for (number, offset) in offsets.filter({ $0 < destination }).reversed().enumerated() {
        try transaction.move(from: offset, to: destination - 1 - number, inList: location.cell)
      }
      for (number, offset) in offsets.filter({ $0 >= destination }).enumerated() {
        try transaction.move(from: offset, to: destination + number, inList: location.cell)
      }
    }
  }

  /// Exchanges the elements at two positions, both 0..<count.
  ///
  ///     try realm.write { person.dogs.swapAt(0, 1) }
  ///
  /// - Complexity: O(log n).
  public func swapAt(_ index1: Int, _ index2: Int) {
    checkPosition(index1)
    checkPosition(index2)
    guard let location else { return unmanaged.swapAt(index1, index2) }
    change(location) { try $0.swapAt(index1, index2, inList: location.cell) }
  }
}
