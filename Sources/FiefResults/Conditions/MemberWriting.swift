import FiefGraph
import FiefObjects
import FiefQueries

/// Replaces comparisons with values that are mapped to embedded classes by comparisons of their members. Typed queries
/// contain the members from the start; the names of a format have no meaning before the queried class is known.
///
///     spot == %@                  spot.x == 1 AND spot.y == 2
///     ANY spots == %@             SUBQUERY(spots, $element, $element.x == 1 AND $element.y == 2).@count > 0
struct MemberWriting {
  /// The start of the paths in a subquery.
  private struct Scope {
    let variable: String
    let model: ModelClass?
    /// The position of the first node of its condition.
    let start: Int
  }

  private let root: ModelClass?
  private var scopes: [Scope] = []

  /// The condition with all such comparisons replaced.
  ///
  /// - Parameter model: the queried class; nil for elements that are not objects.
  /// - Throws: `QueryError` for names that the class does not have, and for comparisons that are not of equality.
  static func written(_ predicate: QueryPredicate, asking model: ModelClass?) throws(QueryError) -> QueryPredicate {
    guard predicate.comparesMembers else { return predicate }
    var writing = MemberWriting(root: model)
    return try writing.written(predicate)
  }

  private init(root: ModelClass?) { self.root = root }

  private mutating func written(_ predicate: QueryPredicate) throws(QueryError) -> QueryPredicate {
    let starts = predicate.starts
    assert(scopes.isEmpty, "A condition begins outside of subqueries.")
    // From the end, because a subquery stands behind its condition, which uses its variable.
    var written: [[QueryPredicate.Node]] = []
    for index in predicate.nodes.indices.reversed() {
      while let scope = scopes.last, index < scope.start { scopes.removeLast() }
      let node = predicate.nodes[index]
      switch node {
      case .subquery(let subquery):
        let model = try end(of: subquery.collection, at: subquery.position).target
        scopes.append(Scope(variable: subquery.variable, model: model, start: starts[index]))
        written.append([node])
      case .comparison(let comparison):
        if let (path, constants) = comparison.members {
          written.append(try condition(comparison, at: path, with: constants).nodes)
        } else {
          written.append([node])
        }
      default: written.append([node])
      }
    }
    assert(written.count == predicate.nodes.count, "Each node is written once.")
    return QueryPredicate(unchecked: Array(written.reversed().joined()))
  }

  private func condition(
    _ comparison: Comparison, at path: PropertyPath, with constants: [MemberConstant]
  ) throws(QueryError) -> QueryPredicate {
    func unsupported(_ reason: String) -> QueryError { QueryError(.unsupported, reason, at: comparison.position) }
    guard [.equal, .notEqual, .in].contains(comparison.relation), comparison.options.isEmpty else {
      throw unsupported("A value that is mapped to an embedded class can only be compared for equality.")
    }
    let end = try end(of: path, at: comparison.position)
    for case .object(let name, _, _) in constants where end.target?.name != name {
      throw QueryError(
        .typeMismatch, "'\(path)' is compared with a value that is mapped to '\(name)', and is no such object.",
        at: comparison.position)
    }
    let read = constants.map { $0.readOfNull(end.readsNull) }
    guard let depth = end.collection else {
      guard comparison.quantifier == .unquantified else {
        throw unsupported("ANY, ALL and NONE want a collection, and '\(path)' is none.")
      }
      return MemberConstant.condition(read, comparison.relation, at: path)
    }
    // All members must be equal in one element, so a subquery tests each element.
    let variable = "element"
    let element = PropertyPath(Array(path.components[depth...]), variable: variable)
    let holds = MemberConstant.condition(read, comparison.relation, at: element)
    let collection = PropertyPath(Array(path.components[..<depth]), variable: path.variable)
    let relation: Comparison.Operator = [.all, .none].contains(comparison.quantifier) ? .equal : .greater
    return QueryPredicate(
      QueryPredicate.Subquery(collection, variable: variable, count: relation, 0, position: comparison.position),
      where: comparison.quantifier == .all ? !holds : holds)
  }

  private struct PathEnd {
    /// The class of the objects at its end; nil for values.
    var target: ModelClass?
    /// Whether a null link at its end reads as the default.
    var readsNull = false
    /// How many components lead to the last collection on it; nil if the path has no collection.
    var collection: Int?
  }

  private func end(of path: PropertyPath, at position: Int?) throws(QueryError) -> PathEnd {
    var end = PathEnd(target: root)
    if let variable = path.variable {
      guard let scope = scopes.last(where: { $0.variable == variable }) else {
        throw QueryError(
          .unknownProperty, "The variable '$\(variable)' is not one of a SUBQUERY around it.", at: position)
      }
      end.target = scope.model
    }
    for (number, component) in path.components.enumerated() {
      switch component {
      case .property(let name):
        guard let model = end.target else {
          throw QueryError(
            .unsupported, "'\(path)' goes on behind a value: only links lead to further properties.", at: position)
        }
        guard let property = model.property(named: name) else {
          throw QueryError.unknown(name, of: model.name, in: path, advice: model.advice(on: name), at: position)
        }
        end.target = property.target
        end.readsNull = property.facts.isMapped && property.facts.shape == .single
        if property.facts.isCollection { end.collection = number + 1 }
      case .allValues, .anyElement: if end.collection == number { end.collection = number + 1 }
      // The kernel refuses what these do not support.
      case .key, .index: end.collection = nil
      case .allKeys, .aggregate, .length: end.target = nil
      }
    }
    assert(end.collection ?? 0 <= path.components.count, "A collection is on the path.")
    return end
  }
}

extension QueryPredicate {
  /// Whether comparisons with members of embedded objects must be written out for the class of the elements.
  var comparesMembers: Bool {
    nodes.contains { node in
      guard case .comparison(let comparison) = node else { return false }
      return comparison.members != nil
    }
  }
}

extension Comparison {
  /// The path and the constants of a comparison that is made member by member; nil for any other.
  fileprivate var members: (path: PropertyPath, constants: [MemberConstant])? {
    switch (left, right) {
    case (.path(let path), .constant(.members(let constants))): (path, constants)
    case (.constant(.members(let constants)), .path(let path)): (path, constants)
    default: nil
    }
  }
}
