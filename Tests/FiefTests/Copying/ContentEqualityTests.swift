import RealmSwift
import Testing

private class Node: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var next: Node?
  @Persisted var others: List<Node>
  @Persisted var things: Map<String, AnyRealmValue>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct ContentEqualityTests {
  private func node(_ id: Int, _ name: String) -> Node { Node(value: ["id": id, "name": name]) }

  @Test func copiesHaveEqualContents() throws {
    let realms = try (0..<2).map { _ in try Realm(configuration: .inMemory(objectTypes: [Node.self])) }
    let node = node(1, "one")
    node.next = self.node(2, "two")
    node.next?.next = node
    node.things["x"] = [1, ["y": 2.5]]
    let copy = node.detached()
    #expect(node.isContentEqual(to: node) && node.isContentEqual(to: copy))
    for realm in realms { try realm.write { realm.add(node.detached()) } }
    let stored = realms.compactMap { $0.object(ofType: Node.self, forPrimaryKey: 1) }
    #expect(stored[0].isContentEqual(to: stored[1]) && stored[0].isContentEqual(to: copy))
    try realms[1].write { stored[1].next?.name = "changed" }
    #expect(!stored[0].isContentEqual(to: stored[1]) && stored[0].isContentEqual(to: stored[1], depth: 0))
    #expect(stored[0].isContentEqual(to: stored[1], properties: .except(\Node.next)))
  }

  @Test func sharingIsContent() {
    let (shared, other) = (node(2, "two"), node(1, "one"))
    other.others = [shared, shared]
    let apart = node(1, "one")
    apart.others = [node(2, "two"), node(2, "two")]
    #expect(!other.isContentEqual(to: apart))
    #expect(!node(1, "one").isContentEqual(to: node(1, "two")))
  }

  @Test func aLongChainIsCompared() {
    let (a, b) = (node(0, "a"), node(0, "a"))
    for root in [a, b] {
      var last = root
      for id in 1..<20_000 {
        let next = node(id, "")
        last.next = next
        last = next
      }
    }
    #expect(a.isContentEqual(to: b))
  }
}
