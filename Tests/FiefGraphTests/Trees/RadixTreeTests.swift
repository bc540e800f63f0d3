import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// The radix tree of clusters, observed through the rows of a table. Deltas insert keys far apart: a table whose next
/// key was set ahead continues from there.
struct RadixTreeTests {
  let table: TableKey
  let number: ColumnKey
  let start: Graph

  init() throws {
    let transaction = Transaction(.empty)
    table = try transaction.addTable("Row")
    number = try transaction.addColumn(to: table, "number", ColumnType(.int))
    start = transaction.graph
  }

  /// A graph with one row in each of the chunks, which must ascend.
  func graph(_ chunks: [Int64], from start: Graph? = nil) throws -> Graph {
    var graph = start ?? self.start
    for chunk in chunks {
      graph = try graph.applying(Delta(tables: [TableDelta(table: table, nextKey: chunk << 8)]))
      let transaction = Transaction(graph)
      try transaction.create(in: table) { try $0.set(chunk, number) }
      graph = transaction.graph
    }
    return graph
  }

  func rows(_ graph: Graph) -> RadixTree<Cluster> { graph[table]?.rows ?? RadixTree() }

  func numbers(_ graph: Graph) -> [Int64] {
    var numbers: [Int64] = []
    rows(graph).forEach { number, _ in
      numbers.append(number)
      return true
    }
    return numbers
  }

  /// Chunks around every change of height, where one more digit is needed.
  static let edges: [Int64] = {
    var edges: [Int64] = [0, 1, 6]
    for level in 1..<18 {
      let width = Int64(1) << Int64(3 * level)
      edges += [width - 1, width, width + 1]
    }
    return edges
  }()

  @Test func anEmptyTreeHasNothing() {
    let tree = rows(start)
    #expect(tree.isEmpty && tree.last == nil && tree.next(from: 0) == nil && tree[0] == nil && tree[.max] == nil)
    #expect(tree.forEach { _, _ in false })
    #expect(
      RadixTree.difference(from: tree, to: tree) { _, _, _ in
        Issue.record("nothing differs")
        return false
      } == 1)
  }

  @Test func aSingleChunkOfAnyNumberIsFound() throws {
    for chunk in Self.edges {
      let graph = try graph([chunk])
      let tree = rows(graph)
      #expect(graph.checkInvariants() == [])
      #expect(numbers(graph) == [chunk])
      #expect(tree[chunk]?.count == 1 && tree.last?.number == chunk)
      for other in [chunk - 1, chunk + 1, 0, chunk * 8, chunk / 8, .max, -1] where other != chunk {
        #expect(tree[other] == nil, "\(other) beside \(chunk)")
      }
      #expect(tree.next(from: 0)?.number == chunk && tree.next(from: chunk)?.number == chunk)
      #expect(tree.next(from: chunk + 1) == nil && tree.next(from: .max) == nil)
    }
  }

  @Test func chunksFarApartAreWalkedAscending() throws {
    let graph = try graph(Self.edges)
    let tree = rows(graph)
    #expect(graph.checkInvariants() == [])
    #expect(numbers(graph) == Self.edges)
    #expect(tree.last?.number == Self.edges.last)
    for chunk in Self.edges {
      for from in [chunk - 1, chunk, chunk + 1, chunk + 2, chunk * 2, chunk * 8 + 7] {
        #expect(tree.next(from: from)?.number == Self.edges.first { $0 >= from }, "from \(from)")
      }
    }
    #expect(tree.next(from: .min)?.number == 0)
    #expect(graph[table]?.count == Self.edges.count)
  }

  @Test func aWalkStopsWhenItsBodyReturnsFalse() throws {
    let tree = rows(try graph([1, 5, 70, 700]))
    var seen: [Int64] = []
    let isWhole = tree.forEach { number, _ in
      seen.append(number)
      return number < 70
    }
    #expect(!isWhole && seen == [1, 5, 70])
  }

  @Test func theTreeGetsLowerWhenItsHighChunksGo() throws {
    var graph = try graph([0, 1, 7, 8, 63, 64, 4096])
    for chunk in [4096, 64, 63, 8, 7, 1, 0] as [Int64] {
      let transaction = Transaction(graph)
      try transaction.delete(ObjectLink(table, ObjectKey(chunk: chunk, bit: 0)))
      graph = transaction.graph
      // The invariants include that the tree is no higher than necessary.
      #expect(graph.checkInvariants() == [], "without \(chunk)")
    }
    #expect(rows(graph).isEmpty)
  }

  @Test(arguments: Seeds.all) func anyChunksAreFoundWalkedAndCompared(seed: Seed) throws {
    var random = seed.random
    func someChunks() -> [Int64] {
      Array(Set((0..<40).map { _ in random.int64().magnitude >> UInt64(10 + random.below(54)) })).sorted().map(
        Int64.init)
    }
    let inA = someChunks()
    let a = try graph(inA)
    #expect(numbers(a) == inA)
    for _ in 0..<40 {
      let from = Int64(random.int64().magnitude >> UInt64(1 + random.below(60)))
      #expect(rows(a).next(from: from)?.number == inA.first { $0 >= from })
      #expect((rows(a)[from] != nil) == inA.contains(from))
    }
    // Another tree: some chunks are removed, some changed, some new.
    let transaction = Transaction(a)
    var gone: Set<Int64> = []
    var changed: Set<Int64> = []
    for chunk in inA {
      switch random.below(4) {
      case 0:
        try transaction.delete(ObjectLink(table, ObjectKey(chunk: chunk, bit: 0)))
        gone.insert(chunk)
      case 1:
        try transaction.set(-1, Cell(table, ObjectKey(chunk: chunk, bit: 0), number))
        changed.insert(chunk)
      default: break
      }
    }
    let new = someChunks().filter { $0 > (inA.last ?? -1) }
    let b = try graph(new, from: transaction.graph)
    #expect(b.checkInvariants() == [])
    for (from, to, lost, won) in [(a, b, gone, Set(new)), (b, a, Set(new), gone)] {
      var seen: [Int64] = []
      RadixTree.difference(from: rows(from), to: rows(to)) { number, old, new in
        seen.append(number)
        #expect((old == nil) == won.contains(number) && (new == nil) == lost.contains(number))
        #expect(old === rows(from)[number] && new === rows(to)[number])
        return true
      }
      #expect(seen == (lost.union(won).union(changed)).sorted())
    }
  }

  @Test func oneChangeAmongManyChunksIsFoundOnAShortPath() throws {
    let transaction = Transaction(start)
    for key in 0..<Int64(256 * 512) { try transaction.create(in: table) { try $0.set(key, number) } }
    let a = transaction.graph
    try transaction.set(-1, Cell(table, ObjectKey(256 * 300 + 5), number))
    let b = transaction.graph
    var found: [Int64] = []
    let visited = RadixTree.difference(from: rows(a), to: rows(b)) { number, _, _ in
      found.append(number)
      return true
    }
    #expect(found == [300])
    // Three levels of inner nodes above 512 chunks, and the chunk.
    #expect(visited == 4)
    #expect(RadixTree.difference(from: rows(b), to: rows(b)) { _, _, _ in true } == 1)
  }
}
