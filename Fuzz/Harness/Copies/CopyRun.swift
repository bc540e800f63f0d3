import Fief
import FiefCopying
import FiefGraph
import Foundation

/// Two realms between which nodes are copied.
final class CopyRun {
  static let keys = 10

  private let realms: [Realm]

  init() throws { realms = [try FuzzRealm.inMemory(), try FuzzRealm.inMemory()] }

  static func cycles(_ step: StepBytes) -> CopyCycles { step[3] % 3 == 2 ? .refuse : .preserve }
  static func keys(_ step: StepBytes) -> CopyKeys { [.merge, .keep, .merge, .regenerate][step[4] % 4] }
  static func depth(_ step: StepBytes) -> Int? { step[5] % 4 < 3 ? nil : step[5] / 4 % 4 }

  func carryOut(_ step: StepBytes) throws {
    let (realm, far) = (realms[step[1] % 2], realms[1 - step[1] % 2])
    let (id, other) = (step[2] % Self.keys, step[3] % Self.keys)
    switch step.code {
    case 0:
      try realm.write {
        realm.create(
          FuzzNode.self, value: ["id": id, "text": "\(step[4] % 8)", "small": step[4] % 100], update: .modified)
      }
    case 11: try ring(realm, id, 2 + step[4] % 6, kind: step[3])
    default:
      guard let node = realm.object(ofType: FuzzNode.self, forPrimaryKey: id) else { return }
      switch step.code {
      case 7: try realm.write { realm.delete(node) }
      case 8: try copy(node, to: far, step)
      case 9: try create(node, in: far, [.error, .modified, .all][step[4] % 3])
      case 10: try addDocument(node, to: far)
      case 12: try detach(node, Self.cycles(step))
      default:
        guard let target = realm.object(ofType: FuzzNode.self, forPrimaryKey: other) else { return }
        try realm.write { Self.connect(node, target, step.code, step[4]) }
      }
    }
    for realm in realms { try FuzzRealm.checkInvariants(realm, "After a step with code \(step.code)") }
  }

  private static func connect(_ node: FuzzNode, _ target: FuzzNode, _ code: UInt8, _ number: Int) {
    switch code {
    case 1: node.link = target
    case 2: node.links.append(target)
    case 3:
      node.part = FuzzPart(value: ["size": number, "inner": ["label": "inner"]] as [String: Any])
      node.part?.inner?.node = target
    case 4: node.named["k\(number % 3)"] = .some(target)
    case 5:
      let list = List<AnyRealmValue>()
      list.append(objectsIn: [.int(number), .object(target)])
      node.any = [.object(target), .list(list), .none, .string("text")][number % 4]
    case 6: node.friends.insert(target)
    default: break
    }
  }

  /// Links nodes to a ring, each through another kind of property.
  private func ring(_ realm: Realm, _ first: Int, _ count: Int, kind: Int) throws {
    try realm.write {
      let nodes = (0..<count).map {
        realm.create(FuzzNode.self, value: ["id": (first + $0) % Self.keys, "small": $0], update: .modified)
      }
      for (index, node) in nodes.enumerated() {
        Self.connect(node, nodes[(index + 1) % count], UInt8(1 + (kind + index) % 6), index * 4)
      }
    }
  }

  // MARK: Copies

  private func copy(_ node: FuzzNode, to far: Realm, _ step: StepBytes) throws {
    let (cycles, keys, depth) = (Self.cycles(step), Self.keys(step), Self.depth(step))
    let original = try Self.text(node, depth)
    let before = (realms[step[1] % 2].graph, far.graph)
    let reached = Reached(node, depth)
    let clashes = keys == .keep && reached.keys.contains { far.object(ofType: FuzzNode.self, forPrimaryKey: $0) != nil }
    let isWhole = isWhole(reached, far)
    let isRefused = keys == .regenerate || clashes || cycles == .refuse && reached.isCyclic
    do {
      let made = try far.write { far.copy(node, cycles: cycles, keys: keys, depth: depth) }
      try expect(!isRefused, "A copy is made that should be refused: \(original)")
      // A node that is there keeps its links at the maximum depth. A new one has none there.
      if isWhole, depth == nil || keys == .keep {
        let text = try Self.text(made, nil)
        try expect(reached.hasOrders || text == original, "A copy is \(text), of \(original)")
        if depth == nil { try compareSets(reached, realms[step[1] % 2], far) }
      }
    } catch let error as Realm.Error {
      try expect(isRefused, "A copy is refused: \(error). The original: \(original)")
      try expect(far.graph == before.1, "A refused copy has changed something.")
      try FuzzRealm.checkShort(error)
    }
    try expect(realms[step[1] % 2].graph == before.0, "A copy has changed its original.")
  }

  /// Whether an update makes nodes what they are elsewhere. It adds to the sets and dictionaries of those that are
  /// there.
  private func isWhole(_ reached: Reached, _ far: Realm) -> Bool {
    reached.keys.allSatisfy { key in
      guard let node = far.object(ofType: FuzzNode.self, forPrimaryKey: key) else { return true }
      return node.friends.isEmpty && node.named.isEmpty
    }
  }

