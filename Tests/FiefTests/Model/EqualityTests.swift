import RealmSwift
import Testing

private class Plain: Object {
  @Persisted var name = ""
}

private class Keyed: Object {
  @Persisted(primaryKey: true) var id: Int
}

private class Named: Object {
  @Persisted var name = ""

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? Named)?.name == name }
  override var hash: Int { name.hashValue }
}

private class Heir: Named {
  @Persisted var other = 0
}

private class Hashing: Object {
  @Persisted var name = ""
  override var hash: Int { 7 }
}

private class Embedded: EmbeddedObject {
  @Persisted var name = ""
  override func isEqual(_ object: Any?) -> Bool { (object as? Embedded)?.name == name }
  override var hash: Int { name.hashValue }
}

private class Holder: Object {
  @Persisted var list: List<Named>
  @Persisted var set: MutableSet<Named>
  @Persisted var embedded: Embedded?
}

private class Crew: Object {
  @Persisted var members: MutableSet<Keyed>
  @Persisted var named: MutableSet<Named>
  @Persisted var any: MutableSet<AnyRealmValue>
}

private class Random: Object {
  @Persisted(primaryKey: true) var id: UUID
}

private class Coded: Object {
  @Persisted(primaryKey: true) var code: String?
}

private class Older: Object {
  @Persisted var name = "x"
  @Persisted var code: ObjectId
  override class func primaryKey() -> String? { "code" }
}

private class Ticket: Object {
  @Persisted(primaryKey: .increasing) var id: Int
}

@Suite struct EqualityTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [
        Plain.self, Keyed.self, Named.self, Heir.self, Hashing.self, Embedded.self, Holder.self, Crew.self,
        Random.self, Coded.self, Older.self, Ticket.self,
      ]))
  }

  @Test func equalityFollowsAnOverride() throws {
    let (a, b, c) = (Named("x"), Named("x"), Named("y"))
    #expect(a == b && a != c && a.isEqual(b) && !a.isEqual(nil) && !a.isEqual("x"))
    #expect(Set([a, b, c]).count == 2 && [a, c].firstIndex(of: b) == 0 && [c].contains(a) == false)
    #expect(a.hashValue == b.hashValue)
    let (heir, other) = (Heir(), Heir())
    #expect(heir == other && Set([heir, other]).count == 1)
    let (first, second) = (Embedded(), Embedded())
    #expect(first == second && Set([first, second]).count == 1)
    let realm = try realm()
    try realm.write { realm.add([a, b]) }
    #expect(a == b && !a.isSameObject(as: b))
  }

  @Test func withoutAnOverrideInstancesAndKeysDecide() throws {
    let (a, b) = (Plain(), Plain())
    #expect(a == a && a != b && a.isEqual(a) && !a.isEqual(b) && !a.isEqual(nil) && a.hash != b.hash)
    let realm = try realm()
    let keyed = Keyed()
    try realm.write { realm.add(keyed) }
    let other = try #require(realm.objects(Keyed.self).first)
    #expect(keyed == other && keyed.isEqual(other) && keyed.hash == other.hash && keyed !== other)
  }

  @Test func anObjectWithAKeyIsFoundAfterItWasAdded() throws {
    let realm = try realm()
    let (first, second) = (Keyed(), Keyed())
    (first.id, second.id) = (1, 2)
    let chosen: Set<Keyed> = [first]
    let crew = Crew()
    crew.members.insert(objectsIn: [first, second])
    try realm.write { realm.add([first, second]) }
    #expect(chosen.contains(first) && crew.members.contains(first) && crew.members.contains(second))
    let other = try #require(realm.object(ofType: Keyed.self, forPrimaryKey: 1))
    #expect(chosen.contains(other) && crew.members.contains(other))
    crew.members.remove(first)
    crew.members.remove(second)
    #expect(crew.members.isEmpty)
    try realm.write { realm.add(crew) }
    #expect(crew.members.isEmpty && realm.objects(Keyed.self).count == 2)
  }

  @Test func aKeyOfAnyTypeIsHashedAsThatOfTheRow() throws {
    let realm = try realm()
    let coded = Coded()
    coded.code = "x"
    for object in [Random(), Coded(), coded, Older()] as [Object] {
      let hash = object.hash
      try realm.write { realm.add(object) }
      #expect(object.hash == hash, "\(object)")
    }
  }

  @Test func unmanagedObjectsWithOneKeyAreNotEqual() throws {
    let (a, b) = (Keyed(), Keyed())
    #expect(a != b && a.hash == b.hash && Set([a, b]).count == 2)
    // They are yet to get their keys.
    let (c, d) = (Ticket(), Ticket())
    #expect(c != d && c.hash != d.hash)
    d.id = 3
    let hash = d.hash
    let realm = try realm()
    try realm.write { realm.add(d) }
    #expect(d.hash == hash)
  }

  @Test func aSetGetsItsObjectsWhenTheyAreFilled() throws {
    let value: [String: Any] = [
      "members": [["id": 1], ["id": 2]], "named": [["name": "x"], ["name": "y"], ["name": "x"]],
    ]
    let json = #"{"$class": "Crew", "members": [{"id": 1}, {"id": 2}], "any": [{"$class": "Keyed", "id": 3}]}"#
    let document = try ObjectDocument(json: Data(json.utf8)).object(as: Crew.self, classes: [Keyed.self])
    for crew in [Crew(value: value), document, document.detached()] {
      let members = Array(crew.members)
      #expect(members.map(\.id).sorted() == [1, 2] && members.allSatisfy { crew.members.contains($0) })
      if let held = crew.any.first { #expect(crew.any.contains(held)) }
      for member in members { crew.members.remove(member) }
      #expect(crew.members.isEmpty)
    }
    #expect(Crew(value: value).named.count == 2 && document.any.count == 1)
  }

  @Test func anOverriddenHashIsTheHash() {
    let (a, b) = (Hashing(), Hashing())
    #expect(a.hashValue == b.hashValue && a != b)
  }

  @Test func unmanagedCollectionsFollowAnOverride() {
    let list = List<Named>()
    list.append(objectsIn: [Named("x"), Named("y")])
    #expect(list.index(of: Named("y")) == 1 && list.contains(Named("x")) && !list.contains(Named("z")))
    let set = MutableSet<Named>()
    set.insert(objectsIn: [Named("x"), Named("x"), Named("y")])
    #expect(set.count == 2 && set.contains(Named("y")))
    let other = List<Named>()
    other.append(objectsIn: [Named("x"), Named("y")])
    #expect(list == other)
    #expect(AnyRealmValue.object(Named("x")) == .object(Named("x")))
  }

  @Test func managedCollectionsCompareRows() throws {
    let realm = try realm()
    let holder = Holder()
    holder.list.append(objectsIn: [Named("x"), Named("x")])
    try realm.write { realm.add(holder) }
    #expect(holder.list.index(of: holder.list[1]) == 1)
    #expect(realm.objects(Named.self).index(of: holder.list[1]) == 1)
  }
}
