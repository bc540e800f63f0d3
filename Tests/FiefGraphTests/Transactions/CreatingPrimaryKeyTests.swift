import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation
import Testing

/// Creating rows with a primary key, and finding them.
struct CreatingPrimaryKeyTests {
  /// A table `Dog` whose primary key `id` is of the given type.
  static func table(_ type: ColumnType) throws -> (transaction: Transaction, table: TableKey, id: ColumnKey) {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Dog")
    try transaction.addColumn(to: table, "name", ColumnType(.string))
    let id = try transaction.addColumn(to: table, "id", type)
    try transaction.setPrimaryKey(id, of: table)
    return (transaction, table, id)
  }

  static let types: [ColumnType] = [ValueKind.int, .string, .objectId, .uuid].flatMap { kind in
    [ColumnType(kind), ColumnType(kind, isOptional: true)]
  }

  @Test(arguments: types) func aRowIsFoundByItsPrimaryKey(type: ColumnType) throws {
    let (transaction, table, id) = try Self.table(type)
    let values = SampleValues.of(type.kind) + (type.isOptional ? [.null] : [])
    for value in values {
      #expect(transaction.graph[table]?.find(primaryKey: value) == nil)
      let key = try transaction.create(in: table, primaryKey: value)
      #expect(transaction.graph[table]?.find(primaryKey: value) == key)
      #expect(transaction.value(Cell(table, key, id)) == value)
    }
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [])
    for (position, value) in values.enumerated() {
      #expect(graph[table]?.find(primaryKey: value) == ObjectKey(Int64(position)), "\(value)")
    }
    for (_, value) in SampleValues.all where !values.contains(value) {
      #expect(graph[table]?.find(primaryKey: value) == nil, "\(value)")
    }
  }

  @Test(arguments: types) func aPrimaryKeyIsTakenOnce(type: ColumnType) throws {
    let (transaction, table, id) = try Self.table(type)
    let values = SampleValues.of(type.kind) + (type.isOptional ? [.null] : [])
    for value in values { try transaction.create(in: table, primaryKey: value) }
    for value in values {
      transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "id", saying: "\(value)") {
        try transaction.create(in: table, primaryKey: value)
      }
    }
    transaction.expectRefusal(.duplicatePrimaryKey, table: "Dog", column: "id") {
      try transaction.set(values[0], Cell(table, ObjectKey(1), id))
    }
    try transaction.set(values[0], Cell(table, ObjectKey(0), id))
  }

  @Test func aPrimaryKeyMustBeGivenAndFit() throws {
    let (transaction, table, id) = try Self.table(ColumnType(.int, width: .bits16))
    transaction.expectRefusal(.invalidValue, table: "Dog", column: "id", saying: "must be given") {
      try transaction.create(in: table)
    }
    for value in [Value.null, .string("1"), .int(40_000), .bool(true), .double(1)] {
      transaction.expectRefusal(.invalidValue, table: "Dog", column: "id") {
        try transaction.create(in: table, primaryKey: value)
      }
    }
    transaction.expectRefusal(.invalidValue, table: "Dog", column: "id", saying: "primary key") {
      try transaction.create(in: table, primaryKey: .int(1)) { try $0.set(2 as Int64, id) }
    }
    transaction.expectRefusal(.invalidValue, table: "Dog", column: "id", saying: "primary key") {
      try transaction.create(in: table, primaryKey: .int(1)) { try $0.set(.int(2), id) }
    }
  }

  @Test func aTableWithoutAPrimaryKeyTakesNone() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Dog")
    transaction.expectRefusal(.invalidValue, table: "Dog", saying: "no primary key") {
      try transaction.create(in: table, primaryKey: .int(1))
    }
    try transaction.create(in: table)
    transaction.expectRefusal(.invalidValue, table: "Dog", saying: "no primary key") {
      try transaction.create(in: table, primaryKey: .int(1))
    }
    #expect(transaction.graph[table]?.find(primaryKey: .int(1)) == nil)
  }

  @Test func aKeyIsFreeAgainWhenItsRowGoesOrFailsOrIsGivenAnother() throws {
    let (transaction, table, id) = try Self.table(ColumnType(.string))
    let rex = try transaction.create(in: table, primaryKey: .string("rex"))
    #expect(throws: CreatingTests.Stop.self) {
      try transaction.create(in: table, primaryKey: .string("bello")) { _ in throw CreatingTests.Stop() }
    }
    #expect(transaction.graph[table]?.find(primaryKey: .string("bello")) == nil)
    try transaction.create(in: table, primaryKey: .string("bello"))
    try transaction.set("max", Cell(table, rex, id))
    #expect(transaction.graph[table]?.find(primaryKey: .string("rex")) == nil)
    #expect(transaction.graph[table]?.find(primaryKey: .string("max")) == rex)
    let other = try transaction.create(in: table, primaryKey: .string("rex"))
    try transaction.delete(ObjectLink(table, other))
    try transaction.create(in: table, primaryKey: .string("rex"))
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func canonicallyEquivalentStringsNameTwoRows() throws {
    let (transaction, table, _) = try Self.table(ColumnType(.string))
    let composed = try transaction.create(in: table, primaryKey: .string("caf\u{E9}"))
    let decomposed = try transaction.create(in: table, primaryKey: .string("cafe\u{301}"))
    #expect(transaction.graph[table]?.find(primaryKey: .string("caf\u{E9}")) == composed)
    #expect(transaction.graph[table]?.find(primaryKey: .string("cafe\u{301}")) == decomposed)
  }

  @Test(arguments: Seeds.all) func anyHistoryFindsWhatADictionaryFinds(seed: Seed) throws {
    var random = seed.random
    let (transaction, table, id) = try Self.table(ColumnType(.int))
    var rows: [Int64: ObjectKey] = [:]
    for _ in 0..<300 {
      let value = random.below(3) == 0 ? random.int64() : Int64(random.below(40))
      switch random.below(3) {
      case 0:
        if let key = rows.removeValue(forKey: value) { try transaction.delete(ObjectLink(table, key)) }
      case 1:
        let from = rows.keys.sorted().first { $0 >= value }
        if let from, let key = rows[from], rows[value] == nil {
          try transaction.set(value, Cell(table, key, id))
          rows[value] = rows.removeValue(forKey: from)
        }
      default:
        if rows[value] == nil {
          rows[value] = try transaction.create(in: table, primaryKey: .int(value))
        } else {
          #expect(throws: GraphError.self) { try transaction.create(in: table, primaryKey: .int(value)) }
        }
      }
    }
    let graph = transaction.graph
    #expect(graph.checkInvariants() == [] && graph[table]?.count == rows.count)
    for (value, key) in rows { #expect(graph[table]?.find(primaryKey: .int(value)) == key) }
  }
}
