import FiefGraph
import FiefObjects

extension ModelClass {
  /// The table that the class declares. Called for classes without problems.
  var tableDeclaration: TableDeclaration {
    let stored = properties.filter(\.isStored)
    return TableDeclaration(
      name: name, kind: kind,
      columns: stored.map { property in
        property.declaration.column(
          property.storedName, label: property.name, property.facts.columnType,
          target: property.facts.kind == .link ? property.targetName : nil)
      },
      primaryKey: primaryKey.map { properties[$0].storedName },
      indexes: stored.flatMap { $0.declaration.indexes(over: $0.storedName) }
        + compoundIndexes.map { index in
          ColumnIndex(
            index.properties.compactMap { number(of: $0) }.map { properties[$0].storedName }, isUnique: index.isUnique)
        })
  }
}
