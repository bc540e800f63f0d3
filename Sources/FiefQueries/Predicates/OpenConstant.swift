import FiefGraph

/// A constant whose values are not known yet: `$least`, `0.1`, or `{$least, 5}`. Variables get their values from
/// `QueryPredicate.substituting(_:)`, and the text of a number becomes a value when the kind of the other side is
/// known.
package struct OpenConstant: Equatable, Sendable {
  /// An element of a list in braces, or the constant itself.
  package enum Member: Equatable, Sendable {
    case value(Value)
    case variable(String)
    case number(NumberLiteral)
  }

  /// The members. A constant that is not a list has one.
  package let members: [Member]
  /// Whether it is a list in braces.
  package let isList: Bool

  package init(_ members: [Member], isList: Bool) {
    assert(isList || members.count == 1, "A constant that is no list is one member.")
    self.members = members
    self.isList = isList
  }

  /// The constant for comparison with values of `kind`.
  ///
  /// - Throws: `QueryError` for a variable, because it has no value, and for the text of a number beyond all numbers.
  func closed(for kind: ValueKind, at position: Int?) throws(QueryError) -> QueryConstant {
    var values: [Value] = []
    for member in members {
      switch member {
      case .value(let value): values.append(value)
      case .number(let literal):
        guard let value = literal.value(of: kind) else {
          throw QueryError(.typeMismatch, "No number is as great as \(QueryError.short(literal.text)).", at: position)
        }
        values.append(value)
      case .variable(let name): throw Self.missing(name, at: position)
      }
    }
    assert(values.count == members.count, "Each member has a value.")
    return isList ? .list(values) : .value(values[0])
  }

  /// Replaces the variables by their values.
  ///
  /// - Throws: `QueryError` for a variable without a value, and for a variable in a list whose value is not a single
  ///   value.
  func substituting(_ variables: [String: QueryConstant], at position: Int?) throws(QueryError) -> QueryConstant {
    var closed: [Member] = []
    for member in members {
      switch member {
      case .value, .number: closed.append(member)
      case .variable(let name):
        guard let constant = variables[name] else { throw Self.missing(name, at: position) }
        if !isList { return constant }
        guard case .value(let value) = constant else {
          throw QueryError(.argument, "Between braces stand single values, and '$\(name)' is none.", at: position)
        }
        closed.append(.value(value))
      }
    }
    assert(closed.count == members.count, "Each member is there, with its variable or without.")
    return QueryConstant(closed, isList: isList)
  }

  /// The error for a variable without a value.
  static func missing(_ name: String, at position: Int?) -> QueryError {
    QueryError(.unknownProperty, "The variable '$\(name)' has no value.", at: position)
  }
}

extension QueryPredicate.Subquery {
  /// Replaces the variable with which the count is compared by its number.
  fileprivate func substituting(_ variables: [String: QueryConstant]) throws(QueryError) -> QueryPredicate.Subquery {
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

  /// Throws if the count is not compared by order or equality, or with a variable that has no value yet.
  package func check() throws(QueryError) {
    guard relation.flipped != nil else {
      throw QueryError(.unsupported, "The count of a SUBQUERY is compared with a number.", at: position)
    }
    if let openCount { throw OpenConstant.missing(openCount, at: position) }
  }
}

extension QueryPredicate {
  /// Replaces the variables that were left open by the parser.
  ///
  /// - Throws: `QueryError` for a variable without a value.
  package func substituting(_ variables: [String: QueryConstant]) throws(QueryError) -> QueryPredicate {
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
    assert(changed.count == nodes.count, "Each node is replaced by one.")
    return QueryPredicate(unchecked: changed)
  }
}
