/// A form of strings in which they are compared without case, without nonspacing marks, or without both: the canonical
/// decomposition, in UTF-8.
///
/// Folding takes linear time, except that marks in an order that is not canonical are sorted.
package enum FoldedForm: Int, CaseIterable, Sendable {
  case withoutCase, withoutMarks, withoutBoth

  var foldsCase: Bool { self != .withoutMarks }

  /// Whether the form lacks a scalar of a decomposition.
  func leavesOut(_ unit: FoldingUnit) -> Bool {
    self != .withoutCase && unit.scalar.properties.generalCategory == .nonspacingMark
  }

  /// The bytes of a string in this form.
  package func bytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    // ASCII characters are their own decomposition and carry no marks.
    if bytes.contains(where: { $0 >= 0x80 }) { return ordered(text) ?? reordered(text) }
    if foldsCase { for index in bytes.indices { bytes[index] = CaseFolding.lower(bytes[index]) } }
    return bytes
  }

  /// The bytes of a string whose marks are in canonical order; nil for any other.
  private func ordered(_ text: String) -> [UInt8]? {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    var pages = FoldingPages()
    var lastClass: UInt8 = 0
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value < 0x80 {
        let byte = UInt8(truncatingIfNeeded: value)
        folded.append(foldsCase ? CaseFolding.lower(byte) : byte)
        lastClass = 0
      } else if !pages[value].append(value, as: self, to: &folded, after: &lastClass) {
        return nil
      }
    }
    return folded
  }

  /// The bytes of a string whose marks are put into canonical order before they are folded.
  private func reordered(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    var pages = FoldingPages()
    for unit in Decomposition(of: text).units {
      var lastClass: UInt8 = 0
      _ = pages[unit.scalar.value].append(unit.scalar.value, as: self, to: &folded, after: &lastClass)
    }
    return folded
  }
}

/// Finds the pages of scalars, most of which lie in the page of the last one.
struct FoldingPages {
  private var number = UInt32.max
  private var page: FoldingPage?

  subscript(value: UInt32) -> FoldingPage {
    @inline(__always)
    mutating get {
      if let page, FoldingPage.number(of: value) == number { return page }
      let found = FoldingPage.numbered(FoldingPage.number(of: value))
      (number, page) = (FoldingPage.number(of: value), found)
      return found
    }
  }
}
