import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// The operations of migrations: cells that move to another column, and tables that become embedded.
struct MigratingTests {
  let kennel: Kennel
  let ann: ObjectKey
  let bob: ObjectKey
  let rex: ObjectLink

  init() throws {
    kennel = try Kennel()
    (ann, bob, rex) = (try kennel.person(), try kennel.person(), try kennel.newDog())
    let t = kennel.transaction
    for person in [ann, bob] {
      try t.set(.string("p\(person.rawValue)"), kennel.cell(person, kennel.name))
      try t.set(.link(rex), kennel.cell(person, kennel.dog))
      try t.append(.link(rex), toList: kennel.cell(person, kennel.dogList))
      try t.append(.link(rex), toList: kennel.cell(person, kennel.dogList))
      try t.createOwned(in: kennel.addresses, by: kennel.cell(person, kennel.home), .value) {
        try $0.set("Main", kennel.street)
      }
    }
  }

  // MARK: Moving cells

  @Test func cellsOfEveryShapeMoveWithTheirLinksAndOwners() throws {
    let columns: [(ColumnKey, ColumnType)] = [
      (kennel.name, ColumnType(.string)), (kennel.dog, .link(to: kennel.dogs)),
      (kennel.dogList, .link(to: kennel.dogs, shape: .list)), (kennel.home, .link(to: kennel.addresses)),
    ]
    for (source, type) in columns {
      let before = kennel.graph
      var target = source
      let moved = try before.after {
        target = try $0.addColumn(to: kennel.persons, "target", type)
        try $0.moveCells(from: source, to: target, of: kennel.persons)
      }
      let cell = kennel.cell(ann, target)
      #expect(moved.values(cell) == before.values(kennel.cell(ann, source)))
      #expect(moved.values(kennel.cell(ann, source)).allSatisfy { $0.isNull || $0 == .string("") })
      let taken = try moved.after { try $0.takeKey(of: source, by: target, in: kennel.persons) }
      #expect(taken.values(kennel.cell(ann, source)) == before.values(kennel.cell(ann, source)))
      #expect(taken[kennel.persons]?.schema.column(source)?.name == "target")
      #expect(taken[kennel.persons]?.schema.column(target) == nil)
      // The two steps together are a new name, and no cell is in the difference.
      #expect(Delta(from: before, to: taken).tables.isEmpty)
    }
  }

  @Test func cellsThatAreOverwrittenLetGoOfTheirLinksAndRows() throws {
    let after = try kennel.graph.after {
      let target = try $0.addColumn(to: kennel.persons, "target", .link(to: kennel.addresses))
      try $0.createOwned(in: kennel.addresses, by: kennel.cell(ann, target), .value)
      try $0.moveCells(from: kennel.home, to: target, of: kennel.persons)
    }
    #expect(after[kennel.addresses]?.count == 2)
  }

  @Test func elementsThatMayBeNullFromNowOnMoveInTheirNewForm() throws {
    var (source, target) = (kennel.name, kennel.name)
    let graph = try kennel.graph.after {
      source = try $0.addColumn(to: kennel.persons, "source", ColumnType(.int, shape: .list, width: .bits8))
      target = try $0.addColumn(to: kennel.persons, "target", ColumnType(.int, shape: .list, isOptional: true))
      try $0.append(.int(5), toList: kennel.cell(ann, source))
    }
    let after = try graph.after { try $0.moveCells(from: source, to: target, of: kennel.persons) }
    #expect(after.values(kennel.cell(ann, target)) == [.int(5)])
  }

  @Test func aNarrowerColumnBecomesAsWideAsTheCellsThatItGets() throws {
    var target = kennel.name
    let graph = try kennel.graph.after {
      let source = try $0.addColumn(to: kennel.persons, "source", ColumnType(.int))
      target = try $0.addColumn(to: kennel.persons, "target", ColumnType(.int, width: .bits8))
      try $0.set(.int(300), kennel.cell(ann, source))
      try $0.moveCells(from: source, to: target, of: kennel.persons)
    }
    #expect(graph[kennel.persons]?.schema.column(target)?.type.width == .bits64)
    #expect(graph.values(kennel.cell(ann, target)) == [.int(300)])
  }

