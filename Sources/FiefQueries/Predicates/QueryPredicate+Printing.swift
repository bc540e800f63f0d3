// Prints a predicate as a format. Parsing the result and printing it again gives the same string.

extension QueryPredicate: CustomStringConvertible {
  /// The predicate as a format string without placeholders. Takes linear time.
  ///
  /// `NSPredicate` has no literals for some values. They are written as `oid(...)`, `uuid(...)`, `date(seconds,
  /// nanoseconds)`, `decimal(...)`, `B64"..."`, `link(table, row)` and as shapes. The parser reads them back.
  public var description: String {
    var text = ""
    let starts = starts
    assert(starts.count == nodes.count, "Each node has a start.")
    var work: [Work] = [.node(nodes.count - 1, below: .or, isInner: false)]
    while let next = work.popLast() {
      switch next {
      case .text(let part): text += part
      case .end(let subquery):
        text += ").@count \(subquery.relation.spelling) \(subquery.openCount.map { "$\($0)" } ?? "\(subquery.count)")"
      case .node(let node, let outer, let isInner):
        switch nodes[node] {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.print(into: &text, isInner: isInner)
        case .not:
          text += "NOT "
          work.append(.node(node - 1, below: .not, isInner: isInner))
        case .and, .or:
          let level: Level = nodes[node] == .and ? .and : .or
          let isBracketed = outer > level
          if isBracketed {
            text += "("
            work.append(.text(")"))
          }
          let right = node - 1
          work.append(.node(right, below: level, isInner: isInner))
          work.append(.text(level == .and ? " AND " : " OR "))
          work.append(.node(starts[right] - 1, below: level, isInner: isInner))
        case .subquery(let subquery):
          text += "SUBQUERY("
          subquery.collection.print(into: &text, isInner: isInner)
          text += ", $\(subquery.variable), "
          work.append(.end(subquery))
          work.append(.node(node - 1, below: .or, isInner: true))
        }
      }
    }
    return text
  }

  /// How tightly an operator binds.
  private enum Level: Int, Comparable {
    case or, and, not

    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  private enum Work {
    /// A node. `isInner` is whether it belongs to the condition of a subquery.
    case node(Int, below: Level, isInner: Bool)
    case text(String)
    case end(Subquery)
  }
}

extension Comparison: CustomStringConvertible {
  /// The comparison as a format string without placeholders.
  public var description: String {
    var text = ""
    print(into: &text, isInner: false)
    return text
  }

  /// - Parameter isInner: whether the comparison belongs to the condition of a subquery.
  func print(into text: inout String, isInner: Bool) {
    switch quantifier {
    case .unquantified: break
    case .any: text += "ANY "
    case .all: text += "ALL "
    case .none: text += "NONE "
    }
    left.print(into: &text, isInner: isInner)
    text += " \(relation == .within ? "IN" : relation.spelling)"
    text += "\(options.spelling) "
    right.print(into: &text, isInner: isInner)
  }
}

extension TextOptions {
  /// `[c]`, `[d]` or `[cd]`; empty without options.
  var spelling: String {
    if isEmpty { return "" }
    return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
  }
}

extension Comparison.Operand {
  func print(into text: inout String, isInner: Bool) {
    switch self {
    case .path(let path): path.print(into: &text, isInner: isInner)
    case .constant(let constant): constant.print(into: &text)
    }
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The spelling of the path in formats.
  public var description: String {
    var text = ""
    print(into: &text, isInner: false)
    return text
  }

  /// The variable that is the row of the query in the condition of a subquery.
  static let rowVariable = "SELF"

  /// - Parameter isInner: whether the path belongs to the condition of a subquery, where a path without a variable
  ///   would begin at the element.
  func print(into text: inout String, isInner: Bool) {
    let variable = variable ?? (isInner ? Self.rowVariable : nil)
    guard !components.isEmpty else {
      text += variable.map { "$\($0)" } ?? "SELF"
      return
    }
    var isBegun = variable != nil
    if let variable { text += "$\(variable)" }
    // A path whose first component is not a name begins at the row or the element itself.
    if !isBegun, case .property = components[0] {
    } else if !isBegun {
      text += "SELF"
      isBegun = true
    }
    for component in components {
      let dot = isBegun ? "." : ""
      isBegun = true
      switch component {
      case .property(let name):
        text += dot
        Spelling.printName(name, isFirst: dot.isEmpty, into: &text)
      case .key(let key):
        text += "["
        Spelling.printQuoted(key, into: &text)
        text += "]"
      case .index(let index): text += "[\(index)]"
      case .anyElement: text += "[*]"
      case .allKeys: text += "\(dot)@allKeys"
      case .allValues: text += "\(dot)@allValues"
      case .aggregate(let operation): text += "\(dot)@\(operation.rawValue)"
      case .length: text += "\(dot)@length"
      }
    }
  }
}
