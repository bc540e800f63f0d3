import Fief
import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Node: Object {
  @Persisted var number = 0
  @Persisted var text: String?
  @Persisted var next: Node?
  @Persisted var key: Keyed?
  @Persisted var many: List<Node>
  @Persisted var part: Part?
  @Persisted var named: Map<String, Node?>
  @Persisted var any: AnyRealmValue
}

private class Keyed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var back: Node?
}

private class Part: EmbeddedObject {
  @Persisted var weight: Double?
  @Persisted var inner: Part?
  @Persisted var parts: List<Part>
  @Persisted var node: Node?
}

/// Random graphs of nodes, made as unmanaged objects.
private struct RandomGraph {
  let nodes: [Node]
  var isCyclic = false

  /// - Parameter allowsCycles: whether links may go anywhere; else they go to later nodes alone.
  init(_ random: inout SeededRandom, allowsCycles: Bool) {
    let count = 1 + random.below(12)
    nodes = (0..<count).map { Node(value: ["number": $0]) }
    let keyed = (0..<3).map { Keyed(value: ["id": $0]) }
    var edges: [[Int]] = Array(repeating: [], count: count)
    func target(_ index: Int, _ random: inout SeededRandom) -> Node? {
      let low = allowsCycles ? 0 : index + 1
      guard low < count else { return nil }
      let choice = low + random.below(count - low)
      edges[index].append(choice)
      return nodes[choice]
    }
    func part(_ index: Int, _ depth: Int, _ random: inout SeededRandom) -> Part {
      let part = Part()
      part.weight = random.bool() ? Double(random.below(100)) : nil
      if depth < 3 && random.bool() { part.inner = self.part(depth: depth + 1) }
      if depth < 2 { for _ in 0..<random.below(3) { part.parts.append(self.part(depth: depth + 1)) } }
      if random.below(3) == 0 { part.node = target(index, &random) }
      return part
    }
    for (index, node) in nodes.enumerated() {
      node.text = random.bool() ? "n\(random.below(5))" : nil
      if random.bool() { node.next = target(index, &random) }
      if random.bool() { node.key = keyed[random.below(3)] }
      for _ in 0..<random.below(3) { if let other = target(index, &random) { node.many.append(other) } }
      if random.bool() { node.part = part(index, 0, &random) }
      if random.bool() { node.named["k\(random.below(3))"] = target(index, &random) }
      if random.below(3) == 0, let other = target(index, &random) {
        let list = List<AnyRealmValue>()
        list.append(.int(index))
        list.append(.object(other))
        node.any = random.bool() ? .list(list) : .object(other)
      }
    }
    // Reachability from node 0, by marks of depth-first search: a cycle is an edge to a node that is open.
    var states = Array(repeating: 0, count: count)
    func visit(_ node: Int) -> Bool {
      states[node] = 1
      for next in edges[node] where states[next] == 1 || states[next] == 0 && visit(next) { return true }
      states[node] = 2
      return false
    }
    isCyclic = visit(0)
  }

  private func part(depth: Int) -> Part { Part(value: ["weight": Double(depth)]) }
}

