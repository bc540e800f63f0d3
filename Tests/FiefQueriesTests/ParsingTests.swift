import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Foundation
import Testing

@Suite struct ParsingTests {
  /// A format and its printed form.
  static let forms: [(String, String)] = [
    ("age > 2", "age > 2"),
    ("age>2&&name=='x'", "age > 2 AND name == \"x\""),
    ("a = 1 or b = 2 and c = 3", "a == 1 OR b == 2 AND c == 3"),
    ("(a = 1 or b = 2) and c = 3", "(a == 1 OR b == 2) AND c == 3"),
    ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND b == 2 AND c == 3"),
    ("not a == 1", "NOT a == 1"), ("!(a == 1 || b == 2)", "NOT (a == 1 OR b == 2)"), ("!!(a == 1)", "NOT NOT a == 1"),
    ("not a == 1 and b == 2", "NOT a == 1 AND b == 2"),
    ("2 < age", "age > 2"), ("nil == a.b", "a.b == nil"), ("3 => a", "a <= 3"), ("a =< 3", "a <= 3"),
    ("a <> 3", "a != 3"),
    ("a BETWEEN {1, 5}", "a BETWEEN {1, 5}"), ("a in {1, 2.5, 'x', nil, yes}", "a IN {1, 2.5, \"x\", nil, TRUE}"),
    ("name beginswith[cd] \"R\\\"x\"", "name BEGINSWITH[cd] \"R\\\"x\""), ("name ==[c] 'x'", "name ==[c] \"x\""),
    ("any dogs.age > 3", "ANY dogs.age > 3"), ("SOME dogs.age > 3", "ANY dogs.age > 3"),
    ("NONE dogs.age > 3", "NONE dogs.age > 3"), ("ALL dogs.age > 3", "ALL dogs.age > 3"),
    ("dogs.@count == 2", "dogs.@count == 2"), ("dogs.@max.age >= 2", "dogs.@max.age >= 2"),
    ("map['k'] == 1", "map[\"k\"] == 1"), ("any[0][\"x\"][*] == 1", "#any[0][\"x\"][*] == 1"),
    ("map.@allKeys == 'k'", "map.@allKeys == \"k\""), ("self == nil", "SELF == nil"), ("self.age == 1", "age == 1"),
    (
      "SUBQUERY(dogs, $d, age > 1 AND $d.name == $SELF.name).@count > 2",
      "SUBQUERY(dogs, $d, $d.age > 1 AND $d.name == $SELF.name).@count > 2"
    ),
    (
      "SUBQUERY(a, $x, SUBQUERY(b, $y, c == SELF.d AND $x.c == SELF).@count > 0 AND $SELF == e).@count == 1",
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $y.d AND $x.c == $y).@count > 0 AND $SELF == $x.e).@count == 1"
    ),
    ("SUBQUERY(a, $SELF, $SELF.b == c).@count == 0", "SUBQUERY(a, $SELF, $SELF.b == $SELF.c).@count == 0"),
    ("limit == 3 and sort > 1 or Distinct in {1}", "#limit == 3 AND #sort > 1 OR #Distinct IN {1}"),
    ("nan == 3 and inf == 2 and 1 < infinity", "#nan == 3 AND #inf == 2 AND #infinity > 1"),
    ("nil == nil and true != false", "#nil == nil AND #true != FALSE"),
    ("a == nan and nan == b", "a == nan AND b == nan"),
    ("geowithin == 1 and and == 2 and or == 3", "#geowithin == 1 AND #and == 2 AND #or == 3"),
    ("not == 1 and not not == 1", "#not == 1 AND NOT #not == 1"), ("not in {1}", "#not IN {1}"),
    ("not in == 1", "NOT #in == 1"), ("not in in {1}", "NOT #in IN {1}"), ("not text.x == 1", "NOT text.x == 1"),
    ("any like 'x'", "#any LIKE \"x\""), ("any contains[c] 'x'", "#any CONTAINS[c] \"x\""),
    ("any contains['c'] == 1", "ANY #contains[\"c\"] == 1"), ("any between == 1", "ANY #between == 1"),
    ("a == limit and cast == function", "a == #limit AND #cast == #function"),
    ("subquery == 1 or matches == 2", "#subquery == 1 OR #matches == 2"),
    ("truepredicate == 1 or truepredicate", "#truepredicate == 1 OR TRUEPREDICATE"),
    ("size == 1 and self == 2 and first == 3", "#size == 1 AND SELF == 2 AND #first == 3"),
    ("3 < SUBQUERY(dogs, $d, $d.age > 1).@count", "SUBQUERY(dogs, $d, $d.age > 1).@count > 3"),
    (
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == $x).@count = 0).@count = 1 or c = 1",
      "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == $x).@count == 0).@count == 1 OR c == 1"
    ),
    ("any == 1 OR ANY any.x == 1", "#any == 1 OR ANY #any.x == 1"),
    ("TRUEPREDICATE", "TRUEPREDICATE"), ("falsepredicate or a = 1", "FALSEPREDICATE OR a == 1"),
    ("#in == 1 and #'a b'.#and = 2", "#in == 1 AND #\"a b\".#and == 2"), ("a.in == 1", "a.#in == 1"),
    ("a == 0x1F", "a == 31"), ("a == -3 and b == 1e3", "a == -3 AND b == 1e3"), ("a == -inf", "a == -inf"),
    ("a == 99999999999999999999", "a == 99999999999999999999"),
    ("a == 'caf\\u00e9'", "a == \"caf\u{E9}\""), ("a == \"\\ud83d\\ude00\"", "a == \"\u{1F600}\""),
    ("5 IN list", "5 IN list"), ("place IN geoBox([1, 2], [3, 4])", "place IN geoBox([1.0, 2.0], [3.0, 4.0])"),
    ("place geoWithin geoCircle([1, 2], 0.5)", "place IN geoCircle([1.0, 2.0], 0.5)"),
    ("a == oid(0123456789abcdef01234567)", "a == oid(0123456789abcdef01234567)"),
    ("a == B64'AQI='", "a == B64\"AQI=\""), ("a == date(5, 7)", "a == date(5, 7)"),
    ("a == date('1970-01-01T00:00:05.000000007Z')", "a == date(5, 7)"),
    ("a == date(\"1970-01-02\")", "a == date(86400, 0)"),
    ("a == uuid(00000000-0000-0000-0000-00000000000A)", "a == uuid(00000000-0000-0000-0000-00000000000a)"),
    ("a == decimal(1.50)", "a == decimal(1.5)"), ("a == link(3, 4)", "a == link(3, 4)"),
  ]

  @Test(arguments: forms) func aFormatIsReadAndWritten(format: String, printed: String) throws {
    let predicate = try QueryPredicate(format)
    #expect(predicate.description == printed)
    #expect(try QueryPredicate(printed) == QueryPredicate(printed))
    #expect(try QueryPredicate(printed).description == printed)
  }

  @Test func argumentsReplaceTheirPlaceholders() throws {
    let predicate = try QueryPredicate(
      "%K > %@ AND %K.%K BEGINSWITH %@ AND x IN %@ AND y == %d AND m[%K] == %lf",
      arguments: ["age", 3, .name("dog.toy"), "name", "R", .list([.int(1), .int(2)]), 7, "k", 1.5])
    #expect(
      predicate.description
        == "age > 3 AND dog.toy.name BEGINSWITH \"R\" AND x IN {1, 2} AND y == 7 AND m[\"k\"] == 1.5")
    #expect(try QueryPredicate("a == $1 OR b == $0", arguments: [1, 2]).description == "a == 2 OR b == 1")
    #expect(try QueryPredicate("a[%K] == 1", arguments: ["#any"]).description == "a[*] == 1")
  }

  @Test func modifiersAfterTheConditionAreParsed() throws {
    let query = try ParsedQuery("a > 1 SORT(b.c ASC, d DESC) DISTINCT(e, f) LIMIT(5) LIMIT(3, 2)")
    #expect(query.description == "a > 1 SORT(b.c ASC, d DESC) DISTINCT(e, f) LIMIT(5) LIMIT(3, 2)")
    #expect(throws: QueryError.self) { try QueryPredicate("a > 1 LIMIT(5)") }
  }

  /// An invalid format, the code of its error, and the position of the error.
  static let refused: [(String, QueryError.Code, Int?)] = [
    ("", .syntax, 0), ("age", .syntax, 3), ("age >", .syntax, 5), ("age > 2 AND", .syntax, 11),
    ("age > 2 3", .syntax, 8),
    ("(age > 2", .syntax, 0), ("age > 2)", .syntax, 7), ("age > 'x", .syntax, 6), ("1 == 1", .unsupported, 0),
    ("name MATCHES 'x'", .unsupported, 5), ("'x' CONTAINS name", .unsupported, 0), ("a + 1 == 2", .syntax, 2),
    ("a == 1 - 2", .syntax, 7), ("FUNCTION(a, 'b') == 1", .unsupported, 0), ("CAST(a, 'b') == 1", .unsupported, 0),
    ("a.@links.B.c == 1", .unsupported, 2), ("list[FIRST] == 1", .unsupported, 5), ("a ==[x] 'y'", .syntax, 5),
    ("a == %@", .argument, 5), ("a == %q", .syntax, 5), ("SUBQUERY(a, x, b == 1).@count > 1", .syntax, 12),
    ("SUBQUERY(a, $x, b == 1) > 1", .unsupported, 24), ("SUBQUERY(a, $x, b == 1).@count > 1.5", .unsupported, nil),
    ("NONE SUBQUERY(a, $x, b == 1).@count > 0", .unsupported, 0),
    ("c == 1 AND ANY SUBQUERY(a, $x, b == 1).@count > 0", .unsupported, 11),
    ("SUBQUERY(a, $x, b == 1", .syntax, 0), ("a == $nothing", .unknownProperty, 5), ("a == 12abc", .syntax, 5),
    ("a == date('x')", .syntax, 5), ("a == date('1970-01-01', 1)", .syntax, 22), ("a == date('')", .syntax, 5),
    ("a == oid(12)", .syntax, 5), ("a == B64'?'", .syntax, 5), ("a..b == 1", .syntax, 2), ("a IN {1, 2", .syntax, 10),
    ("and and 1", .syntax, 4), ("a limit 1", .syntax, 2), ("limit(3) == 1", .syntax, 5),
    ("a ~ 1", .syntax, 2), ("a == 0xZZ", .syntax, 5),
    ("p IN geoPolygon({[0, 0], [1, 1]})", .invalidShape, 5), ("p IN geoBox([0, 99], [1, 1])", .invalidShape, 12),
    ("a == 1 AND \u{0} == 2", .syntax, 11),
  ]

  @Test(arguments: refused) func invalidPredicatesAreRefusedWithTheirPosition(
    format: String, code: QueryError.Code, position: Int?
  ) throws {
    let error = #expect(throws: QueryError.self) { try QueryPredicate(format) }
    #expect(error?.code == code, "\(error?.description ?? "")")
    if let position { #expect(error?.position == position, "\(error?.description ?? "")") }
  }

  @Test func argumentsTooManyOrOfTheWrongKindAreRefused() {
    for (format, arguments) in [
      ("a == %@", [1, 2]), ("a == 1", [1]), ("a == %d", ["x"]), ("%K == 1", [3]), ("a IN {%@}", [.list([.int(1)])]),
      ("%K == 1", ["a..b"]),
    ] as [(String, [QueryConstant])] {
      let error = #expect(throws: QueryError.self) { try QueryPredicate(format, arguments: arguments) }
      #expect(error?.code == .argument)
    }
  }

  // MARK: Hostile formats

  @Test func aMillionBracketsAreReadWithoutAStackOverflow() throws {
    let depth = Effort.of(debug: 100_000, release: 500_000)
    let brackets = String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
    #expect(try QueryPredicate(brackets).description == "a == 1")
    let nots = try QueryPredicate(
      String(repeating: "NOT (", count: depth / 5) + "a == 1" + String(repeating: ")", count: depth / 5))
    #expect(nots.nodes.count == depth / 5 + 1)
    #expect(try QueryPredicate(nots.description) == nots)
    #expect(throws: QueryError.self) { try QueryPredicate(String(repeating: "(", count: depth)) }
    #expect(throws: QueryError.self) { try QueryPredicate(String(repeating: "!", count: depth)) }
  }

  @Test func deepAlternationIsPrintedParsedBoundAndAsked() throws {
    let depth = Effort.of(debug: 4_000, release: 20_000)
    let text =
      (0..<depth).map { "a == \($0) \($0 % 2 == 0 ? "OR" : "AND") (" }.joined() + "a == -1"
      + String(repeating: ")", count: depth)
    let predicate = try QueryPredicate(text)
    #expect(try QueryPredicate(predicate.description) == predicate)
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    let column = try transaction.addColumn(to: table, "a", ColumnType(.int))
    for value in [-1, 0, 4, 5] as [Int64] { try transaction.create(in: table) { try $0.set(value, column) } }
    let graph = transaction.graph
    // a == 0 OR (a == 1 AND (...)): only zero satisfies it.
    let query = try CompiledQuery(predicate, of: table, in: graph)
    #expect(Array(query.rows(in: graph)) == [ObjectKey(1)])
    #expect(!query.matches(ObjectKey(2), in: graph))
  }

  @Test func longListsAndChainsAreLinear() throws {
    let length = Effort.of(debug: 40_000, release: 200_000)
    let list = try QueryPredicate("a IN {" + (0..<length).map(String.init).joined(separator: ",") + "}")
    guard case .comparison(let comparison) = list.nodes[0], case .constant(.list(let values)) = comparison.right else {
      Issue.record("The list was not read.")
      return
    }
    #expect(values.count == length)
    let chain = try QueryPredicate(Array(repeating: "a == 1", count: length / 2).joined(separator: " AND "))
    #expect(chain.nodes.count == length - 1)
    let path = try QueryPredicate(Array(repeating: "a", count: length / 2).joined(separator: ".") + " == 1")
    #expect(path.description.utf8.count == length + 4)
  }

  @Test func nestedSubqueriesAreReadAtAnyDepth() throws {
    let depth = Effort.of(debug: 4_000, release: 100_000)
    let text =
      (0..<depth).map { "SUBQUERY(a, $v\($0), " }.joined() + "b == 1" + String(repeating: ").@count > 0", count: depth)
    let predicate = try QueryPredicate(text)
    let named =
      (0..<depth).map { "SUBQUERY(\($0 == 0 ? "" : "$v\($0 - 1).")a, $v\($0), " }.joined() + "$v\(depth - 1).b == 1"
      + String(repeating: ").@count > 0", count: depth)
    #expect(predicate.description == named)
  }

  /// Constants that may occur within another constant, each nested a hundred thousand deep.
  @Test(arguments: [
    ("id IN ", "{", "1", "}"), ("place IN ", "geoCircle(", "1", ")"), ("place IN ", "geoCircle([", "1", ", 1], 1)"),
    ("place IN ", "geoBox([", "1", ", 1], [1, 1])"), ("place IN ", "geoPolygon({[", "1", ", 1]})"),
    ("born == ", "date(", "1", ", 0)"), ("friend == ", "link(", "1", ", 1)"), ("id IN ", "{date(", "1", ", 0)}"),
  ])
  func constantsWithinConstantsAreRefusedAtAnyDepth(begin: String, open: String, core: String, close: String) {
    let count = 100_000
    for end in [String(repeating: close, count: count), ""] {
      let error = #expect(throws: QueryError.self) {
        try QueryPredicate(begin + String(repeating: open, count: count) + core + end)
      }
      #expect(error?.code == .syntax)
    }
  }

  @Test func aLongNameMakesNoLongError() throws {
    let name = String(repeating: "né", count: 50_000)
    let error = #expect(throws: QueryError.self) { try QueryPredicate("\(name) == 1 AND 'a' == 'b'") }
    #expect((error?.description.utf8.count ?? .max) < 4096)
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("T")
    for text in ["\(name) == 1", "a.\(name) > 1", "$\(name) == 1", "SUBQUERY(\(name), $x, $x.a == 1).@count > 0"] {
      let error = #expect(throws: QueryError.self) {
        try CompiledQuery(QueryPredicate(text), of: table, in: transaction.graph)
      }
      #expect((error?.description.utf8.count ?? .max) < 4096)
    }
  }

  @Test func tornAndTwistedTextsNeverTrap() throws {
    Seeds.run(count: 300) { _, random in
      var bytes = Array(random.element(of: Self.forms).0.utf8)
      for _ in 0..<(1 + random.below(4)) {
        switch random.below(4) {
        case 0: bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
        case 1: if !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        case 2:
          bytes.insert(
            random.element(of: Array("()[]{}%$#@'\"\\.,!&|<>=-+ 0aE".utf8)), at: random.below(bytes.count + 1))
        default: bytes += Array(random.element(of: Self.forms).0.utf8)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(QueryError) {
        let predicate = try QueryPredicate(text, arguments: [1])
        let printed = predicate.description
        #expect((try? QueryPredicate(printed))?.description == printed, "\(text)")
      } catch {
        #expect((error.position ?? 0) <= bytes.count * 4)
      }
    }
  }
}
