internal import FiefGraph

/// A name in a document of objects that their class does not have.
package struct UnknownName: Error {
  /// The position of the name in the tree; see `DocumentParser.place(ofValue:in:)`.
  package let position: Int
  /// What is wrong, with the path of the name.
  package let message: String

  /// - Parameters:
  ///   - position: the position of the name in the tree.
  ///   - name: the name.
  ///   - path: the path of the object with the name.
  ///   - className: the class of the object; nil for a part of an any-value.
  ///   - known: the names of the class.
  package init(_ position: Int, _ name: String, path: String, className: String?, known: some Collection<String>) {
    self.position = position
    let name = PlanPath.shortened(name)
    let names =
      known.isEmpty ? "none" : known.prefix(32).map { "'\($0)'" }.joined(separator: ", ")
    message =
      className.map { "Invalid property name '\(name)' for class '\($0)' at '\(path).\(name)': it has \(names)." }
      ?? "Invalid name '\(name)' at '\(path)': expected \(names)."
  }
}

extension DocumentTree {
  private struct NameTask {
    let value: Value
    let rowClass: RowClass
    /// The index of the parent task, and the part of the path between them.
    let parent: Int
    let part: String
  }

  /// The first name that a class does not have, in a value from which `create` would make an object of the class.
  /// Any-values are not searched. Linear, and without recursion.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - rowClass: the class.
  ///   - path: the path of the value.
  package func unknownName(in value: Value, _ rowClass: RowClass, path: String) -> UnknownName? {
    var tasks = [NameTask(value: value, rowClass: rowClass, parent: -1, part: path)]
    var next = 0
    while next < tasks.count {
      let task = tasks[next]
      switch task.value {
      case .object(let span):
        for member in 0..<span.count {
          let name = name(member, of: span)
          guard let number = task.rowClass.number(of: name) else {
            return UnknownName(
              span.first + 2 * member, name, path: Self.path(next, tasks), className: task.rowClass.name,
              known: task.rowClass.all.map(\.name))
          }
          add(self.value(member, of: span), number, next, &tasks)
        }
      case .array(let span):
        for (property, value) in zip(task.rowClass.properties, elements(span)) {
          add(value, property.number, next, &tasks)
        }
      default: break
      }
      next += 1
    }
    return nil
  }

  /// Adds the objects in the value of a property.
  private func add(_ value: Value, _ number: Int, _ parent: Int, _ tasks: inout [NameTask]) {
    let rowClass = tasks[parent].rowClass
    let property = rowClass.all[number]
    guard rowClass.leaf(number) >= 0, property.type.kind == .link else { return }
    let target = rowClass.target(number)
    func add(_ value: Value, _ part: String) {
      tasks.append(NameTask(value: value, rowClass: target, parent: parent, part: ".\(property.name)\(part)"))
    }
    switch (property.type.shape, value) {
    case (.single, _): add(value, "")
    case (.list, .array(let span)), (.set, .array(let span)):
      for (position, element) in elements(span).enumerated() { add(element, "[\(position)]") }
    case (.dictionary, .object(let span)):
      for (key, value) in members(span) { add(value, "['\(PlanPath.shortened(key))']") }
    default: break
    }
  }

  private static func path(_ number: Int, _ tasks: [NameTask]) -> String {
    var parts: [String] = []
    var number = number
    while number >= 0 {
      parts.append(tasks[number].part)
      number = tasks[number].parent
    }
    return PlanPath.join(parts.reversed())
  }
}