/// Walks two graphs of objects in step; every object of one must stand for exactly one of the other.
private struct Isomorphism {
  /// Whether `copy` is shaped as `original`, which is unmanaged; each object of the copy is known by what `identity` says.
  static func check(_ original: Node, _ copy: Node, identity: (Object) -> AnyHashable) -> [String] {
    var faults: [String] = []
    var known: [ObjectIdentifier: AnyHashable] = [:]
    var used: Set<AnyHashable> = []
    var waiting: [(Node, Node)] = []
    func pair(_ a: Object?, _ b: Object?, _ what: String) -> Bool {
      guard let a, let b else {
        if (a == nil) != (b == nil) { faults.append("\(what): one is nil") }
        return false
      }
      if let known = known[ObjectIdentifier(a)] {
        if known != identity(b) { faults.append("\(what): shared differently") }
        return false
      }
      if !used.insert(identity(b)).inserted { faults.append("\(what): two became one") }
      known[ObjectIdentifier(a)] = identity(b)
      return true
    }
    func nodes(_ a: Node?, _ b: Node?, _ what: String) {
      if pair(a, b, what), let a, let b { waiting.append((a, b)) }
    }
    func parts(_ a: Part?, _ b: Part?, _ what: String) {
      guard let a, let b else {
        if (a == nil) != (b == nil) { faults.append("\(what): one part is nil") }
        return
      }
      if a.weight != b.weight { faults.append("\(what).weight") }
      if a.parts.count != b.parts.count {
        faults.append("\(what).parts")
        return
      }
      parts(a.inner, b.inner, what + ".inner")
      for (index, (x, y)) in zip(a.parts, b.parts).enumerated() { parts(x, y, what + ".parts[\(index)]") }
      nodes(a.node, b.node, what + ".node")
    }
    func values(_ a: AnyRealmValue, _ b: AnyRealmValue, _ what: String) {
      switch (a, b) {
      case (.object(let x), .object(let y)): nodes(x as? Node, y as? Node, what)
      case (.list(let x), .list(let y)):
        if x.count != y.count { faults.append(what) }
        for (p, q) in zip(x, y) { values(p, q, what + "[]") }
      default: if a != b { faults.append(what) }
      }
    }
    nodes(original, copy, "root")
    while let (a, b) = waiting.popLast() {
      let name = "node \(a.number)"
      if a.number != b.number || a.text != b.text { faults.append("\(name): values") }
      nodes(a.next, b.next, name + ".next")
      if pair(a.key, b.key, name + ".key") {
        if a.key?.id != b.key?.id { faults.append("\(name).key.id") }
      }
      if a.many.count != b.many.count { faults.append("\(name).many") }
      for (x, y) in zip(a.many, b.many) { nodes(x, y, name + ".many[]") }
      parts(a.part, b.part, name + ".part")
      if a.named.count != b.named.count { faults.append("\(name).named") }
      for key in a.named.keys { nodes(a.named[key] ?? nil, b.named[key] ?? nil, name + ".named") }
      values(a.any, b.any, name + ".any")
    }
    return faults
  }
}

