import Foundation
import RealmSwift
import Testing

private enum Colour: Int, PersistableEnum { case red = 3, green }

private struct Email: CustomPersistable {
  var address: String
  init(address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private struct Place: CustomPersistable {
  var city: String
  init(city: String) { self.city = city }
  init(persistedValue: Town) { city = persistedValue.city }
  var persistableValue: Town { Town(value: ["city": city]) }
}

private class Town: EmbeddedObject {
  @Persisted var city = ""
}

private class Leaf: Object {
  @Persisted var s = ""
  @Persisted var n: Int8
}

private class Keyed: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var s = ""
}

private class Tree: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var any: AnyRealmValue
  @Persisted var colour: Colour
  @Persisted var spare: Colour?
  @Persisted var email = Email(address: "a@b")
  @Persisted var other: Email?
  @Persisted var place = Place(city: "Rome")
  @Persisted var link: Leaf?
  @Persisted var keyed: Keyed?
  @Persisted var town: Town?
  @Persisted var list: List<Leaf>
  @Persisted var towns: List<Town>
  @Persisted var set: MutableSet<Leaf>
  @Persisted var map: Map<String, Leaf?>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var colours: List<Colour>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var emailMap: Map<String, Email>
  @Persisted var numbers: List<Int>
}

/// Values of properties by their names, on unmanaged and managed objects.
@Suite struct NamedValueTests {
  private func trees() throws -> (Realm, [Tree]) {
    let realm = try Realm(
      configuration: .inMemory(objectTypes: [Town.self, Leaf.self, Keyed.self, Tree.self]))
    let trees = (1...2).map { id in Tree(value: ["id": id]) }
    try realm.write { realm.add(trees[1]) }
    return (realm, trees)
  }

  // MARK: Reading

  @Test func anAnyValueGivesWhatItHolds() throws {
    let (realm, trees) = try trees()
    for tree in trees {
      #expect(tree["any"] == nil && tree.value(forKey: "any") == nil)
      try realm.write { tree.any = .int(7) }
      #expect(tree["any"] as? Int == 7 && tree.value(forKeyPath: "any") as? Int == 7)
      try realm.write { tree.any = .object(Leaf(value: ["s": "x"])) }
      #expect((tree["any"] as? Leaf)?.s == "x" && tree.value(forKeyPath: "any.s") as? String == "x")
      try realm.write { tree.any = .fromArray([.int(1)]) }
      #expect((tree["any"] as? List<AnyRealmValue>)?.first == .int(1))
    }
  }

  @Test func enumsAndCustomTypesGiveWhatIsStored() throws {
    let (realm, trees) = try trees()
    for tree in trees {
      #expect(tree["colour"] as? Int == 3 && tree["spare"] == nil && tree["other"] == nil)
      #expect(tree.value(forKey: "email") as? String == "a@b")
      #expect((tree["place"] as? Town)?.city == "Rome" && tree.value(forKeyPath: "place.city") as? String == "Rome")
      try realm.write {
        tree["spare"] = 4
        tree["other"] = "c@d"
      }
      #expect(tree.spare == .green && tree.other?.address == "c@d")
      #expect(tree["spare"] as? Int == 4 && tree["other"] as? String == "c@d")
    }
  }

  @Test func elementsOfCollectionsGiveTheSame() throws {
    let (realm, trees) = try trees()
    let forest = List<Tree>()
    forest.append(objectsIn: trees)
    for tree in trees {
      try realm.write {
        tree.anys.append(objectsIn: [.int(1), .none, .string("x")])
        tree.colours.append(objectsIn: [.green, .red])
        tree.anyMap["a"] = .int(5)
        tree.anyMap["b"] = AnyRealmValue.none
        tree.emailMap["a"] = Email(address: "e@f")
        tree.any = .int(tree.id)
      }
      let anys = tree.anys.value(forKey: "self")
      #expect(anys.count == 3 && anys[0] as? Int == 1 && anys[1] is NSNull && anys[2] as? String == "x")
      #expect(tree.colours.value(forKey: "self") as? [Int] == [4, 3])
      #expect(tree.anyMap.value(forKey: "a") as? Int == 5 && tree.anyMap.value(forKey: "b") is NSNull)
      #expect(tree.anyMap.value(forKey: "c") == nil)
      #expect(tree.emailMap.value(forKey: "a") as? String == "e@f")
      #expect(AnyRealmCollection(tree.colours).value(forKeyPath: "@max.self") as? Int == 4)
    }
    #expect(forest.value(forKey: "any") as? [Int] == [1, 2])
    #expect(forest.value(forKey: "colour") as? [Int] == [3, 3])
    #expect(realm.objects(Tree.self).value(forKey: "email") as? [String] == ["a@b"])
  }

