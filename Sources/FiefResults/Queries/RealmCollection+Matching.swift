import FiefCopying
import FiefObjects
import FiefQueries
public import Foundation

// The first element that satisfies a condition. For a managed collection this is a query of the realm; the elements of
// an unmanaged one are tested one by one. Only elements of the collection are tested, also after a distinct.

extension RealmCollection {
  /// The position of the first element that satisfies a condition, or nil.
  ///
  ///     let position = dogs.index(matching: "name == %@", "Rex")
  ///
  /// Traps for a format that is not a condition, or does not fit the elements; the message names the position. A format
  /// for an unmanaged collection has no order and no limit.
  ///
  /// - Parameters:
  ///   - predicateFormat: the condition; `%@` stands for an argument, `%K` for one that names a property.
  ///   - args: the arguments: values, objects, collections of them, nil for null.
  /// - Complexity: that of `filter` when the collection is managed; else O(n).
  public func index(matching predicateFormat: String, _ args: Any?...) -> Int? {
    if realm == nil {
      let predicate = FormatPredicate(predicateFormat, args)
      return withExtendedLifetime(predicate) { firstIndex(satisfying: predicate.condition) }
    }
    return firstIndex(in: QueryError.trapping { try asBase.filtered(predicateFormat, args) })
  }

  /// The position of the first element that satisfies a condition, or nil.
  ///
  ///     let position = dogs.index(matching: { $0.age > 2 })
  ///
  /// - Complexity: that of `where` when the collection is managed; else O(n).
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    if realm == nil { return firstIndex(satisfying: isIncluded(Query<Element>()).predicate) }
    return firstIndex(in: asBase.where(isIncluded))
  }

  /// The first element that satisfies a condition, or nil. A closure that the store cannot evaluate, such as
  /// `{ $0.name.hasPrefix("R") }`, is that of `Sequence.first(where:)`, which tests the elements one by one.
  ///
  ///     let old = dogs.first(where: { $0.age > 9 })
  ///
  /// - Complexity: that of `where` when the collection is managed; else O(n).
  public func first(where isIncluded: (Query<Element>) -> Query<Bool>) -> Element? {
    if realm == nil { return index(matching: isIncluded).map { self[$0] } }
    return asBase.where(isIncluded).first
  }

  /// The position of the first element that satisfies a predicate of Foundation, or nil; otherwise as `filter(_:)`.
  ///
  ///     let position = dogs.index(matching: #Predicate<Dog> { $0.age > 2 })
  ///
  /// An element of an unmanaged collection for which the predicate throws does not satisfy it.
  public func index(matching predicate: Predicate<Element>) -> Int? {
    if realm != nil { return firstIndex(in: asBase.filter(predicate)) }
    return firstIndex { (try? predicate.evaluate($0)) ?? false }
  }

  /// The position of the first element that satisfies a predicate of Foundation, or nil; otherwise as `filter(_:)`.
  ///
  ///     let position = dogs.index(matching: NSPredicate(format: "age > %@", 2))
  public func index(matching predicate: NSPredicate) -> Int? {
    if realm != nil { return firstIndex(in: asBase.filter(predicate)) }
    let parts = PredicateParts(predicate)
    return firstIndex { parts.isTrue(of: flattened($0)) }
  }

  private var asBase: Results<Element> { Results(_asResults().core.asBase) }

  private func firstIndex(in found: Results<Element>) -> Int? { found.first.flatMap { index(of: $0) } }

  /// The position of the first unmanaged element that satisfies a condition. Traps when it does not fit the elements.
  private func firstIndex(satisfying condition: QueryPredicate) -> Int? {
    let question = ElementCondition(condition)
    return firstIndex { element in QueryError.trapping { try question.isTrue(of: element) } }
  }
}
