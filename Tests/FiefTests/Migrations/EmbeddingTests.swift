import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }
  class Home: PastClass {
    @Persisted var street = ""
    @Persisted var rooms: List<Room>
    @Persisted var any: AnyRealmValue
  }
  class Room: PastClass { @Persisted var size = 0 }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Room.self]
}

private enum Second {
  class Person: PastClass {
    @Persisted var name = ""
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }
  class Home: PastPart {
    @Persisted var street = ""
    @Persisted var rooms: List<Room>
    @Persisted var any: AnyRealmValue
  }
  class Room: PastPart { @Persisted var size = 0 }
  static let types: [ObjectBase.Type] = [Person.self, Home.self, Room.self]
}

private enum Gathered {
  class Quarter: PastClass { @Persisted var homes: MutableSet<First.Home> }
  static let types: [ObjectBase.Type] = First.types + [Quarter.self]
}

private enum Mentioned {
  class Note: PastClass { @Persisted var list: List<AnyRealmValue> }
  static let types: [ObjectBase.Type] = First.types + [Note.self]
  static let later: [ObjectBase.Type] = Second.types + [Note.self]
}

private enum Circle {
  class Node: PastClass {
    @Persisted var name = ""
    @Persisted var next: Node?
  }
  class Root: PastClass { @Persisted var node: Node? }
  static let types: [ObjectBase.Type] = [Node.self, Root.self]
}

private enum Embedded {
  class Node: PastPart {
    @Persisted var name = ""
    @Persisted var next: Node?
  }
  class Root: PastClass { @Persisted var node: Node? }
  static let types: [ObjectBase.Type] = [Node.self, Root.self]
}

/// Classes that become parts of others, and parts that become independent.
@Suite struct EmbeddingTests {
  private let file: Changing

  init() throws { file = try Changing() }

  private func makePeople() throws {
    try file.make(First.types) { realm in
      let room = realm.create(First.Room.self, value: ["size": 12])
      let home = realm.create(
        First.Home.self, value: ["street": "Main", "rooms": [room, ["size": 20]], "any": ["a": [1]]])
      realm.create(First.Person.self, value: ["name": "Ann", "home": home, "homes": [home, home]])
      realm.create(First.Person.self, value: ["name": "Bob", "home": home])
      realm.create(First.Home.self, value: ["street": "Nowhere", "rooms": [room, ["size": 3]]])
    }
  }

  @Test(arguments: [false, true]) func objectsWithoutAnOwnerGoAndThoseOfSeveralAreCopied(hasBlock: Bool) throws {
    try makePeople()
    do {
      let block: MigrationBlock = { _, _ in }
      let realm = try file.open(Second.types, 1, hasBlock ? block : nil)
      let people = realm.objects(Second.Person.self)
      let homes = [people[0].home, people[0].homes[0], people[0].homes[1], people[1].home].compactMap { $0 }
      #expect(homes.map(\.street) == Array(repeating: "Main", count: 4))
      #expect(homes.allSatisfy { $0.rooms.map(\.size) == [12, 20] && $0.any.dictionaryValue?["a"] != nil })
      try realm.write {
        homes[0].street = "Other"
        homes[0].rooms[0].size = 1
      }
      #expect(homes.map(\.street) == ["Other", "Main", "Main", "Main"] && homes[1].rooms[0].size == 12)
    }
    #expect(try file.problems() == [])
    let info = try file.open(Second.types, 1)
    #expect(info.objects(Second.Person.self).count == 2)
  }

