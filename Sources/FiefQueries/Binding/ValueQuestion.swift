import FiefGraph

/// A comparison that is evaluated for values from any source. The module above uses it for objects without rows.
///
/// It means the same for a value as the comparison means for rows, and it throws the same errors.
package struct ValueQuestion {
  /// The properties of the values on the left side.
  package struct Subject {
    let name: PropertyPath
    let kind: ValueKind
    /// The kind of the values that are aggregated; nil if none are.
    let aggregated: ValueKind?
    let mayBeNull: Bool

    package init(_ name: PropertyPath, _ kind: ValueKind, aggregating aggregated: ValueKind?, mayBeNull: Bool) {
      self.name = name
      self.kind = kind
      self.aggregated = aggregated
      self.mayBeNull = mayBeNull
    }
  }

  private let matcher: ValueMatcher

  /// Binds a comparison with a constant that is not a shape.
  ///
  /// - Throws: `QueryError` for values that cannot be compared.
  package init(_ comparison: Comparison, _ constant: QueryConstant, of subject: Subject) throws(QueryError) {
    let (relation, position) = (comparison.relation, comparison.position)
    let constant =
      if case .open(let open) = constant { try open.closed(for: subject.kind, at: position) } else { constant }
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    func converted(_ value: Value) throws(QueryError) -> Value {
      if value.isNull {
        if subject.mayBeNull { return value }
        throw QueryError(.typeMismatch, "'\(subject.name)' is never null, and is compared with null.", at: position)
      }
      guard let made = value.comparable(with: subject.kind, aggregating: subject.aggregated) else {
        throw QueryError(
          .typeMismatch, "'\(subject.name)' is a \(subject.kind), and is compared with \(value).", at: position)
      }
      return made
    }
    try relation.check(comparison.options, on: subject.kind, subject.name, at: position)
    switch (relation, constant) {
    case (.between, .list(let values)) where values.count == 2 && !values.contains(.null):
      matcher = ValueMatcher(from: try converted(values[0]), through: try converted(values[1]))
    case (.between, _): throw unsupported("BETWEEN wants two values.")
    case (.in, .list(let values)):
      var members: [Value] = []
      for value in values { members.append(try converted(value)) }
      matcher = ValueMatcher(oneOf: members, options: comparison.options)
    case (.in, .value(.null)): matcher = ValueMatcher(oneOf: [], options: [])
    case (.in, _): throw unsupported("IN wants several values on its right.")
    case (_, .nested): throw unsupported("Only an any-value equals a list or a dictionary.")
    case (_, .value(let value)):
      if relation.usesElements {
        guard value.isNull || value.kind == subject.kind || subject.kind == .any else {
          throw QueryError(
            .typeMismatch, "'\(subject.name)' is a \(subject.kind), and is compared with \(value).", at: position)
        }
        matcher = ValueMatcher(relation, value, options: comparison.options)
      } else {
        matcher = ValueMatcher(relation, try converted(value), options: comparison.options)
      }
    default: throw unsupported("\(relation.spelling) wants one value on its right.")
    }
  }

  /// Binds a comparison with the value of another property.
  ///
  /// - Throws: `QueryError` for values that cannot be compared.
  package init(_ comparison: Comparison, with value: Value, _ other: Subject, of subject: Subject) throws(QueryError) {
    let position = comparison.position
    try comparison.relation.check(comparison.options, on: subject.kind, subject.name, at: position)
    let isSame =
      subject.kind == other.kind
      || (subject.aggregated != nil || other.aggregated != nil) && subject.kind.isNumber && other.kind.isNumber
    guard isSame else {
      throw QueryError(
        .typeMismatch,
        "'\(subject.name)' is a \(subject.kind) and '\(other.name)' a \(other.kind): they cannot be compared.",
        at: position)
    }
    switch comparison.relation {
    case .in, .between, .within, .fullText:
      throw QueryError(.unsupported, "\(comparison.relation.spelling) wants constants on its right.", at: position)
    default: matcher = ValueMatcher(comparison.relation, value, options: comparison.options)
    }
  }

  /// Whether a value satisfies the comparison.
  package func matches(_ value: Value) -> Bool { matcher.matches(value) }
}
