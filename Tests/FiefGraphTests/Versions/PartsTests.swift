import FiefGraph
import FiefTestSupport
import Testing

/// A row, and the rows that it owns.
struct PartsTests {
  let stage: DeltaStage
  private var kennel: Kennel { stage.kennel }
  private var ann: ObjectLink { ObjectLink(kennel.persons, stage.first) }
  private var bob: ObjectLink { ObjectLink(kennel.persons, stage.second) }

  init() throws { stage = try DeltaStage() }

  private func address(_ key: Int64) -> ObjectLink { kennel.address(ObjectKey(key)) }
  private var nested: ObjectLink { ObjectLink(.nestedLists, stage.first) }

  @Test func theyAreEmbeddedRowsAndNestedCollectionsOfAnyDepth() {
    let parts = stage.graph.rowAndParts(ann)
    #expect(parts.first == ann && parts.count == 4 && Set(parts) == [ann, address(0), address(1), nested])
    let (outer, inner) = (parts.firstIndex(of: address(0)), parts.firstIndex(of: address(1)))
    #expect(outer.map { outer in inner.map { outer < $0 } ?? false } == true)
    #expect(stage.graph.rowAndParts(bob) == [bob, address(2)])
    #expect(stage.graph.rowAndParts(address(0)) == [address(0), address(1)])
    #expect(stage.graph.rowAndParts(ObjectLink(stage.rows, stage.first)).count == 1)
    #expect(stage.graph.rowAndParts(ObjectLink(kennel.persons, ObjectKey(7))) == [])
  }

  @Test func contentsAreEqualWhileNoPartDiffers() throws {
    func expect(
      _ isAnnEqual: Bool, _ isBobEqual: Bool, sourceLocation: SourceLocation = #_sourceLocation,
      _ change: (Transaction) throws -> Void
    ) throws {
      let other = try stage.changed(change)
      #expect(stage.graph.hasEqualContent(ann, in: other) == isAnnEqual, sourceLocation: sourceLocation)
      #expect(other.hasEqualContent(ann, in: stage.graph) == isAnnEqual, sourceLocation: sourceLocation)
      #expect(stage.graph.hasEqualContent(bob, in: other) == isBobEqual, sourceLocation: sourceLocation)
      #expect(other.hasEqualContent(bob, in: stage.graph) == isBobEqual, sourceLocation: sourceLocation)
    }
    try expect(true, true) { _ in }
    // What links lead to is no part.
    try expect(true, true) { try $0.set("Max", Cell(kennel.dogs, stage.first, kennel.dogName)) }
    try expect(true, true) { try $0.set("c", Cell(stage.keyed, stage.first, stage.id)) }
    try expect(false, true) { try $0.set("Ann", kennel.cell(stage.first, kennel.name)) }
    try expect(false, true) { try $0.set("A", Cell(kennel.addresses, stage.first, kennel.street)) }
    try expect(false, true) { try $0.set("A", Cell(kennel.addresses, stage.second, kennel.street)) }
    try expect(true, false) { try $0.set("A", Cell(kennel.addresses, ObjectKey(2), kennel.street)) }
    try expect(false, true) { try $0.append(.int(2), toList: Cell(.nestedLists, stage.first, .nestedElements)) }
    try expect(false, true) { try $0.delete(address(1)) }
    try expect(false, true) { try $0.delete(ann) }
    // A part that another one with the same cells has replaced is another row.
    try expect(true, false) { transaction in
      try transaction.delete(address(2))
      try transaction.createOwned(
        in: kennel.addresses, by: kennel.cell(stage.second, kennel.homes), .inserted(at: 0))
    }
  }

  @Test func aChainOfAHundredThousandPartsNeedsNoStack() throws {
    let length = 100_000
    let graph = try stage.changed { transaction in
      var last = address(2).key
      for _ in 0..<length {
        last = try transaction.createOwned(
          in: kennel.addresses, by: Cell(kennel.addresses, last, kennel.inner), .value)
      }
    }
    #expect(graph.rowAndParts(bob).count == length + 2)
    let transaction = Transaction(graph)
    let end = try #require(graph.rowAndParts(bob).last)
    try transaction.set("end", Cell(end.table, end.key, kennel.street))
    #expect(!transaction.graph.hasEqualContent(bob, in: graph) && graph.hasEqualContent(bob, in: graph))
  }
}
