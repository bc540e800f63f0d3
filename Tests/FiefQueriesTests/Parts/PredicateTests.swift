import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues
import Testing

@Suite struct PredicateTests {
  private func age(_ value: Int64) -> QueryPredicate {
    QueryPredicate(Comparison(.path(PropertyPath("age")), .equal, .constant(.value(.int(value)))))
  }

  @Test func joiningAppendsInPostfixOrder() {
    let both = age(1) && age(2) || !age(3)
    #expect(both.description == "age == 1 AND age == 2 OR NOT age == 3")
    #expect(both.nodes.count == 6 && both.nodes.last == .or)
  }

  @Test func neutralConstantsAreLeftOut() {
    #expect((QueryPredicate(true) && age(1)) == age(1) && (age(1) && QueryPredicate(true)) == age(1))
    #expect((QueryPredicate(false) || age(1)) == age(1) && (age(1) || QueryPredicate(false)) == age(1))
    #expect((age(1) && QueryPredicate(false)).nodes.count == 3)
    #expect(QueryPredicate(true).isAlwaysTrue && !QueryPredicate(false).isAlwaysTrue && !age(1).isAlwaysTrue)
  }

  @Test func severalConditionsAreJoinedAtOnce() {
    #expect(QueryPredicate.all(of: [age(1), age(2), age(3)]) == (age(1) && age(2) && age(3)))
    #expect(QueryPredicate.any(of: [age(1), QueryPredicate(false), age(3)]) == (age(1) || age(3)))
    #expect(QueryPredicate.all(of: []).isAlwaysTrue && QueryPredicate.any(of: []) == QueryPredicate(false))
  }

  @Test func theStartsOfOperandsAreKnown() throws {
    let predicate = try QueryPredicate("a == 1 AND NOT (b == 2 OR c == 3)")
    #expect(predicate.starts == [0, 1, 2, 1, 1, 0])
    let nested = try QueryPredicate("SUBQUERY(a, $x, $x.b == 1 OR $x.c == 2).@count > 0 AND d == 1")
    #expect(nested.starts == [0, 1, 0, 0, 4, 0])
  }

  @Test func comparisonsAreReplaced() throws {
    let predicate = try QueryPredicate("a == 1 AND NOT b == 2")
    let turned = predicate.mappingComparisons { comparison in
      var comparison = comparison
      comparison.relation = .notEqual
      return comparison
    }
    #expect(turned.description == "a != 1 AND NOT b != 2")
  }

  @Test func positionsAndOriginsDoNotCount() throws {
    let one = Comparison(.path(PropertyPath("a")), .equal, .constant(1), position: 3, origins: [7])
    #expect(one == Comparison(.path(PropertyPath("a")), .equal, .constant(1)))
    #expect(one != Comparison(.path(PropertyPath("a")), .notEqual, .constant(1)))
    #expect(one != Comparison(.path(PropertyPath("a")), .equal, .constant(1), quantifier: .any))
    #expect(try QueryPredicate("  a == 1") == QueryPredicate("a == 1"))
  }

  @Test(
    arguments: zip(
      [Comparison.Operator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual],
      [Comparison.Operator.equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual]))
  func relationsTurnRound(relation: Comparison.Operator, flipped: Comparison.Operator) {
    #expect(relation.flipped == flipped && flipped.flipped == relation)
  }

