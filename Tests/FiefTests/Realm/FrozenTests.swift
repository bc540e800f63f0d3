import Dispatch
import FiefTestSupport
import Foundation
import Observation
import RealmSwift
import Synchronization
import Testing

private enum Colour: String, PersistableEnum { case brown, black }

private class Tag: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var inner: Tag?
  @Persisted var more: List<Tag>
  @Persisted var dog: Dog?
}

private class Owner: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
  @Persisted var dogs: List<Dog>
  @Persisted var favourites: MutableSet<Dog>
  @Persisted var byRoom: Map<String, Dog?>
}

private class Dog: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight: Double?
  @Persisted var colour = Colour.brown
  @Persisted var tag: Tag?
  @Persisted var mother: Dog?
  @Persisted var toys: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var sizes: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Owner>

  var nameAndAge: String { "\(name) \(age)" }
  var firstOwner: Owner? { owners.first }
  var firstTwoToys: [String] { Array(toys.prefix(2)) }

  func call(_ word: String) -> String { "\(word), \(name)!" }
}

/// A class that holds more than its row.
private class Cat: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var name = ""
  lazy var upper = name.uppercased()
  var reads = 0
  var counted: Int {
    reads += 1
    return reads
  }
}

private func accepts<Value: Sendable>(_ value: Value) -> Value { value }
private func identity<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }

@Suite("Frozen values")
struct FrozenTests {
  private let configuration = Realm.Configuration.inMemory(
    objectTypes: [Dog.self, Tag.self, Owner.self, Cat.self])
  private let realm: Realm
  private let rex: Dog
  private let ann: Owner

  init() throws {
    realm = try Realm(configuration: configuration)
    (rex, ann) = try realm.write { [realm] in
      let bella = realm.create(Dog.self, value: ["number": 2, "name": "Bella", "age": 9])
      let rex = realm.create(
        Dog.self,
        value: [
          "number": 1, "name": "Rex", "age": 3, "colour": "black", "tag": ["text": "R"], "toys": ["ball", "bone"],
          "marks": [7], "sizes": ["collar": 40], "anything": 5,
        ] as [String: Any])
      rex.mother = bella
      let ann = realm.create(Owner.self, value: ["name": "Ann"])
      ann.dogs.append(objectsIn: [rex, bella])
      ann.favourites.insert(rex)
      ann.byRoom["hall"] = rex
      ann.byRoom["yard"] = .some(nil)
      return (rex, ann)
    }
  }

  // MARK: Reading

  @Test func `properties of every kind are members`() {
    let dog = accepts(Frozen(rex))
    #expect(dog.number == 1 && dog.name == "Rex" && dog.age == 3 && dog.weight == nil && dog.colour == .black)
    #expect(dog.nameAndAge == "Rex 3")
    #expect(dog.tag?.text == "R" && dog.mother?.name == "Bella" && dog.mother?.mother == nil)
    #expect(dog.toys.count == 2 && dog.toys[1] == "bone" && Array(dog.toys) == ["ball", "bone"])
    #expect(Array(dog.marks) == [7] && dog.sizes == ["collar": 40] && dog.anything.intValue == 5)
    #expect(dog.firstOwner?.name == "Ann" && dog.owners.map(\.name) == ["Ann"])
    #expect(dog.toys.map(\.count) == [4, 4] && dog.toys.filter { $0 > "bom" }.joined() == "bone")
    #expect(dog.toys.contains("ball") && dog.marks.first == 7 && dog.toys.sorted().last == "bone")
    #expect(dog.withContent { $0.call("Sit") } == "Sit, Rex!")
  }

  @Test func `members have the types of values`() {
    let dog = Frozen(rex)
    let mother: Frozen<Dog>? = dog.mother
    let tag: Frozen<Tag>? = dog.tag
    let owners: Frozen<LinkingObjects<Owner>> = dog.owners
    let toys: FrozenValues<List<String>> = dog.toys
    let owner: Frozen<Owner> = owners[0]
    let dogs: Frozen<List<Dog>> = owner.dogs
    let favourites: Frozen<MutableSet<Dog>> = owner.favourites
    let rooms: [String: Frozen<Dog>] = owner.byRoom
    #expect(accepts((mother, tag, toys, dogs)).0 == Frozen(rex.mother ?? rex))
    #expect(dogs.map(\.name) == ["Rex", "Bella"] && favourites.first?.name == "Rex")
    #expect(rooms.mapValues(\.name) == ["hall": "Rex"])
  }

