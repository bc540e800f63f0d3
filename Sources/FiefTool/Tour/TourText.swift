/// What a tour says: lines of what was done, and beside them what is found afterwards.
struct TourText {
  private(set) var text = ""
  private(set) var claims = 0
  private var steps = 0

  /// A line: what was done, and what is found now, which must be what is claimed.
  ///
  /// - Throws: `FalseClaim` when it is not.
  mutating func show(_ deed: String, _ found: String, claim: String) throws {
    guard found == claim else { throw FalseClaim(deed: deed, found: found, claim: claim) }
    claims += 1
    line(deed, found)
  }

  /// A line without a claim of its own: a deed, and what is to be said beside it.
  mutating func line(_ deed: String, _ words: String = "") {
    if words.isEmpty { text += "   \(deed)\n" }
    for (number, line) in (words.isEmpty ? [] : words.lines(of: 52)).enumerated() {
      text += "   \((number == 0 ? deed : "").padded(to: 42))  \(line)\n"
    }
  }

  /// The title of the next step.
  mutating func step(_ title: String) {
    steps += 1
    text += "\(steps == 1 ? "" : "\n")\(steps). \(title)\n"
  }

  /// The last words.
  mutating func end(_ words: String) { text += "\n\(words)" }
}
