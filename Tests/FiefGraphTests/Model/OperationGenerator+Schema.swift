import FiefGraph
import FiefTestSupport

// Random schemas, made by the operations that also change them later.

extension OperationGenerator {
  mutating func schemaOperation(_ kind: OperationKind, _ oracle: Oracle) -> Operation? {
    switch kind {
    case .addTable:
      if oracle.tables.compactMap({ $0 }).count > 8 { return nil }
      let kinds: [TableKind] = [.ordinary, .ordinary, .ordinary, .embedded, .embedded, .asymmetric]
      return .addTable(name("T", oracle), random.element(of: kinds))
    case .removeTable: return rarely(3) ? table(oracle).map { .removeTable($0) } : nil
    case .renameTable: return table(oracle).map { .renameTable($0, name("T", oracle)) }
    case .addColumn: return addColumn(oracle)
    default: break
    }
    guard let key = rarely(30) ? table(oracle) : table(oracle, where: { !$0.columns.isEmpty && $0.key.rawValue > 1 })
    else { return nil }
    let table = oracle[key]
    let column = column(of: table)
    switch kind {
    case .removeColumn: return .removeColumn(key, column)
    case .renameColumn: return .renameColumn(key, column, name("c", oracle))
    case .setDeleteRule:
      let links = table?.columns.filter { $0.type.kind == .link } ?? []
      let chosen = links.isEmpty || rarely(10) ? column : random.element(of: links).key
      return .setDeleteRule(key, chosen, random.element(of: DeleteRule.allCases))
    case .setPrimaryKey:
      if rarely(4) { return .setPrimaryKey(key, nil) }
      let fit = table?.columns.filter { [.int, .string, .objectId, .uuid].contains($0.type.kind) } ?? []
      return .setPrimaryKey(key, fit.isEmpty || rarely(8) ? column : random.element(of: fit).key)
    case .addIndex:
      let fit = table?.columns.filter { $0.type.shape == .single && $0.type.kind != .link }.map(\.key) ?? []
      if rarely(4) {
        let texts = table?.columns.filter { $0.type.shape == .single && $0.type.kind == .string }.map(\.key) ?? []
        return .addIndex(key, .fullText(texts.isEmpty || rarely(12) ? column : random.element(of: texts)))
      }
      var columns = Array(random.shuffled(fit).prefix(rarely(3) ? 2 : 1))
      if columns.isEmpty || rarely(12) { columns.append(column) }
      return .addIndex(key, IndexDefinition(columns, isUnique: random.bool()))
    default:
      let present = table?.indexes ?? []
      if present.isEmpty || rarely(8) { return .removeIndex(key, [column], isFullText: random.bool()) }
      let index = random.element(of: present)
      return .removeIndex(key, index.columns, isFullText: index.isFullText)
    }
  }

  private mutating func name(_ prefix: String, _ oracle: Oracle) -> String {
    rarely(40) ? "" : "\(prefix)\(random.below(30))"
  }

  private mutating func column(of table: ModelTable?) -> ColumnKey {
    guard let table, !table.columns.isEmpty, !rarely(40) else {
      return ColumnKey(rawValue: (table?.nextColumn ?? 0) + 1)
    }
    return random.element(of: table.columns).key
  }

  private mutating func addColumn(_ oracle: Oracle) -> Operation? {
    guard let key = rarely(40) ? table(oracle) : table(oracle, where: { $0.key.rawValue > 1 }) else { return nil }
    if (oracle[key]?.columns.count ?? 0) > 10 { return nil }
    let type = newType(oracle)
    let isShared = type.target.map { oracle[$0]?.kind == .ordinary } ?? false
    let rule = isShared || rarely(40) ? random.element(of: DeleteRule.allCases) : .nullify
    let value = type.shape != .single || random.bool() ? nil : value(type, oracle)
    return .addColumn(key, name("c", oracle), type, rule, rarely(40) ? .int(1) : value)
  }

  /// A type that is usually sound.
  mutating func newType(_ oracle: Oracle) -> ColumnType {
    let kinds = ValueKind.allCases + [.link, .link, .link, .link, .any, .any, .int, .string]
    var type = ColumnType(random.element(of: kinds), shape: random.element(of: ColumnShape.allCases))
    type.isOptional = type.kind != .any && type.kind != .link && random.bool()
    if type.kind == .int && random.bool() { type.width = random.element(of: IntegerWidth.allCases) }
    if type.kind == .link {
      type.target = table(oracle, where: { $0.key.rawValue > 1 && $0.kind != .asymmetric })
      if let target = type.target, oracle[target]?.kind == .embedded, type.shape == .set { type.shape = .list }
    }
    if rarely(40) { type.isOptional.toggle() }
    if rarely(60) { type.width = .bits8 }
    if rarely(60) { type.target = table(oracle) }
    return type
  }
}