  @Test func `members chain through links, collections and key paths`() {
    let dog = Frozen(rex)
    #expect(dog.owners.first?.dogs.count ?? 0 == 2 && dog.firstTwoToys.map(\.count) == [4, 4])
    #expect(dog.owners.first?.dogs.map(\.name) ?? [] == ["Rex", "Bella"])
    #expect(dog.owners.flatMap { $0.dogs.map(\.toys.count) } == [2, 0])
    let oldFirst: [Frozen<Dog>] = dog.owners.flatMap { Array($0.dogs) }.sorted { $0.age > $1.age }
    #expect(oldFirst.map(\.name) == ["Bella", "Rex"] && oldFirst.max { $0.name < $1.name }?.age == 3)
  }

  @Test func `a frozen value stays as it is, while its objects change and go`() throws {
    let (dog, owner, all) = (Frozen(rex), Frozen(ann), Frozen(realm.objects(Dog.self).sorted(by: \.name)))
    try realm.write {
      rex.age = 4
      rex.toys.append("stick")
      ann.dogs.remove(at: 1)
      realm.delete(realm.objects(Dog.self))
    }
    #expect(dog.age == 3 && dog.toys.count == 2 && dog.mother?.age == 9)
    #expect(owner.dogs.map(\.name) == ["Rex", "Bella"] && all.map(\.name) == ["Bella", "Rex"])
    #expect(owner.dogs[0].owners[0] == owner)
  }

  @Test func `it is read on every thread at once`() async throws {
    let (dog, owner) = (Frozen(rex), Frozen(ann))
    let all = Frozen(realm.objects(Dog.self).where { $0.age > 1 }.sorted(by: \.age))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<50).allSatisfy { _ in
            all.map(\.name) == ["Rex", "Bella"] && dog.mother?.name == "Bella" && Array(dog.toys) == ["ball", "bone"]
              && owner.dogs.map(\.age) == [3, 9] && dog.owners.first == owner && dog.sizes == ["collar": 40]
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `a dynamic object is read on every thread at once`() async throws {
    let frozen = Frozen(try #require(realm.dynamicObject(ofType: "Dog", forPrimaryKey: 1)))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in frozen.withContent { $0["name"] as? String == "Rex" } } }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `what an object holds beside its row is never shared`() async throws {
    let cat = try realm.write { realm.create(Cat.self, value: ["number": 1, "name": "Tom"]) }
    #expect(cat.counted == 1 && cat.counted == 2)
    let (frozen, cats) = (Frozen(cat), Frozen(realm.objects(Cat.self)))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in frozen.counted == 1 && frozen.upper == "TOM" } }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(cats[0].counted == 1 && cats[0].counted == 1 && cats[0] == frozen)
  }

  @Test func `results are random-access collections`() throws {
    let all = Frozen(realm.objects(Dog.self).sorted(by: \.number))
    #expect(all.count == 2 && all.first?.name == "Rex" && all.last?.name == "Bella" && !all.isEmpty)
    #expect(all.reversed().map(\.number) == [2, 1] && all[1...].map(\.name) == ["Bella"])
    #expect(all.filter { $0.age > 5 }.map(\.name) == ["Bella"] && all.indices == 0..<2)
    let old = all.withContent { Frozen($0.where { $0.age > 5 }) }
    #expect(old.map(\.name) == ["Bella"])
    #expect(Frozen(rex.owners).map(\.name) == ["Ann"] && FrozenValues(rex.toys).first == "ball")
  }

  // MARK: Comparing

  @Test func `values are equal while the properties are`() throws {
    let (dog, owner) = (Frozen(rex), Frozen(ann))
    let (all, toys) = (Frozen(realm.objects(Dog.self)), FrozenValues(rex.toys))
    try realm.write { realm.create(Cat.self, value: ["number": 1]) }
    #expect(Frozen(rex) == dog && Frozen(rex).hashValue == dog.hashValue && Set([dog, Frozen(rex)]).count == 1)
    #expect(Frozen(realm.objects(Dog.self)) == all && Frozen(realm.objects(Dog.self)).hashValue == all.hashValue)
    // A property of a neighbour.
    try realm.write { realm.object(ofType: Dog.self, forPrimaryKey: 2)?.age = 10 }
    #expect(Frozen(rex) == dog && Frozen(ann) == owner && Frozen(realm.objects(Dog.self)) != all)
    try realm.write { rex.age = 4 }
    #expect(Frozen(rex) != dog)
    try realm.write { rex.age = 3 }
    #expect(Frozen(rex) == dog)
    try realm.write { rex.toys.append("stick") }
    #expect(Frozen(rex) != dog && FrozenValues(rex.toys) != toys)
    try realm.write { rex.toys.removeLast() }
    #expect(Frozen(rex) == dog && FrozenValues(rex.toys) == toys)
    for change in [
      { self.rex.weight = 2 }, { self.rex.mother = nil }, { self.rex.sizes["x"] = 1 }, { self.rex.marks.insert(1) },
      { self.rex.colour = .brown },
    ] as [() -> Void] {
      realm.beginWrite()
      change()
      #expect(Frozen(rex) != dog)
      realm.cancelWrite()
      #expect(Frozen(rex) == dog)
    }
    #expect(dog != dog.mother && dog == dog)
  }