  @Test func columnsOfAnotherTypeAndPrimaryKeysDoNotMove() throws {
    let t = kennel.transaction
    let optional = try t.addColumn(to: kennel.persons, "optional", ColumnType(.string, isOptional: true))
    expectRefusal(.invalidSchema, t) { try t.moveCells(from: kennel.name, to: kennel.dog, of: kennel.persons) }
    expectRefusal(.invalidSchema, t) { try t.moveCells(from: optional, to: kennel.name, of: kennel.persons) }
    expectRefusal(.invalidSchema, t) { try t.moveCells(from: kennel.name, to: kennel.name, of: kennel.persons) }
    try t.setPrimaryKey(kennel.name, of: kennel.persons)
    expectRefusal(.invalidSchema, t) { try t.moveCells(from: kennel.name, to: optional, of: kennel.persons) }
  }

  // MARK: Embedding

  @Test func linksFromAnyValuesAndSetsRefuseToOwn() throws {
    let t = kennel.transaction
    expectRefusal(.invalidSchema, t) { _ = try t.embed([kennel.dogs]) }
    try t.removeColumn(kennel.pack, of: kennel.persons)
    try t.set(.link(rex), kennel.cell(bob, kennel.any))
    expectRefusal(.ownership, t) { _ = try t.embed([kennel.dogs]) }
    try t.set(.null, kennel.cell(bob, kennel.any))
    let outcome = try t.embed([kennel.dogs])
    #expect(outcome.copied == [kennel.dogs: 5] && outcome.deleted.isEmpty)
    #expect(t.graph.checkInvariants() == [] && kennel.count(kennel.dogs) == 6)
  }

  /// Each node deletes the root that owns the next one, and nothing owns the first.
  @Test(arguments: [false, true]) func rowsThatLoseTheirOwnersByADeleteRuleAreDeletedToo(isNested: Bool) throws {
    let t = Transaction(.empty)
    let roots = try t.addTable("Root")
    let nodes = try t.addTable("Node")
    let first = try t.addColumn(to: roots, "first", .link(to: nodes))
    let next = try t.addColumn(to: nodes, "next", .link(to: nodes))
    let root = try t.addColumn(to: nodes, "root", .link(to: roots), deleteRule: .cascade)
    func newRoot(owning node: ObjectKey) throws -> Value {
      let key = try t.create(in: roots)
      try t.set(.link(ObjectLink(nodes, node)), Cell(roots, key, first))
      return .link(ObjectLink(roots, key))
    }
    func newNode() throws -> ObjectKey {
      let node = try t.create(in: nodes)
      if isNested { try t.set(.link(ObjectLink(nodes, try t.create(in: nodes))), Cell(nodes, node, next)) }
      return node
    }
    _ = try newRoot(owning: try newNode())
    let kept = t.graph[nodes]?.count ?? 0
    var last = try newNode()
    for _ in 0..<3 {
      let node = try newNode()
      try t.set(try newRoot(owning: node), Cell(nodes, last, root))
      last = node
    }
    let outcome = try t.embed([nodes])
    #expect(t.graph.checkInvariants() == [])
    #expect(t.graph[nodes]?.count == kept && t.graph[roots]?.count == 1)
    #expect(outcome.deleted == [nodes: 4 * kept] && outcome.copied.isEmpty)
  }

