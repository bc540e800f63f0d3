import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Cat: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var name = ""
  @Persisted var kittens: List<Cat>
  @Persisted var tags: MutableSet<String>
  @Persisted var marks: Map<String, Int>
  @Persisted var mother: Cat?
  @Persisted(originProperty: "mother") var children: LinkingObjects<Cat>

  convenience init(_ number: Int) {
    self.init()
    self.number = number
  }
}

private class CatView: Projection<Cat> {
  @Projected(\Cat.name) var name
}

private actor Owner {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
    try realm.write { realm.add(Cat(1)) }
  }

  var cat: Held<Cat> { Held(realm.objects(Cat.self)[0]) }

  func invalidate() { realm.invalidate() }
}

/// One thing of each kind that a thread gets from a realm.
private struct Home {
  let realm: Realm
  let cat: Cat
  let other: Cat
  let list: List<Cat>
  let set: MutableSet<String>
  let map: Map<String, Int>
  let children: LinkingObjects<Cat>
  let all: Results<Cat>
  let named: Results<Cat>
  let sections: SectionedResults<String, Cat>
  let view: CatView
  let names: ProjectedCollection<String>

  init() throws {
    let made = Cat(1)
    let own = try Realm(configuration: .inMemory(objectTypes: [Cat.self]))
    made.kittens.append(Cat(2))
    try own.write { own.add(made) }
    realm = own
    cat = made
    other = realm.object(ofType: Cat.self, forPrimaryKey: 1)!
    list = cat.kittens
    set = cat.tags
    map = cat.marks
    children = cat.children
    all = realm.objects(Cat.self)
    named = all.where { $0.name == "" }.sorted(byKeyPath: "number")
    sections = all.sectioned(by: \.name)
    view = CatView(projecting: cat)
    names = list.projectTo.name
    _ = (named.count, sections.count, list.count)
  }
}

private let uses: [String: @Sendable (Home) -> Any?] = [
  "==": { $0.cat == $0.other },
  "hash": { $0.cat.hashValue },
  "isSameObject": { $0.cat.isSameObject(as: $0.other) },
  "id": { $0.cat.id },
  "description": { $0.cat.description },
  "thaw of an object": { $0.cat.thaw() },
  "thaw of a realm": { $0.realm.thaw() },
  "version": { $0.realm.version },
  "isInWriteTransaction": { $0.realm.isInWriteTransaction },
  "isPerformingAsynchronousWriteOperations": { $0.realm.isPerformingAsynchronousWriteOperations },
  "autorefresh": { $0.realm.autorefresh },
  "isInvalidated of a list": { $0.list.isInvalidated },
  "isInvalidated of a set": { $0.set.isInvalidated },
  "isInvalidated of a map": { $0.map.isInvalidated },
  "isInvalidated of linking objects": { $0.children.isInvalidated },
  "isInvalidated of results": { $0.all.isInvalidated },
  "isInvalidated of sections": { $0.sections.isInvalidated },
  "isInvalidated of a projected collection": { $0.names.isInvalidated },
  "isInvalidated of any collection": { AnyRealmCollection($0.named).isInvalidated },
  "== of lists": { $0.list == $0.cat.kittens },
  "hash of a list": { $0.list.hashValue },
  "count of evaluated results": { $0.named.count },
  "element of evaluated results": { $0.named[0] },
  "isEmpty of results": { $0.named.isEmpty },
  "first of results": { $0.named.first },
  "a further condition": { $0.named.filter("name == 'a'") },
  "count of linking objects": { $0.children.count },
  "== of projections": { $0.view == CatView(projecting: $0.other) },
  "hash of a projection": { $0.view.hashValue },
]

