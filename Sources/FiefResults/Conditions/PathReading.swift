import FiefGraph
import FiefObjects
import FiefQueries
import FiefValues

/// Reads the paths of a condition from an element and from the elements of the subqueries around it.
struct PathReading {
  /// The start of paths: the tested element, or an element of a subquery's collection.
  struct Scope {
    let start: ElementValue
    /// The class that defines the names of properties; nil for a value.
    var model: ModelClass?
    /// The variable of the subquery; nil for the tested element.
    var variable: String?
  }

  private let scopes: [Scope]

  init(_ scopes: [Scope]) {
    assert(!scopes.isEmpty, "A path begins at an element.")
    self.scopes = scopes
  }

  /// How many objects a path may lead to before its end. In a ring of objects their number is exponential in the length
  /// of the path, and a format of 100 bytes would take all memory.
  private static let valueLimit = 1_000_000

  /// The values that a path, or a prefix of it, leads to.
  struct Found {
    var values: [ElementValue]
    var kind: ValueKind
    /// The class of the objects, if they are objects.
    var model: ModelClass?
    /// Whether there may be several values.
    var isMany = false
    /// The kind of the values that are aggregated; nil if none are.
    var aggregated: ValueKind?
    var mayBeNull = false
    /// Whether the values are collections, whose elements the rest of the path, or the comparison, uses.
    var isCollection = false
    /// Whether the collections are maps, which have entries under keys.
    var isMap = false

    /// The values, as far as they decide what compares with them.
    func values(_ name: PropertyPath) -> ComparedValues {
      ComparedValues(name, kind, aggregating: aggregated, mayBeNull: mayBeNull)
    }

    /// Replaces collections by their elements.
    mutating func enter() {
      guard isCollection else { return }
      values = values.flatMap { $0.members ?? [] }
      (isCollection, isMap, isMany) = (false, false, true)
    }
  }

  // MARK: Comparisons

  func isTrue(_ comparison: Comparison) throws(QueryError) -> Bool {
    let position = comparison.position
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    var comparison = comparison
    if comparison.relation == .in, case .path(let path) = comparison.right {
      // `x IN path` searches the elements of the path for x.
      guard try read(path, at: position).isMany else { throw unsupported("'\(path)' is no collection to look IN.") }
      (comparison.left, comparison.right, comparison.relation) = (comparison.right, comparison.left, .equal)
    }
    guard case .path(let name) = comparison.left else {
      throw unsupported("A comparison wants a property on its left side.")
    }
    let left = try read(name, at: position)
    switch comparison.right {
    case .constant(let constant):
      let subject = left.values(name)
      let fitting = try subject.fitting(constant, comparison.relation, options: comparison.options, at: position) {
        value throws(QueryError) in try subject.converted(value, at: position)
      }
      switch fitting {
      case .shape(let shape):
        if let problem = shape.problem { throw QueryError(.invalidShape, problem, at: position) }
        return isTrue(comparison, of: left) { Self.point(of: $0).map(shape.contains) ?? false }
      case .nested(let constants, let values):
        let isEqual = comparison.relation != .notEqual
        let others = ValueMatcher(.in, .members(values), options: comparison.options)
        return try quantified(comparison, of: left, at: name) { value in
          (others.matches(value.stored(comparison.origins)) || constants.contains { $0.equals(value, \.part) })
            == isEqual
        }
      case .value, .members, .range:
        let question = ValueMatcher(comparison.relation, fitting, options: comparison.options)
        return try quantified(comparison, of: left, at: name) { question.matches($0.stored(comparison.origins)) }
      }
    case .path(let other):
      // Of two sides, one has one value.
      var (many, one) = ((name: name, found: left), (name: other, found: try read(other, at: position)))
      if one.found.isMany {
        guard !left.isMany, let flipped = comparison.relation.flipped else {
          throw unsupported(
            "'\(name)' and '\(other)' cannot be compared: a collection stands on the left, and only there.")
        }
        comparison.relation = flipped
        swap(&many, &one)
      }
      if many.found.aggregated != nil && one.found.aggregated != nil {
        throw unsupported("An aggregate is compared with another.")
      }
      let (subject, value) = (many.found.values(many.name), one.found.values.first?.stored([]) ?? .null)
      try subject.check(
        comparison.relation, comparison.options, with: one.found.values(one.name),
        areOfOneClass: many.found.kind != .link || Self.areOfOneClass(many.found.model, one.found.model), at: position)
      let question = ValueMatcher(comparison.relation, value, options: comparison.options)
      return try quantified(comparison, of: many.found, at: many.name) { question.matches($0.stored([])) }
    }
  }