  // MARK: Writing

  @Test func nestedValuesAreConverted() throws {
    let (realm, trees) = try trees()
    for tree in trees {
      try realm.write {
        tree["link"] = ["s": "x"]
        tree["town"] = ["city": "Oslo"]
        tree.setValue([["s": "bar"], Leaf(value: ["s": "foo"]), ["baz", 3]], forKey: "list")
        tree["towns"] = [["city": "Bonn"]]
        tree["set"] = [["s": "one"]]
        tree["map"] = ["a": ["s": "y"] as Any, "b": NSNull()]
        tree["any"] = ["k": [1, ["deep": true]]]
      }
      #expect(tree.link?.s == "x" && tree.town?.city == "Oslo" && tree.towns.first?.city == "Bonn")
      #expect(tree.list.map(\.s) == ["bar", "foo", "baz"] && tree.list[2].n == 3)
      #expect(tree.set.first?.s == "one" && (tree.map["a"] ?? nil)?.s == "y" && tree.map.count == 2)
      #expect(tree.any.dictionaryValue?["k"]?.listValue?[1].dictionaryValue?["deep"] == .bool(true))
      try realm.write {
        tree["list"] = [["s": "only"]]
        tree.map.setValue(["s": "z"], forKey: "c")
        tree.map.setValue(["s": "yy"], forKey: "a")
        tree["link"] = nil
        tree["towns"] = NSNull()
      }
      #expect(tree.list.map(\.s) == ["only"] && tree.link == nil && tree.towns.isEmpty)
      #expect((tree.map["a"] ?? nil)?.s == "yy" && (tree.map["c"] ?? nil)?.s == "z" && tree.map.count == 3)
    }
    #expect(realm.objects(Leaf.self).where { $0.s == "foo" }.count == 1)
  }

  @Test func wrongNestedValuesFailTheWriteAndChangeNothing() throws {
    let (realm, trees) = try trees()
    let tree = trees[1]
    try realm.write {
      realm.create(Keyed.self, value: ["id": 1])
      tree["list"] = [["s": "kept"]]
    }
    let foreign = try Realm(configuration: .inMemory(objectTypes: [Leaf.self]))
    let stranger = try foreign.write { foreign.create(Leaf.self, value: ["s": "far"]) }
    let wrong: [(String, Any, String)] = [
      ("link", ["s": 3], "Tree.link.s"), ("list", [["s": "new"], ["n": 300]], "Tree.list[1].n"),
      ("list", [["s": "new"], stranger], "another Realm"), ("map", ["a.b": ["s": "x"]], "a.b"),
      ("keyed", ["id": 1], "primary key"), ("link", 3, "Tree.link"), ("id", "x", "Tree.id"),
      ("numbers", [1, "x"], "Tree.numbers"), ("email", 3, "Tree.email"),
    ]
    for (name, value, text) in wrong {
      let error = #expect(throws: Realm.Error.self) { try realm.write { tree[name] = value } }
      #expect(error?.localizedDescription.contains(text) == true, "\(error?.localizedDescription ?? "")")
    }
    let error = #expect(throws: Realm.Error.self) { try realm.write { tree.map.setValue(["s": 3], forKey: "a") } }
    #expect(error?.localizedDescription.contains("Tree.map['a'].s") == true, "\(error?.localizedDescription ?? "")")
    #expect(tree.list.map(\.s) == ["kept"] && tree.link == nil && tree.map.count == 0 && tree.id == 2)
    #expect(realm.objects(Leaf.self).count == 1)
  }

  @Test func wrongNestedValuesOfAnUnmanagedObjectAreRemembered() throws {
    let (realm, _) = try trees()
    for (name, value, text) in [
      ("link", ["s": 3] as Any, "Tree.link.s"), ("list", [["s": "new"], ["n": 300]], "Tree.list[1].n"),
      ("link", 3, "Tree.link"), ("colour", "x", "Tree.colour"),
    ] {
      let tree = Tree(value: ["id": 9, "list": [["s": "kept"]]])
      tree[name] = value
      #expect(tree.list.map(\.s) == ["kept"] && tree.link == nil)
      let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(tree) } }
      #expect(error?.localizedDescription.contains(text) == true, "\(error?.localizedDescription ?? "")")
    }
    #expect(realm.objects(Tree.self).count == 1)
  }
}
