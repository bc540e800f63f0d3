import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// What queries are told of names, what they say of their plans, and how constants are printed.
@Suite struct CatalogTests {
  let kennel: Kennel

  init() throws { kennel = try Kennel() }

  @Test func otherNamesTakePrecedence() throws {
    let schema = try #require(kennel.graph[kennel.dog]?.schema)
    let age = try #require(schema.column(named: "age"))
    let names = StoredNames([kennel.dog: ["years": .column(age.key), "name": .column(age.key)]])
    #expect(
      names.property("years", of: schema) == .column(age.key) && names.property("name", of: schema) == .column(age.key))
    #expect(names.property("age", of: schema) == .column(age.key) && names.property("x", of: schema) == nil)
    let query = try CompiledQuery(QueryPredicate("years == 7"), of: kennel.dog, in: kennel.graph, catalog: names)
    #expect(query.rows(in: kennel.graph).map(\.rawValue) == [1])
  }

  @Test func anExplanationSaysHowAndHowMuch() throws {
    let explanation = try kennel.query("age == 3 AND name == 'Rex'").explanations(in: kennel.graph)[0]
    #expect(explanation.table == "Dog" && explanation.indexes == [["age"]] && explanation.rowsInTable == 5)
    #expect(explanation.rowsFound == 1 && explanation.rowsExamined == 2)
    #expect(explanation.description.hasPrefix("Dog: 1 of 5 rows.\nPlan: index on age"))
    #expect(explanation.description.hasSuffix("Test: age == 3 AND name == \"Rex\""))
  }

  @Test(arguments: [
    ("age == 3", "are the answer"), ("name == 'Rex'", "scan of all rows"), ("age == 99", "there is none"),
    ("age == 3 OR age == 5", "one of 2 alternatives"), ("age > 5 AND name == 'x'", "are tested"),
    ("TRUEPREDICATE", "scan"),
  ])
  func aPlanIsASentence(format: String, words: String) throws {
    let plan = try kennel.query(format).plan(in: kennel.graph)
    #expect(plan.contains(words) && plan.hasPrefix("Dog, 5 rows. Plan: "), "\(plan)")
  }

  @Test func aQueryFitsTablesOfItsSchema() throws {
    let query = try kennel.query("owner.city == 'Oslo'")
    let transaction = Transaction(kennel.graph)
    #expect(query.fits(kennel.graph) && query.fits(transaction.graph) && !query.fits(.empty))
    try transaction.addColumn(to: kennel.person, "more", ColumnType(.int))
    #expect(!query.fits(transaction.graph))
    #expect(try kennel.query("age == 1").fits(transaction.graph))
  }

  @Test func aQuerySaysWhetherItSorts() throws {
    #expect(try kennel.query("age == 1 SORT(age ASC)").sorts && !kennel.query("age == 1 LIMIT(3)").sorts)
    #expect(try kennel.query("age == 1").tables == [kennel.dog] && kennel.query("age == 1").table == kennel.dog)
  }

  @Test(arguments: [
    (QueryConstant.value(.null), "a == nil"), (true, "a == TRUE"), (3, "a == 3"), (1.5, "a == 1.5"),
    ("x\"y", "a == \"x\\\"y\""),
    (.list([.int(1), .null]), "a == {1, nil}"), (.name("b"), "a == \"b\""),
    (.value(.date(Timestamp(seconds: 5, nanoseconds: 7))), "a == date(5, 7)"),
    (.value(.link(ObjectLink(TableKey(rawValue: 3), ObjectKey(4)))), "a == link(3, 4)"),
    (.open(OpenConstant([.variable("x"), .value(.int(1))], isList: true)), "a == {$x, 1}"),
    (.nested(NestedConstant([.list(1), .value(.int(2))])), "a == list(1) 2"), (.members([.null]), "a == nil"),
    (.nestedMembers([NestedConstant([.list(0)])], beside: [.int(1), .null]), "a == {list(0), 1, nil}"),
  ])
  func constantsArePrinted(constant: QueryConstant, text: String) {
    #expect(Comparison(.path(PropertyPath("a")), .equal, .constant(constant)).description == text)
  }

  @Test func constantsAreIdenticalByTheirBits() {
    #expect(
      QueryConstant.value(.double(0)) != .value(.double(-0.0)) && QueryConstant.value(.int(1)) != .value(.double(1)))
    #expect(
      QueryConstant.null == nil && QueryConstant.list([.int(1)]) != .value(.int(1))
        && QueryConstant.name("a") == .name("a"))
  }

  @Test func groupsShareTheValuesBehindLinks() throws {
    let rows = RowSelection(all: try #require(kennel.graph[kennel.dog]))
    let groups = try GroupQuery(by: [PropertyPath("owner", "city")], of: [kennel.dog], in: kennel.graph)
      .groups(in: kennel.graph, among: rows)
    #expect(groups.map { $0.key } == [[.null], [.string("Bergen")], [.string("Oslo")]])
    #expect(groups.map { $0.rows.map(\.rawValue) } == [[4], [1, 3], [0, 2]])
  }

  @Test func valuesThatAreEqualInMeaningAreOneGroup() throws {
    let groups = try GroupQuery(by: [PropertyPath("mark")], of: [kennel.dog], in: kennel.graph)
      .groups(in: kennel.graph, among: [3, 0, 1].map { ObjectKey(Int64($0)) })
    #expect(groups.map { $0.rows.map(\.rawValue) } == [[3, 0], [1]] && groups[0].key == [.double(1)])
  }

  @Test func aTotalFollowsLinks() throws {
    let ages = try AggregateQuery(.sum, PropertyPath("age"), of: kennel.dog, in: kennel.graph)
    #expect(ages.total(in: kennel.graph).result == .int(30))
    #expect(ages.total(in: kennel.graph, among: [ObjectKey(1), ObjectKey(1), ObjectKey(99)]).result == .int(14))
    let marks = try AggregateQuery(.count, PropertyPath("owner", "name"), of: kennel.dog, in: kennel.graph)
    #expect(marks.total(in: kennel.graph).result == .int(4))
  }
}
