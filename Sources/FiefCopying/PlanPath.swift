/// Who knows what the rows and properties of a plan are called.
package protocol PlanNames {
  /// The class of a row.
  func className(ofRow row: Int) -> String
  /// The name of a property of a row.
  func propertyName(_ number: Int, ofRow row: Int) -> String
}

extension Plan {
  /// A step as a reader would write it, from the root: `Person.dogs[2].owner`. A path of many steps is cut in the
  /// middle.
  package func path(_ step: PlanStep, _ names: some PlanNames) -> String {
    var parts: [String] = []
    var step = step
    var root = 0
    while step.parent >= 0 {
      parts.append(part(step, names))
      root = step.parent
      step = rows[step.parent].step
    }
    if case .index(let index) = step.spot { parts.append("[\(index)]") }
    guard root < rows.count else { return "the value" }
    return PlanPath.join([names.className(ofRow: root)] + parts.reversed())
  }

  /// One step: a name with what leads to it, or the place in a collection that is a row itself.
  func part(_ step: PlanStep, _ names: some PlanNames) -> String {
    let name = step.number < 0 ? "" : "." + names.propertyName(step.number, ofRow: step.parent)
    switch step.spot {
    case .value: return name
    case .index(let index): return "\(name)[\(index)]"
    case .key(let key): return "\(name)['\(PlanPath.shortened(key))']"
    }
  }
}

/// How paths are shortened.
package enum PlanPath {
  /// How many steps are shown at either end of a path that is cut: with names of at most 63 bytes and keys of at most
  /// 40 characters any path stays under 4 KiB.
  static let head = 10
  static let tail = 8

  /// The parts after each other; many are cut in the middle.
  package static func join(_ parts: [String]) -> String {
    guard parts.count > head + tail + 4 else { return parts.joined() }
    return parts.prefix(head).joined() + " … (\(parts.count - head - tail) more) … " + parts.suffix(tail).joined()
  }

  /// A text of at most 40 characters.
  package static func shortened(_ text: String) -> String {
    let start = text.prefix(40)
    return start.endIndex == text.endIndex ? text : start + "…"
  }
}
