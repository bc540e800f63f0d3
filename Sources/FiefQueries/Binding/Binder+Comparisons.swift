import FiefGraph
import FiefValues

extension Binder {
  /// The test of one comparison, and the constraint that an index can use, if there is one.
  mutating func bind(_ comparison: Comparison) throws(QueryError) -> (Test, Constraint?) {
    let position = comparison.position
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    var (left, right, relation) = (comparison.left, comparison.right, comparison.relation)
    if relation == .in {
      switch (left, right) {
      case (.constant, .path(let path)):
        // `%@ IN path` compares the elements of the path with the constant.
        (left, right, relation) = (.path(path), left, .equal)
        if try !resolve(path, at: position).isMany { throw unsupported("'\(path)' is no collection to look IN.") }
      case (.path(let one), .path(let many)):
        if try !resolve(many, at: position).isMany { throw unsupported("'\(many)' is no collection to look IN.") }
        (left, right, relation) = (.path(many), .path(one), .equal)
      case (.path, .constant(.value(let value))) where value.kind != nil:
        throw unsupported("IN wants several values on its right, and is given \(value.phrase).")
      default: break
      }
    }
    guard case .path(let name) = left else {
      guard case .path(let path) = right, case .constant(let constant) = left, let flipped = relation.flipped else {
        throw unsupported("A comparison wants a property on its left side.")
      }
      var turned = comparison
      (turned.left, turned.relation, turned.right) = (.path(path), flipped, .constant(constant))
      return try bind(turned)
    }
    let path = try resolve(name, at: position)
    switch right {
    case .path(let other):
      return (try bind(path, name: name, relation, with: other, of: comparison), nil)
    case .constant(.name):
      throw QueryError(.argument, "The name of a property stands where a value is wanted: use %K.", at: position)
    case .constant(let constant):
      guard path.isMany || comparison.quantifier == .unquantified else {
        throw unsupported("ANY, ALL and NONE want a collection, and '\(name)' is none.")
      }
      return try bind(path, name: name, relation, constant: constant, of: comparison)
    }
  }

  // MARK: Two properties

  private mutating func bind(
    _ left: BoundPath, name leftName: PropertyPath, _ relation: Comparison.Operator, with rightName: PropertyPath,
    of comparison: Comparison
  ) throws(QueryError) -> Test {
    let (options, position) = (comparison.options, comparison.position)
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    var (left, right) = (left, try resolve(rightName, at: position))
    var (leftName, rightName, relation) = (leftName, rightName, relation)
    if left.isMany && right.isMany { throw unsupported("'\(leftName)' and '\(rightName)' are both collections.") }
    if left.isAggregate && right.isAggregate { throw unsupported("An aggregate is compared with another.") }
    if right.isMany {
      guard let flipped = relation.flipped else {
        throw unsupported("\(relation.spelling) wants its collection on the left.")
      }
      swap(&left, &right)
      swap(&leftName, &rightName)
      relation = flipped
    }
    assert(!right.isMany, "A collection stands on the left.")
    guard left.isMany || comparison.quantifier == .unquantified else {
      throw unsupported("ANY, ALL and NONE want a collection, and '\(leftName)' is none.")
    }
    let areOfOneClass = left.kind != .link || left.target == right.target
    let (subject, other) = (ComparedValues(leftName, of: left), ComparedValues(rightName, of: right))
    try subject.check(relation, options, with: other, areOfOneClass: areOfOneClass, at: position)
    return .general(
      GeneralTest(
        quantifier: comparison.quantifier, left: left, right: .path(right, relation, options), level: scopes.count - 1))
  }

  // MARK: A property and a constant

  private mutating func bind(
    _ path: BoundPath, name: PropertyPath, _ relation: Comparison.Operator, constant: QueryConstant,
    of comparison: Comparison
  ) throws(QueryError) -> (Test, Constraint?) {
    assert(path.level < scopes.count, "A path begins at a row of a query around it.")
    let (position, options) = (comparison.position, comparison.options)
    func general(_ right: GeneralTest.Right) -> Test {
      .general(GeneralTest(quantifier: comparison.quantifier, left: path, right: right, level: scopes.count - 1))
    }
    let subject = ComparedValues(name, of: path)
    let fitting = try subject.fitting(constant, relation, options: options, at: position) { value throws(QueryError) in
      try converted(value, for: path, subject, at: position)
    }
    switch fitting {
    case .shape(let shape): return (general(.shape(try bind(shape, around: path, name: name, at: position))), nil)
    case .nested(let constants, let values):
      let others = ValueMatcher(.in, .members(values), options: options)
      return (general(.nested(constants, beside: others, isEqual: relation != .notEqual)), nil)
    case .value, .members, .range:
      guard let (leaf, type) = cell(path) else {
        return (general(.constant(ValueMatcher(relation, fitting, options: options))), nil)
      }
      let test = Self.cellTest(leaf: leaf, type: type, relation, fitting, options: options)
      return (wrapped(test, path), constraint(path, relation, fitting, options: options))
    }
  }

  /// Binds a shape that is compared with a path to embedded points.
  private mutating func bind(
    _ shape: GeoShape, around path: BoundPath, name: PropertyPath, at position: Int?
  ) throws(QueryError) -> BoundShape {
    if let problem = shape.problem { throw QueryError(.invalidShape, problem, at: position) }
    guard path.kind == .link, let key = path.target, !path.isAggregate else {
      throw QueryError(.unsupported, "'\(name)' is no point: only embedded objects can lie in a shape.", at: position)
    }
    let table = try facts(of: key)
    guard table.kind == .embedded, let type = table.column(named: "type"), type.type.kind == .string,
      type.type.shape == .single, let coordinates = table.column(named: "coordinates"),
      coordinates.type.kind == .double, coordinates.type.shape == .list, let typeLeaf = table.leaf(of: type.key),
      let coordinatesLeaf = table.leaf(of: coordinates.key)
    else {
      throw QueryError(
        .unsupported,
        "'\(name)' is no point: a point is an embedded object with a string 'type' and a list of doubles "
          + "'coordinates'.",
        at: position)
    }
    return BoundShape(shape, table: key, typeLeaf: typeLeaf, coordinatesLeaf: coordinatesLeaf)
  }
}

extension ValueKind {
  /// Whether values of this kind compare with all numbers.
  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }
}
