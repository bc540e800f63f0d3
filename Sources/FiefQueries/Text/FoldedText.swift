import FiefGraph

/// The form of a string that `[c]` and `[d]` compare: its canonical decomposition as UTF-8. `[d]` removes nonspacing
/// marks, and `[c]` folds case.
///
/// Scans, sets of constants and sorts fold both sides of a comparison here, so they agree. Case folding is full (`ß`
/// becomes `ss`) and does not depend on the language.
struct FoldedText {
  let options: TextOptions

  /// The folded bytes of a string. Takes linear time, except that marks in an order that is not canonical are sorted.
  func bytes(of text: String) -> [UInt8] {
    assert(options.isSubset(of: [.caseInsensitive, .diacriticInsensitive]), "Strings fold in two ways.")
    let form: FoldedForm
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): form = .withoutBoth
    case (true, false): form = .withoutCase
    case (false, true): form = .withoutMarks
    case (false, false): return Array(text.utf8)
    }
    return form.bytes(of: text)
  }
}
