import FiefGraph

/// A constant in which variables stand: `$least`, or `{$least, 5}`.
public struct OpenConstant: Equatable, Sendable {
  /// What stands between two commas.
  public enum Member: Equatable, Sendable {
    case value(Value)
    case variable(String)
  }

  /// The members; of what is no list, one.
  public let members: [Member]
  /// Whether it is a list in braces.
  public let isList: Bool

  /// A constant from its parts.
  public init(_ members: [Member], isList: Bool) {
    self.members = members
    self.isList = isList
  }

  /// The first of its variables.
  var variable: String {
    for case .variable(let name) in members { return name }
    return ""
  }

  /// The constant with values for its variables.
  ///
  /// - Throws: `QueryError` for a variable without value, and for one in a list that is several.
  func substituting(_ variables: [String: QueryConstant], at position: Int?) throws(QueryError) -> QueryConstant {
    var values: [Value] = []
    for member in members {
      switch member {
      case .value(let value): values.append(value)
      case .variable(let name):
        guard let constant = variables[name] else { throw Self.missing(name, at: position) }
        if !isList { return constant }
        guard case .value(let value) = constant else {
          throw QueryError(.argument, "Between braces stand single values, and '$\(name)' is none.", at: position)
        }
        values.append(value)
      }
    }
    return .list(values)
  }

  /// What is said of a variable that was given no value.
  static func missing(_ name: String, at position: Int?) -> QueryError {
    QueryError(.unknownProperty, "The variable '$\(name)' has no value.", at: position)
  }
}

extension QueryPredicate.Subquery {
  /// The subquery with a number for the variable that its count is compared with.
  fileprivate func substituting(
    _ variables: [String: QueryConstant]
  ) throws(QueryError) -> QueryPredicate.Subquery {
    guard let openCount else { return self }
    guard let constant = variables[openCount] else { throw OpenConstant.missing(openCount, at: position) }
    guard case .value(let value) = constant, case .int(let number)? = value.converted(to: .int) else {
      throw QueryError(
        .argument, "The count of a SUBQUERY is compared with a whole number, and '$\(openCount)' is none.", at: position
      )
    }
    var closed = self
    (closed.count, closed.openCount) = (number, nil)
    return closed
  }

  /// Throws while what the count is compared with is not known.
  package func checkClosed() throws(QueryError) {
    if let openCount { throw OpenConstant.missing(openCount, at: position) }
  }
}

extension QueryPredicate {
  /// The condition with values for the variables that were left open when it was parsed.
  ///
  /// - Throws: `QueryError` for a variable without value.
  public func substituting(_ variables: [String: QueryConstant]) throws(QueryError) -> QueryPredicate {
    func closed(_ operand: Comparison.Operand, _ position: Int?) throws(QueryError) -> Comparison.Operand {
      guard case .constant(.open(let constant)) = operand else { return operand }
      return .constant(try constant.substituting(variables, at: position))
    }
    var changed: [Node] = []
    changed.reserveCapacity(nodes.count)
    for node in nodes {
      if case .subquery(let subquery) = node {
        changed.append(.subquery(try subquery.substituting(variables)))
        continue
      }
      guard case .comparison(var comparison) = node else {
        changed.append(node)
        continue
      }
      comparison.left = try closed(comparison.left, comparison.position)
      comparison.right = try closed(comparison.right, comparison.position)
      if comparison.relation == .in, case .constant(.shape) = comparison.right { comparison.relation = .within }
      changed.append(.comparison(comparison))
    }
    return QueryPredicate(unchecked: changed)
  }
}
