import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Room: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var tags: List<String>
}

private class Home: EmbeddedObject {
  @Persisted var city: String?
  @Persisted var size = 3
  @Persisted var tags: List<String>
  @Persisted var rooms: List<Room>
  @Persisted var hall: Room?
}

private class Toy: Object {
  @Persisted var name = ""
  @Persisted var size = 1
  @Persisted var parts: Map<String, Part?>
}

private class Part: Object {
  @Persisted var name = ""
  @Persisted var size = 1
}

private class Author: Object {
  @Persisted(primaryKey: true) var key = ""
  @Persisted var name = ""
  @Persisted var home: Home?
  @Persisted var homes: List<Home>
  @Persisted var toy: Toy?
  @Persisted var toys: List<Toy>
  @Persisted var boxes: Map<String, Toy?>
  @Persisted var set: MutableSet<Toy>
  @Persisted var any: AnyRealmValue
}

private class Post: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var author: Author?
}

private class Feed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var posts: List<Post>
  @Persisted var favorite: Toy?
  @Persisted var toys: List<Toy>
}

/// A value that has one primary key in several places, as a feed has the author of each of its posts.
@Suite struct RepeatedKeyTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(
        objectTypes: [Room.self, Home.self, Toy.self, Part.self, Author.self, Post.self, Feed.self]))
  }

  private func feed(_ authors: [[String: Any]]) -> [String: Any] {
    [
      "id": 1,
      "posts": authors.enumerated().map { ["id": $0.offset, "author": $0.element] as [String: Any] },
    ]
  }

  private func author(_ realm: Realm, _ key: String = "a") throws -> Author {
    try #require(realm.object(ofType: Author.self, forPrimaryKey: key))
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all], [false, true])
  func anAuthorWhoOccursTwiceWithAllThatIsOwnedIsStored(_ policy: Realm.UpdatePolicy, isPresent: Bool) throws {
    let realm = try realm()
    let given: [String: Any] = [
      "key": "a", "home": ["city": "Rome", "tags": ["x"], "rooms": [["tags": ["y"]]], "hall": ["tags": ["z"]]],
      "homes": [["tags": ["h"]], ["tags": ["i"]]], "any": [1, [2, 3]],
    ]
    if isPresent { try realm.write { _ = realm.create(Author.self, value: ["key": "a"]) } }
    try realm.write { _ = realm.create(Feed.self, value: feed([given, given, given]), update: policy) }
    let author = try author(realm)
    #expect(author.home?.city == "Rome" && author.home?.tags.first == "x" && author.home?.hall?.tags.first == "z")
    #expect(author.home?.rooms.map { $0.tags.first } == ["y"])
    #expect(author.homes.map { $0.tags.first } == ["h", "i"])
    #expect(author.any.listValue?[1].listValue?[1] == 3)
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test func whatAnEarlierPlaceGivesIsChangedInPlace() throws {
    let realm = try realm()
    try realm.write {
      _ = realm.create(
        Feed.self,
        value: feed([
          ["key": "a", "home": ["city": "Rome"], "toy": ["name": "ball"], "boxes": ["p": ["name": "x"]]],
          ["key": "a", "home": ["size": 8], "toy": ["size": 2], "boxes": ["q": ["name": "y"]]],
          ["key": "a", "toys": [["name": "bear"], ["name": "car"]], "boxes": ["p": ["size": 5]]],
          ["key": "a", "toys": [["size": 4]]],
        ]), update: .modified)
    }
    let author = try author(realm)
    #expect(author.home?.city == "Rome" && author.home?.size == 8)
    #expect(author.toy?.name == "ball" && author.toy?.size == 2)
    #expect(author.boxes["p"]??.name == "x" && author.boxes["p"]??.size == 5 && author.boxes["q"]??.name == "y")
    #expect(author.toys.map(\.name) == ["bear"] && author.toys.map(\.size) == [4])
    // One ball, two in boxes, and the bear and the car.
    #expect(realm.objects(Toy.self).count == 5)
  }

  @Test func whatAPlaceTakesAwayIsNotChanged() throws {
    let realm = try realm()
    try realm.write {
      _ = realm.create(
        Feed.self,
        value: feed([
          ["key": "a", "home": ["city": "Rome", "tags": ["x"]], "homes": [["city": "A"], ["city": "B"]]],
          ["key": "a", "home": NSNull(), "homes": NSNull()],
          ["key": "a", "home": ["size": 8], "homes": [["size": 9]]],
        ]), update: .modified)
    }
    let author = try author(realm)
    #expect(author.home?.city == nil && author.home?.size == 8)
    #expect(author.homes.map(\.city) == [nil] && author.homes.map(\.size) == [9])
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test func anObjectWithoutAKeyThatTwoPlacesLinkToIsChangedTwice() throws {
    let realm = try realm()
    let feed = try realm.write {
      let feed = realm.create(Feed.self, value: ["id": 1, "favorite": ["parts": ["p": ["name": "x"]]]])
      if let favorite = feed.favorite { feed.toys.append(favorite) }
      return feed
    }
    try realm.write {
      _ = try realm.create(
        Feed.self,
        validating: [
          "id": 1, "favorite": ["parts": NSNull(), "name": "ball"], "toys": [["parts": ["p": ["size": 2]]]],
        ] as [String: Any], update: .modified)
    }
    #expect(feed.favorite?.name == "ball" && feed.favorite?.isSameObject(as: feed.toys[0]) == true)
    #expect(feed.favorite?.parts["p"]??.name == "" && feed.favorite?.parts["p"]??.size == 2)
    #expect(realm.objects(Part.self).count == 2)
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func anEmbeddedObjectThatALaterOneReplacesIsInvalidated(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    let homes = (0..<2).map { Home(value: ["city": "\($0)", "tags": ["x"], "hall": ["name": "\($0)"]]) }
    let halls = homes.map(\.hall)
    let feed = Feed(value: ["id": 1])
    feed.posts.append(
      objectsIn: homes.enumerated().map { index, home in
        Post(value: ["id": index, "author": Author(value: ["key": "a", "home": home])])
      })
    try realm.write { realm.add(feed, update: policy) }
    #expect(homes[1].city == "1" && halls[1]?.name == "1")
    #expect(try author(realm).home?.isSameObject(as: homes[1]) == true)
    #expect(homes[0].isInvalidated == (policy == .all) && halls[0]?.isInvalidated == (policy == .all))
    if policy == .modified { #expect(homes[0].city == "1") }
    #expect(realm.graph.checkInvariants().isEmpty)
  }

  @Test(arguments: Seeds.first(200), [Realm.UpdatePolicy.modified, .all])
  func placesActLikeOperationsOneAfterAnother(_ seed: Seed, _ policy: Realm.UpdatePolicy) throws {
    var random = seed.random
    let (together, apart) = (try realm(), try realm())
    for _ in 0..<3 {
      let authors = (0..<random.int(in: 1...6)).map { _ in random.author() }
      // The feed itself, and its posts, are the same in both.
      try together.write { _ = together.create(Feed.self, value: feed(authors), update: policy) }
      try apart.write {
        let links = authors.map { ["key": $0["key"] ?? ""] as [String: Any] }
        for author in authors { _ = apart.create(Author.self, value: author, update: policy) }
        _ = apart.create(Feed.self, value: feed(links), update: .modified)
      }
      #expect(Realm.difference(together, apart) == nil)
      #expect(together.graph.checkInvariants().isEmpty)
    }
  }
}

extension SeededRandom {
  fileprivate mutating func author() -> [String: Any] {
    var author: [String: Any] = ["key": element(of: ["a", "b"])]
    if bool() { author["name"] = "n\(below(3))" }
    if bool() { author["home"] = bool(0.2) ? NSNull() : home() }
    if bool() { author["homes"] = bool(0.2) ? NSNull() : (0..<below(4)).map { _ in home() } }
    if bool() { author["toy"] = bool(0.2) ? NSNull() : toy() }
    if bool() { author["toys"] = bool(0.2) ? NSNull() : (0..<below(4)).map { _ in toy() } }
    if bool() { author["boxes"] = bool(0.2) ? NSNull() : entries { $0.bool(0.2) ? NSNull() as Any : $0.toy() } }
    if bool() { author["set"] = (0..<below(3)).map { _ in toy() } }
    if bool() { author["any"] = bool() ? [below(9), [below(9)]] : ["p": below(9)] as Any }
    return author
  }

  private mutating func home() -> [String: Any] {
    var home: [String: Any] = [:]
    if bool() { home["city"] = "c\(below(9))" }
    if bool() { home["size"] = below(9) }
    if bool() { home["tags"] = (0..<below(3)).map { "t\($0)" } }
    if bool() { home["rooms"] = (0..<below(3)).map { _ in room() } }
    if bool() { home["hall"] = bool(0.2) ? NSNull() : room() }
    return home
  }

  private mutating func room() -> [String: Any] {
    var room: [String: Any] = [:]
    if bool() { room["name"] = "r\(below(9))" }
    if bool() { room["tags"] = (0..<below(3)).map { "t\($0)" } }
    return room
  }

  private mutating func toy() -> [String: Any] {
    var toy: [String: Any] = [:]
    if bool() { toy["name"] = "n\(below(9))" }
    if bool() { toy["size"] = below(9) }
    if bool() {
      toy["parts"] = entries { random in
        var part: [String: Any] = [:]
        if random.bool() { part["name"] = "p\(random.below(9))" }
        if random.bool() { part["size"] = random.below(9) }
        return part
      }
    }
    return toy
  }

  private mutating func entries(_ value: (inout SeededRandom) -> Any) -> [String: Any] {
    var entries: [String: Any] = [:]
    for key in ["p", "q", "r"] where bool() { entries[key] = value(&self) }
    return entries
  }
}
