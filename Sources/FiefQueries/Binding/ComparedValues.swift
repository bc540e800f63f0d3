import FiefGraph
import FiefValues

/// The values on the left side of a comparison, as far as they decide which constants fit: those of rows and those of
/// objects outside stores.
package struct ComparedValues {
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

  /// The values that a path reads from rows.
  init(_ name: PropertyPath, of path: BoundPath) {
    self.init(name, path.kind, aggregating: path.aggregated, mayBeNull: path.mayBeNull)
  }

  /// Throws unless the values have a relation to those of another property.
  ///
  /// - Parameter areOfOneClass: false for links to objects of different classes.
  package func check(
    _ relation: Comparison.Operator, _ options: TextOptions, with other: ComparedValues, areOfOneClass: Bool = true,
    at position: Int?
  ) throws(QueryError) {
    try relation.check(options, on: kind, name, at: position)
    if relation == .in || relation == .between || relation == .within || relation == .fullText {
      throw QueryError(.unsupported, "\(relation.spelling) wants constants on its right.", at: position)
    }
    let areNumbers = kind.isNumber && other.kind.isNumber && (aggregated != nil || other.aggregated != nil)
    guard areNumbers || kind == other.kind && areOfOneClass else {
      throw QueryError(
        .typeMismatch, "'\(name)' is \(kind.phrase) and '\(other.name)' \(other.kind.phrase): they cannot be compared.",
        at: position)
    }
  }

  /// A constant in the form in which values are tested.
  package enum Fitting {
    case value(Value)
    /// One of these values.
    case members([Value])
    /// Both ends are included, and never null.
    case range(Value, Value)
    case shape(GeoShape)
    /// One of these lists and dictionaries, or one of the values beside them.
    case nested([NestedConstant], beside: [Value])
  }

  /// The constant of a comparison with the values.
  ///
  /// - Parameter convert: returns a constant value as one of the kind of the values.
  /// - Throws: `QueryError` for a constant that cannot be compared with the values.
  package func fitting(
    _ constant: QueryConstant, _ relation: Comparison.Operator, options: TextOptions, at position: Int?,
    converting convert: (Value) throws(QueryError) -> Value
  ) throws(QueryError) -> Fitting {
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    func nested(_ constants: [NestedConstant], _ values: [Value], _ isFitting: Bool) throws(QueryError) -> Fitting {
      if kind == .any, aggregated == nil, isFitting { return .nested(constants, beside: values) }
      throw unsupported("Only an any-value equals a list or a dictionary, or differs from one: '\(name)' is asked.")
    }
    try relation.check(options, on: kind, name, at: position)
    switch constant {
    case .shape(let shape):
      guard relation == .within || relation == .in else {
        throw unsupported("A shape can only be asked what lies IN it.")
      }
      return .shape(shape)
    case .list(let values):
      if relation == .between {
        guard values.count == 2 else { throw unsupported("BETWEEN wants two values, and is given \(values.count).") }
        if values[0].isNull || values[1].isNull {
          throw QueryError(.typeMismatch, "BETWEEN wants two values, and is given null.", at: position)
        }
        return .range(try convert(values[0]), try convert(values[1]))
      }
      guard relation == .in else { throw unsupported("\(relation.spelling) wants one value, and is given several.") }
      var members: [Value] = []
      members.reserveCapacity(values.count)
      for value in values { members.append(try convert(value)) }
      return .members(members)
    case .name: throw unsupported("The name of a property stands where a value is wanted.")
    case .nested(let constant):
      if relation == .in { throw unsupported("IN wants several values on its right, and is given one any-value.") }
      return try nested([constant], [], relation == .equal || relation == .notEqual)
    case .nestedMembers(let constants, let values):
      guard relation == .in else { throw unsupported("\(relation.spelling) wants one value, and is given several.") }
      return try nested(constants, values, true)
    case .members:
      throw unsupported(
        "A value that is mapped to a class is compared with objects of that class, and '\(name)' is none.")
    case .open(let constant):
      return try fitting(
        try constant.closed(for: kind, at: position), relation, options: options, at: position, converting: convert)
    case .value(let value):
      if relation == .between { throw unsupported("BETWEEN wants two values, and is given one.") }
      if relation == .within { throw unsupported("geoWithin wants a shape on its right.") }
      if relation == .in {
        // Null in place of a collection means an empty collection.
        if !value.isNull { throw unsupported("IN wants several values on its right, and is given \(value.phrase).") }
        return .members([])
      }
      guard relation.usesElements else {
        let converted = try convert(value)
        // A null string is in no order, not even with null.
        return converted.isNull && kind == .string && relation.isOrder ? .members([]) : .value(converted)
      }
      // No string contains null, so null is accepted here also for values that are never null.
      guard value.isNull || value.kind == kind || kind == .any else { throw mismatch(value, at: position) }
      return .value(value)
    }
  }

  /// A constant value as one of the kind of the values.
  ///
  /// - Throws: `QueryError` for a value of a kind that does not compare, and for null where no value is null.
  package func converted(_ value: Value, at position: Int?) throws(QueryError) -> Value {
    if value.isNull {
      if mayBeNull { return value }
      throw QueryError(.typeMismatch, "'\(name)' is never null, and is compared with null.", at: position)
    }
    guard let made = value.comparable(with: kind, aggregating: aggregated) else { throw mismatch(value, at: position) }
    assert(!made.isNull, "A value that is not null stays so.")
    return made
  }

  func mismatch(_ value: Value, at position: Int?) -> QueryError {
    var advice = ""
    if kind == .date, case .string = value { advice = ": a date is written date('2026-01-31T12:00:00Z')" }
    return QueryError(
      .typeMismatch, "'\(name)' is \(kind.phrase), and is compared with \(value.phrase)\(advice).", at: position)
  }
}

extension Value {
  /// The value in messages. A link is a table and a key, of which an application knows neither.
  var phrase: String { if case .link = self { "an object" } else { "\(self)" } }
}