  private func quantified(
    _ comparison: Comparison, of found: Found, at name: PropertyPath, _ test: (ElementValue) -> Bool
  ) throws(QueryError) -> Bool {
    guard found.isMany || comparison.quantifier == .unquantified else {
      throw QueryError(
        .unsupported, "ANY, ALL and NONE want a collection, and '\(name)' is none.", at: comparison.position)
    }
    return isTrue(comparison, of: found, test)
  }

  private func isTrue(_ comparison: Comparison, of found: Found, _ test: (ElementValue) -> Bool) -> Bool {
    switch comparison.quantifier {
    case .unquantified, .any: found.values.contains(where: test)
    case .all: found.values.allSatisfy(test)
    case .none: !found.values.contains(where: test)
    }
  }

  /// Whether objects of two classes can be the same. In a list outside stores, an object may be of a subclass.
  private static func areOfOneClass(_ a: ModelClass?, _ b: ModelClass?) -> Bool {
    func isKind(_ type: AnyClass, of wanted: AnyClass) -> Bool {
      var type: AnyClass? = type
      while let present = type, present != wanted { type = _getSuperclass(present) }
      return type != nil
    }
    guard let a, let b else { return a == nil && b == nil }
    return isKind(a.type, of: b.type) || isKind(b.type, of: a.type)
  }

