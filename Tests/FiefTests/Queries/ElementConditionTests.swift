#if DEBUG  // @testable needs a debug build.
  import FiefGraph
  import FiefObjects
  import FiefQueries
  import RealmSwift
  import Testing

  @testable import FiefResults

  private class Owner: Object {
    @Persisted var name = ""
  }

  private class Place: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y: Int?
  }

  private struct Spot: CustomPersistable {
    init() {}
    init(persistedValue: Place) {}
    var persistableValue: Place { Place() }
  }

  private class Hound: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var nick: String?
    @Persisted var marks: List<String>
    @Persisted var toys: Map<String, Int>
    @Persisted var mark: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var kept: Map<String, AnyRealmValue>
    @Persisted var owner: Owner?
    @Persisted var friends: List<Hound>
    @Persisted var pack: Map<String, Hound?>
    @Persisted var place: Place?
    @Persisted var spot: Spot
    @Persisted var spots: List<Place>
  }

  /// Conditions on objects outside stores, with the results that rows would have.
  @Suite struct ElementConditionTests {
    private let hound = Hound()

    init() {
      (hound.name, hound.age) = ("Rex", 3)
      hound.marks.append(objectsIn: ["calm", "tall"])
      (hound.toys["ball"], hound.toys["bone"]) = (2, 5)
      hound.mark = .fromArray([.int(1), .string("x")])
      hound.anys.append(objectsIn: [.int(7), .fromArray([.int(8), .int(9)])])
      (hound.kept["a"], hound.kept["b"]) = (.int(7), .fromArray([.int(8)]))
      let owner = Owner(value: ["Ann"])
      hound.owner = owner
      hound.pack["first"] = Hound(value: ["age": 6])
      for age in [2, 9] { hound.friends.append(Hound(value: ["age": age, "owner": owner, "mark": [4]])) }
    }

    private func isTrue(_ format: String, _ arguments: [QueryConstant] = []) throws -> Bool {
      try ElementCondition(QueryPredicate(format, arguments: arguments)).isTrue(of: hound)
    }

    static let holding = [
      "age == 3", "age > 2 AND name BEGINSWITH 'R'", "NOT age == 4", "nick == nil", "age == 4 OR name ==[c] 'REX'",
      "owner.name == 'Ann'", "ANY marks == 'tall'", "marks.@count == 2", "ALL marks CONTAINS 'l'", "NONE marks == 'x'",
      "friends.@max.age == 9", "friends.@avg.age == 5.5", "ANY friends.owner.name == 'Ann'", "toys['ball'] == 2",
      "ANY toys.@allKeys == 'bone'", "toys.@allValues > 4", "toys['x'] == nil", "mark[1] == 'x'", "mark[9] == nil",
      "'calm' IN marks", "name.@length == 3", "friends.@sum.age == 11", "age IN {1, 3}", "age BETWEEN {3, 4}",
      "SUBQUERY(friends, $f, $f.age > 5).@count == 1",
      "SUBQUERY(friends, $f, $f.owner.name == $SELF.name).@count == 0", "age < friends.@max.age", "TRUEPREDICATE",
      "anys[*] == 7", "NONE anys[*] == 8", "ANY anys[*][*] == 8", "anys[1] == 9", "ALL anys[5] == nil",
      "kept[*] == 7", "NONE kept[*] == 8", "kept[*][*] == 8", "kept.@allValues[*] == 8", "kept['b'][0] == 8",
      "marks[*] == 'tall'", "toys[*] == 5", "ANY mark[*] == 1", "place == nil", "name != nick", "ANY friends.age > age",
      "friends[*].age == 9", "NONE friends[*].age == 6", "pack[*].age == 6",
      "friends[*].@count == 2", "friends[*].@max.age == 9", "marks[*].@count == 2", "toys.@allValues.@count == 2",
      "pack[*].@count == 1", "kept[*][0] == 8", "friends.mark[*] == 4", "friends.owner == owner",
    ]
    static let failing = [
      "age == 4", "FALSEPREDICATE", "NOT TRUEPREDICATE", "nick == 'x'", "ANY marks == 'shy'", "friends.@count == 3",
      "owner.name == nil", "mark[0] == 'x'", "toys.@count > 2", "SUBQUERY(friends, $f, $f.age > 50).@count > 0",
    ]

    @Test(arguments: holding) func whatHolds(format: String) throws { #expect(try isTrue(format)) }

    @Test(arguments: failing) func whatDoesNot(format: String) throws { #expect(try !isTrue(format)) }

    @Test func rowsHaveTheSameAnswers() throws {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Hound.self, Owner.self, Place.self]))
      try realm.write { realm.add(hound) }
      for format in Self.holding { #expect(try isTrue(format), "\(format)") }
      for format in Self.failing { #expect(try !isTrue(format), "\(format)") }
    }

    static let refused: [(String, QueryError.Code)] = [
      ("nothing == 1", .unknownProperty), ("age == 'x'", .typeMismatch), ("age.x == 1", .unsupported),
      ("ANY age == 1", .unsupported), ("marks.@sum == 1", .typeMismatch), ("friends.@max == 1", .typeMismatch),
      ("$x.age == 1", .unknownProperty), ("SUBQUERY(marks, $m, $m == 'x').@count > 0", .unsupported),
      ("age[0] == 1", .unsupported), ("age[*] == 1", .unsupported), ("marks[0] == 'calm'", .unsupported),
      ("toys[0] == 2", .unsupported), ("marks[*][*] == 'calm'", .unsupported),
      ("3 IN age", .unsupported), ("name.@count == 3", .unsupported),
      ("friends.@count.x == 1", .unsupported), ("age == name", .typeMismatch), ("age IN 3", .unsupported),
      ("name BETWEEN {1, 2}", .unsupported), ("age == nil", .typeMismatch), ("name ==[c] age", .typeMismatch),
      ("age BEGINSWITH name", .unsupported), ("friends == marks", .unsupported),
      ("friends.@count == marks.@count", .unsupported), ("friends.@max.age == toys.@count", .unsupported),
      ("owner == SELF", .typeMismatch), ("friends.owner == SELF", .typeMismatch), ("owner == friends", .typeMismatch),
      ("owner != place", .typeMismatch), ("toys[*]['ball'] == 2", .unsupported), ("toys[*][*] == 2", .unsupported),
      ("pack['first'].age == 6", .unsupported), ("toys.@allValues[*] == 2", .unsupported),
      ("toys.@allValues['ball'] == 2", .unsupported),
    ]

    @Test(arguments: refused) func whatDoesNotFitIsRefused(format: String, code: QueryError.Code) {
      let error = #expect(throws: QueryError.self) { try isTrue(format) }
      #expect(error?.code == code, "\(error?.description ?? "")")
    }

    @Test func whatRowsRefuseIsTheSame() throws {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Hound.self, Owner.self, Place.self]))
      try realm.write { realm.add(hound) }
      for (format, _) in Self.refused { #expect(throws: QueryError.self, "\(format)") { try isTrue(format) } }
    }

    @Test func manyElementsOfSubqueriesAreRefused() {
      let (most, many) = (Hound(), Hound())
      for _ in 0..<1001 { many.friends.append(hound) }
      for _ in 0..<1000 { most.friends.append(many) }
      let format = "SUBQUERY(friends, $a, SUBQUERY($a.friends, $b, $b.age == 0).@count > 0).@count > 0"
      #expect(throws: QueryError.self) { try ElementCondition(QueryPredicate(format)).isTrue(of: most) }
    }

    @Test func nestedConstantsEqualTheirContents() throws {
      let nested = NestedConstant([.list(2), .value(.int(1)), .value(.string("x"))])
      #expect(try isTrue("mark == %@", [.nested(nested)]))
      #expect(try !isTrue("mark != %@", [.nested(nested)]))
      #expect(try !isTrue("mark == %@", [.nested(NestedConstant([.list(1), .value(.int(1))]))]))
      #expect(throws: QueryError.self) { try isTrue("age == %@", [.nested(nested)]) }
      let constant = NestedConstant([.dictionary(["b", "a"]), .value(.int(2)), .list(0)])
      func map(_ key: String) -> ElementValue {
        ElementValue(AnyRealmValue.fromDictionary(["a": .fromArray([]), key: .double(2)]))
      }
      #expect(constant.equals(map("b"), \.part) && !constant.equals(map("c"), \.part))
      #expect(!constant.equals(ElementValue(AnyRealmValue.fromArray([])), \.part))
    }

    private func written(_ format: String, _ constants: [MemberConstant]) throws -> String {
      let predicate = try QueryPredicate(format, arguments: [.members(constants)])
      return try MemberWriting.written(predicate, asking: ModelClass.of(Hound.self)).description
    }

    private func place(_ x: Int64, isReadOfNull: Bool = false) -> MemberConstant {
      .object("Place", [.init("x", .int(x)), .init("y", .null)], isReadOfNull: isReadOfNull)
    }

    @Test func membersAreComparedOneByOne() throws {
      #expect(try written("place == %@", [place(1)]) == "place.x == 1 AND place.y == nil")
      #expect(try written("place != %@", [place(1)]) == "NOT (place.x == 1 AND place.y == nil)")
      #expect(try written("place == %@", [.null]) == "place == nil")
      #expect(try written("place IN %@", [.null, place(2)]) == "place == nil OR place.x == 2 AND place.y == nil")
      #expect(
        try written("spot == %@", [place(1, isReadOfNull: true)]) == "spot.x == 1 AND spot.y == nil OR spot == nil")
      #expect(try written("place == %@", [place(1, isReadOfNull: true)]) == "place.x == 1 AND place.y == nil")
    }

    @Test func membersOfCollectionsAreThoseOfOneElement() throws {
      let element = "$element.x == 1 AND $element.y == nil"
      #expect(try written("ANY spots == %@", [place(1)]) == "SUBQUERY(spots, $element, \(element)).@count > 0")
      #expect(try written("NONE spots == %@", [place(1)]) == "SUBQUERY(spots, $element, \(element)).@count == 0")
      #expect(try written("ALL spots == %@", [place(1)]) == "SUBQUERY(spots, $element, NOT (\(element))).@count == 0")
      #expect(
        try written("ANY friends.place == %@", [place(1)])
          == "SUBQUERY(friends, $element, $element.place.x == 1 AND $element.place.y == nil).@count > 0")
    }

    @Test func otherComparisonsWithMembersAreRefused() {
      for format in ["place > %@", "ANY place == %@", "owner == %@", "nothing == %@", "age.x == %@"] {
        #expect(throws: QueryError.self, "\(format)") { try written(format, [place(1)]) }
      }
    }

    @Test func predicatesOfFoundationAreWrittenAsConditions() {
      func text(_ predicate: Predicate<Hound>) -> String? { PredicateTranslation.condition(of: predicate)?.description }
      #expect(text(#Predicate { 3 > $0.age && $0.nick != nil }) == "age < 3 AND nick != nil")
      #expect(
        text(#Predicate { !($0.name == "a" || $0.name == "b") && true }) == "NOT (name == \"a\" OR name == \"b\")")
      #expect(text(#Predicate { $0.nick == $0.owner?.name }) == "nick == owner.name")
      #expect(text(#Predicate { ($0.nick ?? "x") == "x" }) == "nick != nil AND nick == \"x\" OR NOT nick != nil")
      #expect(text(#Predicate { $0.marks.isEmpty || $0.marks.count > 2 }) == "marks.@count == 0 OR marks.@count > 2")
      #expect(text(#Predicate { $0.marks.contains("x") }) == "ANY marks == \"x\"")
      #expect(
        text(#Predicate { $0.friends.filter { $0.name == "A" }.count > 1 })
          == "SUBQUERY(friends, $element1, $element1.name == \"A\").@count > 1")
      #expect(text(#Predicate { (1..<5).contains($0.age) }) == "age >= 1 AND age < 5")
      #expect(text(#Predicate { $0.age + 1 > 3 }) == nil && text(#Predicate { $0.name.count > 3 }) == nil)
    }
  }
#endif
