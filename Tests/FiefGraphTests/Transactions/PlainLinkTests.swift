import FiefGraph
import FiefTestSupport
import Testing

/// The fast paths for links: what they refuse, and that they do what the ordinary operations do.
struct PlainLinkTests {
  @Test func anAppendedLinkIsTheLastOfItsListAndABacklinkOfItsTarget() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    let person = try transaction.create(in: kennel.persons)
    let dogs = try (0..<3).map { _ in ObjectLink(kennel.dogs, try transaction.create(in: kennel.dogs)) }
    let list = Cell(kennel.persons, person, kennel.dogList)
    for dog in dogs + [dogs[0]] { #expect(transaction.appendPlainLink(dog, toList: list, isKnown: false)) }
    let contents = try #require(transaction.graph.collection(list))
    let type = ColumnType.link(to: kennel.dogs, shape: .list)
    #expect((0..<4).map { contents.value(at: $0, as: type) } == (dogs + [dogs[0]]).map { .link($0) })
    let table = try #require(transaction.graph[kennel.dogs])
    #expect(dogs.map { table.countBacklinks(to: $0.key, from: kennel.persons, kennel.dogList) } == [2, 1, 1])
    #expect(table.countBacklinks(to: dogs[0].key, from: kennel.persons, kennel.dog) == 0)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func whatIsNoListOfOrdinaryLinksIsRefusedAndUnchanged() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    let person = try transaction.create(in: kennel.persons)
    let (dog, gone) = (try transaction.create(in: kennel.dogs), try transaction.create(in: kennel.dogs))
    try transaction.delete([ObjectLink(kennel.dogs, gone)])
    let before = transaction.graph
    func cell(_ column: ColumnKey, of key: ObjectKey? = nil) -> Cell { Cell(kennel.persons, key ?? person, column) }
    let link = ObjectLink(kennel.dogs, dog)
    let columns = [kennel.name, kennel.dog, kennel.pack, kennel.byName, kennel.anyList, kennel.homes]
    for column in columns + [ColumnKey(rawValue: 999)] {
      #expect(!transaction.appendPlainLink(link, toList: cell(column), isKnown: true), "\(column)")
    }
    let list = cell(kennel.dogList)
    #expect(!transaction.appendPlainLink(ObjectLink(kennel.dogs, gone), toList: list, isKnown: false))
    #expect(!transaction.appendPlainLink(ObjectLink(kennel.persons, person), toList: list, isKnown: true))
    let absent = cell(kennel.dogList, of: ObjectKey(99))
    #expect(!transaction.appendPlainLink(link, toList: absent, isKnown: true))
    #expect(!transaction.setPlainLink(link, list, isKnown: true), "a list is no single link")
    #expect(!transaction.setPlainLink(link, cell(kennel.dog, of: ObjectKey(99)), isKnown: true))
    #expect(transaction.graph == before)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func aListThatAnEarlierVersionSharesIsCopied() throws {
    let kennel = try Kennel()
    let transaction = kennel.transaction
    let person = try transaction.create(in: kennel.persons)
    let dog = ObjectLink(kennel.dogs, try transaction.create(in: kennel.dogs))
    let list = Cell(kennel.persons, person, kennel.dogList)
    var versions: [Graph] = []
    for _ in 0..<300 {
      versions.append(transaction.graph)
      #expect(transaction.appendPlainLink(dog, toList: list, isKnown: true))
    }
    for (count, version) in versions.enumerated() where count % 50 < 2 {
      #expect(version.collection(list)?.count ?? 0 == count)
      #expect(version[kennel.dogs]?.countBacklinks(to: dog.key, from: kennel.persons, kennel.dogList) == count)
      #expect(version.checkInvariants() == [])
    }
  }

  @Test(arguments: Seeds.all) func aRandomHistoryEqualsThatOfTheOrdinaryOperations(seed: Seed) throws {
    var random = seed.random
    let (fast, plain) = (try Kennel(), try Kennel())
    let pairs = [fast, plain].map(\.transaction)
    // So many dogs that their backlinks lie in several blocks.
    var dogs: [ObjectKey] = []
    for _ in 0..<700 {
      let made = try pairs.map { try $0.create(in: fast.dogs) }
      #expect(made[0] == made[1])
      dogs.append(made[0])
    }
    let persons = try (0..<60).map { _ in try pairs.map { try $0.create(in: fast.persons) }[0] }
    var kept: [(version: Graph, links: Int)] = []
    for step in 0..<900 {
      let person = persons[Int.random(in: persons.indices, using: &random)]
      let dog = ObjectLink(fast.dogs, dogs[Int.random(in: dogs.indices, using: &random)])
      let isThere = plain.transaction.contains(dog)
      let isKnown = isThere && Bool.random(using: &random)
      let single = Cell(fast.persons, person, fast.dog)
      let list = Cell(fast.persons, person, fast.dogList)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        #expect(fast.transaction.setPlainLink(dog, single, isKnown: isKnown) == isThere)
        if isThere { try plain.transaction.set(.link(dog), single) }
      case 4:
        #expect(fast.transaction.setPlainLink(nil, single, isKnown: false))
        try plain.transaction.set(.null, single)
      case 5..<8:
        #expect(fast.transaction.appendPlainLink(dog, toList: list, isKnown: isKnown) == isThere)
        if isThere { try plain.transaction.append(.link(dog), toList: list) }
      case 8 where isThere: for transaction in pairs { try transaction.delete([dog]) }
      default: for transaction in pairs { try transaction.removeAll(from: list) }
      }
      if step % 100 == 99 {
        let version = fast.transaction.graph
        #expect(version == plain.transaction.graph, "step \(step)")
        #expect(version.checkInvariants() == [], "step \(step)")
        for dog in dogs where version.contains(ObjectLink(fast.dogs, dog)) {
          for column in [fast.dog, fast.dogList] {
            let bag = version[fast.dogs]?.backlinks(to: dog, from: fast.persons, column)
            #expect(version[fast.dogs]?.countBacklinks(to: dog, from: fast.persons, column) == bag?.count ?? 0)
          }
        }
        kept.append((version, version.allLinks(fast)))
      }
    }
    for (version, links) in kept { #expect(version.allLinks(fast) == links, "a version never changes") }
  }
}

extension Graph {
  /// The number of links from persons to dogs, counted at the dogs.
  fileprivate func allLinks(_ kennel: Kennel) -> Int {
    guard let table = self[kennel.dogs] else { return 0 }
    return (0..<700).reduce(0) { sum, key in
      sum
        + [kennel.dog, kennel.dogList].reduce(0) {
          $0 + table.countBacklinks(to: ObjectKey(key), from: kennel.persons, $1)
        }
    }
  }
}