  /// The point that an object represents; nil for any other value.
  private static func point(of value: ElementValue) -> GeoPoint? {
    guard let type = value.model?.property(named: "type"),
      let coordinates = value.model?.property(named: "coordinates"),
      case .string("Point")? = value.value(of: type).single,
      let numbers = value.value(of: coordinates).members, numbers.count >= 2,
      case .double(let longitude)? = numbers[0].single, case .double(let latitude)? = numbers[1].single
    else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  // MARK: Paths

  /// The values at the end of a path.
  func read(_ path: PropertyPath, at position: Int?) throws(QueryError) -> Found {
    func unsupported(_ reason: String) -> QueryError {
      QueryError(.unsupported, "\(reason), in '\(path)'.", at: position)
    }
    func noElements() -> QueryError {
      unsupported("A subscript stands behind something that has no elements to name")
    }
    try path.checkPositions(at: position)
    var scope = scopes[0]
    if let variable = path.variable {
      guard let named = scopes.last(where: { $0.variable == variable }) else {
        throw QueryError(
          .unknownProperty, "The variable '$\(variable)' is not one of a SUBQUERY around it.", at: position)
      }
      scope = named
    }
    var found = Found(
      values: [scope.start], kind: scope.model == nil ? .any : .link, model: scope.model,
      mayBeNull: scope.model == nil)
    for (number, component) in path.components.enumerated() {
      // An operator wants the collection itself.
      let isAggregated = if case .aggregate? = path.components.dropFirst(number + 1).first { true } else { false }
      switch component {
      case .property(let name):
        // The value under a key is a value as in stores, also if it is a link, unless it is embedded.
        if number > 0, case .key = path.components[number - 1], found.model?.kind != .embedded { found.model = nil }
        try step(&found, to: name, along: path, at: position)
      case .key, .index:
        var namesEntry = false
        if case .key = component { namesEntry = found.isMap }
        if !namesEntry {
          guard found.kind == .any else { throw noElements() }
          // It goes into each of the elements.
          found.enter()
        }
        found.values = found.values.map { $0.part(component) }
        (found.isCollection, found.isMap, found.mayBeNull) = (false, false, true)
      case .anyElement:
        if found.isCollection {
          if !isAggregated { found.enter() }
        } else {
          guard found.kind == .any else { throw noElements() }
          found.values = found.values.flatMap { $0.members ?? [] }
          (found.isMany, found.mayBeNull) = (true, true)
        }
      case .allValues: if !isAggregated { found.enter() }
      case .allKeys:
        found.values = found.values.flatMap { $0.keys.map { .value(.string($0)) } }
        found = Found(values: found.values, kind: .string, isMany: true)
      case .aggregate(let operation):
        guard found.isCollection else { throw unsupported("An operator wants a collection before it") }
        try aggregate(&found, by: operation, of: path.components[(number + 1)...], along: path, at: position)
        return found
      case .length:
        guard number == path.components.count - 1 else { throw unsupported("'@length' ends a path") }
        found.enter()
        switch found.kind {
        case .string, .data, .any: break
        default: throw unsupported("'@length' wants a string or data before it")
        }
        found.values = found.values.map { .value($0.stored([]).length) }
        (found.kind, found.model) = (.int, nil)
      }
    }
    found.enter()
    assert(found.isMany || found.values.count == 1, "A path without collections leads to one value.")
    return found
  }

  /// Replaces all objects by the values of one of their properties.
  private func step(_ found: inout Found, to name: String, along path: PropertyPath, at position: Int?)
    throws(QueryError)
  {
    found.enter()
    guard found.values.count <= Self.valueLimit else {
      throw QueryError(
        .unsupported, "'\(path)' leads to more than \(Self.valueLimit) objects outside a store.", at: position)
    }
    guard let model = found.model else {
      throw QueryError(
        .unsupported, "'\(path)' goes on behind a value: only links lead to further properties.", at: position)
    }
    guard let property = model.property(named: name) else {
      throw QueryError.unknown(name, of: model.name, in: path, advice: model.advice(on: name), at: position)
    }
    let facts = property.facts
    found.values = found.values.map { seen in
      if seen.model != nil { return seen.value(of: property) }
      return facts.isCollection ? .elements([]) : .value(.null)
    }
    assert(!found.isCollection, "A property is read of objects, not of their collection.")
    let isBehindLinks = found.mayBeNull && found.kind == .link
    found.kind = facts.kind
    found.model = property.target
    found.isCollection = facts.isCollection
    found.isMap = facts.shape == .dictionary
    let isLink = facts.kind == .link && facts.shape == .single && !facts.isBacklinks
    let isNullable = !facts.isBacklinks && (facts.isOptional || facts.kind == .any || isLink)
    found.mayBeNull = isNullable || isBehindLinks && !facts.isCollection
  }

  /// Replaces each collection by an aggregate of its elements.
  private func aggregate(
    _ found: inout Found, by operation: PropertyPath.Aggregate, of rest: ArraySlice<PropertyPath.Component>,
    along path: PropertyPath, at position: Int?
  ) throws(QueryError) {
    func mismatch(_ reason: String) -> QueryError { QueryError(.unsupported, "\(reason), in '\(path)'.", at: position) }
    let collections = found.values
    assert(found.isCollection, "An operator stands behind a collection.")
    var numbers: [StoredValue] = []
    var kind = ValueKind.int
    if operation == .count {
      guard rest.isEmpty else { throw mismatch("'@count' ends a path") }
      numbers = collections.map { .int(Int64($0.members?.count ?? 0)) }
    } else {
      for collection in collections {
        var inner = Found(
          values: collection.members ?? [], kind: found.kind, model: found.model, isMany: true,
          mayBeNull: found.mayBeNull)
        for component in rest {
          guard case .property(let name) = component, !inner.isCollection else {
            throw mismatch("Behind an operator stand properties of one value alone")
          }
          try step(&inner, to: name, along: path, at: position)
        }
        if inner.isCollection { throw mismatch("Behind an operator stands a second collection") }
        kind = inner.kind
        switch kind {
        case .int, .float, .double, .decimal, .any: break
        case .date where operation == .minimum || operation == .maximum: break
        default: throw QueryError(.typeMismatch, "'\(path)' wants numbers, and finds \(kind.phrase).", at: position)
        }
        var total = Accumulator(operation, kind)
        for value in inner.values { total.add(value.stored([])) }
        numbers.append(total.result)
      }
    }
    assert(numbers.count == collections.count, "Each collection has one aggregate.")
    found = Found(
      values: numbers.map { .value($0) }, kind: operation.kind(of: kind), isMany: found.isMany, aggregated: kind,
      mayBeNull: operation != .count && operation != .sum)
  }
}
