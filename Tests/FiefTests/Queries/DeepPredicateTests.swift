import RealmSwift
import Testing

private class Cat: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var any: AnyRealmValue
  @Persisted var kittens: List<Cat>
}

/// Conditions and their arguments may have any depth.
@Suite(.serialized) struct DeepPredicateTests {
  private static let depth = 10_000

  private func cats() throws -> Results<Cat> {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Cat.self]))
    try realm.write { for id in 0..<3 { realm.create(Cat.self, value: ["id": id, "name": "c\(id)"]) } }
    return realm.objects(Cat.self)
  }

  /// Calls `body` with a deeply nested predicate. Foundation frees nests by recursion, so `levels` holds each level and
  /// releases the outermost first, while the others are still held.
  private func withNest(
    of innermost: NSPredicate, _ outer: (NSPredicate, Int) -> NSPredicate, _ body: (NSPredicate) throws -> Void
  ) rethrows {
    var levels = [innermost]
    for level in 0..<Self.depth { levels.append(outer(levels[level], level)) }
    defer { while levels.popLast() != nil {} }
    try body(levels[Self.depth])
  }

  @Test func compoundsOfAnyDepthAreAsked() throws {
    let all = try cats()
    let (one, positive) = (NSPredicate(format: "id == 1"), NSPredicate(format: "id >= 0"))
    withNest(of: one, { inner, _ in NSCompoundPredicate(notPredicateWithSubpredicate: inner) }) {
      #expect(all.filter($0).map(\.id) == [1])
      #expect(all.index(matching: $0) == 1)
    }
    withNest(of: one, { inner, _ in NSCompoundPredicate(andPredicateWithSubpredicates: [inner, positive]) }) {
      #expect(all.filter($0).map(\.id) == [1])
    }
    withNest(of: one, { inner, _ in NSCompoundPredicate(andPredicateWithSubpredicates: [positive, inner, positive]) }) {
      #expect(all.filter($0).map(\.id) == [1])
    }
    withNest(
      of: one,
      { inner, level in
        NSCompoundPredicate(orPredicateWithSubpredicates: [
          NSPredicate(format: "id == %d", level + 10), inner,
        ])
      }
    ) { #expect(all.filter($0).map(\.id) == [1]) }
  }

  @Test func compoundsWithBlocksOfAnyDepthAreEvaluated() throws {
    let all = try cats()
    let block = NSPredicate { object, _ in (object as? Cat)?.id == 1 }
    withNest(of: block, { inner, _ in NSCompoundPredicate(notPredicateWithSubpredicate: inner) }) {
      #expect(all.filter($0).map(\.id) == [1])
    }
    let positive = NSPredicate(format: "id >= 0")
    withNest(of: block, { inner, _ in NSCompoundPredicate(andPredicateWithSubpredicates: [positive, inner]) }) {
      #expect(all.filter($0).map(\.id) == [1])
      #expect(all.index(matching: $0) == 1)
    }
  }

  @Test func variablesAreSubstitutedAtAnyDepth() throws {
    let all = try cats()
    withNest(
      of: NSPredicate(format: "id == $id"), { inner, _ in NSCompoundPredicate(notPredicateWithSubpredicate: inner) }
    ) { nest in
      let made = nest.withSubstitutionVariables(["id": 2])
      #expect(all.filter(made).map(\.id) == [2])
      // The substituted predicate is released from the outside, too.
      var levels: [NSPredicate] = [made]
      while let next = (levels.last as? NSCompoundPredicate)?.subpredicates.first { levels.append(next) }
      levels.reverse()
      while levels.popLast() != nil {}
    }
  }

  @Test func longFormatsArePredicatesOfTheirOwn() throws {
    let all = try cats()
    let text = String(repeating: "NOT (", count: Self.depth) + "id == 1" + String(repeating: ")", count: Self.depth)
    let predicate = NSPredicate(format: text)
    #expect(all.filter(predicate).map(\.id) == [1])
    #expect(predicate.evaluate(with: all[1]) && predicate.evaluate(with: Cat(value: ["id": 1])))
    #expect(predicate == NSPredicate(format: text) && predicate.hash == NSPredicate(format: text).hash)
    #expect((predicate.copy() as? NSPredicate) === predicate && "\(predicate)".utf8.count > Self.depth)
    #expect(all.filter(predicate.withSubstitutionVariables(["x": 1])).count == 1)
  }

  @Test func typedConditionsOfAnyDepthAreAskedAndFreed() throws {
    let all = try cats()
    #expect(
      all.where { cat in (0..<Self.depth).reduce(cat.id == 1) { inner, _ in !(inner && cat.id >= 0) } }.count == 1)
    #expect(
      all.where { cat in (0..<Self.depth).reduce(cat.id == 1) { inner, level in cat.id == -level - 1 || inner } }
        .map(\.id) == [1])
    #expect(
      all.where { cat in
        (0..<Self.depth).reduce(cat.kittens.id == 1) { inner, _ in inner && cat.kittens.id >= 0 }.count == 0
      }.count == 3)
  }

  /// Foundation represents such a tree as a value of an equally deep type, and copies and frees it by recursion. This
  /// depth does not overflow the stack.
  @Test func predicatesOfSwiftAreTranslatedWithoutRecursionOverTheirLogic() throws {
    let all = try cats()
    func negated(_ expression: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<Bool> {
      PredicateExpressions.build_Negation(expression)
    }
    let predicate = Predicate<Cat> { cat in
      var expression: any StandardPredicateExpression<Bool> = PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: PredicateExpressions.build_Arg(cat), keyPath: \.id),
        rhs: PredicateExpressions.build_Arg(1))
      for _ in 0..<200 { expression = negated(expression) }
      return expression
    }
    #expect(all.filter(predicate).map(\.id) == [1])
    #expect(all.filter(predicate).explain().contains("one by one") == false)
  }

  @Test func nestsAreNoArguments() throws {
    let all = try cats()
    let ends: [NSMutableArray] = (0...Self.depth).map { _ in NSMutableArray() }
    for (inner, outer) in zip(ends, ends.dropFirst()) { outer.add(inner) }
    let sets: [NSMutableSet] = (0...Self.depth).map { _ in NSMutableSet() }
    for (inner, outer) in zip(sets, sets.dropFirst()) { outer.add(inner) }
    let ordered: [NSMutableOrderedSet] = (0...Self.depth).map { _ in NSMutableOrderedSet() }
    for (inner, outer) in zip(ordered, ordered.dropFirst()) { outer.add(inner) }
    let dictionaries: [NSMutableDictionary] = (0...Self.depth).map { _ in NSMutableDictionary() }
    for (inner, outer) in zip(dictionaries, dictionaries.dropFirst()) { outer["k"] = inner }
    let itself = NSMutableArray()
    itself.add(itself)
    let setOfItself = NSMutableOrderedSet()
    setOfItself.add(setOfItself)
    let own = NSMutableDictionary()
    own["k"] = own
    defer {
      for array in ends + [itself] { array.removeAllObjects() }
      for set in sets { set.removeAllObjects() }
      for set in ordered + [setOfItself] { set.removeAllObjects() }
      for dictionary in dictionaries + [own] { dictionary.removeAllObjects() }
    }
    let nests: [Any] = [
      ends[Self.depth], sets[Self.depth], ordered[Self.depth], dictionaries[Self.depth], itself, setOfItself, own,
    ]
    for nest in nests + nests.map({ [$0] }) + nests.map({ ["k": $0] }) {
      for format in ["id == %@", "id IN %@", "id BETWEEN %@", "name CONTAINS %@", "ANY kittens IN %@", "any == %@"] {
        let error = #expect(throws: Realm.Error.self) { _ = try all.filter(parsing: format, nest) }
        #expect("\(error as Any)".utf8.count < 4096)
        #expect(throws: Realm.Error.self) { _ = try FormatPredicate(parsing: format, nest) }
      }
    }
  }

  @Test(arguments: 0..<3) func nestsAreNoValuesOfVariables(_ kind: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      let itself = NSMutableArray()
      itself.add(itself)
      let ordered = NSMutableOrderedSet()
      ordered.add(ordered)
      var array: [Any] = []
      for _ in 0..<10_000 { array = [array] }
      let nest: Any = [itself, ordered, array][kind]
      _ = NSPredicate(format: "id IN $ids").withSubstitutionVariables(["ids": nest])
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("A query cannot compare"))
  }
}
