import FiefGraph
import FiefQueries
import Foundation
import Testing

private struct Owner {
  var name = ""
}

private struct Dog {
  var name = ""
  var nick: String?
  var age = 0
  var weight = 0.0
  var isTame = false
  var scores: [Int] = []
  var friends: [Owner] = []
  var owner: Owner?
  var secret: Int { age * 2 }
}

/// The meaning of the types above.
private struct Words: PredicateVocabulary {
  func constant(_ value: Any?) -> QueryOperand? {
    switch value {
    case nil: QueryOperand(.null)
    case let value as Int: QueryOperand(.value(.int(Int64(value))))
    case let value as String: QueryOperand(.value(.string(value)))
    case let value as Double: QueryOperand(.value(.double(value)))
    case let value as Bool: QueryOperand(.value(.bool(value)))
    case let values as [Int]: QueryOperand(.list(values.map { .int(Int64($0)) }))
    default: nil
    }
  }

  func meaning(of keyPath: AnyKeyPath, from type: Any.Type) -> KeyPathMeaning? {
    switch keyPath {
    case \Dog.name, \Owner.name: .property("name")
    case \Dog.nick: .property("nick")
    case \Dog.age: .property("age")
    case \Dog.weight: .property("weight")
    case \Dog.isTame: .property("isTame")
    case \Dog.scores: .property("scores")
    case \Dog.friends: .property("friends")
    case \Dog.owner: .property("owner")
    case \[Int].count, \[Owner].count: .count
    case \[Int].isEmpty, \[Owner].isEmpty: .isEmpty
    default: nil
    }
  }

  func isObject(_ type: Any.Type) -> Bool { type == Owner.self || type == Dog.self }
  func isCollection(_ type: Any.Type) -> Bool { type == [Int].self || type == [Owner].self }
  func isFloating(_ type: Any.Type) -> Bool { type == Double.self }
}

/// Predicates of Foundation as conditions.
@Suite struct TranslatingTests {
  private func text(_ predicate: Predicate<Dog>) -> String? {
    PredicateTranslation.condition(of: predicate, Words())?.description
  }

  @Test func comparisonsWithConstants() {
    #expect(text(#Predicate { $0.age > 3 }) == "age > 3")
    #expect(text(#Predicate { 3 > $0.age }) == "age < 3")
    #expect(text(#Predicate { $0.name == "Rex" }) == "name == \"Rex\"")
    #expect(text(#Predicate { $0.nick == nil }) == "nick == nil")
    #expect(text(#Predicate { $0.age != 3 }) == "age != 3")
  }

  @Test func logicIsJoined() {
    #expect(
      text(#Predicate { $0.age > 3 && !($0.name == "a" || $0.name == "b") })
        == "age > 3 AND NOT (name == \"a\" OR name == \"b\")")
    #expect(text(#Predicate { $0.isTame }) == "isTame == TRUE")
    #expect(text(#Predicate { !$0.isTame }) == "NOT isTame == TRUE")
    #expect(text(#Predicate { _ in true }) == "TRUEPREDICATE")
  }

  @Test func propertiesCompareWithEachOther() {
    #expect(text(#Predicate { $0.nick == $0.owner?.name }) == "nick == owner.name")
  }

  @Test func pathsLeadOverOptionals() {
    #expect(text(#Predicate { $0.owner?.name == "Ann" }) == "owner.name == \"Ann\"")
    #expect(text(#Predicate { ($0.nick ?? "x") == "x" }) == "nick != nil AND nick == \"x\" OR NOT nick != nil")
  }

  @Test func collectionsHaveCountsAndMembers() {
    #expect(text(#Predicate { $0.scores.count > 2 }) == "scores.@count > 2")
    #expect(text(#Predicate { $0.scores.isEmpty }) == "scores.@count == 0")
    #expect(text(#Predicate { $0.scores.contains(3) }) == "ANY scores == 3")
    #expect(text(#Predicate { $0.scores.contains { $0 > 3 } }) == "ANY scores > 3")
    #expect(
      text(#Predicate { $0.friends.contains { $0.name == "Ann" } })
        == "SUBQUERY(friends, $element1, $element1.name == \"Ann\").@count > 0")
  }

  @Test func elementsThatSatisfyAreCounted() {
    #expect(
      text(#Predicate { $0.friends.filter { $0.name == "A" }.count > 1 })
        == "SUBQUERY(friends, $element1, $element1.name == \"A\").@count > 1")
  }

  @Test func textsHaveParts() {
    #expect(text(#Predicate { $0.name.starts(with: "R") }) == "name BEGINSWITH \"R\"")
    #expect(text(#Predicate { $0.name.isEmpty }) == "name == \"\"")
  }

  @Test func constantsContainProperties() {
    let ages = [1, 2]
    #expect(text(#Predicate { ages.contains($0.age) }) == "age IN {1, 2}")
    #expect(text(#Predicate { (1..<5).contains($0.age) }) == "age >= 1 AND age < 5")
    #expect(text(#Predicate { (1...5).contains($0.age) }) == "age >= 1 AND age <= 5")
  }

  @Test func fractionsAreOrderedAsSwiftOrdersThem() {
    #expect(text(#Predicate { $0.weight > 1.5 }) == "weight > 1.5")
    #expect(text(#Predicate { $0.weight < 1.5 }) == "weight >= -inf AND weight < 1.5")
    let noNumber = Double("nan") ?? 0
    #expect(text(#Predicate { $0.weight == noNumber }) == nil)
    #expect(text(#Predicate { $0.weight < $0.weight }) == nil)
  }

  @Test func whatNoQueryMeansIsNotTranslated() {
    #expect(text(#Predicate { $0.secret > 3 }) == nil)
    #expect(text(#Predicate { $0.age + 1 > 3 }) == nil)
    #expect(text(#Predicate { $0.age > 3 && $0.secret > 3 }) == nil)
    #expect(text(#Predicate { $0.name.count > 3 }) == nil)
  }
}
