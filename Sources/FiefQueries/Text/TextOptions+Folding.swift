import FiefValues

extension TextOptions {
  /// The form of a string that `[c]` and `[d]` compare: its canonical decomposition as UTF-8. `[d]` removes nonspacing
  /// marks, and `[c]` folds case. Takes linear time, except that marks in an order that is not canonical are sorted.
  ///
  /// Scans, sets of constants and sorts fold both sides of a comparison here, so they agree. Case folding is full (`ß`
  /// becomes `ss`) and does not depend on the language.
  func folded(_ text: String) -> [UInt8] {
    assert(isSubset(of: [.caseInsensitive, .diacriticInsensitive]), "Strings fold in two ways.")
    switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
    case (true, true): return FoldedForm.withoutBoth.bytes(of: text)
    case (true, false): return FoldedForm.withoutCase.bytes(of: text)
    case (false, true): return FoldedForm.withoutMarks.bytes(of: text)
    case (false, false): return Array(text.utf8)
    }
  }
}
