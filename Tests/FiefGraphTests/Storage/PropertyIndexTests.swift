import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Property indexes: values in their order, with the rows that have them.
struct PropertyIndexTests {
  let transaction = Transaction(.empty)
  let table: TableKey
  let name: ColumnKey
  let age: ColumnKey

  init() throws {
    table = try transaction.addTable("Dog")
    name = try transaction.addColumn(to: table, "name", ColumnType(.string, isOptional: true))
    age = try transaction.addColumn(to: table, "age", ColumnType(.int, isOptional: true))
  }

  @discardableResult
  func add(_ name: String?, _ age: Int64?) throws -> ObjectKey {
    try transaction.create(in: table) {
      try $0.set(name, self.name)
      try $0.set(age, self.age)
    }
  }

  var index: PropertyIndex {
    guard let index = transaction.graph[table]?.indexes.first else { fatalError("There is no index.") }
    return index
  }

  @Test func rowsStandInTheOrderOfTheirValuesAndThenOfTheirKeys() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    for age in [3, 1, nil, 2, 1, nil] as [Int64?] { try add("x", age) }
    #expect(index.entries.map(\.key.rawValue) == [2, 5, 1, 4, 3, 0])
    #expect(index.entries.map(\.first) == [.null, .null, .int(1), .int(1), .int(2), .int(3)])
  }

  @Test func theRangeOfAValueIsBetweenItsBoundsAndHasItsRows() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    try transaction.addIndex(IndexDefinition([name]), to: table)
    var added: [[Value]] = [[], []]
    try Seeds.run(count: 12) { _, random throws in
      for _ in 0..<(random.below(2) * 400 + random.below(200)) {
        let age: Int64? = random.bool(0.2) ? nil : Int64(random.below(random.bool() ? 3 : 300))
        let name = random.bool(0.2) ? nil : String(repeating: "ab", count: random.below(12)) + "\(random.below(30))"
        try add(name, age)
        added[0].append(age.map { .int($0) } ?? .null)
        added[1].append(name.map { .string($0) } ?? .null)
      }
      let indexes = try #require(transaction.graph[table]?.indexes)
      let ages: [Value] = [.null, .bool(true), .double(2), .string("")] + (-1..<301).map { .int($0) }
      let names: [Value] =
        [.null, .int(3), .data(Data())]
        + (0..<30).flatMap { number in (0..<13).map { .string(String(repeating: "ab", count: $0) + "\(number)") } }
      for (index, values, added) in [(indexes[0], ages, added[0]), (indexes[1], names, added[1])] {
        for value in values {
          let expected = index.lowerBound(value)..<index.upperBound(value)
          #expect(index.range(of: value) == expected, "\(value)")
          let count = added.count { StoredOrder.compare($0, value) == 0 }
          #expect(index.count(of: value) == count, "\(value)")
          #expect(index.rowCount(in: expected) == count, "\(value)")
        }
      }
    }
  }

  @Test func aValueCountsItsRows() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    for age in [10, 20, 20, 20, 30, nil, nil] as [Int64?] { try add("x", age) }
    let counts: [(Value, Int)] = [
      (.null, 2), (.int(10), 1), (.int(20), 3), (.double(20), 3), (.int(25), 0), (.int(30), 1), (.int(31), 0),
      (.string(""), 0), (.bool(true), 0),
    ]
    for (value, count) in counts { #expect(index.count(of: value) == count, "\(value)") }
    #expect(index.count == 7 && index.values.count == 4)
    #expect(index.rowCount(in: 0..<4) == 7 && index.rowCount(in: 1..<3) == 4 && index.rowCount(in: 2..<2) == 0)
  }

  @Test func theRowsOfAValueAreOneTwoManyAndOneAgain() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    let keys = try (0..<500).map { _ in try add("x", 7) }
    func rows() -> [ObjectKey] {
      var rows: [ObjectKey] = []
      index.forEachRow(in: index.range(of: .int(7))) { rows.append($0) }
      return rows
    }
    #expect(rows() == keys && index.count(of: .int(7)) == 500)
    for key in keys.dropFirst(2).reversed() { try transaction.delete(ObjectLink(table, key)) }
    #expect(rows() == [keys[0], keys[1]])
    #expect(transaction.graph.checkInvariants() == [])
    try transaction.delete(ObjectLink(table, keys[0]))
    #expect(rows() == [keys[1]] && index.count(of: .int(7)) == 1)
    #expect(transaction.graph.checkInvariants() == [])
    try transaction.set(nil as Int64?, Cell(table, keys[1], age))
    #expect(rows() == [] && index.count(of: .int(7)) == 0)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func anOlderVersionKeepsTheRowsThatItHad() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    let keys = try (0..<3).map { _ in try add("x", 7) }
    let before = transaction.graph
    try add("x", 7)
    try transaction.delete(ObjectLink(table, keys[0]))
    try transaction.set(Int64(8), Cell(table, keys[1], age))
    #expect(before[table]?.indexes[0].entries.map(\.key) == keys)
    #expect(before.checkInvariants() == [])
    #expect(index.entries.map(\.key) == [keys[2], ObjectKey(3), keys[1]])
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func anEstimateIsExactForFewValuesAndForAllAndNeverLessThanTheValues() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    for number in 0..<100 { for _ in 0...(number % 3) { try add("x", Int64(number)) } }
    #expect(index.estimatedRowCount(in: 0..<0) == 0)
    #expect(index.estimatedRowCount(in: 2..<3) == 3)
    #expect(index.estimatedRowCount(in: 0..<100) == index.count)
    for end in 1...100 { #expect(index.estimatedRowCount(in: 0..<end) >= end) }
  }

  @Test func boundsEncloseTheEqualValues() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    for age in [10, 20, 20, 20, 30, nil] as [Int64?] { try add("x", age) }
    let bounds: [(Value, Int, Int)] = [
      (.null, 0, 1), (.int(5), 1, 1), (.int(10), 1, 2), (.int(15), 2, 2), (.int(20), 2, 3), (.int(30), 3, 4),
      (.int(31), 4, 4), (.double(19.5), 2, 2), (.double(20), 2, 3), (.string(""), 4, 4), (.bool(true), 1, 1),
    ]
    for (value, lower, upper) in bounds {
      #expect(index.lowerBound(value) == lower, "\(value)")
      #expect(index.upperBound(value) == upper, "\(value)")
    }
  }

  @Test func anEmptyIndexHasItsBoundsAtItsStart() throws {
    try transaction.addIndex(IndexDefinition([age]), to: table)
    #expect(index.lowerBound(.int(0)) == 0 && index.upperBound(.int(0)) == 0)
  }

  @Test func aCompoundIndexOrdersByTheFirstColumnFirst() throws {
    try transaction.addIndex(IndexDefinition([name, age]), to: table)
    try add("b", 1)
    try add("a", 2)
    try add("a", nil)
    try add("a", 1)
    #expect(index.entries.map(\.key.rawValue) == [2, 3, 1, 0])
    #expect(index.entries.map { Array($0.rest) } == [[.null], [.int(1)], [.int(2)], [.int(1)]])
    #expect(index.lowerBound(.string("a")) == 0 && index.upperBound(.string("a")) == 3)
  }

  @Test func aUniqueIndexAllowsAValueOnceAndNullsWithoutEnd() throws {
    try transaction.addIndex(IndexDefinition([age], isUnique: true), to: table)
    let first = try add("a", 1)
    try add("b", nil)
    try add("c", nil)
    let other = try add("d", 2)
    transaction.expectRefusal(
      .uniqueConstraint, table: "Dog", column: "age", key: ObjectKey(4), saying: "object \(first)"
    ) { try add("e", 1) }
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "age", key: other, saying: "object \(first)") {
      try transaction.set(Int64(1), Cell(table, other, age))
    }
    try transaction.set(Int64(2), Cell(table, other, age))
    try transaction.set(nil as Int64?, Cell(table, first, age))
    try transaction.set(Int64(1), Cell(table, other, age))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aCompoundUniqueIndexForbidsTheWholeRepetitionAndFreesRowsWithANull() throws {
    try transaction.addIndex(IndexDefinition([name, age], isUnique: true), to: table)
    try add("a", 1)
    try add("a", 2)
    try add("b", 1)
    try add("a", nil)
    try add("a", nil)
    try add(nil, 1)
    let last = try add(nil, 1)
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "name, age", key: ObjectKey(7)) {
      try add("a", 1)
    }
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "name, age", key: last) {
      try transaction.set("b", Cell(table, last, name))
    }
    try transaction.set("c", Cell(table, last, name))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func valuesThatMeanTheSameAreTheSameToAUniqueIndex() throws {
    let weight = try transaction.addColumn(to: table, "weight", ColumnType(.double))
    let anything = try transaction.addColumn(to: table, "anything", ColumnType(.any))
    let a = try add("a", 1)
    let b = try add("b", 2)
    try transaction.set(1.0, Cell(table, a, weight))
    try transaction.addIndex(IndexDefinition([weight], isUnique: true), to: table)
    try transaction.addIndex(IndexDefinition([anything], isUnique: true), to: table)
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "weight", key: b) {
      try transaction.set(1.0, Cell(table, b, weight))
    }
    try transaction.set(-0.0, Cell(table, b, weight))
    try transaction.set(0.0, Cell(table, b, weight))
    try transaction.set(.int(1), Cell(table, a, anything))
    transaction.expectRefusal(.uniqueConstraint, table: "Dog", column: "anything", key: b) {
      try transaction.set(.double(1), Cell(table, b, anything))
    }
    try transaction.set(.bool(true), Cell(table, b, anything))
    try transaction.set(.double(1), Cell(table, a, anything))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test(arguments: Seeds.all) func anyHistoryMatchesASortedArray(seed: Seed) throws {
    var random = seed.random
    try transaction.addIndex(IndexDefinition([age]), to: table)
    try transaction.addIndex(IndexDefinition([name, age]), to: table)
    var rows: [ObjectKey: (name: Value, age: Value)] = [:]
    for _ in 0..<150 {
      let newName: Value = random.bool() ? .null : .string(random.text(count: random.below(3), of: "ab"))
      let newAge: Value = random.below(4) == 0 ? .null : .int(Int64(random.below(5)))
      let key = rows.isEmpty ? nil : random.element(of: rows.keys.sorted())
      switch (random.below(4), key) {
      case (0, let key?):
        try transaction.delete(ObjectLink(table, key))
        rows[key] = nil
      case (1, let key?):
        try transaction.set(newAge, Cell(table, key, age))
        rows[key]?.age = newAge
      case (2, let key?):
        try transaction.set(newName, Cell(table, key, name))
        rows[key]?.name = newName
      default:
        let key = try transaction.create(in: table) {
          try $0.set(newName, name)
          try $0.set(newAge, age)
        }
        rows[key] = (newName, newAge)
      }
    }
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [])
    func sorted(by values: (ObjectKey) -> [Value]) -> [ObjectKey] {
      rows.keys.sorted { a, b in
        for (one, other) in zip(values(a), values(b)) {
          let order = StoredOrder.compare(one, other)
          if order != 0 { return order < 0 }
        }
        return a < b
      }
    }
    let indexes = try #require(graph[table]?.indexes)
    #expect(indexes[0].entries.map(\.key) == sorted { rows[$0].map { [$0.age] } ?? [] })
    #expect(indexes[1].entries.map(\.key) == sorted { rows[$0].map { [$0.name, $0.age] } ?? [] })
  }
}
