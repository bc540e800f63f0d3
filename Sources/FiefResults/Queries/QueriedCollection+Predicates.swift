import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions
public import Foundation

// Beside `filter` of `Sequence`.
extension RealmCollection {
  /// The elements that satisfy a predicate of Foundation, live.
  ///
  ///     let known = realm.objects(Dog.self).filter(#Predicate<Dog> { $0.age > 2 && $0.name.starts(with: "R") })
  ///
  /// A predicate that stores can evaluate is translated: comparisons of persisted properties with values and with each
  /// other, optional chains, `??`, ranges, `contains`, `starts(with:)`, conditions on elements of collections, and
  /// their logic. Strings are then compared byte by byte, as in all queries, and objects by row. Swift evaluates any
  /// other predicate (one with a computed property or arithmetic, for example), object by object; elements for which it
  /// throws are not among the results. `explain()` shows which way was taken.
  ///
  /// - Complexity: as `where` when it is translated; else linear, with an object made for each element.
  public func filter(_ predicate: Predicate<Element>) -> Results<Element> {
    let core = _asResults().core
    if let condition = PredicateTranslation.condition(of: predicate),
      let translated = try? core.adding(ParsedQuery(condition))
    {
      return Results(translated)
    }
    return Results(core.testing { (element: Element) in (try? predicate.evaluate(element)) ?? false })
  }
}

extension _QueriedCollection {
  /// The elements that satisfy a predicate of Foundation, live.
  ///
  ///     let old = NSPredicate(format: "age > %@", 9)
  ///     let named = NSPredicate(format: "name BEGINSWITH %@", "R")
  ///     let both = dogs.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [old, named]))
  ///
  /// A predicate that was made from a format is evaluated like the format, by indexes if there are any, and traps where
  /// `filter(_:_:)` does; so are compounds of such predicates. A predicate that was made from a block is evaluated
  /// element by element. In a compound that joins it with others by AND, it is evaluated only for the elements that
  /// satisfy the others.
  ///
  /// - Complexity: that of `filter(_:_:)` for a format; O(n) for a block, with an object made for each element.
  public func filter(_ predicate: NSPredicate) -> Results<_ObservedElement> {
    Results(_asResults().core.filtered(by: predicate, of: _ObservedElement.self))
  }
}

extension ResultsStorage {
  /// The elements for which a test of the program is true.
  func testing<Element: RealmCollectionValue>(_ test: @escaping (Element) -> Bool) -> ResultsStorage {
    if isNothing { return self }
    session.checkConfinement()
    let base = ResultsSource.view(self) { core in
      var elements = RLMIterator<Element>(walk: core.walkUnnoted(), context: core.context)
      func passes() -> Bool { elements.next().map(test) ?? false }
      if core.givesRows { return .keys(core.contents().keys.filter { _ in passes() }) }
      return .values(core.storedValuesUnnoted.filter { _ in passes() })
    }
    return ResultsStorage(session, of: base, isMapped: isMapped)
  }

  fileprivate func filtered<Element: RealmCollectionValue>(
    by predicate: NSPredicate, of type: Element.Type
  ) -> ResultsStorage {
    if isNothing { return self }
    let (condition, rest) = PredicateParts(predicate).split
    let asked = condition.isAlwaysTrue ? self : requiring(format: condition)
    guard let rest else { return asked }
    return asked.testing { (element: Element) in rest.isTrue(of: flattened(element)) }
  }

  /// The elements that satisfy the condition of a format, which is independent of the class. Traps for mistakes in it.
  private func requiring(format condition: QueryPredicate) -> ResultsStorage {
    QueryError.trapping {
      try adding(ParsedQuery(try MemberWriting.written(condition, asking: base.queriedModel)))
    }
  }
}

extension ResultsSource {
  /// The class that defines names for the elements; of several classes, the first. Nil for values.
  var queriedModel: ModelClass? { union?.first?.model ?? rowClass?.model }
}