  @Test func ownersCanBeChosenInTheBlock() throws {
    try makePeople()
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, new in
          new?["homes"] = [Any]()
          if old?["name"] as? String == "Bob" {
            new?["home"] = migration.create("Home", value: ["street": "New", "rooms": [["size": 5]]])
          }
        }
        migration.enumerateObjects(ofType: "Home") { old, new in
          new?["street"] = "\(old?["street"] ?? "") Street"
        }
      }
      #expect(realm.objects(Second.Person.self).map { $0.home?.street } == ["Main Street", "New"])
      #expect(realm.objects(Second.Person.self).map { $0.homes.count } == [0, 0])
      #expect(realm.objects(Second.Person.self)[1].home?.rooms.map(\.size) == [5])
    }
    #expect(try file.problems() == [])
  }

  @Test func listsOfAnyValuesShowTheObjectsThatBecomeParts() throws {
    try file.make(Mentioned.types) { realm in
      let home = realm.create(First.Home.self, value: ["street": "Main"])
      realm.create(First.Person.self, value: ["name": "Ann", "home": home])
      realm.create(Mentioned.Note.self, value: ["list": [home, [home], 3] as [Any]])
    }
    let error = file.error(Mentioned.later, 1) { _, _ in }
    #expect(error?.localizedDescription.contains("any-values link") == true, "\(error as Any)")
    do {
      let realm = try file.open(Mentioned.later, 1) { migration, _ in
        migration.enumerateObjects(ofType: "Note") { _, new in
          guard let list = new?["list"] as? List<AnyRealmValue> else { return }
          for index in list.indices {
            let value = list[index].listValue?.first ?? list[index]
            if case .object(let home) = value { list[index] = .string("\(home["street"] ?? "")") }
          }
        }
      }
      #expect(Array(realm.objects(Mentioned.Note.self)[0].list) == [.string("Main"), .string("Main"), .int(3)])
      #expect(realm.objects(Second.Person.self).map { $0.home?.street } == ["Main"])
    }
    #expect(try file.problems() == [])
  }

  @Test func aSetGoesWithItsClassBeforeItsObjectsBecomeParts() throws {
    try file.make(Gathered.types) { realm in
      let home = realm.create(First.Home.self, value: ["street": "Main"])
      realm.create(First.Person.self, value: ["name": "Ann", "home": home])
      realm.create(Gathered.Quarter.self, value: ["homes": [home]])
    }
    let error = file.error(Second.types, 1) { _, _ in }
    #expect(error?.localizedDescription.contains("Quarter.homes") == true, "\(error as Any)")
    do {
      let realm = try file.open(Second.types, 1) { migration, _ in migration.deleteData(forType: "Quarter") }
      #expect(realm.objects(Second.Person.self).map { $0.home?.street } == ["Main"])
    }
    #expect(try file.problems() == [])
  }

  @Test func partsBecomeIndependentAndStayWhereTheyAreLinkedTo() throws {
    try makePeople()
    _ = try file.open(Second.types, 1)
    do {
      let realm = try file.open(First.types, 2)
      #expect(realm.objects(First.Home.self).count == 4 && realm.objects(First.Room.self).count == 8)
      try realm.write { realm.objects(First.Person.self)[0].home = nil }
      #expect(realm.objects(First.Home.self).count == 4)
    }
    #expect(try file.problems() == [])
  }

  @Test func objectsThatOwnEachOtherGoWhenNothingElseOwnsThemAndAreRefusedElse() throws {
    try file.make(Circle.types) { realm in
      let (a, b, c) = (
        realm.create(Circle.Node.self, value: ["name": "a"]), realm.create(Circle.Node.self, value: ["name": "b"]),
        realm.create(Circle.Node.self, value: ["name": "c"])
      )
      a.next = b
      b.next = a
      realm.create(Circle.Root.self, value: ["node": c])
    }
    do {
      let realm = try file.open(Embedded.types, 1)
      #expect(realm.objects(Embedded.Root.self).first?.node?.name == "c")
    }
    #expect(try file.problems() == [])
    let other = try Changing()
    try other.make(Circle.types) { realm in
      let a = realm.create(Circle.Node.self, value: ["name": "a"])
      a.next = a
      realm.create(Circle.Root.self, value: ["node": a])
    }
    let before = try other.bytes()
    let error = other.error(Embedded.types, 1)
    #expect(error?.localizedDescription.contains("own itself") == true)
    #expect(try other.bytes() == before)
  }

  @Test func sharedObjectsAreCopiedLevelByLevel() throws {
    try file.make(Circle.types) { realm in
      let end = realm.create(Circle.Node.self, value: ["name": "end"])
      for _ in 0..<3 {
        realm.create(Circle.Root.self, value: ["node": ["name": "middle", "next": end]])
      }
    }
    let realm = try file.open(Embedded.types, 1)
    let roots = realm.objects(Embedded.Root.self)
    #expect(roots.map { $0.node?.next?.name } == ["end", "end", "end"])
    try realm.write { roots[0].node?.next?.name = "first" }
    #expect(roots.map { $0.node?.next?.name } == ["first", "end", "end"])
  }

  @Test func aLongChainIsEmbeddedWithoutRecursion() throws {
    try file.make(Circle.types) { realm in
      var next: Circle.Node?
      for number in 0..<5000 {
        let node = realm.create(Circle.Node.self, value: ["name": "\(number)"])
        node.next = next
        next = node
      }
      realm.create(Circle.Root.self).node = next
      realm.create(Circle.Root.self).node = next
    }
    let realm = try file.open(Embedded.types, 1)
    var count = 0
    var node = realm.objects(Embedded.Root.self).last?.node
    while let present = node { (count, node) = (count + 1, present.next) }
    #expect(count == 5000)
  }
}
