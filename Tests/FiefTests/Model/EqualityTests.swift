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

@Suite struct EqualityTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(objectTypes: [
        Plain.self, Keyed.self, Named.self, Heir.self, Hashing.self, Embedded.self, Holder.self,
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
