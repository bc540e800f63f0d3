import FiefGraph
import FiefValues

extension Binder {
  /// Converts a constant to a value that can be compared with the values of `path`.
  ///
  /// The rules are those of assignment. A column of integers takes integers and booleans, but no fractions. The other
  /// columns of numbers take every integer. 0 and 1 convert to booleans. Decimals and UUIDs may be given as strings.
  /// Every other constant must have the type of the column. Beside an aggregate all numbers compare: the constant takes
  /// the type of the aggregate, and an aggregate of integers, which have no fractions, compares by exact value.
  func converted(
    _ value: Value, for path: BoundPath, _ subject: ComparedValues, at position: Int?
  ) throws(QueryError) -> Value {
    assert(path.kind == subject.kind, "The values are those of the path.")
    guard case .link(let link) = value, path.kind == .link || path.kind == .any && !path.isAggregate else {
      return try subject.converted(value, at: position)
    }
    if path.kind == .any {
      guard graph[link.table] != nil else { throw subject.mismatch(value, at: position) }
      return value
    }
    // A link into the tables of nested collections cannot match a link column. It stands for an object without a row,
    // to which no row links.
    guard link.table == path.target || link.table.isNested else {
      throw QueryError(
        .typeMismatch, "'\(subject.name)' links to another class than that of the object it is compared with.",
        at: position)
    }
    return value
  }
}

extension Value {
  /// Converts the value for comparison with values of `kind`; nil when the types do not compare.
  ///
  /// - Parameter aggregated: the kind of the values that are aggregated; nil if none are.
  func comparable(with kind: ValueKind, aggregating aggregated: ValueKind?) -> Value? {
    guard let aggregated else { return comparable(with: kind) }
    switch (kind, self) {
    case (.date, .date), (.any, _): return self
    case _ where !kind.isNumber || !(self.kind?.isNumber ?? false): return nil
    case _ where aggregated == .int: return self
    // A constant that no number of the kind can represent is compared as it is.
    case (.double, .decimal(let number)):
      let double = number.doubleValue
      return double.isInfinite && number.isFinite ? self : .double(double)
    case (.float, .decimal(let number)):
      let float = number.isNaN ? .nan : Float(number.stringValue) ?? .nan
      return float.isInfinite && number.isFinite ? self : .float(float)
    default: return comparable(with: kind) ?? self
    }
  }

  private func comparable(with kind: ValueKind) -> Value? {
    switch (kind, self) {
    case (.any, _), (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.objectId, .objectId), (.uuid, .uuid), (.decimal, .decimal), (.link, .link):
      return self
    case (.bool, .int(let number)) where number & ~1 == 0: return .bool(number == 1)
    case (.int, .bool(let flag)): return .int(flag ? 1 : 0)
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)):
      let float = Float(number)
      return float.isInfinite && !number.isInfinite ? nil : .float(float)
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal, .int(let number)): return .decimal(Decimal128(number))
    case (.decimal, .float(let number)): return .decimal(Decimal128(number))
    case (.decimal, .double(let number)): return .decimal(Decimal128(number))
    case (.decimal, .string), (.uuid, .string): return converted(to: kind)
    default: return nil
    }
  }
}

extension Comparison.Operator {
  /// Throws unless the relation is defined for values of `kind`.
  func check(_ options: TextOptions, on kind: ValueKind, _ name: PropertyPath, at position: Int?) throws(QueryError) {
    let relation = self
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    if !options.isEmpty {
      guard kind == .string || kind == .any else {
        throw unsupported("'\(name)' is \(kind.phrase): [c] and [d] are for strings.")
      }
      if relation.isOrder || relation == .between { throw unsupported("\(relation.spelling) takes no [c] or [d].") }
      if relation == .fullText { throw unsupported("TEXT takes no [c] or [d]: words are folded always.") }
      if relation == .like && options.contains(.diacriticInsensitive) { throw unsupported("LIKE takes no [d].") }
    }
    switch relation {
    case .equal, .notEqual, .in, .within: break
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if [.bool, .objectId, .uuid, .link].contains(kind) {
        throw unsupported(
          "'\(name)' is \(kind.phrase), which has no order: \(relation.spelling) cannot be asked of it.")
      }
    case .between:
      guard [.int, .float, .double, .decimal, .date].contains(kind) else {
        throw unsupported("'\(name)' is \(kind.phrase): BETWEEN is for numbers and dates.")
      }
    case .beginsWith, .endsWith, .contains:
      guard [.string, .data, .any].contains(kind) else {
        throw unsupported("'\(name)' is \(kind.phrase): \(relation.spelling) is for strings and data.")
      }
    case .fullText:
      guard kind == .string else { throw unsupported("'\(name)' is \(kind.phrase): TEXT is for strings.") }
    case .like:
      guard kind == .string || kind == .any else {
        throw unsupported("'\(name)' is \(kind.phrase): LIKE is for strings.")
      }
    }
  }
}