@Suite struct CopyingTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Node.self, Keyed.self, Part.self]))
  }

  /// What tells the rows of a realm apart.
  private func identity(_ seen: Held) -> (Object) -> AnyHashable {
    { object in
      if let index = seen.objects.firstIndex(where: { $0.isSameObject(as: object) }) { return AnyHashable(index) }
      seen.objects.append(object)
      return AnyHashable(seen.objects.count - 1)
    }
  }

  private final class Held {
    var objects: [Object] = []
  }

  @Test(arguments: Seeds.all) func graphsWithoutCyclesAreCopiedAsTheyAre(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<8 {
      let graph = RandomGraph(&random, allowsCycles: false)
      let first = try realm()
      let copy = try first.write { first.create(Node.self, value: graph.nodes[0]) }
      #expect(Isomorphism.check(graph.nodes[0], copy, identity: identity(Held())) == [])
      #expect(first.graph.checkInvariants() == [])
      #expect(graph.nodes[0].realm == nil)
      // From realm to realm.
      let second = try realm()
      let again = try second.write { second.create(Node.self, value: copy) }
      #expect(Isomorphism.check(graph.nodes[0], again, identity: identity(Held())) == [])
      #expect(second.graph.checkInvariants() == [])
      // Nothing was left on the objects: they can be added themselves.
      let third = try realm()
      try third.write { third.add(graph.nodes[0]) }
      #expect(graph.nodes[0].realm == third)
      #expect(third.graph.checkInvariants() == [])
    }
  }

  @Test(arguments: Seeds.all) func graphsWithCyclesAreRefusedByCreateAndTakenByAdd(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<8 {
      let graph = RandomGraph(&random, allowsCycles: true)
      let realm = try realm()
      do {
        let copy = try realm.write { realm.create(Node.self, value: graph.nodes[0]) }
        #expect(!graph.isCyclic)
        #expect(Isomorphism.check(graph.nodes[0], copy, identity: identity(Held())) == [])
      } catch Realm.Error.cycle {
        #expect(graph.isCyclic)
        #expect(realm.isEmpty)
      }
      let other = try self.realm()
      try other.write { other.add(graph.nodes[0]) }
      #expect(other.graph.checkInvariants() == [])
      guard graph.isCyclic else { continue }
      // A cycle that a realm holds is one, too.
      #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.create(Node.self, value: graph.nodes[0]) }
      }
      #expect(realm.isEmpty)
    }
  }

  @Test func aChainIsCopiedWhateverItsLength() throws {
    let length = 100_000
    var head = Node(value: ["number": 0])
    for number in 1..<length {
      let node = Node()
      node.number = number
      node.next = head
      head = node
    }
    let first = try realm()
    let copy = try first.write { first.create(Node.self, value: head) }
    #expect(copy.number == length - 1)
    let second = try realm()
    let again = try second.write { second.create(Node.self, value: copy) }
    #expect(second.graph.table(named: "Node")?.count == length)
    #expect(again.next?.next?.number == length - 3)
    // A ring of them is refused, with a path that can be read.
    var last = head
    while let next = last.next { last = next }
    last.next = head
    let error = #expect(throws: Realm.Error.self) {
      try first.write { _ = first.create(Node.self, value: head) }
    }
    #expect(error?.code == .cycle)
    #expect("\(error as Any)".utf8.count < 4096)
    last.next = nil
  }

  @Test func aDiamondIsOneRowAndALadderOfThemIsLinear() throws {
    var rung = Node(value: ["number": 0])
    for number in 1...60 {
      let next = Node()
      next.number = number
      next.next = rung
      next.many.append(rung)
      rung = next
    }
    let realm = try realm()
    let copy = try realm.write { realm.create(Node.self, value: rung) }
    #expect(realm.graph.table(named: "Node")?.count == 61)
    #expect(copy.next?.isSameObject(as: copy.many[0]) ?? false)
  }

  @Test func anEmbeddedObjectOfTwoOwnersIsCopiedForEachAndRefusedByAdd() throws {
    let part = Part(value: ["weight": 1.5])
    let a = Node()
    let b = Node()
    a.part = part
    a.next = b
    b.part = part
    let realm = try realm()
    let copy = try realm.write { realm.create(Node.self, value: a) }
    #expect(copy.part?.weight == 1.5)
    #expect(copy.next?.part?.weight == 1.5)
    #expect(realm.graph.table(named: "Part")?.count == 2)
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(a) } }
  }

  @Test func anEmbeddedObjectThatOwnsItselfIsACycle() throws {
    let part = Part()
    part.inner = Part()
    part.inner?.parts.append(part)
    let node = Node()
    node.part = part
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Node.self, value: node) }
    }
    #expect(error?.code == .cycle)
    #expect("\(error as Any)".contains("Node.part.inner.parts[0] -> Node.part"))
    #expect(realm.isEmpty)
  }

  @Test func aListThatHoldsItselfIsACycle() throws {
    let list = List<AnyRealmValue>()
    list.append(.int(1))
    list.append(.list(list))
    let node = Node()
    node.any = .list(list)
    let realm = try realm()
    for policy in ["create", "add"] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { if policy == "add" { realm.add(node) } else { _ = realm.create(Node.self, value: node) } }
      }
      #expect(error?.code == .cycle)
      #expect("\(error as Any)".contains("cycle"))
    }
    #expect(realm.isEmpty)
    list.removeAll()
  }

  @Test func anEmbeddedObjectOfARealmCanBeCopiedAndNotAdded() throws {
    let realm = try realm()
    let node = try realm.write { realm.create(Node.self, value: ["part": ["weight": 2]]) }
    let other = try realm.write { realm.create(Node.self, value: ["part": node.part as Any]) }
    #expect(other.part?.weight == 2)
    #expect(node.part?.weight == 2)
    let third = Node()
    third.part = node.part
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(third) } }
  }

  @Test func aDeletedObjectIsRefused() throws {
    let realm = try realm()
    let node = try realm.write { realm.create(Node.self) }
    try realm.write { realm.delete(node) }
    for value in [node as Any, ["next": node], ["many": [node]], ["any": node]] {
      #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Node.self, value: value) } }
    }
    #expect(realm.isEmpty)
  }
}
