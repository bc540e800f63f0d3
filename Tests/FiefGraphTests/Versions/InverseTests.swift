import FiefGraph
import FiefTestSupport
import Testing

/// A delta and its inverse: there and back, for every kind of change.
struct InverseTests {
  private typealias Change = (name: String, make: @Sendable (DeltaStage, Transaction) throws -> Void)

  private static let values: [Change] = [
    ("nothing", { _, _ in }),
    ("a value", { try $1.set(Int64(7), $0.cell($0.small)) }),
    ("a value in the place of null", { try $1.set("x", $0.cell($0.text)) }),
    ("a zero of other sign", { try $1.set(-0.0, $0.cell($0.ratio)) }),
    ("an indexed value", { try $1.set(.null, Cell($0.keyed, $0.first, $0.mail)) }),
    ("a primary key", { try $1.set("c", Cell($0.keyed, $0.first, $0.id)) }),
    (
      "primary keys exchanged",
      {
        try $1.set("c", Cell($0.keyed, $0.first, $0.id))
        try $1.set("a", Cell($0.keyed, $0.second, $0.id))
        try $1.set("b", Cell($0.keyed, $0.first, $0.id))
      }
    ),
    ("a link", { try $1.set(.link(ObjectLink($0.kennel.dogs, $0.second)), $0.kennel.cell($0.first, $0.kennel.dog)) }),
    ("an owned row less", { try $1.set(.null, $0.kennel.cell($0.first, $0.kennel.home)) }),
    (
      "an owned row for another",
      {
        try $1.createOwned(in: $0.kennel.addresses, by: $0.kennel.cell($0.first, $0.kennel.home), .value)
      }
    ),
    ("a collection in an any-value less", { try $1.set(.int(1), $0.kennel.cell($0.first, $0.kennel.any)) }),
  ]

  private static let collections: [Change] = [
    ("an element replaced", { try $1.replace(at: 1, with: .int(9), inList: $0.cell($0.list)) }),
    ("an element moved", { try $1.move(from: 0, to: 4, inList: $0.cell($0.list)) }),
    ("a list emptied", { try $1.removeAll(from: $0.cell($0.list)) }),
    ("a list begun", { try $1.append(.int(1), toList: Cell($0.rows, $0.second, $0.list)) }),
    (
      "links exchanged in a list",
      { try $1.swapAt(0, 1, inList: $0.kennel.cell($0.first, $0.kennel.dogList)) }
    ),
    ("an element more in a set", { try $1.insert(.int(0), inSet: $0.cell($0.set)) }),
    ("an element less in a set", { try $1.remove(.int(2), fromSet: $0.cell($0.set)) }),
    ("a set emptied", { try $1.removeAll(from: $0.cell($0.set)) }),
    ("an entry changed", { try $1.set(.int(9), forKey: "a", inDictionary: $0.cell($0.map)) }),
    ("an entry more", { try $1.set(.int(9), forKey: "c", inDictionary: $0.cell($0.map)) }),
    ("an entry less", { try $1.remove(key: "a", fromDictionary: $0.cell($0.map)) }),
  ]

  private static let rows: [Change] = [
    ("a row more", { try $1.create(in: $0.rows) }),
    ("a row of another chunk", { stage, t in for _ in 0..<300 { try t.create(in: stage.rows) } }),
    ("a row less", { try $1.delete(ObjectLink($0.rows, $0.first)) }),
    ("a row less that is linked to", { try $1.delete(ObjectLink($0.kennel.dogs, $0.first)) }),
    ("a row less that owns", { try $1.delete(ObjectLink($0.kennel.persons, $0.first)) }),
    ("a table cleared", { try $1.clear($0.keyed) }),
    ("everything cleared", { try $1.clear([$0.kennel.persons, $0.kennel.dogs, $0.rows, $0.keyed]) }),
    ("the next key", { try $1.delete(ObjectLink($0.rows, try $1.create(in: $0.rows))) }),
  ]

  private static let schemas: [Change] = [
    ("another name", { try $1.renameTable($0.rows, to: "Line") }),
    ("a column more", { try $1.addColumn(to: $0.rows, "new", ColumnType(.int), value: .int(3)) }),
    ("a column less", { try $1.removeColumn($0.list, of: $0.rows) }),
    ("a column less that owns", { try $1.removeColumn($0.kennel.home, of: $0.kennel.persons) }),
    ("a column less that owns a collection", { try $1.removeColumn($0.kennel.any, of: $0.kennel.persons) }),
    ("a column of another type", { try $1.retype($0.small, of: $0.rows, to: ColumnType(.double)) }),
    ("a column that may be null", { try $1.setOptional(true, column: $0.small, of: $0.rows) }),
    ("an index more", { try $1.addIndex(IndexDefinition([$0.small, $0.text]), to: $0.rows) }),
    ("an index less", { try $1.removeIndex(over: [$0.mail], of: $0.keyed) }),
    ("no primary key", { try $1.setPrimaryKey(nil, of: $0.keyed) }),
    ("a table more", { try $1.create(in: try $1.addTable("New")) }),
    ("a table less", { try $1.removeTable($0.rows) }),
    ("a table less that is linked to", { try $1.removeTable($0.keyed) }),
    ("a table less that owns", { try $1.removeTable($0.kennel.persons) }),
  ]

  @Test func everyChangeCanBeTakenBack() throws {
    try withEvery("change", in: (Self.values + Self.collections + Self.rows + Self.schemas).map(\.name)) { name in
      let change = try #require(
        (Self.values + Self.collections + Self.rows + Self.schemas).first { $0.name == name })
      let stage = try DeltaStage()
      let before = stage.graph
      let after = try stage.changed { try change.make(stage, $0) }
      let delta = Delta(from: before, to: after)
      #expect(delta.isEmpty == (name == "nothing"))
      let inverse = try delta.inverse(on: before)
      let forth = try before.applying(delta)
      #expect(forth == after)
      #expect(forth.checkInvariants() == [])
      let back = try forth.applying(inverse)
      #expect(back == before)
      #expect(back.checkInvariants() == [])
      #expect(try inverse.inverse(on: after).lines(after) == delta.lines(after))
      // Without a way back in between, which would have each change copy its nodes.
      let transaction = Transaction(before)
      for delta in [delta, inverse, delta] { try transaction.applyFinally(delta) }
      #expect(transaction.graph == after)
      #expect(transaction.graph.checkInvariants() == [])
      #expect(before.checkInvariants() == [])
    }
  }

  @Test func anInverseOfWhatDoesNotFitIsRefused() throws {
    let stage = try DeltaStage()
    let delta = try stage.delta { try $0.delete(ObjectLink(stage.rows, stage.first)) }
    #expect(throws: GraphError.self) { try delta.inverse(on: .empty) }
    let without = try stage.graph.applying(delta)
    #expect(throws: GraphError.self) { try delta.inverse(on: without) }
  }
}