  /// Random graphs of nodes that link to nodes, with and without roots, against a count of paths.
  @Test(arguments: Seeds.all) func everyPathToARowBecomesARowOfItsOwn(seed: Seed) throws {
    var random = seed.random
    let t = Transaction(.empty)
    let roots = try t.addTable("Root")
    let nodes = try t.addTable("Node")
    let first = try t.addColumn(to: roots, "first", .link(to: nodes))
    let all = try t.addColumn(to: roots, "all", .link(to: nodes, shape: .list))
    let number = try t.addColumn(to: nodes, "number", ColumnType(.int))
    let next = try t.addColumn(to: nodes, "next", .link(to: nodes))
    let named = try t.addColumn(to: nodes, "named", .link(to: nodes, shape: .dictionary))
    var links: [[Int]] = []
    var keys: [ObjectKey] = []
    let count = 1 + random.below(8)
    for index in 0..<count { keys.append(try t.create(in: nodes) { try $0.set(index, number) }) }
    for index in 0..<count {
      // Links lead to higher numbers, so that there are no circles.
      let targets = (0..<random.below(3)).compactMap { _ in
        index + 1 < count ? index + 1 + random.below(count - index - 1) : nil
      }
      links.append(targets)
      for (position, target) in targets.enumerated() {
        let link = Value.link(ObjectLink(nodes, keys[target]))
        if position == 0 {
          try t.set(link, Cell(nodes, keys[index], next))
        } else {
          try t.set(link, forKey: "k", inDictionary: Cell(nodes, keys[index], named))
        }
      }
    }
    // How many paths lead to a node from outside, by the links alone.
    var paths = Array(repeating: 0, count: count)
    for _ in 0..<random.below(4) {
      let root = try t.create(in: roots)
      let target = random.below(count)
      try t.set(.link(ObjectLink(nodes, keys[target])), Cell(roots, root, first))
      paths[target] += 1
      for _ in 0..<random.below(3) {
        let target = random.below(count)
        try t.append(.link(ObjectLink(nodes, keys[target])), toList: Cell(roots, root, all))
        paths[target] += 1
      }
    }
    for index in 0..<count { for target in links[index] { paths[target] += paths[index] } }
    let before = t.graph
    var outcome = EmbeddingOutcome()
    let after = try before.after { outcome = try $0.embed([nodes]) }
    var found = Array(repeating: 0, count: count)
    after[nodes]?.forEachRow(from: ObjectKey(0)) { key, _, _ in
      if case .int(let value)? = after.value(Cell(nodes, key, number)) { found[Int(value)] += 1 }
      return true
    }
    #expect(found == paths)
    #expect(outcome.deleted[nodes, default: 0] == paths.filter { $0 == 0 }.count)
    #expect(outcome.copied[nodes, default: 0] == paths.reduce(0) { $0 + max(0, $1 - 1) })
  }

  /// Roots and nodes, which have nodes in a list and in a dictionary.
  private struct Owners {
    let transaction = Transaction(.empty)
    let roots: TableKey
    let nodes: TableKey
    let all: ColumnKey
    let named: ColumnKey
    let parts: ColumnKey
    let number: ColumnKey

    init() throws {
      let t = transaction
      roots = try t.addTable("Root")
      nodes = try t.addTable("Node")
      all = try t.addColumn(to: roots, "all", .link(to: nodes, shape: .list))
      named = try t.addColumn(to: roots, "named", .link(to: nodes, shape: .dictionary))
      parts = try t.addColumn(to: nodes, "parts", .link(to: nodes, shape: .list))
      number = try t.addColumn(to: nodes, "number", ColumnType(.int))
    }

    /// Links to new nodes, which are numbered from zero.
    func newNodes(_ count: Int) throws -> [Value] {
      try (0..<count).map { index in
        .link(ObjectLink(nodes, try transaction.create(in: nodes) { try $0.set(index, number) }))
      }
    }

    /// The numbers of the nodes that a collection links to.
    func numbers(_ cell: Cell) -> [Value?] {
      transaction.graph.values(cell).map { $0.linked.flatMap { transaction.value(Cell($0.table, $0.key, number)) } }
    }

    /// Embeds the nodes. All of them have one owner afterwards.
    func embed() throws -> EmbeddingOutcome {
      let outcome = try transaction.embed([nodes])
      #expect(transaction.graph.checkInvariants() == [])
      return outcome
    }
  }

  @Test func listsOfRowsWithOneOwnerAreNotRead() throws {
    let owners = try Owners()
    let (t, links) = (owners.transaction, try owners.newNodes(300))
    let cell = Cell(owners.roots, try t.create(in: owners.roots), owners.all)
    try t.insert(contentsOf: links, at: 0, inList: cell)
    // Each of these nodes has a part, so that owners come before what they own.
    for link in links {
      let node = try #require(link.linked)
      try t.append(try owners.newNodes(1)[0], toList: Cell(node.table, node.key, owners.parts))
    }
    let outcome = try owners.embed()
    #expect(outcome.elementsRead == 0 && outcome.copied.isEmpty && outcome.deleted.isEmpty)
    #expect(t.graph.values(cell) == links && t.graph[owners.nodes]?.count == 600)
  }

