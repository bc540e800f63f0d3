import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// A graph with a column of every valid type. Random transactions fill, change and empty it, so that a codec is tested
/// with all of them.
///
///     table 2  target   ordinary, primary key, an index      rows to link to
///     table 3  part     embedded                             rows to own
///     table 4  row      every kind × shape × optional or not × width, by the name of the type
struct RandomStore {
  private(set) var graph: Graph
  var random: SeededRandom
  let target = TableKey(rawValue: 2)
  let part = TableKey(rawValue: 3)
  let row = TableKey(rawValue: 4)
  private var extraColumns = 0

  init(seed: Seed) throws {
    random = seed.random
    let transaction = Transaction(.empty)
    let target = try transaction.addTable("target")
    let name = try transaction.addColumn(to: target, "näme", ColumnType(.string, isOptional: true))
    let number = try transaction.addColumn(to: target, "number", ColumnType(.int))
    try transaction.setPrimaryKey(name, of: target)
    try transaction.addIndex(IndexDefinition([number, name]), to: target)
    let part = try transaction.addTable("part", kind: .embedded)
    try transaction.addColumn(to: part, "number", ColumnType(.int, width: .bits16))
    try transaction.addColumn(to: part, "inner", .link(to: part))
    let row = try transaction.addTable("row")
    for type in Self.types(target: target) { try transaction.addColumn(to: row, type.declaration, type) }
    for shape in [ColumnShape.single, .list, .dictionary] {
      try transaction.addColumn(to: row, "part \(shape)", .link(to: part, shape: shape))
    }
    graph = transaction.graph
  }

  /// Every type that a column can have; links lead to `target`.
  static func types(target: TableKey) -> [ColumnType] {
    var types: [ColumnType] = []
    for kind in ValueKind.allCases {
      for shape in ColumnShape.allCases {
        if kind == .link {
          types.append(.link(to: target, shape: shape))
        } else {
          for isOptional in kind == .any ? [false] : [false, true] {
            for width in kind == .int ? IntegerWidth.allCases : [.bits64] {
              types.append(ColumnType(kind, shape: shape, isOptional: isOptional, width: width))
            }
          }
        }
      }
    }
    return types
  }

  /// Performs one random transaction, and returns its changes, which may be empty.
  mutating func step(operations: Int = 12) throws -> Delta {
    let transaction = Transaction(graph)
    for _ in 0..<operations { try operate(transaction, operations) }
    let next = transaction.graph
    defer { graph = next }
    return Delta(from: graph, to: next)
  }

  private mutating func operate(_ transaction: Transaction, _ operations: Int) throws {
    switch random.below(40) {
    case 0..<8: try transaction.create(in: row)
    case 8..<14:
      let keys = keys(target)
      _ = try? transaction.create(
        in: target, primaryKey: random.below(8) == 0 ? .null : .string("\(random.below(400)) \(keys.count)"))
    case 14: if let key = randomKey(row) { try? transaction.delete(ObjectLink(row, key)) }
    case 15: if let key = randomKey(target) { try? transaction.delete(ObjectLink(target, key)) }
    case 16 where random.below(30) == 0:
      extraColumns += 1
      try transaction.addColumn(to: row, "extra \(extraColumns)", ColumnType(.double, isOptional: random.bool()))
    case 17 where random.below(30) == 0: try transaction.clear(target)
    case 18 where operations > 1 && random.below(8) == 0:
      for _ in 0..<random.below(600) { try transaction.create(in: row) }
    default: if let key = randomKey(row) { try fill(transaction, key) }
    }
  }

  private func keys(_ table: TableKey) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    graph[table]?.rows.forEach { chunk, cluster in
      cluster.live.forEach { keys.append(ObjectKey(chunk: chunk, bit: $0)) }
      return true
    }
    return keys
  }

  private mutating func randomKey(_ table: TableKey) -> ObjectKey? {
    let keys = keys(table)
    return keys.isEmpty ? nil : random.element(of: keys)
  }

  /// Sets or edits a random cell of a row; changes that the graph refuses are skipped.
  private mutating func fill(_ transaction: Transaction, _ key: ObjectKey) throws {
    guard let columns = graph[row]?.schema.columns, transaction.contains(ObjectLink(row, key)) else { return }
    let column = random.element(of: columns)
    let cell = Cell(row, key, column.key)
    let type = column.type
    if type.target == part { return try fillOwned(transaction, cell, type.shape) }
    let count = transaction.count(of: cell)
    let value = value(of: type)
    switch type.shape {
    case .single:
      if type.kind == .any && random.below(4) == 0 {
        try transaction.createOwned(in: random.bool() ? .nestedLists : .nestedDictionaries, by: cell, .value)
      } else {
        try? transaction.set(value, cell)
      }
    case .list:
      let values = (0..<random.below(6)).map { _ in self.value(of: type) }
      let start = random.below(count + 1)
      let end = min(count, start + random.below(4))
      try? transaction.replaceSubrange(start..<end, with: values, inList: cell)
    case .set:
      if random.bool() {
        _ = try? transaction.insert(value, inSet: cell)
      } else {
        _ = try? transaction.remove(value, fromSet: cell)
      }
    case .dictionary:
      if random.below(4) == 0 {
        _ = try? transaction.remove(key: random.element(of: ["", "a", "b", "\u{E9}"]), fromDictionary: cell)
      } else {
        let key = random.bool() ? random.element(of: ["", "a", "b", "\u{E9}", "e\u{301}"]) : random.string()
        try? transaction.set(value, forKey: key, inDictionary: cell)
      }
    }
  }

  private mutating func fillOwned(_ transaction: Transaction, _ cell: Cell, _ shape: ColumnShape) throws {
    switch shape {
    case .single:
      let made = try transaction.createOwned(in: part, by: cell, .value)
      if random.bool() {
        try transaction.createOwned(
          in: part, by: Cell(part, made, ColumnKey(rawValue: 1)), .value)
      }
    case .list: try transaction.createOwned(in: part, by: cell, .inserted(at: 0))
    default: try? transaction.removeAll(from: cell)
    }
  }

  /// A value that a cell of the type, or an element of it, may be able to hold.
  private mutating func value(of type: ColumnType) -> Value {
    if type.allowsNull && random.below(5) == 0 { return .null }
    switch type.kind {
    case .bool: return .bool(random.bool())
    case .int: return .int(random.int64())
    case .float: return .float(Float(random.double()))
    case .double: return .double(random.double())
    case .string: return .string(random.string())
    case .data: return .data(random.data())
    case .date: return .date(Timestamp(seconds: random.int64(), nanoseconds: Int64(random.below(1_000_000_000))))
    case .objectId:
      return .objectId(ObjectId(words: UInt32(random.below(1 << 32)), 5, UInt32(random.below(3))))
    case .uuid: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(256)))))
    case .decimal: return .decimal(Decimal128(bitPatternHigh: random.next() >> 1, low: random.next()))
    case .link: return randomKey(target).map { .link(ObjectLink(target, $0)) } ?? .null
    case .any:
      let kinds = ValueKind.allCases.filter { $0 != .any }
      return value(of: ColumnType(random.element(of: kinds), target: target))
    }
  }
}

extension RandomStore {
  /// A graph with values in each of its columns.
  static func everything() throws -> Graph {
    var store = try RandomStore(seed: Seed(77))
    for _ in 0..<40 { _ = try store.step(operations: 6) }
    return store.graph
  }
}
