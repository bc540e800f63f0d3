import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// A small graph that uses every kind of storage, link and ownership.
enum HarnessGraph {
  /// - Parameter rounds: the number of rows of the class that has all kinds of columns.
  static func make(_ rounds: Int = 6) throws -> Graph {
    let transaction = Transaction(.empty)
    let target = try transaction.addTable("target")
    let name = try transaction.addColumn(to: target, "name", ColumnType(.string, isOptional: true))
    try transaction.setPrimaryKey(name, of: target)
    let part = try transaction.addTable("part", kind: .embedded)
    let number = try transaction.addColumn(to: part, "number", ColumnType(.int, width: .bits16))
    let row = try transaction.addTable("row")
    func column(_ name: String, _ type: ColumnType) throws -> ColumnKey {
      try transaction.addColumn(to: row, name, type)
    }
    let age = try column("age", ColumnType(.int, isOptional: true))
    let text = try column("text", ColumnType(.string))
    let link = try column("link", .link(to: target))
    let links = try column("links", .link(to: target, shape: .list))
    let owned = try column("owned", .link(to: part, shape: .list))
    let anything = try column("anything", ColumnType(.any))
    let set = try column("set", ColumnType(.double, shape: .set))
    let map = try column("map", ColumnType(.any, shape: .dictionary))
    try transaction.addIndex(IndexDefinition([age, text]), to: row)
    for number in 0..<4 { try transaction.create(in: target, primaryKey: .string("target \(number)")) }
    for round in 0..<rounds {
      let key = try transaction.create(in: row) { try $0.set("text \(round)", text) }
      func cell(_ column: ColumnKey) -> Cell { Cell(row, key, column) }
      let target = Value.link(ObjectLink(target, ObjectKey(Int64(round % 4))))
      if round > 0 { try transaction.set(round * 100, cell(age)) }
      try transaction.set(target, cell(link))
      try transaction.insert(contentsOf: [target, target], at: 0, inList: cell(links))
      try transaction.createOwned(in: part, by: cell(owned), .inserted(at: 0)) { try $0.set(round, number) }
      try transaction.createOwned(in: .nestedLists, by: cell(anything), .value)
      try transaction.formUnion([.double(0.5), .double(Double(round))], inSet: cell(set))
      try transaction.set(.decimal("1.50"), forKey: "key", inDictionary: cell(map))
    }
    return transaction.graph
  }

  /// The graph after some random changes. A change that is refused leaves everything as it was.
  static func changed(_ graph: Graph, _ random: inout SeededRandom) -> Graph {
    let transaction = Transaction(graph)
    guard let table = graph.table(named: "row"), let targets = graph.table(named: "target")?.schema.key else {
      return graph
    }
    let row = table.schema.key
    let columns = table.schema.columns
    for _ in 0..<1 + random.below(3) {
      let key = ObjectKey(Int64(random.below(8)))
      let cell = Cell(row, key, random.element(of: columns).key)
      let target = Value.link(ObjectLink(targets, ObjectKey(Int64(random.below(5)))))
      let value = random.element(of: [.null, .int(7), .string("text 1"), target, .double(1.5), .bool(true)] as [Value])
      switch random.below(10) {
      case 0: _ = try? transaction.create(in: row)
      case 1: try? transaction.delete(ObjectLink(row, key))
      case 2: try? transaction.delete(ObjectLink(targets, ObjectKey(Int64(random.below(4)))))
      case 3: try? transaction.append(value, toList: cell)
      case 4: try? transaction.removeAll(from: cell)
      case 5: _ = try? transaction.insert(value, inSet: cell)
      case 6: try? transaction.set(value, forKey: "key \(random.below(3))", inDictionary: cell)
      case 7: _ = try? transaction.addColumn(to: row, "late \(random.below(3))", ColumnType(.uuid, isOptional: true))
      default: try? transaction.set(value, cell)
      }
    }
    return transaction.graph
  }
}