@Suite struct WrongThreadTests {
  @Test func anObjectOfAnotherThreadFailsTheWriteThatLinksToIt() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Cat.self])
    let realm = try Realm(configuration: configuration)
    let cat = Cat(1)
    try realm.write { realm.add(cat) }
    let theirs = elsewhere {
      let realm = try! Realm(configuration: configuration)
      let other = Cat(2)
      try! realm.write { realm.add(other) }
      return Held(other)
    }.value
    let ways: [() -> Void] = [
      { cat.kittens.append(theirs) }, { cat.kittens.insert(theirs, at: 0) },
      { cat.kittens.append(objectsIn: [theirs]) }, { cat.mother = theirs },
    ]
    for way in ways {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
      #expect(error?.code == .objectManagedByAnotherRealm)
    }
    #expect(cat.kittens.isEmpty && cat.mother == nil)
  }

  @Test(arguments: uses.keys.sorted()) func objectsOfAnotherThreadsRealmTrap(use: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [use = use as String] in
      let home = Held(try Home())
      elsewhere { _ = uses[use]?(home.value) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("incorrect thread"), "\(use): \(text)")
  }

  @Test func everyUseIsFineInItsOwnPlaceAndOfWhatIsFrozenAnywhere() throws {
    let home = try Home()
    for use in uses.values { _ = use(home) }
    let frozen = Held(home.cat.freeze())
    let list = Held(home.list.freeze())
    #expect(elsewhere { frozen.value.hashValue == frozen.value.hashValue && !list.value.isInvalidated })
  }

  @Test func whetherAnObjectIsThereMayBeAskedAnywhere() throws {
    let home = try Home()
    let cat = Held(home.cat)
    let realm = home.realm
    #expect(elsewhere { !cat.value.isInvalidated && cat.value.realm != nil && !cat.value.isFrozen })
    realm.beginWrite()
    let kitten = Held(Cat(7))
    realm.add(kitten.value)
    realm.delete(home.other)
    // Rows of an open write do not count as deleted elsewhere.
    #expect(elsewhere { !kitten.value.isInvalidated && !cat.value.isInvalidated })
    #expect(cat.value.isInvalidated)
    try realm.commitWrite()
    #expect(elsewhere { !kitten.value.isInvalidated && cat.value.isInvalidated })
    #expect(elsewhere { CatView(projecting: cat.value).isInvalidated })
    // The instance that `delete` was called with, and an object of a thread that has ended.
    let gone = Held(home.other)
    #expect(elsewhere { gone.value.realm == nil && gone.value.isInvalidated })
    let configuration = realm.configuration
    let far = elsewhere { Held((try? Realm(configuration: configuration))?.object(ofType: Cat.self, forPrimaryKey: 7)) }
    #expect(far.value?.isInvalidated == false)
    try realm.write { realm.deleteAll() }
    #expect(far.value?.isInvalidated == true)
  }

  @Test func objectsOfAnInvalidatedRealmAreInvalidEverywhere() throws {
    let home = try Home()
    let cats = [home.cat, home.other, home.list[0], try #require(home.all.first { $0.number == 2 })].map { Held($0) }
    #expect(elsewhere { cats.allSatisfy { !$0.value.isInvalidated } })
    var walk = home.all.makeIterator()
    let next = walk.next()
    let first = Held(try #require(next))
    home.realm.invalidate()
    let afterwards = walk.next()
    let late = Held(try #require(afterwards))
    #expect(elsewhere { cats.allSatisfy { $0.value.isInvalidated } && first.value.isInvalidated })
    #expect(late.value.isInvalidated && elsewhere { late.value.isInvalidated })
    // Objects that the realm returns afterwards are valid, and so are those of other realms.
    let again = Held(try #require(home.realm.object(ofType: Cat.self, forPrimaryKey: 1)))
    let looped = Array(home.realm.objects(Cat.self)).map { Held($0) }
    #expect(elsewhere { !again.value.isInvalidated && looped.allSatisfy { !$0.value.isInvalidated } })
    home.realm.invalidate()
    #expect(elsewhere { again.value.isInvalidated && looped.allSatisfy { $0.value.isInvalidated } })
  }

  @Test func anObjectStaysInvalidEverywhereHoweverOftenItsRealmIsInvalidated() throws {
    let home = try Home()
    let cat = Held(home.cat)
    for _ in 0..<(1 << 16) { home.realm.invalidate() }
    #expect(cat.value.isInvalidated && elsewhere { cat.value.isInvalidated })
  }

  @Test func objectsOfARolledBackWriteAreInvalidEverywhere() throws {
    let home = try Home()
    let kitten = Held(Cat(7))
    home.realm.beginWrite()
    home.realm.add(kitten.value)
    #expect(elsewhere { !kitten.value.isInvalidated })
    home.realm.cancelWrite()
    #expect(kitten.value.isInvalidated && elsewhere { kitten.value.isInvalidated })
    let brief = Held(Cat(8))
    try home.realm.write {
      home.realm.add(brief.value)
      home.realm.delete(home.realm.objects(Cat.self).where { $0.number == 8 })
    }
    #expect(brief.value.isInvalidated && elsewhere { brief.value.isInvalidated })
  }

  @Test func whetherAnObjectOfAnActorIsThereMayBeAskedAnywhere() async throws {
    let owner = try await Owner(.inMemory(objectTypes: [Cat.self]))
    let cat = await owner.cat
    #expect(!cat.value.isInvalidated)
    #expect(await Task.detached { !cat.value.isInvalidated }.value)
    await owner.invalidate()
    #expect(cat.value.isInvalidated)
    #expect(await Task.detached { cat.value.isInvalidated }.value)
  }

  @Test func askingElsewhereWhileTheRealmIsWrittenToIsSafe() throws {
    let home = try Home()
    let cat = Held(home.cat)
    let isOver = Atomic<Bool>(false)
    let wrong = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      Thread.detachNewThread {
        while !isOver.load(ordering: .relaxed) {
          if cat.value.isInvalidated || cat.value.realm == nil { wrong.add(1, ordering: .relaxed) }
        }
        done.signal()
      }
    }
    for number in 10..<300 {
      try home.realm.write {
        home.realm.add(Cat(number))
        if number % 3 == 0 { home.realm.delete(home.realm.object(ofType: Cat.self, forPrimaryKey: number - 1)!) }
      }
    }
    isOver.store(true, ordering: .relaxed)
    done.wait()
    done.wait()
    #expect(wrong.load(ordering: .relaxed) == 0)
  }
}
