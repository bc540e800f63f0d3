import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// A small graph with every way to link and to own, for tests that need an example.
///
///     persons ── dog, dogs, pack, byName ──▶ dogs          shared, in each shape
///     persons ── any, anyList, anySet, anyMap ──▶ …        anything
///     persons ── home, homes, homeMap ──▶ addresses        owned, in each shape except sets
///     addresses ── inner ──▶ addresses, pet ──▶ dogs
struct Kennel {
  let transaction = Transaction(.empty)
  let persons: TableKey
  let dogs: TableKey
  let addresses: TableKey

  let name: ColumnKey
  let dog: ColumnKey
  let dogList: ColumnKey
  let pack: ColumnKey
  let byName: ColumnKey
  let any: ColumnKey
  let anyList: ColumnKey
  let anySet: ColumnKey
  let anyMap: ColumnKey
  let home: ColumnKey
  let homes: ColumnKey
  let homeMap: ColumnKey

  let dogName: ColumnKey
  let age: ColumnKey

  let street: ColumnKey
  let inner: ColumnKey
  let innerList: ColumnKey
  let pet: ColumnKey

  /// - Parameters:
  ///   - rule: The delete rule of the persons' links to dogs.
  ///   - petRule: The delete rule of the addresses' links to dogs.
  init(rule: DeleteRule = .nullify, petRule: DeleteRule = .nullify) throws {
    let t = transaction
    persons = try t.addTable("Person")
    dogs = try t.addTable("Dog")
    addresses = try t.addTable("Address", kind: .embedded)
    name = try t.addColumn(to: persons, "name", ColumnType(.string))
    dog = try t.addColumn(to: persons, "dog", .link(to: dogs), deleteRule: rule)
    dogList = try t.addColumn(to: persons, "dogs", .link(to: dogs, shape: .list), deleteRule: rule)
    pack = try t.addColumn(to: persons, "pack", .link(to: dogs, shape: .set), deleteRule: rule)
    byName = try t.addColumn(to: persons, "byName", .link(to: dogs, shape: .dictionary), deleteRule: rule)
    any = try t.addColumn(to: persons, "any", ColumnType(.any))
    anyList = try t.addColumn(to: persons, "anyList", ColumnType(.any, shape: .list))
    anySet = try t.addColumn(to: persons, "anySet", ColumnType(.any, shape: .set))
    anyMap = try t.addColumn(to: persons, "anyMap", ColumnType(.any, shape: .dictionary))
    home = try t.addColumn(to: persons, "home", .link(to: addresses))
    homes = try t.addColumn(to: persons, "homes", .link(to: addresses, shape: .list))
    homeMap = try t.addColumn(to: persons, "homeMap", .link(to: addresses, shape: .dictionary))
    dogName = try t.addColumn(to: dogs, "name", ColumnType(.string))
    age = try t.addColumn(to: dogs, "age", ColumnType(.int, width: .bits8))
    street = try t.addColumn(to: addresses, "street", ColumnType(.string))
    inner = try t.addColumn(to: addresses, "inner", .link(to: addresses))
    innerList = try t.addColumn(to: addresses, "innerList", .link(to: addresses, shape: .list))
    pet = try t.addColumn(to: addresses, "pet", .link(to: dogs), deleteRule: petRule)
  }

  var graph: Graph { transaction.graph }

  func person() throws -> ObjectKey { try transaction.create(in: persons) }

  func newDog(_ name: String = "Rex") throws -> ObjectLink {
    ObjectLink(dogs, try transaction.create(in: dogs) { try $0.set(name, dogName) })
  }

  func cell(_ person: ObjectKey, _ column: ColumnKey) -> Cell { Cell(persons, person, column) }

  func address(_ key: ObjectKey) -> ObjectLink { ObjectLink(addresses, key) }

  /// Makes a list inside the person's any-value.
  func nestedList(_ cell: Cell) throws -> Cell {
    Cell(.nestedLists, try transaction.createOwned(in: .nestedLists, by: cell, .value), .nestedElements)
  }

  func count(_ table: TableKey) -> Int { graph[table]?.count ?? 0 }
}

extension Graph {
  /// The single value, the elements, or the values of a dictionary, depending on the shape of the cell.
  func values(_ cell: Cell) -> [Value] {
    guard let type = self[cell.table]?.schema.column(cell.column)?.type else { return [] }
    if !type.isCollection { return value(cell).map { [$0] } ?? [] }
    var values: [Value] = []
    collection(cell)?.forEach(as: type) {
      values.append($0)
      return true
    }
    return values
  }

  /// How many links the row has through the column.
  func linkCount(to row: ObjectLink, from table: TableKey, _ column: ColumnKey) -> Int {
    self[row.table]?.backlinks(to: row.key, from: table, column)?.count ?? 0
  }
}

/// Expects that `body` is refused with the given code and leaves the transaction unchanged.
func expectRefusal(
  _ code: GraphError.Code, _ transaction: Transaction, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let before = transaction.graph
  let error = #expect(throws: GraphError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
  #expect(transaction.graph == before, "a refused operation changed something", sourceLocation: sourceLocation)
  #expect(transaction.graph.checkInvariants() == [], sourceLocation: sourceLocation)
}