  @Test(arguments: [Comparison.Operator.beginsWith, .endsWith, .contains, .like, .in, .between, .within, .fullText])
  func otherRelationsDoNot(relation: Comparison.Operator) { #expect(relation.flipped == nil) }

  @Test func variablesAreSubstituted() throws {
    let open = try ParsedQuery("age > $LEAST AND name IN {$NAME, 'x'}", keepsVariables: true).predicate
    #expect(open.description == "age > $LEAST AND name IN {$NAME, \"x\"}")
    let closed = try open.substituting(["LEAST": 3, "NAME": "Rex"])
    #expect(closed.description == "age > 3 AND name IN {\"Rex\", \"x\"}")
    #expect(throws: QueryError.self) { try open.substituting(["LEAST": 3]) }
    #expect(throws: QueryError.self) { try open.substituting(["LEAST": 3, "NAME": .list([.int(1)])]) }
  }

  @Test func theCountOfASubqueryIsSubstituted() throws {
    let open = try ParsedQuery("SUBQUERY(a, $x, $x.b == 1).@count > $N", keepsVariables: true).predicate
    #expect(try open.substituting(["N": 4]).description == "SUBQUERY(a, $x, $x.b == 1).@count > 4")
    #expect(throws: QueryError.self) { try open.substituting(["N": "four"]) }
    #expect(throws: QueryError.self) { try open.substituting([:]) }
  }

  @Test func aVariableStandsForAWholeConstant() throws {
    let open = try ParsedQuery("a IN $LIST", keepsVariables: true).predicate
    #expect(try open.substituting(["LIST": .list([.int(1), .int(2)])]).description == "a IN {1, 2}")
    #expect(try open.substituting(["LIST": .null]).description == "a IN nil")
  }

  @Test func anOpenConditionIsNotBound() throws {
    let kennel = try Kennel()
    let open = try ParsedQuery("age > $LEAST", keepsVariables: true)
    let error = #expect(throws: QueryError.self) { try CompiledQuery(open, of: kennel.dog, in: kennel.graph) }
    #expect(error?.code == .unknownProperty)
  }

  /// A tree of conditions: a leaf is a condition, or nothing.
  private indirect enum Tree {
    case leaf(QueryPredicate?)
    case joined(QueryPredicate.Node, [Tree])

    var condition: QueryPredicate? {
      QueryPredicate(tree: self) { tree in
        switch tree {
        case .leaf(let condition): condition.map { .condition($0) }
        case .joined(let joint, let trees): .joined(joint, trees)
        }
      }
    }
  }

  @Test func aTreeIsACondition() {
    let either = Tree.joined(.or, [.leaf(age(1)), .joined(.not, [.leaf(age(2))])])
    let all = Tree.joined(.and, [either, .leaf(age(3)), .leaf(age(4))])
    #expect(all.condition?.description == "(age == 1 OR NOT age == 2) AND age == 3 AND age == 4")
    #expect(Tree.leaf(age(1)).condition == age(1) && Tree.joined(.and, [.leaf(age(1))]).condition == age(1))
    #expect(Tree.joined(.and, [either, .leaf(nil)]).condition == nil && Tree.leaf(nil).condition == nil)
  }

  @Test func aTreeLeavesNeutralConstantsOut() {
    for isAnd in [true, false] {
      let joint = isAnd ? QueryPredicate.Node.and : .or
      let (neutral, other) = (Tree.leaf(QueryPredicate(isAnd)), QueryPredicate(!isAnd))
      #expect(Tree.joined(joint, [.joined(joint, [neutral, .leaf(age(1))]), neutral]).condition == age(1))
      #expect(Tree.joined(joint, [neutral, neutral, neutral]).condition == QueryPredicate(isAnd))
      #expect(Tree.joined(joint, [.leaf(age(1)), .leaf(other)]).condition?.nodes.count == 3)
    }
  }

  @Test(arguments: [
    (PropertyPath("a", "b"), "a.b"), (PropertyPath([.property("map"), .key("a\"b")]), "map[\"a\\\"b\"]"),
    (PropertyPath([.property("any"), .index(3), .anyElement]), "#any[3][*]"), (.itself, "SELF"),
    (PropertyPath([], variable: "x"), "$x"), (PropertyPath([.property("a")], variable: "x"), "$x.a"),
    (PropertyPath([.property("a"), .aggregate(.maximum), .property("b")]), "a.@max.b"),
    (PropertyPath([.property("a b"), .aggregate(.count)]), "#\"a b\".@count"), (PropertyPath([.index(1)]), "SELF[1]"),
    (PropertyPath([.property("a"), .allKeys]), "a.@allKeys"), (PropertyPath([.property("a"), .length]), "a.@length"),
    (PropertyPath([.property("limit")]), "#limit"),
  ])
  func pathsArePrinted(path: PropertyPath, text: String) { #expect(path.description == text) }

  @Test func aPathGrowsByOneStep() {
    #expect(PropertyPath("a").appending(.aggregate(.count)) == PropertyPath([.property("a"), .aggregate(.count)]))
    #expect(PropertyPath([], variable: "x").appending(.property("b")).description == "$x.b")
  }

  @Test func modifiersArePrintedInTheirOrder() throws {
    let query = ParsedQuery(
      age(1),
      [
        .sort([
          SortKey(PropertyPath("a"), ascending: false),
          SortKey(PropertyPath("b"), collation: .folded(.caseInsensitive)),
        ]),
        .distinct([PropertyPath("c")]), .limit(3), .limit(4, offset: 2),
      ])
    let text = "age == 1 SORT(a DESC, b FOLDED[c] ASC) DISTINCT(c) LIMIT(3) LIMIT(4, 2)"
    #expect(query.description == text)
    #expect(try ParsedQuery(text) == query)
  }

  @Test func aMillionConditionsAreJoinedPrintedAndParsed() throws {
    let many = QueryPredicate.any(of: (0..<20_000).map { age(Int64($0)) })
    #expect(many.nodes.count == 39_999)
    #expect(try QueryPredicate(many.description) == many)
  }
}
