import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Node: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var next: Node?
  @Persisted(originProperty: "next") var previous: LinkingObjects<Node>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// Ends a block whose changes must be rolled back.
private struct Cancelled: Error {}

/// A link to a target that is known to exist is set without a lookup. These tests delete the target in every possible
/// way.
@Suite struct LinkSettingTests {
  private let realm: Realm
  private let configuration: Realm.Configuration
  private let first: Node
  private let second: Node

  init() throws {
    configuration = .inMemory(objectTypes: [Node.self])
    realm = try Realm(configuration: configuration)
    (first, second) = (Node(1), Node(2))
    try realm.write { realm.add([first, second]) }
  }

  /// Sets the first node's link to the second one, which is deleted, and expects the write to fail and change nothing.
  private func expectRefusal(_ comment: Comment) {
    let error = #expect(throws: Realm.Error.self, comment) {
      try realm.write {
        first.next = second
        first.next = nil
      }
    }
    #expect(error?.localizedDescription.contains("Node") ?? false, comment)
    #expect(first.next == nil, comment)
    #expect(realm.graph.checkInvariants() == [], comment)
  }

  @Test func aTargetThatWasDeletedInTheSameWriteIsRefused() throws {
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.delete(second)
        first.next = second
      }
    }
    #expect(!second.isInvalidated && first.next == nil)
    try realm.write { first.next = second }
    #expect(first.next == second)
  }

  @Test func aTargetThatWasDeletedInAnEarlierWriteIsRefused() throws {
    try realm.write { realm.delete(second) }
    expectRefusal("deleted")
  }

  @Test func aTargetThatWentWithAllOthersIsRefused() throws {
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.deleteAll()
        let third = Node(3)
        realm.add(third)
        third.next = second
      }
    }
    #expect(realm.objects(Node.self).count == 2)
  }

  @Test func aTargetThatWasRolledBackIsRefused() throws {
    let third = Node(3)
    realm.beginWrite()
    realm.add(third)
    first.next = third
    realm.cancelWrite()
    #expect(first.next == nil && third.isInvalidated)
    #expect(throws: Realm.Error.self) { try realm.write { first.next = third } }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func aTargetThatASavepointTookBackIsRefused() throws {
    let third = Node(3)
    #expect(throws: Realm.Error.self) {
      try realm.write {
        try? realm.savepoint {
          realm.add(third)
          throw Cancelled()
        }
        first.next = third
      }
    }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func aTargetThatAnotherThreadDeletedIsRefused() throws {
    #expect(second.id == 2)
    let configuration = configuration
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.delete(realm.objects(Node.self).where { $0.id == 2 }) }
      } catch { Issue.record(error) }
      done.signal()
    }
    done.wait()
    expectRefusal("deleted elsewhere")
  }

  @Test func aTargetOfAnInvalidatedRealmIsRefused() throws {
    realm.invalidate()
    let present = try #require(realm.object(ofType: Node.self, forPrimaryKey: 1))
    #expect(throws: Realm.Error.self) { try realm.write { present.next = second } }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func aTargetThatIsThereIsTakenHoweverItWasFound() throws {
    let found = try #require(realm.object(ofType: Node.self, forPrimaryKey: 2))
    let listed = try #require(realm.objects(Node.self).last)
    for target in [second, found, listed] {
      try realm.write { first.next = target }
      #expect(first.next?.id == 2 && second.previous.map(\.id) == [1])
      try realm.write { first.next = first }
      #expect(first.next?.id == 1 && second.previous.isEmpty && first.previous.map(\.id) == [1])
    }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test(arguments: Seeds.all) func linksAreThoseThatWereSetAfterDeletions(seed: Seed) throws {
    var random = seed.random
    var nodes = [1: first, 2: second]
    var links: [Int: Int] = [:]
    var dead: [Node] = []
    var (refused, kept) = (0, 0)

    func change(_ nodes: inout [Int: Node], _ links: inout [Int: Int], _ dead: inout [Node]) -> Bool {
      let ids = nodes.keys.sorted()
      if ids.isEmpty {
        let node = Node(1)
        realm.add(node)
        nodes[1] = node
        return true
      }
      let (source, target) = (random.element(of: ids), random.element(of: ids))
      switch random.below(12) {
      case 0...2:
        let id = random.below(600) * 7
        if nodes[id] != nil { break }
        let node = Node(id)
        realm.add(node)
        nodes[id] = node
      case 3:
        guard let node = nodes.removeValue(forKey: source) else { break }
        realm.delete(node)
        dead.append(node)
        links[source] = nil
        links = links.filter { $0.value != source }
      case 4:
        nodes[source]?.next = nil
        links[source] = nil
      case 5:
        if !dead.isEmpty, random.bool(0.1) {
          nodes[source]?.next = random.element(of: dead)
          return false
        }
      default:
        nodes[source]?.next = nodes[target]
        links[source] = target
      }
      return true
    }

    for _ in 0..<60 {
      var (newNodes, newLinks, newDead) = (nodes, links, dead)
      var isSound = true
      let isCancelled = random.bool(0.2)
      do {
        try realm.write {
          for _ in 0..<random.below(40) {
            if random.bool(0.1) {
              var (triedNodes, triedLinks, triedDead) = (newNodes, newLinks, newDead)
              try? realm.savepoint {
                for _ in 0..<3 { _ = change(&triedNodes, &triedLinks, &triedDead) }
                throw Cancelled()
              }
              // Objects that were made in the savepoint are rolled back.
              for (id, node) in triedNodes where newNodes[id] !== node { newDead.append(node) }
            }
            isSound = change(&newNodes, &newLinks, &newDead) && isSound
          }
          if isCancelled { throw Cancelled() }
        }
        #expect(isSound && !isCancelled)
        kept += 1
        (nodes, links, dead) = (newNodes, newLinks, newDead)
      } catch {
        #expect(!isSound || isCancelled, "\(error)")
        refused += 1
        dead += newNodes.filter { nodes[$0.key] !== $0.value }.map(\.value)
      }
      #expect(Set(realm.objects(Node.self).map(\.id)) == Set(nodes.keys))
      for (id, node) in nodes {
        #expect(node.next?.id == links[id])
        #expect(node.previous.map(\.id).sorted() == links.filter { $0.value == id }.map(\.key).sorted())
      }
      #expect(realm.graph.checkInvariants() == [])
    }
    #expect(kept > 0 && refused > 0)
  }
}