  @Test func `parts of an object are compared with it, and what they link to is not`() throws {
    try realm.write {
      rex.tag?.inner = Tag(value: ["text": "inner", "more": [["text": "a"], ["text": "b"]]])
      rex.tag?.inner?.dog = rex.mother
      rex.anything = ["list": [1, ["deep": 2]], "plain": "x"]
    }
    let (dog, dogs) = (Frozen(rex), Frozen(ann.dogs))
    let mother = Frozen(ann.dogs[1])
    for change in [
      { self.rex.tag?.text = "S" }, { self.rex.tag?.inner?.text = "other" },
      { self.rex.tag?.inner?.more[1].text = "c" }, { self.rex.tag?.inner?.more.removeLast() },
      { self.rex.tag?.inner?.dog = nil }, { self.rex.tag = nil },
      { self.rex.anything.dictionaryValue?["list"]?.listValue?[1].dictionaryValue?["deep"] = 3 },
      { self.rex.anything.dictionaryValue?["list"]?.listValue?.append(4) },
    ] as [() -> Void] {
      realm.beginWrite()
      change()
      #expect(Frozen(rex) != dog && Frozen(ann.dogs) != dogs && Frozen(ann.dogs[1]) == mother)
      realm.cancelWrite()
      #expect(Frozen(rex) == dog && Frozen(ann.dogs) == dogs && Frozen(rex).hashValue == dog.hashValue)
    }
    try realm.write { rex.mother?.age += 1 }
    #expect(Frozen(rex) == dog && Frozen(ann.dogs) != dogs)
  }

  @Test func `a chain of a thousand parts is compared`() throws {
    try realm.write {
      rex.tag = Tag(value: ["text": "0"])
      var last = try #require(rex.tag)
      for number in 1..<1000 {
        last.inner = Tag(value: ["text": "\(number)"])
        last = try #require(last.inner)
      }
    }
    let dog = Frozen(rex)
    #expect(Frozen(rex) == dog)
    try realm.write {
      var last = try #require(rex.tag)
      while let next = last.inner { last = next }
      last.text = "end"
    }
    #expect(Frozen(rex) != dog)
  }

  @Test func `a row that was deleted beside it changes no equality`() throws {
    let dog = Frozen(rex)
    try realm.write {
      for number in 3..<300 { realm.create(Dog.self, value: ["number": number]) }
    }
    #expect(Frozen(rex) == dog)
    let middle = try #require(realm.object(ofType: Dog.self, forPrimaryKey: 150))
    let before = Frozen(middle)
    try realm.write { realm.delete(realm.objects(Dog.self).where { $0.number > 2 && $0.number < 100 }) }
    #expect(Frozen(middle) == before && Frozen(rex) == dog)
  }

