import FiefTestSupport
import RealmSwift
import Testing

private class Cat: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var kittens: List<Cat>
  @Persisted var names: MutableSet<String>
  @Persisted var marks: Map<String, Int>
  @Persisted(originProperty: "kittens") var mothers: LinkingObjects<Cat>

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

private class CatView: Projection<Cat> {
  @Projected(\Cat.number) var number
}

/// Objects and collections of different realms are never equal. Comparing them is no use of a realm that has a thread.
@Suite struct ConfinementOfEqualityTests {
  private func configuration() -> Realm.Configuration { .inMemory(objectTypes: [Cat.self]) }

  private func cat(_ configuration: Realm.Configuration) throws -> Cat {
    let realm = try Realm(configuration: configuration)
    if let cat = realm.object(ofType: Cat.self, forPrimaryKey: 1) { return cat }
    let cat = Cat(1)
    cat.kittens.append(Cat(2))
    try realm.write { realm.add(cat) }
    return cat
  }

  /// Whether anything of the two is equal.
  private func isAnythingEqual(_ a: Cat, _ b: Cat) -> Bool {
    a == b || b == a || a.isEqual(b) || a.isSameObject(as: b) || AnyRealmValue.object(a) == .object(b)
      || CatView(projecting: a) == CatView(projecting: b)
  }

  @Test func anObjectOfAnotherThreadsRealmIsNotEqual() throws {
    let configuration = configuration()
    let here = Held(try cat(configuration))
    let isEqual = try elsewhere {
      // The same row in a realm of this thread, and the same key in another store.
      try isAnythingEqual(here.value, cat(configuration)) || isAnythingEqual(here.value, cat(self.configuration()))
    }
    #expect(!isEqual)
    let theirs = try elsewhere { Held(try cat(configuration)) }.value
    #expect(!isAnythingEqual(here.value, theirs))
    #expect(![theirs].contains(here.value))
  }

  @Test func collectionsOfAnotherThreadsRealmAreNotEqual() throws {
    let configuration = configuration()
    let cat = try cat(configuration)
    let kitten = cat.kittens[0]
    let here = Held((cat.kittens, cat.names, cat.marks, kitten.mothers))
    let isEqual = try elsewhere {
      let own = try self.cat(configuration)
      let (list, set, map, mothers) = here.value
      return list == own.kittens || set == own.names || map == own.marks || mothers == own.kittens[0].mothers
    }
    #expect(!isEqual)
  }

  @Test func frozenObjectsAndOtherRowsMayBeComparedAnywhere() throws {
    let cat = try cat(configuration())
    let realm = try #require(cat.realm)
    let frozen = Held((cat.freeze(), cat.freeze()))
    let live = Held((cat, cat.kittens[0]))
    let (isFrozenEqual, isLiveEqual, isMixedEqual) = elsewhere {
      (
        frozen.value.0 == frozen.value.1, live.value.0 == live.value.1,
        isAnythingEqual(live.value.0, frozen.value.0) || live.value.0 == Cat(1)
      )
    }
    #expect(isFrozenEqual && !isLiveEqual && !isMixedEqual)
    try realm.write { cat.kittens.removeAll() }
    let later = Held(cat.freeze())
    #expect(elsewhere { later.value != frozen.value.0 })
  }
}
