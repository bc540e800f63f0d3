import FiefGraph
import Foundation

extension List {
  /// Takes an element out and puts it in again, so that it stands at a position. O(log count).
  ///
  /// - Parameters:
  ///   - from: where it stands, 0..<count.
  ///   - to: where it is to stand in the end, 0..<count.
  public func move(from: Int, to: Int) {
    checkMove(from, to)
    guard let place else {
      unmanaged.insert(unmanaged.remove(at: from), at: to)
      return
    }
    change(place) { try $0.move(from: from, to: to, inList: place.cell) }
  }

  /// Moves elements before another one, in the form in which lists on screen tell of it.
  ///
  ///     dogs.move(fromOffsets: IndexSet(integer: 2), toOffset: 0)   // the third becomes the first
  ///
  /// They are moved one after another, ascending. So for one element it does what an array's method of this name does;
  /// with several that are not side by side the result can differ from it, as in the original.
  ///
  /// - Parameters:
  ///   - offsets: where they stand.
  ///   - destination: before which element they are to stand, 0...count.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let count = count
    if let last = offsets.last, last >= count { Misuse.outOfRange(last, count) }
    if destination < 0 || destination > count { Misuse.outOfRange(destination, count) }
    for offset in offsets {
      move(from: offset, to: offset < destination ? destination - 1 : destination)
    }
  }

  /// Exchanges two elements. O(log count).
  public func swapAt(_ index1: Int, _ index2: Int) {
    checkMove(index1, index2)
    guard let place else { return unmanaged.swapAt(index1, index2) }
    change(place) { try $0.swapAt(index1, index2, inList: place.cell) }
  }

  private func checkMove(_ a: Int, _ b: Int) {
    let count = count
    if a < 0 || a >= count { Misuse.outOfRange(a, count) }
    if b < 0 || b >= count { Misuse.outOfRange(b, count) }
  }
}
