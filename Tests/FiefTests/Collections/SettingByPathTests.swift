import FiefTestSupport
import RealmSwift
import Testing

private class Wing: Object {
  @Persisted var length = 0
  @Persisted var tip: Tip?
}

private class Tip: EmbeddedObject {
  @Persisted var color = ""
}

private class Bird: Object {
  @Persisted var name = ""
  @Persisted var left: Wing?
  @Persisted var wings: List<Wing>
  @Persisted var spare: Map<String, Wing?>
  let older = List<Wing>()
}

private class Roost: Object {
  @Persisted var content: AnyRealmValue
  @Persisted var things: List<AnyRealmValue>
  @Persisted var named: Map<String, AnyRealmValue>
}

@Suite struct SettingByPathTests {
  private func birds() throws -> (Realm, [Bird]) {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Wing.self, Tip.self, Bird.self]))
    let birds = (0..<2).map { _ in
      Bird(value: ["left": ["tip": [:]], "wings": [["length": 1], ["length": 2]], "spare": ["a": ["length": 3]]])
    }
    try realm.write { realm.add(birds[1]) }
    return (realm, birds)
  }

  @Test func aPathOfNamesSetsWhatItLeadsTo() throws {
    let (realm, birds) = try birds()
    try realm.write {
      for bird in birds {
        bird.setValue("Kes", forKeyPath: "name")
        bird.setValue(7, forKeyPath: "left.length")
        bird.setValue("red", forKeyPath: "left.tip.color")
        bird.setValue(8, forKeyPath: "wings.length")
        bird.setValue(9, forKeyPath: "spare.a.length")
        bird.setValue(9, forKeyPath: "spare.none.length")
        bird.setValue("lost", forKeyPath: "wings.tip.color")
      }
    }
    for bird in birds {
      #expect(bird.name == "Kes" && bird.left?.length == 7 && bird.left?.tip?.color == "red")
      #expect(bird.wings.map(\.length) == [8, 8] && bird.wings.allSatisfy { $0.tip == nil })
      #expect(bird.spare["a"]??.length == 9 && bird.spare.count == 1)
    }
  }

  @Test func collectionsSetWhatAPathLeadsToFromEachElement() throws {
    let (realm, birds) = try birds()
    try realm.write {
      realm.add(birds[0])
      realm.objects(Bird.self).setValue(4, forKeyPath: "left.length")
      birds[0].wings.setValue(5, forKeyPath: "length")
      birds[1].spare.setValue(6, forKeyPath: "a.length")
    }
    #expect(birds.map { $0.left?.length } == [4, 4])
    #expect(birds[0].wings.map(\.length) == [5, 5] && birds[1].wings.map(\.length) == [1, 2])
    #expect(birds[1].spare["a"]??.length == 6)
  }

  @Test func aPathLeadsThroughWhatAnyValuesHold() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Wing.self, Tip.self, Roost.self]))
    let roosts = (0..<2).map { _ in
      let roost = Roost()
      roost.content = ["inner": ["eggs": 1], "rows": [["eggs": 2], ["eggs": 3]], "none": AnyRealmValue.none]
      roost.things.append(.object(Wing()))
      roost.named["left"] = .object(Wing())
      return roost
    }
    try realm.write {
      realm.add(roosts[1])
      for roost in roosts {
        roost.setValue(7, forKeyPath: "content.inner.eggs")
        roost.setValue(8, forKeyPath: "content.rows.eggs")
        roost.setValue(9, forKeyPath: "content.none.eggs")
        roost.setValue(4, forKeyPath: "things.length")
        roost.setValue(5, forKeyPath: "named.left.length")
        roost.named.setValue("red", forKeyPath: "missing.color")
      }
    }
    for roost in roosts {
      #expect(roost.value(forKeyPath: "content.inner.eggs") as? Int == 7)
      #expect(roost.value(forKeyPath: "content.rows.eggs") as? [Int] == [8, 8])
      #expect(roost.value(forKeyPath: "content.none.eggs") == nil)
      #expect(roost.value(forKeyPath: "things.length") as? [Int] == [4])
      #expect(roost.value(forKeyPath: "named.left.length") as? Int == 5)
      #expect(roost.named.count == 1)
    }
  }

  @Test func aWrongValueAtTheEndOfAPathFailsTheWrite() throws {
    let (realm, birds) = try birds()
    #expect(throws: Realm.Error.self) {
      try realm.write { birds[1].setValue("long", forKeyPath: "left.length") }
    }
    #expect(birds[1].left?.length == 0)
  }

  @Test func aPathBehindAValueWithoutPropertiesTraps() async {
    let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Bird().setValue(1, forKeyPath: "name.length")
    }
    expectSentence("Cannot set 'name.length': 'length' follows a value that has no properties", of: text)
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Bird().setValue(1, forKeyPath: "nothing.length")
    }
    expectSentence("Invalid property name 'nothing' for class 'Bird'", of: unknown)
  }
}
