import FiefGraph
import FiefQueries
import FiefValues
import Testing

/// A class whose properties are written out, for conditions on objects outside stores.
private final class Sketch: QueriedClass {
  let name: String
  var properties: [String: QueriedProperty<Sketch>] = [:]

  init(_ name: String) { self.name = name }

  func property(named name: String) -> QueriedProperty<Sketch>? { properties[name] }

  func add(
    _ name: String, _ kind: ValueKind, to target: Sketch? = nil, isCollection: Bool = false, isNullable: Bool = false,
    readsNull: Bool = false
  ) {
    properties[name] = QueriedProperty(
      name: name, kind: kind, target: target, isCollection: isCollection, isNullable: isNullable, readsNull: readsNull)
  }
}

/// An object or a value outside stores.
private indirect enum Thing: QueriedValue {
  case one(Value)
  case list([Thing])
  case map([(String, Thing)])
  case object(Sketch, [String: Thing])

  static func value(_ value: Value) -> Thing { .one(value) }
  static func elements(_ elements: [Thing]) -> Thing { .list(elements) }
  var single: Value? { if case .one(let value) = self { value } else { nil } }
  var objectClass: Sketch? { if case .object(let model, _) = self { model } else { nil } }

  func value(of property: QueriedProperty<Sketch>) -> Thing {
    guard case .object(_, let values) = self else { return .one(.null) }
    return values[property.name] ?? (property.isCollection ? .list([]) : .one(.null))
  }

  func part(_ step: PropertyPath.Component) -> Thing {
    switch (self, step) {
    case (.list(let elements), .index(let index)) where index < elements.count: elements[index]
    case (.map(let entries), .key(let key)): entries.first { $0.0 == key }?.1 ?? .one(.null)
    default: .one(.null)
    }
  }

  var part: NestedConstant.Part<Thing> {
    switch self {
    case .one(let value): .value(value)
    case .list(let elements): .list(elements)
    case .map(let entries): .dictionary(Dictionary(entries.map { (IdenticalText($0.0), $0.1) }) { $1 })
    case .object: .value(.null)
    }
  }

  var members: [Thing]? {
    switch self {
    case .list(let elements): elements
    case .map(let entries): entries.map(\.1)
    default: nil
    }
  }

  var keys: [String] { if case .map(let entries) = self { entries.map(\.0) } else { [] } }
  func stored(_ origins: [UInt64]) -> Value { single ?? .null }
}

/// Conditions on objects outside stores, with the results that rows would have.
@Suite struct ElementsTests {
  private let dog: Thing
  private let model: Sketch

  init() {
    let (dog, person, spot) = (Sketch("Dog"), Sketch("Person"), Sketch("Spot"))
    dog.add("name", .string)
    dog.add("age", .int)
    dog.add("nick", .string, isNullable: true)
    dog.add("marks", .string, isCollection: true)
    dog.add("toys", .int, isCollection: true)
    dog.add("mark", .any, isNullable: true)
    dog.add("owner", .link, to: person, isNullable: true)
    dog.add("friends", .link, to: dog, isCollection: true)
    dog.add("spot", .link, to: spot, isNullable: true, readsNull: true)
    dog.add("spots", .link, to: spot, isCollection: true)
    person.add("name", .string)
    spot.add("x", .int)
    spot.add("y", .int, isNullable: true)
    model = dog
    let ann = Thing.object(person, ["name": .one(.string("Ann"))])
    func friend(_ age: Int64) -> Thing { .object(dog, ["age": .one(.int(age)), "owner": ann]) }
    self.dog = .object(
      dog,
      [
        "name": .one(.string("Rex")), "age": .one(.int(3)),
        "marks": .list([.one(.string("calm")), .one(.string("tall"))]),
        "toys": .map([("ball", .one(.int(2))), ("bone", .one(.int(5)))]),
        "mark": .list([.one(.int(1)), .one(.string("x"))]),
        "owner": ann, "friends": .list([friend(2), friend(9)]),
      ])
  }

  private func isTrue(_ format: String, _ arguments: [QueryConstant] = []) throws -> Bool {
    try ElementCondition(QueryPredicate(format, arguments: arguments)).isTrue(of: dog)
  }

