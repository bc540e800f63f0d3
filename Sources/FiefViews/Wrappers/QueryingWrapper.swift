public import Fief
public import Foundation

/// What `$dogs` of `@ObservedResults` and `$genres` of `@ObservedSectionedResults` share. Applications do not conform
/// to it.
@MainActor
public protocol _QueryingWrapper {
  /// The class of the objects, or a projection of it.
  associatedtype ResultType: RealmFetchable & KeypathSortable & ThreadConfined
  /// The results or the sections.
  associatedtype _Shown: RealmSubscribable

  /// The state of the wrapper.
  var _queried: QueriedStorage<ResultType, _Shown> { get }
}

extension _QueryingWrapper {
  /// The condition, as a predicate. Assigning evaluates the view again, and replaces a condition from `where`.
  ///
  ///     $dogs.filter = NSPredicate(format: "age > 3")
  public var filter: NSPredicate? {
    get { _queried.request.predicate }
    nonmutating set { _queried.request.setPredicate(newValue) }
  }
}

extension _QueryingWrapper where ResultType: Object {
  /// The condition. Assigning evaluates the view again, and replaces a condition from `filter`.
  ///
  ///     $dogs.where = { $0.age > 3 }
  public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
    get { _queried.request.query as? (Query<ResultType>) -> Query<Bool> }
    nonmutating set { _queried.request.setQuery(newValue) }
  }

  /// Narrows the objects by a text that a property must contain; an empty text shows all of them again.
  ///
  ///     TextField("Search", text: $text)
  ///     Button("Find") { $dogs.search(text, in: \.name) }
  ///
  /// - Parameters:
  ///   - text: the text, as a search field has it.
  ///   - keyPath: the property.
  public func search(_ text: String, in keyPath: KeyPath<ResultType, String>) {
    // Views call this in each evaluation.
    let present = _queried.request.search
    if present?.text ?? "" == text, text.isEmpty || present?.keyPath == keyPath { return }
    _queried.request.search =
      text.isEmpty
      ? nil
      : Search(text: text, keyPath: keyPath) { $0.where { $0[dynamicMember: keyPath].contains(text) } }
  }
}
