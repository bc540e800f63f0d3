import Foundation
import FiefTestSupport
import RealmSwift
import Testing

private class Ticket: Object {
  @Persisted(primaryKey: .increasing) var id: Int
  @Persisted var text = ""
  @Persisted var parent: Ticket?
  @Persisted var parts: List<Ticket>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

private class Small: Object {
  @Persisted(primaryKey: .increasing) var number: Int64
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Keys that the realm hands out.
@Suite struct IncreasingKeyTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Ticket.self, Small.self])) }

  @Test func objectsGetKeysInTheOrderInWhichTheyAreAdded() throws {
    let realm = try realm()
    let loose = Ticket("loose")
    #expect(loose.id == 0)
    try realm.write {
      #expect(realm.create(Ticket.self, value: ["text": "a"]).id == 1)
      realm.add(loose)
      #expect(realm.create(Ticket.self).id == 3)
      #expect(realm.create(Ticket.self, value: ["id": 0, "text": "d"], update: .modified).id == 4)
      realm.add([Ticket("e"), Ticket("f")], update: .all)
      try realm.seed(json: Data(#"{"Ticket": [{"text": "g"}, {"text": "h"}], "Small": [{}]}"#.utf8))
      realm.create(Small.self)
    }
    #expect(loose.id == 2 && loose.text == "loose")
    #expect(realm.objects(Ticket.self).map(\.id) == Array(1...8))
    #expect(realm.objects(Ticket.self).map(\.text) == ["a", "loose", "", "d", "e", "f", "g", "h"])
    #expect(realm.objects(Small.self).map(\.number) == [1, 2])
    #expect(realm.object(ofType: Ticket.self, forPrimaryKey: 8)?.text == "h")
  }

  @Test func aTreeOfObjectsGetsKeysOfItsOwn() throws {
    let realm = try realm()
    let root = Ticket("root")
    root.parts = [Ticket("one"), Ticket("two")]
    for part in root.parts { part.parent = root }
    try realm.write { realm.add(root) }
    #expect(Set([root.id] + root.parts.map(\.id)) == [1, 2, 3])
    #expect(root.parts.allSatisfy { $0.parent?.id == root.id })
    let made = try realm.write {
      realm.create(
        Ticket.self, value: ["text": "x", "parts": [["text": "y"], ["id": 1], ["text": "z"]]] as [String: Any],
        update: .modified)
    }
    #expect(made.parts[1] == realm.object(ofType: Ticket.self, forPrimaryKey: 1))
    #expect(realm.objects(Ticket.self).count == 6 && Set(realm.objects(Ticket.self).map(\.id)).count == 6)
  }

  @Test func keysOfDeletedObjectsAndOfRefusedWritesAreNotSharedByTwo() throws {
    let realm = try realm()
    try realm.write { for text in ["a", "b", "c"] { realm.add(Ticket(text)) } }
    try realm.write { realm.delete(realm.objects(Ticket.self).where { $0.id > 1 }) }
    #expect(try realm.write { realm.create(Ticket.self).id } == 4)
    try realm.write { realm.deleteAll(Ticket.self) }
    #expect(try realm.write { realm.create(Ticket.self).id } == 5)
    realm.beginWrite()
    let lost = Ticket("lost")
    realm.add(lost)
    #expect(lost.id == 6)
    realm.cancelWrite()
    #expect(try realm.write { realm.create(Ticket.self).id } > 6)
  }

  @Test func keysOfTheApplicationAreKept() throws {
    let realm = try realm()
    try realm.write {
      for id in [1, 2, 3, 5, 9, .max, -4] { realm.create(Ticket.self, value: ["id": id]) }
      for _ in 0..<200 { realm.create(Ticket.self) }
    }
    let ids = Set(realm.objects(Ticket.self).map(\.id))
    #expect(ids.count == 207 && ids.isSuperset(of: [1, 2, 3, 5, 9, .max, -4]) && !ids.contains(0))
    let changed = try realm.write { realm.create(Ticket.self, value: ["id": 5, "text": "new"], update: .modified) }
    #expect(changed.id == 5 && realm.objects(Ticket.self).count == 207)
    #expect(throws: Realm.Error.self) { try realm.write { realm.create(Ticket.self, value: ["id": 5]) } }
  }

  @Test func keysGoOnWhenAFileIsOpenedAgain() throws {
    try TemporaryFolder.with { folder in
      let configuration = Realm.Configuration(
        fileURL: folder.appendingPathComponent("tickets.realm"), objectTypes: [Ticket.self])
      for round in 0..<3 {
        let realm = try Realm(configuration: configuration)
        #expect(try realm.write { realm.create(Ticket.self, value: ["text": "\(round)"]).id } == 2 * round + 1)
        let gone = try realm.write { realm.create(Ticket.self) }
        #expect(gone.id == 2 * round + 2)
        try realm.write { realm.delete(gone) }
        if round == 1 { try realm.compact() }
      }
      #expect(try Realm(configuration: configuration).objects(Ticket.self).map(\.id) == [1, 3, 5])
    }
  }

  @Test func onlyKeysOfWritesThatStoredNothingComeAgainInAnotherOpening() throws {
    try TemporaryFolder.with { folder in
      let configuration = Realm.Configuration(
        fileURL: folder.appendingPathComponent("tickets.realm"), objectTypes: [Ticket.self])
      do {
        let realm = try Realm(configuration: configuration)
        #expect(try realm.write { realm.create(Ticket.self).id } == 1)
        realm.beginWrite()
        #expect(realm.create(Ticket.self).id == 2)
        realm.cancelWrite()
        try realm.write { realm.delete(realm.create(Ticket.self)) }
        #expect(try realm.write { realm.create(Ticket.self).id } == 4)
        try realm.write { realm.delete(realm.create(Ticket.self)) }
      }
      let realm = try Realm(configuration: configuration)
      #expect(try realm.write { realm.create(Ticket.self).id } > 4)
    }
  }

  @Test(arguments: Seeds.all) func randomKeysStayUnique(seed: Seed) throws {
    var random = seed.random
    do {
      let realm = try realm()
      var ids: Set<Int> = []
      realm.beginWrite()
      for _ in 0..<400 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let id = realm.create(Ticket.self).id
          #expect(id > 0 && ids.insert(id).inserted)
        case 5..<7:
          let id = Int.random(in: 1..<500, using: &random)
          realm.create(Ticket.self, value: ["id": id], update: .all)
          ids.insert(id)
        default:
          guard let id = ids.randomElement(using: &random) else { continue }
          ids.remove(id)
          realm.object(ofType: Ticket.self, forPrimaryKey: id).map { realm.delete($0) }
        }
      }
      #expect(Set(realm.objects(Ticket.self).map(\.id)) == ids)
      realm.cancelWrite()
    }
  }

  @Test func otherRealmsTakeTheKeysOfCopies() throws {
    let (one, other) = (try realm(), try realm())
    let ticket = try one.write { one.create(Ticket.self, value: ["id": 7, "text": "seven"]) }
    try other.write { other.copy(ticket) }
    #expect(other.objects(Ticket.self).map(\.id) == [7])
    #expect(try other.write { other.create(Ticket.self).id } == 2)
  }
}
