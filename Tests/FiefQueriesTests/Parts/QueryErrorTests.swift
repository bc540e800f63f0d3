import FiefGraph
import FiefQueries
import FiefValues
import Testing

@Suite struct QueryErrorTests {
  @Test func thePositionStandsBeforeTheReason() {
    #expect(QueryError(.syntax, "No.", at: 4).description == "At byte 4: No.")
    #expect(QueryError(.syntax, "No.").description == "No.")
  }

  @Test func aLongReasonLosesItsMiddle() {
    let long = QueryError(.argument, "a" + String(repeating: "x", count: 100_000) + "z", at: 1)
    #expect(long.description.utf8.count < 4096 && long.reason.hasPrefix("ax") && long.reason.hasSuffix("xz"))
    let marks = QueryError(.argument, "a" + String(repeating: "\u{301}", count: 100_000))
    #expect(marks.description.utf8.count < 4096)
  }

  @Test(arguments: [
    ("nothing == 1", QueryError.Code.unknownProperty, "'Dog': a text stands in quotes ('nothing'), and it has"),
    ("age == 'x'", .typeMismatch, "'age' is an int, and is compared with"),
    ("born > 'x'", .typeMismatch, "with 'x': a date is written date('2026-01-31T12:00:00Z')."),
    ("age == nil", .typeMismatch, "'age' is never null"), ("age CONTAINS 1", .unsupported, "CONTAINS is for strings"),
    ("ANY age == 1", .unsupported, "'age' is none"), ("marks.@sum == 1", .typeMismatch, "wants numbers"),
    ("name.x == 1", .unsupported, "only links lead to further properties"), ("owner > nil", .unsupported, "no order"),
    ("age BETWEEN {1}", .unsupported, "is given 1"), ("3 IN age", .unsupported, "no collection"),
    ("age ==[c] 3", .unsupported, "[c] and [d] are for strings"),
    ("name <[c] 'a'", .unsupported, "takes no [c] or [d]"),
    ("name TEXT[c] 'a'", .unsupported, "words are folded always"),
    ("SUBQUERY(marks, $x, $x == 'a').@count > 0", .unsupported, "wants a collection of objects"),
    ("owner.dogs.@max == 1", .unsupported, "wants a property"),
    ("name.@count == 1", .unsupported, "wants a collection"),
    ("scores == marks", .unsupported, "both collections"), ("$x.age == 1", .unknownProperty, "'$x' has no value"),
  ])
  func whatDoesNotFitSaysWhy(format: String, code: QueryError.Code, words: String) throws {
    let kennel = try Kennel()
    let error = #expect(throws: QueryError.self) { try kennel.query(format) }
    #expect(error?.code == code && error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("SORT(marks ASC)", "several values"), ("SORT(owner ASC)", "is a link"), ("SORT(nothing ASC)", "no property"),
    ("DISTINCT(marks)", "several values"), ("DISTINCT(marks.@count)", "nothing by which rows can be told apart"),
    ("SORT(age FOLDED[c] ASC)", "only text has other orders"),
  ])
  func modifiersThatDoNotFitSayWhy(modifier: String, words: String) throws {
    let kennel = try Kennel()
    let error = #expect(throws: QueryError.self) { try kennel.query("TRUEPREDICATE \(modifier)") }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func negativeLimitsAreRefused() throws {
    let kennel = try Kennel()
    for modifier in [QueryModifier.limit(-1), .limit(1, offset: -1)] {
      #expect(throws: QueryError.self) {
        try CompiledQuery(ParsedQuery(QueryPredicate(true), [modifier]), of: kennel.dog, in: kennel.graph)
      }
    }
  }

  @Test func negativePositionsAreRefused() throws {
    let kennel = try Kennel()
    let path = PropertyPath([.property("mark"), .index(-1)])
    #expect(throws: QueryError.self) {
      try CompiledQuery(
        QueryPredicate(Comparison(.path(path), .equal, .constant(1))), of: kennel.dog, in: kennel.graph)
    }
  }

  @Test func aTableThatDoesNotExistIsRefused() throws {
    let kennel = try Kennel()
    let gone = TableKey(rawValue: 99)
    #expect(throws: QueryError.self) { try CompiledQuery(QueryPredicate("age == 1"), of: gone, in: kennel.graph) }
    #expect(throws: QueryError.self) { try AggregateQuery(.sum, PropertyPath("age"), of: gone, in: kennel.graph) }
    #expect(throws: QueryError.self) { try GroupQuery(by: [], of: [gone], in: kennel.graph) }
  }

  @Test func constantsThatArePropertiesAreRefused() throws {
    let kennel = try Kennel()
    let name = Comparison(.path(PropertyPath("age")), .equal, .constant(.name("weight")))
    let error = #expect(throws: QueryError.self) {
      try CompiledQuery(QueryPredicate(name), of: kennel.dog, in: kennel.graph)
    }
    #expect(error?.code == .argument)
  }

  @Test func objectsOfOtherTablesAreRefused() throws {
    let kennel = try Kennel()
    for (link, isFit) in [
      (ObjectLink(kennel.person, ObjectKey(0)), true), (ObjectLink(kennel.dog, ObjectKey(0)), false),
      (ObjectLink(.nestedLists, ObjectKey(-5)), true),
    ] {
      let query = try? kennel.query("owner == %@", [.value(.link(link))])
      #expect((query != nil) == isFit)
    }
    #expect(try kennel.dogs("owner == %@", [.value(.link(ObjectLink(kennel.person, ObjectKey(1))))]) == [1, 3])
  }
}
