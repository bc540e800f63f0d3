import Foundation
import RealmSwift
import Testing

private class Node: Object {
  @Persisted var name = ""
  @Persisted var next: Node?
  @Persisted var children: List<Node>
  @Persisted var data: Data
  @Persisted var numbers: List<Int>
  @Persisted var tags: Map<String, Int>
  @Persisted var any: AnyRealmValue
}

@Suite struct DescriptionTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Node.self])) }

  @Test func managedAndUnmanagedObjectsReadAlike() throws {
    let realm = try realm()
    let node = Node()
    node.name = "root"
    node.next = Node()
    node.numbers.append(7)
    node.tags["a"] = 1
    node.any = .fromArray([.string("x")])
    let text = node.description
    #expect(text.hasPrefix("Node {\n\tname = root;\n\tnext = Node {\n\t\tname = ;\n"))
    #expect(text.contains("\tnumbers = List<int> (\n\t\t[0] 7\n\t);"))
    #expect(text.contains("[a]: 1") && text.contains("[0] x"))
    try realm.write { realm.add(node) }
    #expect(node.description == text)
  }

  @Test func nestingEndsAtFiveLevels() throws {
    let realm = try realm()
    let node = Node()
    node.next = node
    node.children.append(node)
    let unmanaged = node.description
    #expect(unmanaged.contains("<Maximum depth exceeded>") && unmanaged.utf8.count < 1_000_000)
    node.next = nil
    try realm.write { realm.add(node) }
    try realm.write { node.next = node }
    #expect(node.description.contains("<Maximum depth exceeded>"))
    try realm.write { realm.delete(node) }
    #expect(node.description == "[invalid object]")
  }

  @Test func longDataAndCollectionsAreCut() throws {
    let node = Node()
    node.data = Data(repeating: 0xab, count: 30)
    for number in 0..<150 { node.numbers.append(number) }
    let text = node.description
    #expect(text.contains("<" + String(repeating: "ab", count: 24) + "… — 30 total bytes>"))
    #expect(text.contains("[99] 99") && !text.contains("[100] 100") && text.contains("50 objects skipped"))
  }

  @Test func anyValuesShowTheirCase() {
    #expect(AnyRealmValue.int(1).description == "int(1)")
    #expect(AnyRealmValue.none.description == "none")
    #expect(AnyRealmValue.fromArray([.int(1)]).description.contains("[0] 1"))
  }
}
