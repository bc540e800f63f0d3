/// The contents that a realm of nodes must have: the simplest store.
struct ProgramModel: Equatable {
  /// A part of a node.
  struct Part: Equatable {
    /// Tells parts apart that a node had one after the other.
    var birth: Int
    var size = 0
    var label: String?
    var node: Int?
  }

  indirect enum AnyValue: Equatable {
    case none
    case int(Int)
    case text(String)
    case node(Int)
    case list([AnyValue])
    case dictionary([String: AnyValue])

    /// Clears what refers to a deleted node: elements of lists go, other links become null.
    fileprivate func without(_ id: Int) -> AnyValue {
      switch self {
      case .node(id): .none
      case .list(let elements): .list(Self.without(id, elements))
      case .dictionary(let entries): .dictionary(entries.mapValues { $0.without(id) })
      default: self
      }
    }

    fileprivate static func without(_ id: Int, _ elements: [AnyValue]) -> [AnyValue] {
      elements.filter { $0 != .node(id) }.map { $0.without(id) }
    }

    /// The nodes that it refers to.
    fileprivate var targets: [Int] {
      switch self {
      case .node(let id): [id]
      case .list(let elements): elements.flatMap(\.targets)
      case .dictionary(let entries): entries.values.flatMap(\.targets)
      default: []
      }
    }

    var text: String {
      switch self {
      case .none: "none"
      case .int(let number): "\(number)"
      case .text(let text): "'\(text)'"
      case .node(let id): "node \(id)"
      case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
      case .dictionary(let entries):
        "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
      }
    }
  }

  struct Node: Equatable {
    var id: Int
    /// Tells nodes apart that had the same key one after the other.
    var birth: Int
    var text = ""
    var small = 0
    var link: Int?
    var part: Part?
    var any = AnyValue.none
    var links: [Int] = []
    var parts: [Int] = []
    var numbers: [Int] = []
    var anys: [AnyValue] = []
    var words: Set<String> = []
    var friends: Set<Int> = []
    var map: [String: Int] = [:]
    var named: [String: Int?] = [:]

    /// The nodes that it refers to.
    var targets: Set<Int> {
      Set(links).union(friends).union([link, part?.node].compactMap { $0 }).union(named.values.compactMap { $0 })
        .union(any.targets).union(anys.flatMap(\.targets))
    }
  }

  /// The nodes by their keys.
  var nodes: [Int: Node] = [:]
  /// The number of nodes and parts that were made, also of those that are gone.
  var births = 0

  /// The keys in order.
  var keys: [Int] { nodes.keys.sorted() }

  /// The keys whose nodes link to a node.
  func origins(of id: Int) -> [Int] { keys.filter { nodes[$0]?.link == id } }

  /// Adds a node unless it is there.
  mutating func create(_ id: Int) {
    if nodes[id] == nil { nodes[id] = Node(id: id, birth: newBirth()) }
  }

  /// Becomes what another model was.
  mutating func restore(_ other: ProgramModel) { nodes = other.nodes }

  mutating func newBirth() -> Int {
    births += 1
    return births
  }

  /// Deletes a node, and what refers to it: elements of lists and sets go, other links become null.
  mutating func delete(_ id: Int) {
    nodes[id] = nil
    for (key, node) in nodes {
      var node = node
      if node.link == id { node.link = nil }
      if node.part?.node == id { node.part?.node = nil }
      node.any = node.any.without(id)
      node.anys = AnyValue.without(id, node.anys)
      node.links.removeAll { $0 == id }
      node.friends.remove(id)
      for (name, target) in node.named where target == id { node.named[name] = .some(nil) }
      nodes[key] = node
    }
  }

  /// A node as text; `ProgramText` writes the objects of a realm in the same way.
  func text(_ id: Int) -> String {
    guard let node = nodes[id] else { return "none" }
    return ProgramText(
      id: id, text: node.text, small: node.small, link: node.link,
      part: node.part.map { ($0.size, $0.label, $0.node) }, any: node.any.text, links: node.links, parts: node.parts,
      numbers: node.numbers, anys: AnyValue.list(node.anys).text, words: node.words.sorted(),
      friends: node.friends.sorted(), map: node.map.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" },
      named: node.named.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.map(String.init) ?? "nil")" },
      origins: origins(of: id)
    ).description
  }

  /// All nodes as text.
  var text: String { keys.map { text($0) }.joined(separator: "\n") }
}

/// The text of a node, by which the model and a realm are compared.
struct ProgramText: CustomStringConvertible {
  var id: Int
  var text: String
  var small: Int
  var link: Int?
  var part: (size: Int, label: String?, node: Int?)?
  var any: String
  var links: [Int]
  var parts: [Int]
  var numbers: [Int]
  var anys: String
  var words: [String]
  var friends: [Int]
  var map: [String]
  var named: [String]
  var origins: [Int]

  var description: String { own + " origins \(origins)" }

  /// The node without those that link to it.
  var own: String {
    let part = part.map { "\($0.size) \($0.label ?? "nil") \($0.node.map(String.init) ?? "nil")" } ?? "nil"
    return "\(id): '\(text)' \(small) link \(link.map(String.init) ?? "nil") part \(part) any \(any) links \(links) "
      + "parts \(parts) numbers \(numbers) anys \(anys) words \(words) friends \(friends) map \(map) named \(named)"
  }
}
