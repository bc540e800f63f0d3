import FiefTestSupport
import Foundation
import Observation
import RealmSwift
import Synchronization
import Testing

private class Node: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var rank = 0
  @Persisted var next: Node?
  @Persisted var nodes: List<Node>
  @Persisted var marks: MutableSet<Int>
  @Persisted var sizes: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted(originProperty: "next") var sources: LinkingObjects<Node>
}

/// A read that a scope makes, and what it saw, as text. Equal texts mean that nothing has changed that was read.
private struct Read {
  let name: String
  let see: (Realm) -> String
}

/// A scope that runs, is notified, and runs again.
private final class Scope {
  let reads: [Read]
  var seen: [String] = []
  let notified = Mutex(0)
  /// The notifications that it had when it ran last.
  var before = 0

  init(_ reads: [Read]) { self.reads = reads }

  func run(_ realm: Realm) {
    before = notified.withLock { $0 }
    withObservationTracking {
      seen = reads.map { $0.see(realm) }
    } onChange: { [weak self] in
      self?.notified.withLock { $0 += 1 }
    }
  }

  var notifications: Int { notified.withLock { $0 } - before }
}

extension Scope: @unchecked Sendable {}

@Suite("A scope is notified exactly when something changed that it has read")
struct TrackingOracleTests {
  @Test(arguments: Seeds.first(16)) func `in random histories`(seed: Seed) throws {
    var random = seed.random
    let realm = try Realm(configuration: .inMemory(objectTypes: [Node.self]))
    try realm.write {
      for id in 0..<8 { realm.create(Node.self, value: ["id": id, "name": "\(id % 3)", "rank": id % 4]) }
    }
    let scopes = (0..<12).map { _ in Scope((0..<1 + random.below(4)).map { _ in Self.read(&random) }) }
    for scope in scopes { scope.run(realm) }
    var next = 8
    for step in 0..<80 {
      if random.below(8) == 0 {
        realm.beginWrite()
        for _ in 0..<3 { Self.change(realm, &next, step, &random) }
        realm.cancelWrite()
      } else {
        try realm.write { for _ in 0..<1 + random.below(3) { Self.change(realm, &next, step, &random) } }
      }
      for scope in scopes {
        let now = scope.reads.map { $0.see(realm) }
        let names = scope.reads.map(\.name)
        if now == scope.seen {
          #expect(scope.notifications == 0, "Step \(step): \(names) did not change: \(now)")
        } else {
          #expect(scope.notifications == 1, "Step \(step): \(names) changed from \(scope.seen) to \(now)")
        }
        // A scope that was not notified goes on waiting.
        if scope.notifications > 0 { scope.run(realm) }
      }
    }
  }

  private static func node(_ id: Int, _ realm: Realm) -> Node? { realm.object(ofType: Node.self, forPrimaryKey: id) }

  /// A read whose text has all that it has read.
  private static func read(_ random: inout SeededRandom) -> Read {
    let id = random.below(16)
    func of(_ name: String, _ see: @escaping (Node) -> String) -> Read {
      Read(name: "\(id).\(name)") { node(id, $0).map(see) ?? "none" }
    }
    func all(_ name: String, _ see: @escaping (Results<Node>) -> String) -> Read {
      Read(name: name) { see($0.objects(Node.self)) }
    }
    func ids(_ nodes: some Sequence<Node>) -> String { nodes.map { "\($0.id)" }.joined(separator: " ") }
    switch random.below(20) {
    case 0: return of("name") { $0.name }
    case 1: return of("rank") { "\($0.rank)" }
    case 2: return of("next.name") { $0.next.map { "\($0.id) \($0.name)" } ?? "nil" }
    case 3:
      return of("next.next.rank") { "\($0.next?.id ?? -1) \($0.next?.next?.id ?? -1) \($0.next?.next?.rank ?? -1)" }
    case 4: return of("nodes") { ids($0.nodes) }
    case 5: return of("nodes' names") { $0.nodes.map { "\($0.id) \($0.name)" }.joined(separator: " ") }
    case 6: return of("marks") { "\(Array($0.marks.sorted()))" }
    case 7: return of("sizes") { $0.sizes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: " ") }
    case 8: return of("sources") { ids($0.sources) }
    case 9:
      return of("anything") { "\($0.anything.intValue ?? -1) \(Array($0.anything.listValue?.map(\.intValue) ?? []))" }
    case 10: return of("isInvalidated") { "\($0.isInvalidated)" }
    case 11: return all("all") { ids($0) }
    case 12: return all("low ranks") { ids($0.where { $0.rank < 2 }) }
    case 13: return all("by rank and id") { ids($0.sorted(by: [SortDescriptor(keyPath: "rank"), "id"])) }
    case 14: return all("the three lowest") { ids($0.sorted(by: [SortDescriptor(keyPath: "rank"), "id"]).limit(3)) }
    case 15: return all("with a next of rank 3") { ids($0.where { $0.next.rank == 3 }) }
    case 16:
      return all("the sections' keys") { nodes in
        // The sections depend on the names, in the order of which they come.
        nodes.sectioned(by: \.name).map { "\($0.key): \($0.map { "\($0.id) \($0.rank)" })" }.joined(separator: " ")
          + ids(nodes) + nodes.map { $0.name }.joined() + Self.everything(nodes)
      }
    case 17: return of("nodes of rank 1") { ids($0.nodes.where { $0.rank == 1 }) }
    case 18: return all("names of ranks below 3") { $0.where { $0.rank < 3 }.map { "\($0.id) \($0.name)" }.joined() }
    default: return all("tested by the program") { ids($0.filter(#Predicate<Node> { $0.name.count + $0.rank == 2 })) }
    }
  }

  /// Everything that can be reached, for reads that every change of it may affect.
  private static func everything(_ nodes: Results<Node>) -> String {
    nodes.map { node in
      "\(node.id) \(node.name) \(node.rank) \(node.next?.id ?? -1) \(Array(node.nodes.map(\.id))) "
        + "\(Array(node.marks.sorted())) "
        + node.sizes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: " ")
        + "\(node.anything.intValue ?? -1) \(Array(node.anything.listValue?.map(\.intValue) ?? []))"
    }.joined(separator: "; ")
  }

  private static func change(_ realm: Realm, _ next: inout Int, _ step: Int, _ random: inout SeededRandom) {
    let all = realm.objects(Node.self)
    guard !all.isEmpty else {
      realm.create(Node.self, value: ["id": next])
      next += 1
      return
    }
    let some = all[random.below(all.count)]
    let other = all[random.below(all.count)]
    switch random.below(14) {
    case 0:
      // Scopes have searched for some of these in vain. A key never comes again: the row would be another one.
      realm.create(Node.self, value: ["id": next, "rank": random.below(4)])
      next += 1
    case 1: realm.delete(some)
    case 2, 3: some.name = "\(random.below(3))"
    case 4, 5: some.rank = random.below(5)
    case 6: some.next = random.below(4) == 0 ? nil : other
    case 7: some.nodes.insert(other, at: random.below(some.nodes.count + 1))
    case 8: if !some.nodes.isEmpty { some.nodes.remove(at: random.below(some.nodes.count)) }
    case 9: some.marks.insert(random.below(6))
    case 10: some.marks.remove(random.below(6))
    case 11: some.sizes["\(random.below(3))"] = random.below(3)
    case 12: some.anything = random.below(2) == 0 ? .int(random.below(3)) : .fromArray([.int(next), .int(step)])
    default: some.anything.listValue?.append(.int(random.below(3)))
    }
  }
}
