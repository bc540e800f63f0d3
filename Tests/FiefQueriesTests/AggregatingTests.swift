import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct AggregatingTests {
  @Test func numbersComeOutAsAPlainLoopFindsThem() throws {
    try Seeds.run(count: 40) { _, random throws in
      let world = try World(&random, rows: 5 + random.below(80))
      let table = try #require(world.graph[world.thing])
      let all = RowSelection(all: table)
      let some = RowSelection(all.filter { _ in random.bool() } + [ObjectKey(1_000_000)])
      let list = (0..<30).map { _ in random.element(of: Array(all)) }
      for name in ["int", "intN", "floatN", "double", "decimalN", "dateN", "id"] {
        let column = try #require(table.schema.column(named: name))
        for operation in PropertyPath.Aggregate.allCases
        where name != "dateN" || ![.sum, .average].contains(operation) {
          let query = try AggregateQuery(operation, PropertyPath(name), of: world.thing, in: world.graph)
          func plain(_ keys: some Sequence<ObjectKey>) -> Value {
            let values = keys.compactMap { world.graph.value(Cell(world.thing, $0, column.key)) }.filter { !$0.isNull }
            return Self.plain(operation, values, column.type.kind)
          }
          #expect(query.total(in: world.graph).result == plain(all), "\(operation) of \(name)")
          #expect(query.total(in: world.graph, of: some).result == plain(some), "\(operation) of \(name)")
          #expect(query.total(in: world.graph, among: list).result == plain(list), "\(operation) of \(name)")
        }
      }
    }
  }

  private static func plain(_ operation: PropertyPath.Aggregate, _ values: [Value], _ kind: ValueKind) -> Value {
    switch operation {
    case .count: return .int(Int64(values.count))
    case .minimum: return values.min { StoredOrder.compare($0, $1) < 0 } ?? .null
    case .maximum: return values.reduce(.null) { $0.isNull || StoredOrder.compare($1, $0) > 0 ? $1 : $0 }
    case .sum, .average:
      if operation == .average && values.isEmpty { return .null }
      var (whole, double, decimal) = (Int128(0), 0.0, Decimal128())
      for value in values {
        switch value {
        case .int(let number): whole += Int128(number)
        case .float(let number): double += Double(number)
        case .double(let number): double += number
        case .decimal(let number): decimal += number
        default: break
        }
      }
      let count = values.count
      switch kind {
      case .int:
        if operation == .average { return .double(Double(whole) / Double(count)) }
        return Int64(exactly: whole).map { .int($0) } ?? .decimal(Decimal128(whole))
      case .decimal: return .decimal(operation == .sum ? decimal : decimal / Decimal128(count))
      default: return .double(operation == .sum ? double : double / Double(count))
      }
    }
  }

  @Test func aTotalOfAPathWithoutNumbersIsRefused() throws {
    var random = SeededRandom(seed: 1)
    let world = try World(&random, rows: 5)
    for (operation, path) in [
      (.sum, PropertyPath("string")), (.maximum, PropertyPath("bool")), (.sum, PropertyPath("date")),
      (.minimum, PropertyPath("link")),
      (.sum, PropertyPath("ints")), (.sum, PropertyPath("others", "int")), (.sum, PropertyPath("nothing")),
    ] as [(PropertyPath.Aggregate, PropertyPath)] {
      #expect(throws: QueryError.self) { try AggregateQuery(operation, path, of: world.thing, in: world.graph) }
    }
  }

  @Test func ofNothingTheSumIsZeroAndTheRestIsNull() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    try transaction.addColumn(to: table, "a", ColumnType(.int))
    for (operation, value) in [
      (.sum, .int(0)), (.average, .null), (.minimum, .null), (.maximum, .null), (.count, .int(0)),
    ] as [(PropertyPath.Aggregate, Value)] {
      let query = try AggregateQuery(operation, PropertyPath("a"), of: table, in: transaction.graph)
      #expect(query.total(in: transaction.graph).result == value)
      #expect(query.total(in: transaction.graph, of: RowSelection()).result == value)
      #expect(query.total(in: transaction.graph, among: [ObjectKey]()).result == value)
    }
  }
}
