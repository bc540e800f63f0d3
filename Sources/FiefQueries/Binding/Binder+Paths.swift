import FiefGraph

extension Binder {
  mutating func resolve(_ path: PropertyPath, at position: Int?) throws(QueryError) -> BoundPath {
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: position) }
    try path.checkPositions(at: position)
    var bound = BoundPath()
    if let variable = path.variable {
      guard let level = scopes.lastIndex(where: { $0.variable == variable }) else {
        throw QueryError(
          .unknownProperty, "The variable '$\(variable)' is not one of a SUBQUERY around it.", at: position)
      }
      bound.level = level
    }
    switch scopes[bound.level] {
    case .element(let type): return try resolveElement(path, type, at: position)
    case .row(let table, _): bound.start = table.key
    }
    let components = path.components
    // Set once the path has read a value instead of a row. Only subscripts and operators may follow then.
    var isEnded = false
    var index = 0
    while index < components.count {
      let component = components[index]
      index += 1
      switch component {
      case .property(let name):
        if isEnded { throw unsupported("'\(path)' goes on behind a value: only links lead to further properties.") }
        guard let key = bound.table else { throw unsupported("'\(path)' leads nowhere.") }
        let table = try facts(of: key)
        switch catalog.property(name, of: table) {
        case nil:
          throw QueryError.unknown(
            name, of: table.name, in: path, advice: catalog.advice(on: name, in: table), at: position)
        case .backlinks(let origin, let column)?: bound.hops.append(.backlinks(origin: origin, column: column))
        case .column(let column)?:
          guard let leaf = table.leaf(of: column) else {
            throw QueryError.unknown(
              name, of: table.name, in: path, advice: catalog.advice(on: name, in: table), at: position)
          }
          let type = table.columns[leaf].type
          let isLast = index == components.count
          if type.kind == .link, let target = type.target, type.shape != .single || !isLast {
            // A path continues behind a dictionary of links with a key, or with its values.
            if type.shape == .dictionary, !isLast, case .property = components[index] {
              bound.hops.append(.links(leaf: leaf, type: type, to: target))
            } else if type.shape == .dictionary {
              bound.end = .elements(leaf: leaf, type)
              isEnded = true
            } else {
              bound.hops.append(
                type.shape == .single
                  ? .link(leaf: leaf, to: target) : .links(leaf: leaf, type: type, to: target))
            }
          } else {
            bound.end = type.isCollection ? .elements(leaf: leaf, type) : .cell(leaf: leaf, type)
            isEnded = true
          }
        }
      case .allKeys, .allValues:
        guard case .elements(let leaf, let type) = bound.end, type.shape == .dictionary, bound.walk.isEmpty else {
          throw unsupported("'@allKeys' and '@allValues' want a map before them, in '\(path)'.")
        }
        if component == .allKeys {
          bound.end = .keys(leaf: leaf)
        } else if !Self.isOperator(components, at: index) {
          isEnded = !Self.enterLinks(&bound)
        }
      case .key(let key):
        if case .elements(let leaf, let type) = bound.end, type.shape == .dictionary,
          Self.isProperty(components, at: index - 2)
        {
          bound.end = .entry(leaf: leaf, type, key: key)
          // Values of custom types are compared member by member, also under a key.
          if let target = type.target, index < components.count, Self.isProperty(components, at: index),
            try facts(of: target).kind == .embedded
          {
            bound.hops.append(.entry(leaf: leaf, key: key, to: target))
            bound.end = .row
            isEnded = false
          }
        } else {
          bound.walk.append(component)
        }
      case .anyElement:
        // Behind a collection that is a property, it means what the path reads anyway: its elements.
        let isCollection =
          switch bound.end {
          case .elements: true
          case .row: bound.hops.last?.isMany == true
          default: false
          }
        if isCollection, Self.isProperty(components, at: index - 2) {
          if !Self.isOperator(components, at: index), Self.enterLinks(&bound) { isEnded = false }
        } else {
          bound.walk.append(component)
        }
      case .index: bound.walk.append(component)
      case .aggregate(let operation):
        try aggregate(operation, of: components[index...], into: &bound, along: path, at: position)
        index = components.count
        isEnded = true
      case .length:
        guard index == components.count else { throw unsupported("'@length' ends a path, in '\(path)'.") }
        try measure(&bound, path, at: position)
      }
    }
    if !bound.walk.isEmpty {
      var reads = false
      switch bound.end.stored {
      case .cell(_, let type), .elements(_, let type), .entry(_, let type, _): reads = type.kind == .any
      default: break
      }
      guard reads else {
        throw unsupported("The subscript in '\(path)' stands behind something that has no elements to name.")
      }
    }
    return bound
  }

  /// Has a path to the values of a dictionary of links end at their rows, from which it may continue.
  ///
  /// - Returns: false for any other path.
  private static func enterLinks(_ bound: inout BoundPath) -> Bool {
    guard case .elements(let leaf, let type) = bound.end, type.kind == .link, let target = type.target else {
      return false
    }
    bound.hops.append(.links(leaf: leaf, type: type, to: target))
    bound.end = .row
    return true
  }

  /// Whether the component at `index` names a property.
  private static func isProperty(_ components: [PropertyPath.Component], at index: Int) -> Bool {
    guard index >= 0, case .property = components[index] else { return false }
    return true
  }

  /// Whether the component at `index` is an operator or a subscript other than an index.
  private static func isOperator(_ components: [PropertyPath.Component], at index: Int) -> Bool {
    guard index < components.count else { return false }
    switch components[index] {
    case .aggregate, .key, .anyElement: return true
    default: return false
    }
  }

  /// Resolves a path in a query whose elements are values without rows.
  private func resolveElement(_ path: PropertyPath, _ type: ColumnType, at position: Int?) throws(QueryError)
    -> BoundPath
  {
    var bound = BoundPath()
    bound.end = .element(type)
    assert(scopes.count == 1, "Elements without rows have no subqueries.")
    for (number, component) in path.components.enumerated() {
      switch component {
      case .key, .index, .anyElement:
        guard type.kind == .any else { fallthrough }
        bound.walk.append(component)
      case .length where number == path.components.count - 1: try measure(&bound, path, at: position)
      default:
        throw QueryError(
          .unknownProperty, "'\(path)' is no property: the elements are no objects, and are spoken of as SELF.",
          at: position)
      }
    }
    return bound
  }

  /// Turns the strings or data that the path has reached into their lengths.
  private func measure(_ bound: inout BoundPath, _ path: PropertyPath, at position: Int?) throws(QueryError) {
    switch bound.kind {
    case .string, .data, .any:
      bound.end = .length(of: bound.end)
      assert(bound.kind == .int, "A length is an integer.")
    default:
      throw QueryError(.unsupported, "'@length' wants a string or data before it, in '\(path)'.", at: position)
    }
  }

  /// Turns the collection that the path has reached into an aggregate.
  private mutating func aggregate(
    _ operation: PropertyPath.Aggregate, of rest: ArraySlice<PropertyPath.Component>, into bound: inout BoundPath,
    along path: PropertyPath, at position: Int?
  ) throws(QueryError) {
    func unsupported(_ reason: String) -> QueryError {
      QueryError(.unsupported, "\(reason), in '\(path)'.", at: position)
    }
    // The way from the row to the values.
    var inner = BoundPath()
    var kind = ValueKind.link
    guard bound.walk.isEmpty else { throw unsupported("An operator stands behind a subscript") }
    switch bound.end {
    case .elements(let leaf, let type):
      kind = type.kind
      if type.kind == .link, let target = type.target {
        inner.hops = [.links(leaf: leaf, type: type, to: target)]
      } else {
        inner.end = .elements(leaf: leaf, type)
      }
    case .row where bound.hops.last?.isMany == true: inner.hops = [bound.hops.removeLast()]
    default: throw unsupported("An operator wants a collection before it")
    }
    if operation == .count {
      guard rest.isEmpty else { throw unsupported("'@count' ends a path") }
      bound.end = .aggregate(BoundAggregate(operation: .count, path: inner, elementKind: .int))
      return
    }
    if inner.hops.isEmpty {
      guard rest.isEmpty else { throw unsupported("The elements have no properties") }
    } else if rest.isEmpty {
      throw unsupported("The operator wants a property of the objects behind it")
    }
    for (number, component) in rest.enumerated() {
      guard case .property(let name) = component, let key = inner.table else {
        throw unsupported("Behind an operator stand properties alone")
      }
      let table = try facts(of: key)
      guard case .column(let column)? = catalog.property(name, of: table), let leaf = table.leaf(of: column) else {
        throw QueryError(
          .unknownProperty, "There is no single property '\(name)' in '\(table.name)'.", at: position)
      }
      let type = table.columns[leaf].type
      guard type.shape == .single else { throw unsupported("Behind an operator stands a second collection") }
      if number == rest.count - 1 {
        inner.end = .cell(leaf: leaf, type)
        kind = type.kind
      } else {
        guard type.kind == .link, let target = type.target else {
          throw unsupported("'\(name)' leads to no further property")
        }
        inner.hops.append(.link(leaf: leaf, to: target))
      }
    }
    switch kind {
    case .int, .float, .double, .decimal, .any: break
    case .date where operation == .minimum || operation == .maximum: break
    default: throw QueryError(.typeMismatch, "'\(path)' wants numbers, and finds \(kind.phrase).", at: position)
    }
    bound.end = .aggregate(BoundAggregate(operation: operation, path: inner, elementKind: kind))
  }
}
