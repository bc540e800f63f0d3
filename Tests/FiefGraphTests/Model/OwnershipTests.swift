import FiefGraph
import FiefTestSupport
import Testing

/// An embedded row has one owner at every moment, and is deleted with it.
struct OwnershipTests {
  @Test func theOwnerIsFoundFromTheRow() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let spots: [(ColumnKey, OwnedPosition)] = [
      (kennel.home, .value), (kennel.homes, .inserted(at: 0)), (kennel.homeMap, .entry("a")),
    ]
    for (column, spot) in spots {
      let cell = kennel.cell(ann, column)
      let key = try kennel.transaction.createOwned(in: kennel.addresses, by: cell, spot)
      #expect(kennel.graph.owner(of: kennel.address(key)) == cell)
    }
    #expect(kennel.graph.owner(of: ObjectLink(kennel.persons, ann)) == nil)
  }

  @Test func anEmbeddedRowIsNeverSharedOrMadeAlone() throws {
    let kennel = try Kennel()
    let (ann, bob) = (try kennel.person(), try kennel.person())
    let t = kennel.transaction
    let row = kennel.address(try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value))
    let link = Value.link(row)
    expectRefusal(.ownership, t) { try t.create(in: kennel.addresses) }
    expectRefusal(.ownership, t) { try t.set(link, kennel.cell(bob, kennel.home)) }
    expectRefusal(.ownership, t) { try t.append(link, toList: kennel.cell(ann, kennel.homes)) }
    expectRefusal(.ownership, t) { try t.set(link, forKey: "a", inDictionary: kennel.cell(ann, kennel.homeMap)) }
    expectRefusal(.ownership, t) { try t.set(link, kennel.cell(ann, kennel.any)) }
    expectRefusal(.ownership, t) { try t.insert(link, inSet: kennel.cell(ann, kennel.anySet)) }
    // Setting the present value again is allowed.
    try t.set(link, kennel.cell(ann, kennel.home))
    #expect(kennel.graph.contains(row))
  }

  /// The row that is replaced does not count among those that have a value which may not repeat.
  @Test func aRowMayHaveTheUniqueValueOfTheOneThatItReplaces() throws {
    let kennel = try Kennel()
    let (ann, bob) = (try kennel.person(), try kennel.person())
    let t = kennel.transaction
    try t.addIndex(IndexDefinition([kennel.street], isUnique: true), to: kennel.addresses)
    func make(_ street: String, _ owner: ObjectKey, _ column: ColumnKey, _ spot: OwnedPosition) throws -> ObjectKey {
      try t.createOwned(in: kennel.addresses, by: kennel.cell(owner, column), spot) {
        try $0.set(street, kennel.street)
      }
    }
    let old = [
      try make("a", ann, kennel.home, .value), try make("b", ann, kennel.homes, .inserted(at: 0)),
      try make("c", ann, kennel.homes, .inserted(at: 1)), try make("d", ann, kennel.homeMap, .entry("k")),
    ]
    let new = [
      try make("a", ann, kennel.home, .value), try make("b", ann, kennel.homes, .element(at: 0)),
      try make("c", ann, kennel.homes, .element(at: 1)), try make("d", ann, kennel.homeMap, .entry("k")),
    ]
    #expect(kennel.graph[kennel.addresses]?.count == 4)
    for (old, new) in zip(old, new) {
      #expect(!kennel.graph.contains(kennel.address(old)) && kennel.graph.contains(kennel.address(new)))
    }
    #expect(t.count(of: kennel.cell(ann, kennel.homes)) == 2)
    #expect(kennel.graph.checkInvariants().isEmpty)
    // Other rows count.
    for (column, spot) in [
      (kennel.home, OwnedPosition.value), (kennel.homes, .inserted(at: 0)), (kennel.homeMap, .entry("k")),
    ] {
      expectRefusal(.uniqueConstraint, t) { _ = try make("a", bob, column, spot) }
    }
    for (column, spot) in [(kennel.homes, OwnedPosition.element(at: 0)), (kennel.homeMap, .entry("k"))] {
      expectRefusal(.uniqueConstraint, t) { _ = try make("a", ann, column, spot) }
    }
  }

  @Test func onlyOwningCellsOwn() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    let wrong: [(TableKey, ColumnKey, OwnedPosition)] = [
      (kennel.dogs, kennel.dog, .value), (kennel.addresses, kennel.any, .value), (.nestedLists, kennel.home, .value),
      (.nestedLists, kennel.anySet, .value), (kennel.addresses, kennel.name, .value),
    ]
    for (table, column, spot) in wrong {
      expectRefusal(.ownership, t) { try t.createOwned(in: table, by: kennel.cell(ann, column), spot) }
    }
    let misshapen: [(ColumnKey, OwnedPosition)] = [
      (kennel.home, .entry("a")), (kennel.homes, .value), (kennel.homeMap, .inserted(at: 0)),
    ]
    for (column, spot) in misshapen {
      expectRefusal(.invalidValue, t) {
        try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, column), spot)
      }
    }
  }

  @Test func nestedCollectionsAreOwnedByEachOtherInAnyOrder() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    var cells = [try kennel.nestedList(kennel.cell(ann, kennel.any))]
    for depth in 1..<40 {
      let isList = depth % 3 != 0
      let table = isList ? TableKey.nestedLists : .nestedDictionaries
      let owner = cells[depth - 1]
      let spot: OwnedPosition = owner.table == .nestedLists ? .inserted(at: 0) : .entry("next")
      cells.append(Cell(table, try t.createOwned(in: table, by: owner, spot), .nestedElements))
    }
    #expect(kennel.graph.checkInvariants() == [])
    let middle = t.savepoint()
    // The chain is cut in the middle: all rows below are deleted.
    if cells[19].table == .nestedLists {
      try t.removeAll(from: cells[19])
    } else {
      try t.remove(key: "next", fromDictionary: cells[19])
    }
    #expect(kennel.count(.nestedLists) + kennel.count(.nestedDictionaries) == 20)
    #expect(kennel.graph.checkInvariants() == [])
    t.restore(middle)
    #expect(kennel.count(.nestedLists) + kennel.count(.nestedDictionaries) == 40)
    try t.set(.int(1), kennel.cell(ann, kennel.any))
    #expect(kennel.count(.nestedLists) + kennel.count(.nestedDictionaries) == 0)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func movingOwnedElementsWithinTheirListKeepsThem() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    let homes = kennel.cell(ann, kennel.homes)
    for position in 0..<5 {
      try t.createOwned(in: kennel.addresses, by: homes, .inserted(at: position)) {
        try $0.set("\(position)", kennel.street)
      }
    }
    let before = kennel.graph.values(homes)
    try t.move(from: 0, to: 4, inList: homes)
    try t.swapAt(0, 1, inList: homes)
    #expect(kennel.graph.values(homes) == [before[2], before[1], before[3], before[4], before[0]])
    #expect(kennel.count(kennel.addresses) == 5)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func removingTheOwningColumnErasesWhatItOwned() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    let home = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, home, kennel.inner), .value)
    try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 0))
    try t.removeColumn(kennel.home, of: kennel.persons)
    #expect(kennel.count(kennel.addresses) == 1)
    #expect(kennel.graph.checkInvariants() == [])
  }
}
