import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

/// What conditions find among rows that are written out.
@Suite struct EvaluatingTests {
  let kennel: Kennel

  init() throws { kennel = try Kennel() }

  @Test(
    arguments: [
      ("age == 3", [0, 2]), ("age != 3", [1, 3, 4]), ("age > 5", [1, 3]), ("age >= 5", [1, 3, 4]), ("age < 5", [0, 2]),
      ("age <= 5", [0, 2, 4]), ("age BETWEEN {3, 5}", [0, 2, 4]), ("age IN {3, 12, 99}", [0, 2, 3]),
      ("age IN {}", []), ("NOT age IN {3, 12}", [1, 4]), ("age > 9223372036854775807", []),
      ("age < -9223372036854775808", []), ("age >= -9223372036854775808", [0, 1, 2, 3, 4]),
    ] as [(String, [Int])])
  func numbersCompare(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("weight == nan", [2]), ("weight != nan", [0, 1, 3, 4]), ("weight > -inf", [0, 1, 3, 4]),
      ("weight < 8", [1, 2]), ("weight >= nan", [0, 1, 2, 3, 4]), ("weight <= nan", [2]), ("weight == 20.5", [0, 4]),
    ] as [(String, [Int])])
  func aNaNEqualsItselfAndPrecedesNumbers(format: String, dogs: [Int]) throws {
    #expect(try kennel.dogs(format) == dogs)
  }

  @Test(
    arguments: [
      ("nick == nil", [1, 3]), ("nick != nil", [0, 2, 4]), ("nick == 'n0'", [0]), ("nick != 'n0'", [1, 2, 3, 4]),
      ("nick > 'n0'", [2, 4]), ("nick <= 'n0'", [0]), ("nick IN {nil, 'n4'}", [1, 3, 4]),
      ("NOT nick == nil", [0, 2, 4]),
      ("owner == nil", [4]), ("owner.name == nil", [4]), ("owner.city != 'Oslo'", [1, 3, 4]),
    ] as [(String, [Int])])
  func nullEqualsNullAlone(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("nick > nil", []), ("nick >= nil", []), ("nick < nil", []), ("nick <= nil", []),
      ("NOT nick >= nil", [0, 1, 2, 3, 4]), ("owner.name >= nil", []), ("nil <= nick", []), ("mark >= nil", [2]),
    ] as [(String, [Int])])
  func aNullStringIsInNoOrder(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("name == 'Rex'", [0, 4]), ("name != 'Rex'", [1, 2, 3]), ("name < 'Bo'", [2]), ("name CONTAINS 'e'", [0, 4]),
      ("name CONTAINS[c] 'B'", [3]), ("name BEGINSWITH 'R'", [0, 4]), ("name ENDSWITH 'a'", [2]),
      ("name LIKE '?o'", [3]), ("name LIKE '*i*'", [1]), ("name IN {'Kit', 'Bo'}", [1, 3]),
      ("name IN[c] {'KIT', 'bo'}", [1, 3]), ("name ==[c] 'REX'", [0, 4]), ("name == nick", []),
      ("name CONTAINS ''", []), ("name BEGINSWITH nil", []),
    ] as [(String, [Int])])
  func stringsCompareByBytesOrFolded(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("ANY marks == 'tall'", [0, 4]), ("marks == 'calm'", [0, 3]), ("NONE marks == 'calm'", [1, 2, 4]),
      ("ALL marks == 'tall'", [2, 4]), ("ANY marks != 'tall'", [0, 1, 3]), ("'shy' IN marks", [1]),
      ("marks.@count == 2", [0, 4]), ("marks.@count == 0", [2]), ("ANY scores > 4", [1, 4]),
      ("scores.@sum > 8", [1, 4]),
      ("scores.@max == 2", [0, 3]), ("scores.@avg == 1.5", [0]), ("scores.@min == nil", [2]), ("scores.@sum == 0", [2]),
      ("ALL scores > 1", [1, 2, 3, 4]), ("scores BETWEEN {5, 9}", [1, 4]),
    ] as [(String, [Int])])
  func collectionsHoldForTheirElements(format: String, dogs: [Int]) throws {
    #expect(try kennel.dogs(format) == dogs)
  }

  @Test(
    arguments: [
      ("toys['ball'] == 3", [1]), ("toys['ball'] == nil", [2, 3, 4]), ("ANY toys.@allKeys == 'bone'", [1, 3]),
      ("ANY toys > 2", [1, 3]), ("toys.@allValues == 9", [3]), ("toys.@count == 2", [1]),
      ("toys.@max == 3", [1]), ("toys[*] == 1", [0]),
    ] as [(String, [Int])])
  func dictionariesAreReadByKeyAndValue(format: String, dogs: [Int]) throws {
    #expect(try kennel.dogs(format) == dogs)
  }

  @Test(
    arguments: [
      ("mark == 1", [0, 3]), ("mark == 'x'", [1]), ("mark == nil", [2]), ("mark == TRUE", [4]), ("mark > 0", [0, 3]),
      ("mark != 1", [1, 2, 4]), ("mark CONTAINS 'x'", [1]), ("mark IN {1, 'x'}", [0, 1, 3]), ("mark[0] == 1", []),
      ("mark ==[c] 1", [0, 3]), ("mark IN[c] {1, 'X'}", [0, 1, 3]), ("mark IN[d] {nil, TRUE, 'X'}", [2, 4]),
    ] as [(String, [Int])])
  func anyValuesCompareWithinTheirKind(format: String, dogs: [Int]) throws {
    #expect(try kennel.dogs(format) == dogs)
  }

  @Test(
    arguments: [
      ("owner.city == 'Oslo'", [0, 2]), ("owner.mentor.name == 'Ann'", [1, 3]), ("owner.mentor == nil", [0, 2, 4]),
      ("owner.dogs.@count == 2", [0, 1, 2, 3]), ("ANY owner.dogs.age == 12", [1, 3]), ("owner.name == name", []),
      ("owner.dogs.@max.age == age", [0, 2, 3]), ("owner.name.@length == 3", [0, 1, 2, 3]),
    ] as [(String, [Int])])
  func pathsLeadOverLinks(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("ANY owned.age > 10", [1]), ("owned.@count == 0", [2]), ("owned.@sum.age == 6", [0]),
      ("SUBQUERY(dogs, $d, $d.age > 5 AND $d.name != 'Bo').@count == 1", [1]),
      ("SUBQUERY(dogs, $d, $d.owner.city == $SELF.city).@count == 2", [0, 1]),
      ("SUBQUERY(dogs, $d, $d.owner == $SELF).@count < 1", [2]), ("dogs.@max.age == 12", [1]),
      ("NOT SUBQUERY(dogs, $d, SUBQUERY($d.owner.dogs, $e, $e.age == $d.age).@count > 1).@count > 0", [1, 2]),
    ] as [(String, [Int])])
  func backlinksAndSubqueriesTestTheirRows(format: String, persons: [Int]) throws {
    #expect(try kennel.persons(format) == persons)
  }

  @Test(
    arguments: [
      ("age == 3 AND name == 'Rex'", [0]), ("age == 3 OR age == 5", [0, 2, 4]), ("NOT (age == 3 OR age == 5)", [1, 3]),
      ("TRUEPREDICATE AND age == 3", [0, 2]), ("FALSEPREDICATE OR age == 3", [0, 2]),
      ("age == 3 AND FALSEPREDICATE", []),
      ("age == 3 OR TRUEPREDICATE", [0, 1, 2, 3, 4]), ("NOT NOT age == 3", [0, 2]), ("NOT TRUEPREDICATE", []),
      ("NOT (NOT age == 3 AND TRUEPREDICATE)", [0, 2]), ("age >= 3 AND age <= 3 AND age != 4", [0, 2]),
      ("age > 3 AND age < 3", []),
      ("(age > 3 OR nick == nil) AND (age < 12 OR name == 'Bo') AND NOT name == 'Kit'", [3, 4]),
      ("age > 3 AND (weight > 8 AND (name == 'Bo' AND TRUEPREDICATE))", [3]),
      ("NOT (FALSEPREDICATE OR NOT (TRUEPREDICATE AND age == 3))", [0, 2]),
    ] as [(String, [Int])])
  func operatorsJoinConditions(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test(
    arguments: [
      ("TRUEPREDICATE SORT(age ASC)", [0, 2, 4, 1, 3]), ("TRUEPREDICATE SORT(age DESC, name ASC)", [3, 1, 4, 2, 0]),
      ("TRUEPREDICATE SORT(nick ASC)", [1, 3, 0, 2, 4]), ("TRUEPREDICATE SORT(nick DESC)", [4, 2, 0, 1, 3]),
      ("TRUEPREDICATE SORT(owner.name ASC)", [0, 2, 1, 3, 4]),
      ("TRUEPREDICATE SORT(owner.name DESC)", [4, 1, 3, 0, 2]),
      ("TRUEPREDICATE SORT(weight ASC)", [2, 1, 0, 4, 3]), ("TRUEPREDICATE SORT(born ASC)", [4, 3, 2, 1, 0]),
      ("TRUEPREDICATE SORT(marks.@count DESC, name ASC)", [0, 4, 3, 1, 2]),
      ("age > 3 SORT(name ASC) LIMIT(2)", [3, 1]),
      ("TRUEPREDICATE DISTINCT(name)", [0, 1, 2, 3]), ("TRUEPREDICATE SORT(age DESC) DISTINCT(name)", [3, 1, 4, 2]),
      ("TRUEPREDICATE LIMIT(2, 1)", [1, 2]), ("TRUEPREDICATE LIMIT(0)", []), ("TRUEPREDICATE LIMIT(9, 4)", [4]),
      ("TRUEPREDICATE LIMIT(3) SORT(age DESC) LIMIT(1)", [1]), ("TRUEPREDICATE DISTINCT(owner.city)", [0, 1]),
      ("TRUEPREDICATE SORT(mark ASC)", [2, 4, 0, 3, 1]), ("TRUEPREDICATE LIMIT(9223372036854775807, 3)", [3, 4]),
    ] as [(String, [Int])])
  func modifiersArrangeInTheirOrder(format: String, dogs: [Int]) throws { #expect(try kennel.dogs(format) == dogs) }

  @Test func aListKeepsItsOrderAndRepetitions() throws {
    let list = [4, 0, 4, 9, 2].map { ObjectKey(Int64($0)) }
    let query = try kennel.query("age < 6")
    #expect(Array(query.rows(in: kennel.graph, among: list)) == [4, 0, 4, 2].map { ObjectKey(Int64($0)) })
    let all = try kennel.query("TRUEPREDICATE")
    #expect(Array(all.rows(in: kennel.graph, among: list)) == [4, 0, 4, 2].map { ObjectKey(Int64($0)) })
  }

  @Test func aLongListIsTestedAsAShortOne() throws {
    let list = (0..<100).map { ObjectKey(Int64($0 % 7)) }
    for format in ["age == 3", "owner.city == 'Oslo'", "ANY marks == 'calm'"] {
      let query = try kennel.query(format)
      let few = list.flatMap { key in query.rows(in: kennel.graph, among: [key]) }
      #expect(Array(query.rows(in: kennel.graph, among: list)) == few, "\(format)")
    }
  }

  @Test func aSelectionOfRowsIsTested() throws {
    let query = try kennel.query("age == 3")
    let some = RowSelection([ObjectKey(2), ObjectKey(3), ObjectKey(77)])
    #expect(query.selection(in: kennel.graph, among: some).keys == [ObjectKey(2)])
    #expect(query.selection(in: kennel.graph).keys == [ObjectKey(0), ObjectKey(2)])
    #expect(query.matches(ObjectKey(0), in: kennel.graph) && !query.matches(ObjectKey(1), in: kennel.graph))
    #expect(!query.matches(ObjectKey(77), in: kennel.graph))
  }

  @Test(
    arguments: [
      ("age == 3", 2), ("age > 3", 3), ("weight < 8", nil), ("TRUEPREDICATE", 5), ("age == 3 LIMIT(1)", nil),
      ("name == 'Rex' SORT(age ASC)", nil), ("age < 4 SORT(name ASC)", 2), ("age > 100", 0),
    ] as [(String, Int?)])
  func aCountIsCheapByAnIndexOrARange(format: String, count: Int?) throws {
    let query = try kennel.query(format)
    #expect(query.countIfCheap(in: kennel.graph) == count)
    if let count { #expect(query.count(in: kennel.graph) == count) }
  }

  @Test func theFirstRowsAreThoseOfAll() throws {
    for format in ["age < 8", "age < 8 SORT(name DESC)", "TRUEPREDICATE LIMIT(3, 1)", "age < 8 DISTINCT(name)"] {
      let query = try kennel.query(format)
      let all = Array(query.rows(in: kennel.graph))
      #expect(query.first(in: kennel.graph) == all.first && query.isEmpty(in: kennel.graph) == all.isEmpty)
      for count in 0...5 { #expect(Array(query.prefix(count, in: kennel.graph)) == Array(all.prefix(count))) }
    }
  }
}
