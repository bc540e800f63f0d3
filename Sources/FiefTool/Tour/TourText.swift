/// The text of a tour: lines with an action on the left and the value found after it on the right.
struct TourText {
  private(set) var text = ""
  private(set) var claims = 0
  private var steps = 0

  /// Adds a line with an action and the value found after it, which must equal the claim.
  ///
  /// - Throws: `FalseClaim` when it does not.
  mutating func show(_ deed: String, _ found: String, claim: String) throws {
    guard found == claim else { throw FalseClaim(deed: deed, found: found, claim: claim) }
    claims += 1
    line(deed, found)
  }

  /// Adds a line without a claim: an action and a remark.
  mutating func line(_ deed: String, _ words: String = "") {
    if words.isEmpty { text += "   \(deed)\n" }
    for (number, line) in (words.isEmpty ? [] : words.lines(of: 52)).enumerated() {
      text += "   \((number == 0 ? deed : "").padded(to: 42))  \(line)\n"
    }
  }

  /// Adds the title of the next step.
  mutating func step(_ title: String) {
    steps += 1
    text += "\(steps == 1 ? "" : "\n")\(steps). \(title)\n"
  }

  /// Adds the last sentence.
  mutating func end(_ words: String) { text += "\n\(words)" }
}
