import FiefGraph

extension ModelClass {
  /// The table that the class declares. Called for classes without problems.
  var declaration: TableDeclaration {
    TableDeclaration(
      name: name, kind: tableKind, columns: properties.filter(\.isStored).map(\.declaration),
      primaryKey: primaryKey.map { properties[$0].storedName },
      indexes: compoundIndexes.map { index in
        CompoundDeclaration(
          columns: index.properties.compactMap { number(of: $0) }.map { properties[$0].storedName },
          isUnique: index.isUnique)
      })
  }

  private var tableKind: TableKind {
    switch kind {
    case .object: .ordinary
    case .embedded: .embedded
    case .asymmetric: .asymmetric
    }
  }
}

extension ModelProperty {
  fileprivate var declaration: ColumnDeclaration {
    ColumnDeclaration(
      name: storedName, label: name, type: facts.columnType,
      target: facts.kind == .link ? facts.target.map { ModelClass.of($0).name } : nil, deleteRule: deleteRule,
      index: !isIndexed || isPrimaryKey ? .none : isUnique ? .unique : .plain, hasWordIndex: hasWordIndex)
  }
}
