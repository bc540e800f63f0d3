import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// One state for all sums, averages and extremes, whatever the values and the type that is asked for.
@Suite struct AccumulatorTests {
  private func total(_ operation: PropertyPath.Aggregate, _ kind: ValueKind?, _ values: [Value]) -> Accumulator {
    var total = Accumulator(operation, kind)
    for value in values { total.add(value) }
    return total
  }

  @Test func integersAddInMoreThan64Bits() {
    let sum = total(.sum, .int, [.int(.max), .int(.max), .int(-2)])
    #expect(sum.result == .decimal(Decimal128(Int128(Int64.max) * 2 - 2)))
    #expect(total(.sum, .int, [.int(.max), .int(1), .int(-1)]).result == .int(.max))
    #expect(total(.average, .int, [.int(.max), .int(.max)]).result == .double(Double(Int64.max)))
  }

  @Test func integersOfAnyValuesAndOfUnknownKindAddExactly() {
    let values: [Value] = [.int(.max), .int(.max)]
    let exact = Value.decimal(Decimal128(Int128(Int64.max) * 2))
    for kind in [ValueKind?.none, .int, .any] { #expect(total(.sum, kind, values).result == exact) }
    #expect(total(.sum, nil, values).result(as: .decimal) == exact)
  }

  @Test func fractionsAddAsDoubles() {
    #expect(total(.sum, .double, [.double(0.1), .double(0.2)]).result == .double(0.1 + 0.2))
    #expect(total(.sum, .float, [.float(0.5), .float(0.25)]).result == .double(0.75))
    #expect(total(.average, .double, [.double(1), .double(2)]).result == .double(1.5))
    #expect(total(.sum, nil, [.int(1), .double(0.5)]).result == .double(1.5))
  }

  @Test func decimalsAddInDecimals() throws {
    let tenth = Value.decimal(try Decimal128(string: "0.1"))
    #expect(total(.sum, .decimal, [tenth, tenth, tenth]).result == .decimal(try Decimal128(string: "0.3")))
    #expect(total(.average, .decimal, [tenth, tenth]).result == tenth)
    #expect(total(.sum, .any, [.int(1), tenth]).result == .decimal(try Decimal128(string: "1.1")))
    #expect(total(.sum, nil, [.double(0.5), tenth]).result == .decimal(try Decimal128(string: "0.6")))
  }

  @Test(arguments: [PropertyPath.Aggregate.sum, .average, .minimum, .maximum, .count])
  func nullsAreIgnored(operation: PropertyPath.Aggregate) {
    let values: [Value] = [.int(4), .int(2)]
    let with = total(operation, .int, [.null] + values + [.null])
    #expect(with.result == total(operation, .int, values).result && with.count == 2)
  }

  @Test func ofNothingTheSumAndTheCountAreZero() {
    #expect(total(.sum, .int, []).result == .int(0) && total(.count, .int, []).result == .int(0))
    #expect(total(.sum, .double, []).result == .double(0) && total(.sum, .any, []).result == .int(0))
    for operation in [PropertyPath.Aggregate.average, .minimum, .maximum] {
      #expect(total(operation, .int, []).result == .null)
      #expect(total(operation, .int, []).result(as: .double) == .null)
    }
  }

  @Test func whatIsNoNumberHasNoSum() {
    let mixed = total(.sum, .any, [.string("x"), .int(3), .bool(true), .date(Timestamp(seconds: 1))])
    #expect(mixed.result == .decimal(Decimal128(3)) && mixed.count == 1)
  }

  @Test func extremesAreThoseOfTheOrder() {
    let values: [Value] = [.double(0.5), .int(3), .double(.nan), .string("a")]
    #expect(total(.minimum, .any, values).result.isNaN && total(.maximum, .any, values).result == .string("a"))
    #expect(
      total(.minimum, .date, [.date(Timestamp(seconds: 2)), .date(Timestamp(seconds: 1))]).result
        == .date(Timestamp(seconds: 1)))
    #expect(total(.maximum, .int, [.int(.min)]).result == .int(.min))
  }

  @Test func aResultIsGivenInTheTypeThatIsAskedFor() {
    let sum = total(.sum, .int, [.int(1), .int(2)])
    #expect(sum.result(as: .double) == .double(3) && sum.result(as: .float) == .float(3))
    #expect(sum.result(as: .decimal) == .decimal(Decimal128(3)) && sum.result(as: .string) == .int(3))
    let average = total(.average, .int, [.int(1), .int(2)])
    #expect(average.result(as: .int) == .int(1) && average.result(as: .double) == .double(1.5))
    #expect(total(.average, .double, [.double(-1.5), .double(-2)]).result(as: .int) == .int(-1))
    #expect(total(.maximum, .double, [.double(2.5)]).result(as: .int) == .int(2))
    #expect(total(.count, .double, [.double(2.5)]).result(as: .decimal) == .int(1))
  }

  @Test func whatAnIntegerCannotHoldIsAnotherNumber() {
    #expect(total(.sum, .double, [.double(1e300)]).result(as: .int) == .double(1e300))
    let sum = total(.sum, .int, [.int(.max), .int(.max)])
    #expect(sum.result(as: .int) == .decimal(Decimal128(Int128(Int64.max) * 2)))
  }

  /// Leaves of every width, with and without nulls, and parts of them.
  @Test(arguments: [1, 300, 70_000, 5_000_000_000] as [Int64])
  func leavesOfEveryWidthAddAsTheirValues(factor: Int64) throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let column = try transaction.addColumn(to: table, "a", ColumnType(.int, isOptional: true))
    for row in 0..<600 {
      try transaction.create(in: table) {
        if row % 11 != 0 || row < 256 { try $0.set(.int(Int64(row % 100 - 50) * factor), column) }
      }
    }
    let graph = transaction.graph
    let all = RowSelection(all: try #require(graph[table]))
    let some = RowSelection(all.filter { $0.rawValue % 3 == 0 })
    for operation in PropertyPath.Aggregate.allCases {
      let query = try AggregateQuery(operation, PropertyPath("a"), of: table, in: graph)
      for rows in [all, some] {
        let slow = query.total(in: graph, among: Array(rows))
        let fast = query.total(in: graph, of: rows)
        #expect(slow.result == fast.result && slow.count == fast.count, "\(operation)")
      }
      #expect(query.total(in: graph).result == query.total(in: graph, of: all).result, "\(operation)")
    }
  }
}

extension Value {
  fileprivate var isNaN: Bool { if case .double(let number) = self { number.isNaN } else { false } }
}
