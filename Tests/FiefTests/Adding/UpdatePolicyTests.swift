import Fief
import FiefGraph
import RealmSwift
import Testing

private class Toy: Object {
  @Persisted var name = ""
  @Persisted var size = 1
}

private class Tag: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var text = ""
  @Persisted var weight: Int?
}

private class Home: EmbeddedObject {
  @Persisted var city: String?
  @Persisted var rooms = 3
}

private class Root: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var note: String?
  @Persisted var count = 0
  @Persisted var toy: Toy?
  @Persisted var tag: Tag?
  @Persisted var home: Home?
  @Persisted var toys: List<Toy>
  @Persisted var tags: List<Tag>
  @Persisted var homes: List<Home>
  @Persisted var ints: MutableSet<Int>
  @Persisted var parks: Map<String, String>
  @Persisted var boxes: Map<String, Toy?>
  @Persisted var any: AnyRealmValue
}

/// The effect of each policy on existing rows, property by property.
@Suite struct UpdatePolicyTests {
  private func realm() throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Toy.self, Tag.self, Home.self, Root.self]))
    try realm.write { _ = realm.create(Root.self, value: old) }
    return realm
  }

  private var old: [String: Any] {
    [
      "id": 1, "note": "old", "count": 9, "toy": ["name": "t", "size": 5],
      "tag": ["key": "a", "text": "old", "weight": 2],
      "home": ["city": "old", "rooms": 8], "toys": [["name": "a"], ["name": "b"], ["name": "c"]],
      "tags": [["key": "x", "text": "X"]], "homes": [["city": "h0"], ["city": "h1"]], "ints": [1, 2],
      "parks": ["p": "1", "q": "2"], "boxes": ["p": ["name": "boxed"]], "any": [1, 2],
    ]
  }

  private func root(_ realm: Realm) throws -> Root {
    try #require(realm.object(ofType: Root.self, forPrimaryKey: 1))
  }

  private func update(_ realm: Realm, _ value: Any, _ policy: Realm.UpdatePolicy) throws -> Root {
    let updated = try realm.write { realm.create(Root.self, value: value, update: policy) }
    #expect(realm.graph.checkInvariants().isEmpty)
    return updated
  }

  private func count(_ realm: Realm, _ type: ObjectBase.Type) -> Int {
    realm.graph.table(named: type.className())?.count ?? -1
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func unnamedPropertiesStay(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let before = try root(realm)
    let after = try update(realm, ["id": 1, "count": 10], policy)
    #expect(after.isSameObject(as: before))
    #expect(before.count == 10)
    #expect(before.note == "old")
    #expect(before.toy?.name == "t")
    #expect(before.home?.city == "old")
    #expect(before.toys.count == 3)
    #expect(before.ints.count == 2)
    #expect(before.parks.count == 2)
    #expect(count(realm, Toy.self) == 5)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func nullEmptiesEverythingThatMayBeEmpty(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let root = try update(
      realm,
      [
        "id": 1, "note": NSNull(), "toy": NSNull(), "tag": NSNull(), "home": NSNull(), "toys": NSNull(),
        "homes": NSNull(),
        "ints": NSNull(), "parks": NSNull(), "any": NSNull(), "boxes": NSNull(), "tags": NSNull(),
      ] as [String: Any], policy)
    #expect(root.note == nil && root.toy == nil && root.tag == nil && root.home == nil)
    #expect(root.toys.isEmpty && root.homes.isEmpty && root.ints.isEmpty && root.parks.isEmpty && root.boxes.isEmpty)
    #expect(root.any == .none)
    // Ordinary targets stay, embedded ones are deleted.
    #expect(count(realm, Toy.self) == 5)
    #expect(count(realm, Home.self) == 0)
  }

  @Test func aLinkedObjectWithoutKeyIsUpdatedInItsPlaceOrReplaced() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let realm = try realm()
      let toy = try #require(root(realm).toy)
      let root = try update(realm, ["id": 1, "toy": ["name": "new"]] as [String: Any], policy)
      #expect(root.toy?.name == "new")
      if policy == .modified {
        #expect(toy.name == "new")
        #expect(toy.size == 5)
        #expect(count(realm, Toy.self) == 5)
      } else {
        #expect(toy.name == "t")
        #expect(root.toy?.size == 1)
        #expect(count(realm, Toy.self) == 6)
      }
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func aLinkedObjectWithAKeyIsFoundByIt(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let root = try update(
      realm, ["id": 1, "tag": ["key": "x", "text": "changed"], "tags": [["key": "a", "weight": 7], ["key": "new"]]],
      policy)
    #expect(root.tag?.text == "changed")
    #expect(root.tags.map(\.key) == ["a", "new"])
    #expect(root.tags[0].text == "old")
    #expect(root.tags[0].weight == 7)
    #expect(count(realm, Tag.self) == 3)
  }

  @Test func anEmbeddedObjectIsUpdatedInItsPlaceOrReplaced() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let realm = try realm()
      let home = try #require(root(realm).home)
      let second = try root(realm).homes[1]
      let root = try update(
        realm, ["id": 1, "home": ["city": "new"], "homes": [["city": "n0"], ["city": "n1"], ["city": "n2"]]], policy)
      #expect(root.home?.city == "new")
      #expect(root.homes.map(\.city) == ["n0", "n1", "n2"])
      #expect(home.isInvalidated == (policy == .all))
      #expect(second.isInvalidated == (policy == .all))
      if policy == .modified {
        #expect(home.rooms == 8)
        #expect(second.city == "n1")
      } else {
        #expect(root.home?.rooms == 3)
      }
      #expect(count(realm, Home.self) == 4)
    }
  }

  @Test func aListIsChangedIndexByIndexOrRefilled() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let realm = try realm()
      let first = try root(realm).toys[0]
      let shorter = try update(realm, ["id": 1, "toys": [["name": "z"]]] as [String: Any], policy)
      #expect(shorter.toys.map(\.name) == ["z"])
      #expect(first.name == (policy == .modified ? "z" : "a"))
      let longer = try update(
        realm, ["id": 1, "toys": [["name": "1"], ["name": "2"], first]] as [String: Any], policy)
      #expect(longer.toys.map(\.name) == ["1", "2", first.name])
    }
  }

  @Test func setsAreUnitedAndMapsMergedOrBothRefilled() throws {
    for policy in [Realm.UpdatePolicy.modified, .all] {
      let realm = try realm()
      let boxed = try #require(root(realm).boxes["p"] ?? nil)
      let root = try update(
        realm,
        ["id": 1, "ints": [2, 3], "parks": ["q": "new", "r": "3"], "boxes": ["p": ["name": "again"], "s": NSNull()]]
          as [String: Any], policy)
      if policy == .modified {
        #expect(Set(root.ints) == [1, 2, 3])
        #expect(root.parks["p"] == "1")
        #expect(boxed.name == "again")
      } else {
        #expect(Set(root.ints) == [2, 3])
        #expect(root.parks["p"] == nil)
        #expect(boxed.name == "boxed")
      }
      #expect(root.parks["q"] == "new")
      #expect(root.parks["r"] == "3")
      #expect(root.boxes.count == 2)
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func aCollectionGivenToItselfStays(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let before = try root(realm)
    let after = try update(
      realm, ["id": 1, "toys": before.toys, "ints": before.ints, "parks": before.parks] as [String: Any], policy)
    #expect(after.toys.map(\.name) == ["a", "b", "c"])
    #expect(after.ints.count == 2 && after.parks.count == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func anUnmanagedObjectHasNoMissingValues(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let source = Root()
    source.id = 1
    source.toy = Toy(value: ["name": "mine"])
    let root = try update(realm, source, policy)
    #expect(source.realm == nil)
    #expect(root.note == nil && root.home == nil && root.tag == nil)
    #expect(root.count == 0)
    #expect(root.toy?.name == "mine")
    #expect(root.toys.isEmpty)
    #expect(root.ints.isEmpty == (policy == .all))
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func anAddedObjectBecomesAnAccessorOfTheRowThatIsThere(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let before = try root(realm)
    let source = Root()
    source.id = 1
    source.note = "added"
    source.tag = Tag(value: ["key": "a", "text": "by add"])
    try realm.write { realm.add(source, update: policy) }
    #expect(source.isSameObject(as: before))
    #expect(before.note == "added")
    #expect(before.tag?.text == "by add")
    #expect(before.tag?.weight == nil)
    #expect(count(realm, Root.self) == 1)
  }

  @Test func aTakenKeyIsRefusedAtTheRootAndBelow() throws {
    for value in [
      ["id": 1], ["id": 2, "tag": ["key": "a"]], ["id": 2, "tags": [["key": "n"], ["key": "n"]]],
      ["id": 2, "tags": [["key": "fresh"], ["key": "x"]]],
    ] as [[String: Any]] {
      let realm = try realm()
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.create(Root.self, value: value) }
      }
      #expect(error?.code == .duplicatePrimaryKey)
      #expect(count(realm, Root.self) == 1 && count(realm, Tag.self) == 2)
    }
  }

  @Test func anErrorQuotesATakenKeyOnce() throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error(.duplicatePrimaryKey)) {
      try realm.write { _ = realm.create(Tag.self, value: ["key": "a"]) }
    }
    #expect(error?.localizedDescription.contains("an existing primary key value 'a': use") == true)
  }

  @Test func aKeyThatOccursTwiceInOneValueIsOneRow() throws {
    let realm = try realm()
    let root = try update(
      realm, ["id": 2, "tags": [["key": "n", "text": "first"], ["key": "n", "weight": 4]]] as [String: Any], .modified)
    #expect(root.tags.count == 2)
    #expect(root.tags[0].isSameObject(as: root.tags[1]))
    #expect(root.tags[0].text == "first")
    #expect(root.tags[0].weight == 4)
  }

  @Test func aPolicyNeedsAPrimaryKey() throws {
    let realm = try realm()
    #expect(throws: Realm.Error.self) {
      try realm.write { _ = realm.create(Toy.self, value: ["name": "x"], update: .modified) }
    }
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(Toy(), update: .all) } }
    #expect(count(realm, Toy.self) == 5)
  }

  @Test func anObjectOfTheSameRealmIsCopiedShallowlyOrReturned() throws {
    let realm = try realm()
    let toy = try #require(root(realm).toy)
    let copy = try realm.write { realm.create(Toy.self, value: toy) }
    #expect(!copy.isSameObject(as: toy))
    #expect(copy.name == "t")
    let root = try root(realm)
    let same = try update(realm, root, .modified)
    #expect(same === root)
    #expect(throws: Realm.Error.self) { try realm.write { _ = realm.create(Root.self, value: root) } }
    // Linked, whatever the policy; embedded objects are copied.
    let other = try realm.write {
      realm.create(
        Root.self, value: ["id": 3, "toy": toy, "home": root.home as Any, "toys": root.toys] as [String: Any])
    }
    #expect(other.toy?.isSameObject(as: toy) ?? false)
    #expect(other.toys[2].isSameObject(as: root.toys[2]))
    #expect(other.home?.city == "old")
    #expect(root.home?.city == "old")
    #expect(count(realm, Home.self) == 4)
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test func anObjectOfAnotherRealmIsCopiedDeeplyByCreateAndRefusedByAdd() throws {
    let source = try realm()
    let root = try root(source)
    let target = try Realm(configuration: .inMemory(objectTypes: [Toy.self, Tag.self, Home.self, Root.self]))
    for copied in [root, root] {
      let copy = try target.write { target.create(Root.self, value: copied, update: .modified) }
      #expect(copy.realm == target)
      #expect(copy.toys.map(\.name) == ["a", "b", "c"])
      #expect(copy.home?.rooms == 8)
      #expect(copy.tag?.weight == 2)
      #expect(copy.boxes["p"]??.name == "boxed")
      #expect(Set(copy.ints) == [1, 2])
      #expect(target.graph.checkInvariants().isEmpty)
    }
    #expect(count(target, Root.self) == 1)
    #expect(count(target, Toy.self) == 5)
    let error = #expect(throws: Realm.Error.self) { try target.write { target.add(root) } }
    #expect(error?.code == .objectManagedByAnotherRealm)
    #expect(
      "\(error as Any)".contains(
        "Object is already managed by another Realm. Use create instead to copy it into this Realm."))
  }

  /// Any-values that differ from each other. They are never changed.
  nonisolated(unsafe) private static let nested: [Any] = [
    [1, 2], [1, 3], [1, 2, 3], ["k": [1, 2]], ["l": [1, 2]], ["k": [1, 2], "l": NSNull()], [[Any]()], [[String: Any]()],
    ["é": [["k": 1] as [String: Any]], "e\u{301}x": 2, "b": [NSNull(), 1.5]] as [String: Any], [Any](), 5,
  ]

  @Test(arguments: nested.indices) func onlyAnotherContentOfAnAnyValueIsADifference(_ index: Int) throws {
    let realm = try realm()
    let given = Self.nested[index]
    _ = try update(realm, ["id": 1, "any": given] as [String: Any], .modified)
    for (other, value) in Self.nested.enumerated() {
      try realm.write {
        let before = realm.graph
        realm.create(Root.self, value: ["id": 1, "any": value] as [String: Any], update: .modified)
        #expect(Delta(from: before, to: realm.graph).isEmpty == (other == index), "\(value)")
        realm.create(Root.self, value: ["id": 1, "any": given] as [String: Any], update: .all)
      }
    }
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test func handlesOfAnAnyValueStayValidWhereItIsGivenAgain() throws {
    let realm = try realm()
    let value: [String: Any] = ["id": 1, "any": ["k": [1, ["x"]]]]
    let map = try #require(update(realm, value, .modified).any.dictionaryValue)
    let list = try #require(map["k"]?.listValue)
    _ = try update(realm, value, .modified)
    #expect(!map.isInvalidated && !list.isInvalidated && list.count == 2)
    // The elements of a collection are compared one by one.
    _ = try update(realm, ["id": 1, "any": ["k": [1, ["y"]]]] as [String: Any], .modified)
    #expect(map.isInvalidated && list.isInvalidated)
  }

  @Test func aValidatingCreateThatThrowsLeavesTheTransactionAsItWas() throws {
    let realm = try realm()
    try realm.write {
      let before = realm.graph
      #expect(throws: Realm.Error.self) {
        try realm.create(
          Root.self,
          validating: ["id": 1, "toys": [["name": "x"], ["size": 1.5]], "note": "changed"] as [String: Any],
          update: .modified)
      }
      #expect(Delta(from: before, to: realm.graph).isEmpty)
      try realm.create(Root.self, validating: ["id": 1, "note": "changed"], update: .modified)
    }
    #expect(try root(realm).note == "changed")
  }
}
