/// The difference of two sources in the form of `diff -u`, which `patch` reads.
enum UnifiedDiff {
  /// The number of unchanged lines around a change.
  private static let context = 3

  /// The difference; empty when they are equal.
  ///
  /// - Complexity: O((n + m) d) in the lines and the differences.
  static func text(of old: String, _ new: String, file: String) -> String {
    let (before, after) = (lines(old), lines(new))
    let script = script(before, after)
    func isChange(_ line: String) -> Bool { !line.hasPrefix(" ") }
    guard script.contains(where: isChange) else { return "" }
    var text = "--- \(file)\n+++ \(file)\n"
    var (oldLine, newLine) = (1, 1)
    var next = 0
    while next < script.count {
      guard let change = script[next...].firstIndex(where: isChange) else { break }
      let start = max(next, change - context)
      (oldLine, newLine) = (oldLine + start - next, newLine + start - next)
      // The hunk ends where more unchanged lines follow than two changes share.
      var (end, last) = (change, change)
      while end < script.count, end - last <= 2 * context {
        if isChange(script[end]) { last = end }
        end += 1
      }
      end = min(script.count, last + context + 1)
      let hunk = script[start..<end]
      let removed = hunk.count { !$0.hasPrefix("+") }
      let added = hunk.count { !$0.hasPrefix("-") }
      // Of a side without lines, the line before it counts.
      let (oldStart, newStart) = (removed == 0 ? oldLine - 1 : oldLine, added == 0 ? newLine - 1 : newLine)
      text += "@@ -\(oldStart),\(removed) +\(newStart),\(added) @@\n"
      text += hunk.joined()
      (oldLine, newLine) = (oldLine + removed, newLine + added)
      next = end
    }
    return text
  }

  /// The lines with their ends. A last line without an end gets the mark of `diff`.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { rest.index(after: $0) }
      lines.append(String(Substring(rest[..<(end ?? rest.endIndex)])))
      rest = rest[(end ?? rest.endIndex)...]
    }
    if let last = lines.last, last.utf8.last != UInt8(ascii: "\n") {
      lines[lines.count - 1] = last + "\n\\ No newline at end of file\n"
    }
    return lines
  }

  /// The lines of both, each with the mark of `diff` in front: a space, `-` or `+`.
  private static func script(_ before: [String], _ after: [String]) -> [String] {
    var removals: Set<Int> = []
    var insertions: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removals.insert(offset)
      case .insert(let offset, _, _): insertions.insert(offset)
      }
    }
    var script: [String] = []
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if removals.contains(old) {
        script.append("-" + before[old])
        old += 1
      } else if insertions.contains(new) {
        script.append("+" + after[new])
        new += 1
      } else {
        script.append(" " + before[old])
        (old, new) = (old + 1, new + 1)
      }
    }
    return script
  }
}
