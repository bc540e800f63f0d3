import FiefGraph

// Comparisons that are evaluated for objects without rows. They mean the same for a value as they mean for rows, and
// throw the same errors.

extension ValueMatcher {
  /// Binds a comparison with a constant that is not a shape.
  ///
  /// - Throws: `QueryError` for values that cannot be compared.
  init(_ comparison: Comparison, _ constant: QueryConstant, of subject: ComparedValues) throws(QueryError) {
    let (relation, options, position) = (comparison.relation, comparison.options, comparison.position)
    let fitting = try subject.fitting(constant, relation, options: options, at: position) { value throws(QueryError) in
      try subject.converted(value, at: position)
    }
    switch fitting {
    case .value(let value): self.init(relation, value, options: options)
    case .members(let members): self.init(oneOf: members, options: options)
    case .range(let low, let high): self.init(from: low, through: high)
    case .shape, .nested:
      throw QueryError(.unsupported, "\(relation.spelling) wants one value on its right.", at: position)
    }
  }

  /// Binds a comparison with the value of another property.
  ///
  /// - Throws: `QueryError` for values that cannot be compared.
  init(_ comparison: Comparison, with value: Value, _ other: ComparedValues, of subject: ComparedValues)
    throws(QueryError)
  {
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
    default: self.init(comparison.relation, value, options: comparison.options)
    }
  }
}
