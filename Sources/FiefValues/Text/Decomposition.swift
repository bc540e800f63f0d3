/// The canonical decomposition of a string of any length.
///
/// Foundation's takes time in the square of the length. Here each scalar is decomposed by a table (`FoldingPage`), and
/// the marks between two letters are put into canonical order: by class, and stable within one. Linear, except that
/// marks in another order are sorted.
package struct Decomposition {
  private(set) var units: ContiguousArray<FoldingUnit> = []
  /// The start of the marks after the last letter, and whether they are in another order.
  private var marks = 0
  private var isUnsorted = false

  /// Decomposes a string.
  package init(of text: String) {
    units.reserveCapacity(text.utf8.count)
    var pages = FoldingPages()
    for scalar in text.unicodeScalars {
      for unit in pages[scalar.value].decomposition(of: scalar.value) { append(unit) }
    }
    sort()
  }

  /// The scalars of the decomposition.
  package var scalars: some Sequence<Unicode.Scalar> { units.lazy.map(\.scalar) }

  private mutating func append(_ unit: FoldingUnit) {
    assert(marks <= units.count, "Marks follow their letter.")
    if unit.combiningClass == 0 {
      sort()
      units.append(unit)
      marks = units.count
    } else {
      if units.count > marks, units[units.count - 1].combiningClass > unit.combiningClass { isUnsorted = true }
      units.append(unit)
    }
  }

  private mutating func sort() {
    guard isUnsorted else { return }
    isUnsorted = false
    assert(units.count - marks > 1, "Only several marks can be out of order.")
    // Most letters have two marks or three, which are moved one by one.
    if units.count - marks <= 8 {
      for index in marks + 1..<units.count {
        var hole = index
        while hole > marks, units[hole - 1].combiningClass > units[hole].combiningClass {
          units.swapAt(hole - 1, hole)
          hole -= 1
        }
      }
      return
    }
    let sorted = units[marks...].enumerated().sorted {
      ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
    }
    for (offset, mark) in sorted.enumerated() { units[marks + offset] = mark.element }
  }
}
