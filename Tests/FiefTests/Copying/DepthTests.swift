import Fief
import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Link: Object {
  @Persisted var number = 0
  @Persisted var next: Link?
  @Persisted var box: Box?
  @Persisted var any: AnyRealmValue
}

private class Box: EmbeddedObject {
  @Persisted var inner: Box?
  @Persisted var boxes: List<Box>
}

/// Adding, copying and writing work at a depth of a million levels of each kind. The tests run one after another,
/// because each takes much memory. Debug builds use fewer levels, as a million would take minutes.
@Suite(.serialized) struct DepthTests {
  private static let length = Effort.of(debug: 30_000, release: 1_000_000)

  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Link.self, Box.self]))
  }

  private func count(_ realm: Realm, _ name: String) -> Int { realm.graph.table(named: name)?.count ?? -1 }

  @Test func aMillionDictionariesInsideEachOther() throws {
    var value: [String: Any] = ["number": 0]
    for number in 1..<Self.length { value = ["number": number, "next": value] }
    let realm = try realm()
    let head = try realm.write { realm.create(Link.self, value: value) }
    #expect(head.number == Self.length - 1)
    #expect(count(realm, "Link") == Self.length)
    // Dictionaries free each other by recursion, so they are taken apart.
    while let next = value.removeValue(forKey: "next") as? [String: Any] { value = next }
  }

  @Test func aMillionObjectsLinkedToEachOther() throws {
    var head = Link(value: ["number": 0])
    for number in 1..<Self.length {
      let link = Link()
      link.number = number
      link.next = head
      head = link
    }
    let realm = try realm()
    let created = try realm.write { realm.create(Link.self, value: head) }
    #expect(count(realm, "Link") == Self.length)
    let other = try self.realm()
    let across = try other.write { other.create(Link.self, value: created) }
    #expect(across.next?.next?.number == Self.length - 3)
    #expect(count(other, "Link") == Self.length)
    // A ring is a cycle for `create`, with a readable path, and is accepted by `add` and `copy`.
    var last = head
    while let next = last.next { last = next }
    last.next = head
    let error = #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Link.self, value: head) } }
    #expect(error?.code == .cycle)
    #expect("\(error as Any)".utf8.count < 4096)
    #expect(count(realm, "Link") == Self.length)
    let copy = try other.write { other.copy(head) }
    #expect(count(other, "Link") == 2 * Self.length)
    #expect(copy.next?.number == Self.length - 2)
    let detached = head.detached()
    #expect(detached.next?.number == Self.length - 2 && detached !== head)
    detached.next = nil
    try realm.write { realm.add(head) }
    #expect(count(realm, "Link") == 2 * Self.length)
  }

  @Test func aMillionEmbeddedObjectsAndListsInsideEachOther() throws {
    var box = Box()
    var any = AnyRealmValue.int(1)
    for number in 1..<Self.length / 2 {
      let outer = Box()
      if number % 2 == 0 { outer.inner = box } else { outer.boxes.append(box) }
      box = outer
      let list = List<AnyRealmValue>()
      list.append(any)
      any = .list(list)
    }
    let link = Link()
    link.box = box
    link.any = any
    let realm = try realm()
    try realm.write { _ = realm.create(Link.self, value: link) }
    #expect(count(realm, "Box") == Self.length / 2)
    let other = try self.realm()
    try other.write { _ = other.copy(link.detached()) }
    #expect(count(other, "Box") == Self.length / 2)
  }

  @Test func aLadderOfSharedEmbeddedObjectsIsRefusedInTime() throws {
    var rung = Box()
    for _ in 0..<60 {
      let next = Box()
      next.inner = rung
      next.boxes.append(rung)
      rung = next
    }
    let link = Link()
    link.box = rung
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Link.self, value: link) } }
    #expect(error?.code == .invalidValue)
    #expect("\(error as Any)".contains("several places"))
    #expect(realm.isEmpty)
    // A detached copy has the sharing of the original.
    #expect(link.detached().box?.inner?.inner != nil)
  }

  @Test func manyOwnersOfOneEmbeddedObjectEachGetACopy() throws {
    let shared = Box()
    shared.inner = Box()
    var head = Link()
    for _ in 0..<10_000 {
      let link = Link()
      link.next = head
      link.box = shared
      head = link
    }
    let realm = try realm()
    try realm.write { _ = realm.create(Link.self, value: head) }
    #expect(count(realm, "Box") == 20_000)
  }
}