  /// The nodes of a set are in the order of their rows, which is another in each realm.
  private func compareSets(_ reached: Reached, _ realm: Realm, _ far: Realm) throws {
    for key in reached.keys {
      func friends(_ realm: Realm) -> [Int]? {
        realm.object(ofType: FuzzNode.self, forPrimaryKey: key)?.friends.map(\.id).sorted()
      }
      try expect(friends(realm) == friends(far), "The friends of node \(key) have other copies.")
    }
  }

  private func create(_ node: FuzzNode, in far: Realm, _ policy: Realm.UpdatePolicy) throws {
    let original = try Self.text(node, nil)
    let before = far.graph
    let reached = Reached(node, nil)
    let clashes =
      policy == .error && reached.keys.contains { far.object(ofType: FuzzNode.self, forPrimaryKey: $0) != nil }
    let isWhole = policy == .all || isWhole(reached, far)
    do {
      let made = try far.write { try far.create(FuzzNode.self, validating: node, update: policy) }
      try expect(!clashes && !reached.isCyclic, "A node is created that should be refused: \(original)")
      if !isWhole { return }
      let text = try Self.text(made, nil)
      try expect(reached.hasOrders || text == original, "A node is created as \(text), of \(original)")
      try compareSets(reached, node.realm ?? far, far)
    } catch let error as Realm.Error {
      try expect(clashes || reached.isCyclic, "A node is refused: \(error). The original: \(original)")
      try expect(far.graph == before, "A refused node has changed something.")
    }
  }

  private func addDocument(_ node: FuzzNode, to far: Realm) throws {
    let original = try Self.text(node, nil)
    let made = try ObjectDocument(json: Data(original.utf8)).object(as: FuzzNode.self, classes: FuzzRealm.classes)
    let isWhole = isWhole(Reached(node, nil), far)
    try far.write { far.add(made, update: .modified) }
    if !isWhole { return }
    let text = try Self.text(made, nil)
    // A set of unmanaged objects has no order, and a null in a document leaves nothing to update.
    if !original.contains("\"friends\":[{"), !original.contains("\"friends\":[{\"$ref\"") {
      try expect(text == original, "A document makes \(text), of \(original)")
    }
  }

  private func detach(_ node: FuzzNode, _ cycles: CopyCycles) throws {
    let original = try Self.text(node, nil)
    let isCyclic = Reached(node, nil).isCyclic
    do {
      let twin = try node.detached(cycles: cycles, keys: .keep)
      try expect(cycles == .preserve || !isCyclic, "A cycle is detached that should be refused: \(original)")
      if !original.contains("\"friends\":[{") {
        try expect(
          try Self.text(twin, nil) == original, "A detached node is \(try Self.text(twin, nil)), of \(original)")
      }
    } catch let error as Realm.Error {
      try expect(cycles == .refuse && isCyclic, "Detaching is refused: \(error). The original: \(original)")
    }
  }

  private static func text(_ node: FuzzNode, _ depth: Int?) throws -> String {
    String(decoding: try ObjectDocument(node, depth: depth).json(), as: UTF8.self)
  }
}

/// The nodes that a node reaches, walked without the product's own walks.
struct Reached {
  private(set) var keys: Set<Int> = []
  private(set) var isCyclic = false
  /// Whether there is a set of several nodes, whose order is that of their rows.
  private(set) var hasOrders = false

  /// - Parameter depth: the maximum number of links; nil for all.
  init(_ node: FuzzNode, _ depth: Int?) {
    var nodes = [node.id: node]
    var levels = [node.id: 0]
    var waiting = [node.id]
    var edges: [Int: [Int]] = [:]
    keys = [node.id]
    // Breadth first, so that a node gets its least depth.
    while !waiting.isEmpty {
      let id = waiting.removeFirst()
      guard let node = nodes[id], let level = levels[id] else { continue }
      if node.friends.count > 1 { hasOrders = true }
      if let depth, level >= depth { continue }
      for next in Self.targets(node) {
        edges[id, default: []].append(next.id)
        if keys.insert(next.id).inserted {
          nodes[next.id] = next
          levels[next.id] = level + 1
          waiting.append(next.id)
        }
      }
    }
    // Nodes without edges go first, as in a topological order. The remaining nodes are on a cycle or lead to one.
    var left = edges.filter { !$0.value.isEmpty }
    while let free = left.first(where: { $0.value.allSatisfy { left[$0] == nil } })?.key { left[free] = nil }
    isCyclic = !left.isEmpty
  }

  private static func targets(_ node: FuzzNode) -> [FuzzNode] {
    var targets = Array(node.links) + Array(node.friends) + node.named.compactMap(\.value)
    if let link = node.link { targets.append(link) }
    for part in [node.part, node.part?.inner] + node.parts.map({ $0 }) {
      if let target = part?.node { targets.append(target) }
    }
    func add(_ value: AnyRealmValue) {
      if case .object(let object) = value, let node = object as? FuzzNode { targets.append(node) }
    }
    add(node.any)
    if case .list(let list) = node.any { list.forEach(add) }
    return targets
  }
}
