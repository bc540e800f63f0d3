import FiefTestSupport
import RealmSwift
import Testing

private enum First {
  class Toy: PastClass {
    @Persisted var name = ""
  }
  class Box: PastClass {
    @Persisted var toys: List<Toy>
  }
  class Relic: PastClass {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Toy.self, Box.self, Relic.self]
}

private enum Second {
  class Toy: PastClass {
    @Persisted var name = ""
  }
  class Box: PastClass {
    @Persisted var toys: List<Toy>
    @Persisted var best: MutableSet<Toy>
    @Persisted var named: Map<String, Toy?>
    @Persisted var extra: AnyRealmValue
    @Persisted var extras: List<AnyRealmValue>
  }
  static let types: [ObjectBase.Type] = [Toy.self, Box.self]
}

/// Old and new objects of a migration that are put into collections and any-values of new objects.
@Suite struct OldObjectTests {
  private let file: Changing

  init() throws {
    file = try Changing()
    try file.make(First.types) { realm in
      let toys = ["ball", "kite"].map { realm.create(First.Toy.self, value: ["name": $0]) }
      realm.create(First.Box.self, value: ["toys": toys])
      realm.create(First.Relic.self, value: ["name": "vase"])
    }
  }

  private func migrated(
    _ change: @escaping @Sendable (Migration, MigrationObject, [MigrationObject]) -> Void
  ) throws -> Realm {
    let realm = try file.open(Second.types, 1) { migration, _ in
      var toys: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Toy") { old, _ in toys.append(old!) }
      migration.enumerateObjects(ofType: "Box") { _, new in change(migration, new!, toys) }
    }
    #expect(realm.graph.checkInvariants() == [])
    return realm
  }

  @Test func anOldObjectInACollectionStandsForTheNewOne() throws {
    let realm = try migrated { _, box, toys in
      let list = box.dynamicList("toys")
      list.removeAll()
      list.append(toys[1])
      list.append(objectsIn: [toys[0], toys[1]])
      list.insert(toys[0], at: 0)
      list[1] = toys[0]
      list.replaceSubrange(3..<4, with: [toys[0]])
      box.dynamicMutableSet("best").insert(toys[1])
      box.dynamicMutableSet("best").insert(objectsIn: toys)
      let named: Map<String, DynamicObject?> = box.dynamicMap("named")
      named["a"] = toys[1]
      named.updateValue(toys[0], forKey: "b")
      named.merge([(key: "c", value: toys[1])]) { $1 }
    }
    let (box, toys) = (realm.objects(Second.Box.self)[0], realm.objects(Second.Toy.self))
    #expect(toys.count == 2 && box.toys.map(\.name) == ["ball", "ball", "ball", "ball"])
    #expect(Set(box.best.map(\.name)) == ["ball", "kite"] && box.best.count == 2)
    #expect(["a", "b", "c"].map { (box.named[$0] ?? nil)?.name } == ["kite", "ball", "kite"])
  }

  @Test func anOldObjectInAnAnyValueStandsForTheNewOne() throws {
    let realm = try migrated { _, box, toys in
      box["extra"] = ["a": [toys[0], ["b": toys[1]]]] as [String: Any]
      box["extras"] = [toys[0], [toys[1]]] as [Any]
      let extras = box["extras"] as? List<AnyRealmValue>
      extras?.append(.object(toys[1]))
      extras?[1] = .fromArray([.fromDictionary(["c": .object(toys[0])])])
      (box["extra"] as? Map<String, AnyRealmValue>)?["d"] = .object(toys[1])
    }
    let (box, toys) = (realm.objects(Second.Box.self)[0], realm.objects(Second.Toy.self))
    #expect(toys.count == 2)
    let extra = try #require(box.extra.dictionaryValue)
    #expect(extra["a"]?.listValue?[0].object(Second.Toy.self)?.name == "ball")
    #expect(extra["a"]?.listValue?[1].dictionaryValue?["b"]?.object(Second.Toy.self)?.name == "kite")
    #expect(extra["d"]?.object(Second.Toy.self)?.name == "kite")
    #expect(box.extras[0].object(Second.Toy.self)?.name == "ball")
    #expect(box.extras[1].listValue?[0].dictionaryValue?["c"]?.object(Second.Toy.self)?.name == "ball")
    #expect(box.extras[2].object(Second.Toy.self)?.isSameObject(as: toys[1]) == true)
  }

  @Test func aNewObjectGoesIntoAnAnyProperty() throws {
    let realm = try migrated { migration, box, _ in
      let drum = migration.create("Toy", value: ["name": "drum"])
      box["extra"] = drum
      #expect((box["extra"] as? MigrationObject)?["name"] as? String == "drum")
      (box["extras"] as? List<AnyRealmValue>)?.append(.object(drum))
      migration.create("Box", value: ["extra": drum, "extras": [drum, [drum]] as [Any], "toys": [drum]])
    }
    let boxes = realm.objects(Second.Box.self)
    #expect(realm.objects(Second.Toy.self).map(\.name) == ["ball", "kite", "drum"])
    #expect(boxes.map { $0.extra.object(Second.Toy.self)?.name } == ["drum", "drum"])
    #expect(boxes.map { $0.extras[0].object(Second.Toy.self)?.name } == ["drum", "drum"])
    #expect(boxes[1].toys[0].name == "drum")
    #expect(boxes[1].extras[1].listValue?[0].object(Second.Toy.self)?.name == "drum")
  }

  @Test func anOldObjectWithoutANewOneIsCopied() throws {
    let realm = try migrated { migration, box, toys in
      migration.enumerateObjects(ofType: "Toy") { old, new in
        if old?["name"] as? String == "kite" { migration.delete(new!) }
      }
      let list = box.dynamicList("toys")
      list.append(toys[1])
      migration.enumerateObjects(ofType: "Relic") { old, _ in list.append(old!) }
      box["extra"] = toys[1]
    }
    let box = realm.objects(Second.Box.self)[0]
    #expect(box.toys.map(\.name) == ["ball", "kite", "vase"])
    #expect(realm.objects(Second.Toy.self).map(\.name) == ["ball", "kite", "vase", "kite"])
    #expect(box.extra.object(Second.Toy.self)?.name == "kite")
  }

  @Test func anObjectThatFitsNowhereFailsTheMigration() throws {
    let before = try file.bytes()
    let error = file.error(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Box") { _, new in new?.dynamicList("toys").append(new!) }
    }
    #expect(error?.code == .invalidValue, "\(error as Any)")
    let relic = file.error(Second.types, 1) { migration, _ in
      migration.enumerateObjects(ofType: "Relic") { old, _ in
        migration.enumerateObjects(ofType: "Box") { _, new in new?["extra"] = old }
      }
    }
    #expect(relic?.localizedDescription.contains("'Relic' is not managed") == true, "\(relic as Any)")
    #expect(try file.bytes() == before)
  }
}