  @Test func `values of different stores are never equal`() throws {
    let other = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Tag.self, Owner.self, Cat.self]))
    let copy = try other.write { other.create(Dog.self, value: rex) }
    #expect(Frozen(copy) != Frozen(rex) && Frozen(rex) != copy && Frozen(copy) == copy)
    #expect(other.thaw(Frozen(rex)) == nil)
  }

  @Test func `a value is compared with objects, on any thread`() async throws {
    let dog = Frozen(rex)
    try realm.write { rex.age = 7 }
    #expect(dog == rex && rex == dog && dog != ann.dogs[1] && ann.dogs[1] != dog)
    #expect(Frozen(ann).dogs.contains { $0 == rex })
    let held = Held(rex)
    let isEqual = await Task.detached { dog == held.value }.value
    #expect(isEqual)
  }

  @Test func `identities are those of rows, and a property of the class comes first`() throws {
    let (dog, owner) = (Frozen(rex), Frozen(ann))
    #expect(identity(dog) == identity(Frozen(rex)) && identity(dog) != identity(Frozen(ann.dogs[1])))
    let id: ObjectId = owner.id
    let other = owner.id
    #expect(id == ann.id)
    #expect(other == ann.id)
    try realm.write { rex.age = 8 }
    #expect(identity(Frozen(rex)) == identity(dog))
  }

  @Test func `sections and projected values are equal while their elements are`() throws {
    let all = realm.objects(Dog.self).sectioned(by: \.name)
    let names = ann.dogs.projectTo.name
    let before = (Frozen(all), Frozen(all[1]), Frozen(names))
    try realm.write { realm.create(Cat.self, value: ["number": 1]) }
    #expect(Frozen(all) == before.0 && Frozen(all[1]) == before.1 && Frozen(names) == before.2)
    #expect(Frozen(all).hashValue == before.0.hashValue && Frozen(all[0]) != before.1)
    try realm.write { rex.mother?.age += 1 }
    #expect(Frozen(all) != before.0 && Frozen(all[1]) == before.1 && Frozen(names) == before.2)
    try realm.write { rex.name = "Max" }
    #expect(Frozen(all).withContent { $0.allKeys } == ["Bella", "Max"] && Frozen(names) != before.2)
  }

  // MARK: Thawing

  @Test func `thawing gives the live object or collection, or nil`() throws {
    let (dog, dogs) = (Frozen(rex), Frozen(ann.dogs))
    let results = Frozen(realm.objects(Dog.self).where { $0.age > 5 })
    let live = try #require(realm.thaw(dog))
    try realm.write { live.age = 6 }
    #expect(rex.age == 6 && dog.age == 3)
    #expect(realm.thaw(dogs)?.count == 2 && realm.thaw(results)?.count == 2 && results.count == 1)
    #expect(realm.freeze().thaw(dog)?.age == 6)
    try realm.write { realm.delete(rex) }
    #expect(realm.thaw(dog) == nil && realm.thaw(dogs)?.count == 1)
  }

  @Test func `thawing advances a realm that is behind`() throws {
    let queue = DispatchQueue(label: "dogs")
    realm.autorefresh = false
    _ = realm.objects(Dog.self).count
    let dog = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return try realm.write { Frozen(realm.create(Dog.self, value: ["number": 3, "name": "Max"])) }
    }
    #expect(realm.objects(Dog.self).count == 2 && dog.name == "Max")
    #expect(realm.thaw(dog)?.name == "Max")
  }

  @Test func `inside a write a value has the changes so far`() throws {
    let (dog, count) = try realm.write {
      rex.age = 5
      let dog = Frozen(rex)
      rex.age = 6
      let puppy = Frozen(realm.create(Dog.self, value: ["number": 4, "name": "Pip"]))
      #expect(realm.thaw(puppy)?.name == "Pip" && puppy.name == "Pip")
      return (dog, Frozen(realm.objects(Dog.self)))
    }
    #expect(dog.age == 5 && rex.age == 6 && count.count == 3)
  }

  // MARK: Tracking

  /// Whether a change notifies a scope that makes a value.
  private func notifies(_ scope: () -> Void, _ change: () -> Void) throws -> Bool {
    let told = Mutex(false)
    withObservationTracking(scope) { told.withLock { $0 = true } }
    try realm.write(change)
    return told.withLock { $0 }
  }

  @Test func `making a value reads the properties of the object, and those of the elements`() throws {
    #expect(try notifies({ _ = Frozen(rex) }, { rex.age += 1 }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.toys.append("rope") }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.sizes["x"] = 1 }))
    #expect(try !notifies({ _ = Frozen(rex) }, { realm.create(Cat.self, value: ["number": 1]) }))
    #expect(try !notifies({ _ = Frozen(rex) }, { ann.dogs[1].age += 1 }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.tag?.text = "S" }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.tag?.more.append(Tag(value: ["more"])) }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.tag?.more[0].text = "part" }))
    #expect(try notifies({ _ = Frozen(realm.objects(Dog.self)) }, { rex.tag?.more[0].text = "deep" }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.anything = ["list": [1, 2]] }))
    #expect(try notifies({ _ = Frozen(rex) }, { rex.anything.dictionaryValue?["list"]?.listValue?.append(3) }))
    #expect(try notifies({ _ = Frozen(realm.objects(Dog.self)) }, { rex.age += 1 }))
    #expect(try notifies({ _ = Frozen(ann.dogs) }, { ann.dogs[1].age += 1 }))
    #expect(try notifies({ _ = Frozen(ann.dogs) }, { ann.dogs.removeLast() }))
    #expect(try notifies({ _ = Frozen(realm.objects(Dog.self).sectioned(by: \.name)) }, { rex.age += 1 }))
    #expect(try notifies({ _ = Frozen(realm.objects(Dog.self).sectioned(by: \.name)[0]) }, { rex.age += 1 }))
    #expect(try notifies({ _ = Frozen(ann.dogs.projectTo.name) }, { rex.name = "Max" }))
    let rooms = ann.byRoom
    #expect(try notifies({ _ = Frozen(rooms) }, { rooms.removeObject(for: "yard") }))
    #expect(try notifies({ _ = FrozenValues(rex.toys) }, { rex.toys.removeLast() }))
    #expect(try !notifies({ _ = Frozen(ann.dogs) }, { realm.create(Cat.self, value: ["number": 2]) }))
    #expect(try notifies({ _ = Frozen(rex) }, { realm.delete(rex) }))
  }

  // MARK: Misuse

  @Test func `an unmanaged object cannot be frozen`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Frozen(Cat())
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("add the object to a realm first"))
  }

  @Test func `a deleted object cannot be frozen`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Cat.self]))
      try realm.write {
        let cat = realm.create(Cat.self, value: ["number": 1])
        let same = realm.objects(Cat.self)[0]
        realm.delete(same)
        _ = Frozen(cat)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("deleted or invalidated"))
  }
}

