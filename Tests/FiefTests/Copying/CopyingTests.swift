import Fief
import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private typealias Node = CopiedGraph.Node
private typealias Keyed = CopiedGraph.Keyed
private typealias Part = CopiedGraph.Part

@Suite struct CopyingTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Node.self, Keyed.self, Part.self]))
  }

  /// An identity for the rows of a realm.
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
      // Copying left no marks on the objects: they can still be added.
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
      // A cycle among managed objects is an error, too.
      #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.create(Node.self, value: graph.nodes[0]) }
      }
      #expect(realm.isEmpty)
    }
  }

  @Test func aChainIsCopiedWhateverItsLength() throws {
    let length = Effort.of(debug: 20_000, release: 100_000)
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
    // A ring of them is refused, with a readable path.
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

  @Test(arguments: Seeds.all) func copyKeepsCyclesWithinARealmAndAcross(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<8 {
      let graph = RandomGraph(&random, allowsCycles: true)
      let first = try realm()
      let copy = try first.write { first.copy(graph.nodes[0]) }
      #expect(Isomorphism.check(graph.nodes[0], copy, identity: identity(Held())) == [])
      let second = try realm()
      let across = try second.write { second.copy(copy) }
      #expect(Isomorphism.check(graph.nodes[0], across, identity: identity(Held())) == [])
      let count = first.graph.table(named: "Node")?.count ?? 0
      if first.graph.table(named: "Keyed")?.count == 0 {
        let within = try first.write { first.copy(copy) }
        #expect(Isomorphism.check(graph.nodes[0], within, identity: identity(Held())) == [])
        #expect(first.graph.table(named: "Node")?.count == count * 2)
      } else {
        #expect(throws: Realm.Error.self) { try first.write { _ = first.copy(copy) } }
        #expect(first.graph.table(named: "Node")?.count == count)
        let merged = try second.write { second.copy(copy, keys: .merge) }
        #expect(Isomorphism.check(graph.nodes[0], merged, identity: identity(Held())) == [])
      }
      #expect(first.graph.checkInvariants() == [])
      #expect(second.graph.checkInvariants() == [])
    }
  }
}
