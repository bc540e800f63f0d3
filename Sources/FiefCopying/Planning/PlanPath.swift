/// The names of the classes and properties in a plan.
package protocol PlanNames {
  func className(ofRow row: Int) -> String
  func propertyName(_ number: Int, ofRow row: Int) -> String
  /// The class and the property whose cell the root values are given to; nil if they stand for themselves.
  var place: String? { get }
}

extension InsertionPlan {
  /// The path of a step in readable form, from the root: `Person.dogs[2].owner`. The middle of a long path is left out.
  package func path(_ step: PlanStep, _ names: some PlanNames) -> String {
    var parts: [String] = []
    var step = step
    var root = 0
    while step.parent >= 0 {
      assert(step.parent < rows.count && rows[step.parent].step.parent < step.parent, "Steps lead from earlier rows.")
      parts.append(part(step, names))
      root = step.parent
      step = rows[step.parent].step
    }
    if let place = names.place { return PlanPath.join([place + step.place.text] + parts.reversed()) }
    guard root < rows.count else { return "the value" }
    return PlanPath.join([names.className(ofRow: root)] + parts.reversed())
  }

  func part(_ step: PlanStep, _ names: some PlanNames) -> String {
    step.text(names.propertyName(step.number, ofRow: step.parent))
  }
}

extension PlanStep {
  /// The step in a path: the name of the property with an index or a key, or only the index for a row that is a
  /// collection.
  package func text(_ property: @autoclosure () -> String) -> String {
    assert(parent >= 0, "The root has no step.")
    return (number < 0 ? "" : "." + property()) + place.text
  }
}

extension PlanStep.Place {
  /// The position in a path: an index or a key.
  package var text: String {
    switch self {
    case .value: ""
    case .index(let index): "[\(index)]"
    case .key(let key): "['\(PlanPath.shortened(key))']"
    }
  }
}

package enum PlanPath {
  /// The number of steps shown at either end of a shortened path. With names of at most 63 bytes and keys of at most 40
  /// characters, every path stays under 4 KiB.
  static let head = 10
  static let tail = 8

  /// Joins the parts. If there are many, the middle is left out; a lazy collection does not make it.
  package static func join(_ parts: some RandomAccessCollection<String>) -> String {
    guard parts.count > head + tail + 4 else { return parts.joined() }
    return parts.prefix(head).joined() + " … (\(parts.count - head - tail) more) … " + parts.suffix(tail).joined()
  }

  /// The first 40 characters of a string, followed by an ellipsis if there are more.
  package static func shortened(_ text: String) -> String {
    let start = text.prefix(40)
    return start.endIndex == text.endIndex ? text : start + "…"
  }
}