  @Test func aListThatLinksToEachRowTwiceIsReadOnceAndKeepsTheFirstLinks() throws {
    let owners = try Owners()
    let (t, links) = (owners.transaction, try owners.newNodes(300))
    let cell = Cell(owners.roots, try t.create(in: owners.roots), owners.all)
    try t.insert(contentsOf: links + links.reversed(), at: 0, inList: cell)
    let outcome = try owners.embed()
    #expect(outcome.elementsRead == 600 && outcome.copied == [owners.nodes: 300])
    #expect(Array(t.graph.values(cell).prefix(300)) == links)
    #expect(owners.numbers(cell) == (0..<300).map { .int($0) } + (0..<300).reversed().map { .int($0) })
  }

  @Test func aListAndADictionaryOfTheSameRowsAreReadOnce() throws {
    let owners = try Owners()
    let (t, links) = (owners.transaction, try owners.newNodes(300))
    let root = try t.create(in: owners.roots)
    let (list, dictionary) = (Cell(owners.roots, root, owners.all), Cell(owners.roots, root, owners.named))
    try t.insert(contentsOf: links, at: 0, inList: list)
    for (index, link) in links.enumerated() { try t.set(link, forKey: "\(1000 + index)", inDictionary: dictionary) }
    let outcome = try owners.embed()
    #expect(outcome.elementsRead == 600 && outcome.copied == [owners.nodes: 300])
    #expect(owners.numbers(list) == (0..<300).map { .int($0) } && owners.numbers(dictionary) == owners.numbers(list))
  }

  @Test func listsInCopiedRowsAreReadOnceEach() throws {
    let owners = try Owners()
    let (t, links) = (owners.transaction, try owners.newNodes(20))
    let cell = Cell(owners.roots, try t.create(in: owners.roots), owners.all)
    try t.insert(contentsOf: links + links, at: 0, inList: cell)
    let parts = try owners.newNodes(30)
    for link in links {
      let node = try #require(link.linked)
      try t.insert(contentsOf: parts, at: 0, inList: Cell(node.table, node.key, owners.parts))
    }
    let outcome = try owners.embed()
    // The list of the root, and those of the forty nodes that it has then.
    #expect(outcome.elementsRead == 40 + 40 * 30)
    #expect(outcome.copied == [owners.nodes: 20 + 40 * 30 - 30])
    for node in t.graph.values(cell).compactMap(\.linked) {
      #expect(owners.numbers(Cell(node.table, node.key, owners.parts)) == (0..<30).map { .int($0) })
    }
  }

  /// Each row of the chain links to a node. Climbing the whole chain for each of them takes hundreds of millions of
  /// steps.
  @Test func theOwnersInALongChainOfEmbeddedRowsAreFoundStepByStep() throws {
    let t = Transaction(.empty)
    let roots = try t.addTable("Root")
    let parts = try t.addTable("Part", kind: .embedded)
    let nodes = try t.addTable("Node")
    let first = try t.addColumn(to: roots, "first", .link(to: parts))
    let next = try t.addColumn(to: parts, "next", .link(to: parts))
    let node = try t.addColumn(to: parts, "node", .link(to: nodes))
    var last = Cell(roots, try t.create(in: roots), first)
    for _ in 0..<30_000 {
      let part = try t.createOwned(in: parts, by: last, .value)
      try t.set(.link(ObjectLink(nodes, try t.create(in: nodes))), Cell(parts, part, node))
      last = Cell(parts, part, next)
    }
    let outcome = try t.embed([nodes])
    #expect(outcome.copied.isEmpty && outcome.deleted.isEmpty && t.graph[nodes]?.count == 30_000)
  }

  @Test func aLadderOfSharedRowsIsRefusedBeforeItFillsTheMemory() throws {
    let t = Transaction(.empty)
    let roots = try t.addTable("Root")
    let nodes = try t.addTable("Node")
    let first = try t.addColumn(to: roots, "first", .link(to: nodes))
    let left = try t.addColumn(to: nodes, "left", .link(to: nodes))
    let right = try t.addColumn(to: nodes, "right", .link(to: nodes))
    var last = try t.create(in: nodes)
    for _ in 0..<60 {
      let node = try t.create(in: nodes)
      try t.set(.link(ObjectLink(nodes, last)), Cell(nodes, node, left))
      try t.set(.link(ObjectLink(nodes, last)), Cell(nodes, node, right))
      last = node
    }
    try t.set(.link(ObjectLink(nodes, last)), Cell(roots, try t.create(in: roots), first))
    expectRefusal(.ownership, t) { _ = try t.embed([nodes]) }
  }
}
