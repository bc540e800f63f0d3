import Fief
import FiefGraph
import RealmSwift
import Testing

private class Node: Object {
  @Persisted var name = ""
  @Persisted var next: Node?
  @Persisted var part: Part?
}

/// Another class with the same names.
private class Other: Object {
  @Persisted var name = ""
  @Persisted var next: Other?
  @Persisted var part: OtherPart?
  @Persisted var more = 5
}

private class Part: EmbeddedObject {
  @Persisted var inner: Part?
}

private class OtherPart: EmbeddedObject {
  @Persisted var inner: OtherPart?
}

private class Home: Object {
  @Persisted var node: Node?
  @Persisted var nodes: List<Node>
}

/// Every function that takes a value reads objects of another class by the names of their properties.
@Suite struct NamesakeTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [Node.self, Other.self, Part.self, OtherPart.self, Home.self]))
  }

  private func chain() -> Other {
    Other(
      value: ["name": "a", "next": ["name": "b", "next": ["name": "c"]], "part": ["inner": ["inner": NSNull()]]]
        as [String: Any])
  }

  @Test func anObjectOfAnotherClassIsReadByNames() throws {
    let realm = try realm()
    let unmanaged = chain()
    let managed = try realm.write { realm.create(Other.self, value: unmanaged) }
    for other in [unmanaged, managed, managed.freeze()] {
      let home = try realm.write { realm.create(Home.self, value: ["node": other, "nodes": [other, other]]) }
      #expect(home.node?.name == "a" && home.node?.next?.next?.name == "c")
      #expect(home.node?.part?.inner != nil)
      // An object that is reached twice is copied once.
      #expect(home.nodes[0].isSameObject(as: home.nodes[1]) && home.nodes[0].isSameObject(as: home.node))
      let root = try realm.write { realm.create(Node.self, value: other) }
      #expect(root.next?.next?.name == "c")
      #expect(Home(value: ["node": other]).node?.next?.next?.name == "c")
      #expect(realm.graph.checkInvariants() == [])
    }
    #expect(realm.graph.table(named: "Other")?.count == 3)
  }

  @Test func aCycleOfAnotherClassIsACycleAllTheSame() throws {
    let realm = try realm()
    let ring = chain()
    ring.next?.next?.next = ring
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Home.self, value: ["node": ring]) }
    }
    #expect(error?.code == .cycle)
    #expect("\(error as Any)".contains("Node.next.next.next -> Node"))
    let managed = try realm.write {
      realm.add(ring)
      return ring
    }
    let again = #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Node.self, value: managed) }
    }
    #expect(again?.code == .cycle)
    // Unmanaged, a ring becomes a ring.
    let home = Home(value: ["node": managed])
    #expect(home.node?.next?.next?.next === home.node)
    home.node?.next = nil
  }

  @Test func aPropertyThatIsNotThereIsNamed() throws {
    let realm = try realm()
    for value in [Home(), Part()] as [ObjectBase] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.create(Home.self, value: ["nodes": [value]]) }
      }
      #expect("\(error as Any)".contains("Home.nodes[0]") && "\(error as Any)".contains("'name'"))
    }
    #expect(realm.isEmpty)
  }
}
