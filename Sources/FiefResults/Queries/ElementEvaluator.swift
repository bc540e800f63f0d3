import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

/// Tests a single object or value against a condition: a managed object as a row of its store, all else as an
/// `ElementCondition`.
struct ElementEvaluator {
  private let predicate: QueryPredicate
  /// Whether comparisons with members of embedded objects must be written out for the class of the element.
  private let hasMembers: Bool

  private let condition: ElementCondition<ElementValue>

  init(_ predicate: QueryPredicate) {
    self.predicate = predicate
    hasMembers = predicate.comparesMembers
    condition = ElementCondition(predicate)
  }

  /// Whether an element satisfies the condition.
  ///
  /// - Throws: `QueryError` for names and values that do not fit the element.
  func isTrue(of element: Any?) throws(QueryError) -> Bool {
    let value = element.flatMap(flattened)
    if let value, DynamicValue.isObject(value), let object = value as? ObjectBase {
      if hasMembers {
        return try ElementEvaluator(try MemberWriting.written(predicate, asking: object.model)).isTrue(of: object)
      }
      if let session = object.retainedSession, let link = object.rowLink {
        return try isTrue(of: object, link, session)
      }
      return try condition.isTrue(of: .object(object))
    }
    guard case .value(let stored) = try QueryArguments.operand(value).constant else {
      throw QueryError(.argument, "A condition can be asked about objects and about single values, not collections.")
    }
    return try condition.isTrue(of: .value(stored))
  }

  private func isTrue(of object: ObjectBase, _ link: ObjectLink, _ session: Session) throws(QueryError) -> Bool {
    session.checkConfinement()
    if !object.hasRow { Misuse.invalidated(object) }
    session.noteReadOfAll()
    try session.check(predicate)
    let query = try CompiledQuery(
      predicate, of: link.table, in: session.layout, catalog: StoreCatalog(store: session.store))
    return session.read { query.matches(link.key, in: $0) }
  }
}
