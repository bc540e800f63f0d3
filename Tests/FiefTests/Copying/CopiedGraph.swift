import Fief
import FiefTestSupport
import RealmSwift

/// The classes of the graphs that tests of copying copy.
enum CopiedGraph {
  static let classes: [ObjectBase.Type] = [Node.self, Keyed.self, Part.self]

  class Node: Object {
    @Persisted var number = 0
    @Persisted var text: String?
    @Persisted var next: Node?
    @Persisted var key: Keyed?
    @Persisted var many: List<Node>
    @Persisted var part: Part?
    @Persisted var named: Map<String, Node?>
    @Persisted var any: AnyRealmValue
  }

  class Keyed: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var back: Node?
  }

  class Part: EmbeddedObject {
    @Persisted var weight: Double?
    @Persisted var inner: Part?
    @Persisted var parts: List<Part>
    @Persisted var node: Node?
  }
}

private typealias Node = CopiedGraph.Node
private typealias Keyed = CopiedGraph.Keyed
private typealias Part = CopiedGraph.Part

/// Random graphs of nodes, made as unmanaged objects.
struct RandomGraph {
  let nodes: [CopiedGraph.Node]
  var isCyclic = false

  /// - Parameter allowsCycles: whether links may have any target; otherwise they go to later nodes only.
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

/// Walks two graphs of objects in step; every object of one must correspond to exactly one of the other.
struct Isomorphism {
  /// Whether `copy` has the shape of `original`, which is unmanaged; `identity` identifies the objects of the copy.
  static func check(_ original: CopiedGraph.Node, _ copy: CopiedGraph.Node, identity: (Object) -> AnyHashable)
    -> [String]
  {
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
