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
        case .comparison(let comparison): text += comparison.spelling(isInner: isInner)
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
          text += "SUBQUERY(\(subquery.collection.spelling(isInner: isInner)), $\(subquery.variable), "
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
  public var description: String { spelling(isInner: false) }

  /// - Parameter isInner: whether the comparison belongs to the condition of a subquery.
  func spelling(isInner: Bool) -> String {
    let prefix =
      switch quantifier {
      case .unquantified: ""
      case .any: "ANY "
      case .all: "ALL "
      case .none: "NONE "
      }
    return "\(prefix)\(left.spelling(isInner: isInner)) \(relation == .within ? "IN" : relation.spelling)"
      + "\(options.spelling) \(right.spelling(isInner: isInner))"
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
  func spelling(isInner: Bool) -> String {
    switch self {
    case .path(let path): path.spelling(isInner: isInner)
    case .constant(let constant): constant.spelling
    }
  }
}

extension PropertyPath: CustomStringConvertible {
  /// The spelling of the path in formats.
  public var description: String { spelling(isInner: false) }

  /// The variable that is the row of the query in the condition of a subquery.
  static let rowVariable = "SELF"

  /// - Parameter isInner: whether the path belongs to the condition of a subquery, where a path without a variable
  ///   would begin at the element.
  func spelling(isInner: Bool) -> String {
    var text = (variable ?? (isInner ? Self.rowVariable : nil)).map { "$\($0)" } ?? ""
    // A path whose first component is not a name begins at the row or the element itself.
    if text.isEmpty {
      if case .property? = components.first {} else { text = "SELF" }
    }
    for component in components {
      let dot = text.isEmpty ? "" : "."
      switch component {
      case .property(let name): text += dot + Spelling.name(name)
      case .key(let key): text += "[\(Spelling.quoted(key))]"
      case .index(let index): text += "[\(index)]"
      case .anyElement: text += "[*]"
      case .allKeys: text += "\(dot)@allKeys"
      case .allValues: text += "\(dot)@allValues"
      case .aggregate(let operation): text += "\(dot)@\(operation.rawValue)"
      case .length: text += "\(dot)@length"
      }
    }
    return text
  }
}
