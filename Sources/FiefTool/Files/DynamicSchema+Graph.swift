import Fief
import FiefGraph

extension DynamicSchema {
  /// The classes of a graph, by name. Asymmetric classes are left out, as their objects are not stored.
  init(_ graph: Graph) {
    let tables = StoreView(graph).tables.map(\.schema).filter { $0.kind != .asymmetric }
    self.init(tables.map { Class($0, in: graph) })
  }
}

extension DynamicSchema.Class {
  fileprivate init(_ table: TableSchema, in graph: Graph) {
    func name(_ key: ColumnKey) -> String { table.column(key)?.name ?? "" }
    self.init(
      table.name, primaryKey: table.primaryKey.map(name), isEmbedded: table.kind == .embedded,
      table.columns.map { column in
        // A primary key has no other index.
        let index = table.indexes.first { $0.columns == [column.key] && column.key != table.primaryKey }
        return DynamicSchema.Property(column, index, target: column.type.target.flatMap { graph[$0]?.schema.name })
      },
      compoundIndexes: table.indexes.filter { $0.columns.count > 1 }.map {
        CompoundIndex($0.columns.map(name), unique: $0.isUnique)
      })
  }
}

extension DynamicSchema.Property {
  fileprivate init(_ column: Column, _ index: IndexDefinition?, target: String?) {
    let collection: DynamicSchema.Collection =
      switch column.type.shape {
      case .single: .single
      case .list: .list
      case .set: .set
      case .dictionary: .map
      }
    self.init(
      column.name, PropertyType(column.type.kind), collection,
      isOptional: column.type.kind != .link && column.type.isOptional, linkingTo: target,
      index: index.map { $0.isFullText ? .fullText : $0.isUnique ? .unique : .plain } ?? .none,
      deleteRule: column.deleteRule)
  }
}