  @Test(arguments: [
    "age == 3", "age > 2 AND name BEGINSWITH 'R'", "NOT age == 4", "nick == nil", "age == 4 OR name ==[c] 'REX'",
    "owner.name == 'Ann'", "ANY marks == 'tall'", "marks.@count == 2", "ALL marks CONTAINS 'l'", "NONE marks == 'x'",
    "friends.@max.age == 9", "friends.@avg.age == 5.5", "ANY friends.owner.name == 'Ann'", "toys['ball'] == 2",
    "ANY toys.@allKeys == 'bone'", "toys.@allValues > 4", "toys['x'] == nil", "mark[1] == 'x'", "mark[9] == nil",
    "'calm' IN marks", "name.@length == 3", "friends.@sum.age == 11", "age IN {1, 3}", "age BETWEEN {3, 4}",
    "SUBQUERY(friends, $f, $f.age > 5).@count == 1", "SUBQUERY(friends, $f, $f.owner.name == $SELF.name).@count == 0",
    "age < friends.@max.age", "TRUEPREDICATE", "ANY mark[*] == 1", "spot == nil", "name != nick",
  ])
  func whatHolds(format: String) throws { #expect(try isTrue(format)) }

  @Test(arguments: [
    "age == 4", "FALSEPREDICATE", "NOT TRUEPREDICATE", "nick == 'x'", "ANY marks == 'shy'", "friends.@count == 3",
    "owner.name == nil", "mark[0] == 'x'", "toys.@count > 2", "SUBQUERY(friends, $f, $f.age > 50).@count > 0",
  ])
  func whatDoesNot(format: String) throws { #expect(try !isTrue(format)) }

  @Test(arguments: [
    ("nothing == 1", QueryError.Code.unknownProperty), ("age == 'x'", .typeMismatch), ("age.x == 1", .unsupported),
    ("ANY age == 1", .unsupported), ("marks.@sum == 1", .typeMismatch), ("friends.@max == 1", .typeMismatch),
    ("$x.age == 1", .unknownProperty), ("SUBQUERY(marks, $m, $m == 'x').@count > 0", .unsupported),
    ("age[0] == 1", .unsupported), ("3 IN age", .unsupported), ("name.@count == 3", .unsupported),
    ("friends.@count.x == 1", .unsupported),
  ])
  func whatDoesNotFitIsRefused(format: String, code: QueryError.Code) {
    let error = #expect(throws: QueryError.self) { try isTrue(format) }
    #expect(error?.code == code, "\(error?.description ?? "")")
  }

  @Test func manyElementsOfSubqueriesAreRefused() {
    let ring = Sketch("Ring")
    ring.add("next", .link, to: ring, isCollection: true)
    let many = Thing.object(ring, ["next": .list(Array(repeating: .object(ring, [:]), count: 1001))])
    let most = Thing.object(ring, ["next": .list(Array(repeating: many, count: 1000))])
    let format = "SUBQUERY(next, $a, SUBQUERY($a.next, $b, $b.next.@count == 0).@count > 0).@count > 0"
    #expect(throws: QueryError.self) { try ElementCondition(QueryPredicate(format)).isTrue(of: most) }
  }

  @Test func nestedConstantsEqualTheirContents() throws {
    let nested = NestedConstant([.list(2), .value(.int(1)), .value(.string("x"))])
    #expect(try isTrue("mark == %@", [.nested(nested)]))
    #expect(try !isTrue("mark != %@", [.nested(nested)]))
    #expect(try !isTrue("mark == %@", [.nested(NestedConstant([.list(1), .value(.int(1))]))]))
    #expect(throws: QueryError.self) { try isTrue("age == %@", [.nested(nested)]) }
    let map = NestedConstant([.dictionary(["b", "a"]), .value(.int(2)), .list(0)])
    #expect(map.equals(Thing.map([("a", .list([])), ("b", .one(.double(2)))]), \.part))
    #expect(!map.equals(Thing.map([("a", .list([])), ("c", .one(.int(2)))]), \.part))
    #expect(!map.equals(Thing.list([]), \.part))
  }

  private func written(_ format: String, _ constants: [MemberConstant]) throws -> String {
    let predicate = try QueryPredicate(format, arguments: [.members(constants)])
    return try MemberWriting.written(predicate, asking: model).description
  }

  private func spot(_ x: Int64, isReadOfNull: Bool = false) -> MemberConstant {
    .object("Spot", [.init("x", .int(x)), .init("y", .null)], isReadOfNull: isReadOfNull)
  }

  @Test func membersAreComparedOneByOne() throws {
    #expect(try written("spot == %@", [spot(1)]) == "spot.x == 1 AND spot.y == nil")
    #expect(try written("spot != %@", [spot(1)]) == "NOT (spot.x == 1 AND spot.y == nil)")
    #expect(try written("spot == %@", [.null]) == "spot == nil")
    #expect(try written("spot IN %@", [.null, spot(2)]) == "spot == nil OR spot.x == 2 AND spot.y == nil")
    #expect(try written("spot == %@", [spot(1, isReadOfNull: true)]) == "spot.x == 1 AND spot.y == nil OR spot == nil")
  }

  @Test func membersOfCollectionsAreThoseOfOneElement() throws {
    let element = "$element.x == 1 AND $element.y == nil"
    #expect(try written("ANY spots == %@", [spot(1)]) == "SUBQUERY(spots, $element, \(element)).@count > 0")
    #expect(try written("NONE spots == %@", [spot(1)]) == "SUBQUERY(spots, $element, \(element)).@count == 0")
    #expect(try written("ALL spots == %@", [spot(1)]) == "SUBQUERY(spots, $element, NOT (\(element))).@count == 0")
    #expect(
      try written("ANY friends.spot == %@", [spot(1)])
        == "SUBQUERY(friends, $element, $element.spot.x == 1 AND $element.spot.y == nil).@count > 0")
  }

  @Test func otherComparisonsWithMembersAreRefused() {
    for format in ["spot > %@", "ANY spot == %@", "owner == %@", "nothing == %@", "age.x == %@"] {
      #expect(throws: QueryError.self, "\(format)") { try written(format, [spot(1)]) }
    }
  }

  @Test func membersAreNotBound() throws {
    let kennel = try Kennel()
    #expect(throws: QueryError.self) { try kennel.query("owner == %@", [.members([spot(1)])]) }
    let predicate = try QueryPredicate("spot == %@", arguments: [.members([spot(1)])])
    #expect(predicate.comparesMembers && predicate.description == "spot == Spot(x: 1, y: nil)")
  }
}
