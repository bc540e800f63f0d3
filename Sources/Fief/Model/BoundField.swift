import FiefCopying
import FiefGraph

/// The field of a property in the instances of a class.
final class BoundField: PropertyField, @unchecked Sendable {
  // Immutable. The closures are those of the property's type and capture only metatypes.

  let number: Int
  let offset: Int
  let facts: _TypeFacts
  let access: _FieldAccess
  /// Converts an untyped value or element; nil when it has a wrong type.
  let take: (Any) -> _PropertyContent?

  init(_ property: ModelProperty) {
    number = property.number
    offset = property.offset
    facts = property.facts
    access = property.access
    take = property.facts.element?.take ?? property.access.take
  }

  var targetName: String? { facts.targetName ?? facts.target.map { ModelClass.of($0).name } }

  var targetWords: String {
    if facts.target == DynamicObject.self, let name = facts.targetName { return name }
    return facts.target?.className() ?? "Object"
  }
}

extension RowProperty {
  /// The field. Every property of a class of this module has one.
  var bound: BoundField { unsafe unsafeDowncast(field, to: BoundField.self) }

  /// A property as a store keeps it, or with a column of 0 as it is declared.
  ///
  /// - Parameters:
  ///   - graph: during a migration, the graph whose tables decide about primary keys and kinds.
  ///   - primaryKey: during a migration, the number of the primary key that the table has.
  convenience init(
    _ property: ModelProperty, _ field: BoundField, _ column: ColumnKey, _ type: ColumnType,
    migrating graph: Graph? = nil, _ primaryKey: Int? = nil
  ) {
    let facts = property.facts
    let targetKind = graph.flatMap { graph in type.target.flatMap { graph[$0]?.schema.kind } }
    self.init(
      number: property.number, name: property.name, column: column, type: type,
      isPrimaryKey: graph == nil ? property.isPrimaryKey : property.number == primaryKey,
      embedsTarget: targetKind.map { $0 == .embedded }
        ?? (facts.target is EmbeddedObject.Type || facts.embedsDynamically),
      isBareUnset: facts.shape != .single || facts.kind == .any || facts.isOptional, field: field)
  }
}
