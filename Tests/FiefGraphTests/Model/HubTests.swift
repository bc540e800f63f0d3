import FiefGraph
import FiefTestSupport
import Testing

/// One row with very many incoming links.
struct HubTests {
  static let count = Effort.of(debug: 20_000, release: 1_000_000)

  @Test func aHubLosesItsLinksInAnyOrder() throws {
    let transaction = Transaction(.empty)
    let hubs = try transaction.addTable("Hub")
    let rows = try transaction.addTable("Row")
    let link = try transaction.addColumn(to: rows, "hub", .link(to: hubs))
    let hub = ObjectLink(hubs, try transaction.create(in: hubs))
    for _ in 0..<Self.count {
      try transaction.set(.link(hub), Cell(rows, try transaction.create(in: rows), link))
    }
    var random = SeededRandom(seed: 7)
    var keys = random.shuffled((0..<Int64(Self.count)).map { ObjectKey($0) })
    func bag() -> BacklinkBag? { transaction.graph[hubs]?.backlinks(to: hub.key, from: rows, link) }
    #expect(bag()?.count == Self.count)
    let full = transaction.graph
    // Half of the rows are unlinked, a quarter are deleted, and the rest lose the hub.
    for key in keys.suffix(Self.count / 2) { try transaction.set(.null, Cell(rows, key, link)) }
    keys.removeLast(Self.count / 2)
    #expect(bag()?.count == keys.count)
    for key in keys.suffix(Self.count / 4) { try transaction.delete(ObjectLink(rows, key)) }
    keys.removeLast(Self.count / 4)
    var left: [ObjectKey] = []
    bag()?.forEach { left.append($0) }
    #expect(left == keys.sorted())
    try transaction.delete(hub)
    #expect(transaction.graph[rows]?.count == Self.count - Self.count / 4)
    #expect(keys.allSatisfy { transaction.value(Cell(rows, $0, link)) == .null })
    #expect(full[hubs]?.backlinks(to: hub.key, from: rows, link)?.count == Self.count)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aRowThatLinksTheHubOftenIsCountedAsOften() throws {
    let kennel = try Kennel()
    let (ann, bob, rex) = (try kennel.person(), try kennel.person(), try kennel.newDog())
    let links = Array(repeating: Value.link(rex), count: 3000)
    try kennel.transaction.insert(contentsOf: links, at: 0, inList: kennel.cell(ann, kennel.dogList))
    try kennel.transaction.append(.link(rex), toList: kennel.cell(bob, kennel.dogList))
    let bag = kennel.graph[kennel.dogs]?.backlinks(to: rex.key, from: kennel.persons, kennel.dogList)
    #expect(bag?.count == 3001)
    #expect(bag?.multiplicity(of: ann) == 3000)
    #expect(bag?.multiplicity(of: bob) == 1)
    try kennel.transaction.removeSubrange(10..<2990, fromList: kennel.cell(ann, kennel.dogList))
    #expect(kennel.graph.linkCount(to: rex, from: kennel.persons, kennel.dogList) == 21)
    try kennel.transaction.delete(ObjectLink(kennel.persons, ann))
    #expect(kennel.graph.linkCount(to: rex, from: kennel.persons, kennel.dogList) == 1)
    #expect(kennel.graph.checkInvariants() == [])
  }
}