@Suite("Objects that leave a realm for asynchronous code")
struct RealmStoreFrozenTests {
  private func open() async throws -> RealmStore {
    try await RealmStore(configuration: .inMemory(objectTypes: [Dog.self, Tag.self, Owner.self, Cat.self]))
  }

  @Test func `closures return objects and collections as frozen values`() async throws {
    let store = try await open()
    let rex = try await store.write { realm in realm.create(Dog.self, value: ["number": 1, "name": "Rex"]) }
    #expect(rex.name == "Rex")
    try await store.write { $0.create(Cat.self, value: ["number": 1]) }
    let owner = try await store.write { realm in
      let owner = realm.create(Owner.self, value: ["name": "Ann"])
      if let rex = realm.thaw(rex) { owner.dogs.append(rex) }
      return owner.dogs
    }
    #expect(owner.map(\.name) == ["Rex"] && owner[0] == rex)
    let missing = try await store.read { realm in realm.object(ofType: Dog.self, forPrimaryKey: 2) }
    #expect(missing == nil)
    let found = try await store.read { realm in realm.object(ofType: Dog.self, forPrimaryKey: 1) }
    #expect(found == rex && found?.owners.first?.name == "Ann")
    let first = try await store.read { realm in realm.objects(Dog.self)[0] }
    let all = try await store.read { realm in realm.objects(Dog.self).where { $0.name == "Rex" } }
    #expect(first == rex && all.map(\.number) == [1])
    let same = try await store.write { realm in
      let dog = realm.thaw(rex)
      dog?.age = 4
      return dog
    }
    #expect(same?.age == 4 && same.map { $0 != rex } == true && rex.age == 0)
  }

  @Test func `values are frozen objects, and come again when these differ`() async throws {
    let store = try await open()
    let rex = try await store.write { realm in realm.create(Dog.self, value: ["number": 1, "name": "Rex"]) }
    var dogs = store.values { realm in realm.objects(Dog.self).where { $0.age < 9 } }.makeAsyncIterator()
    var one = store.values { realm in realm.object(ofType: Dog.self, forPrimaryKey: 1) }.makeAsyncIterator()
    #expect(await dogs.next()?.map(\.name) == ["Rex"])
    #expect(await one.next() == rex)
    try await store.write { realm in realm.thaw(rex)?.age = 2 }
    #expect(await dogs.next()?.map(\.age) == [2])
    #expect(await one.next()??.age == 2)
    try await store.write { $0.create(Cat.self, value: ["number": 1]) }
    try await store.write { $0.create(Dog.self, value: ["number": 2, "name": "Max"]) }
    #expect(await dogs.next()?.map(\.name) == ["Rex", "Max"])
    // A part that changed counts; what a link leads to does not.
    try await store.write { realm in realm.thaw(rex)?.tag = Tag(value: ["text": "R"]) }
    #expect(await one.next()??.tag?.text == "R")
    #expect(await dogs.next()?[0].tag?.text == "R")
    try await store.write { realm in realm.thaw(rex)?.tag?.text = "S" }
    #expect(await one.next()??.tag?.text == "S")
    #expect(await dogs.next()?[0].tag?.text == "S")
    try await store.write { realm in realm.delete(realm.objects(Dog.self)) }
    #expect(await dogs.next()?.isEmpty == true)
    #expect(await one.next() == .some(nil))
  }
}
