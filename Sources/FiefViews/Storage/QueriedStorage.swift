public import Fief
import FiefRuntime
import Foundation

/// The query of a wrapper to a realm.
struct QueryRequest<Element: RealmFetchable> {
  /// The realm's configuration; nil for that of the environment.
  var configuration: Realm.Configuration?
  var sortDescriptors: [Fief.SortDescriptor]
  var keyPaths: [String]?
  /// The condition as it was given: a predicate, or a closure of a query.
  private(set) var predicate: NSPredicate?
  private(set) var query: Any?
  private var condition: ((Results<Element>) -> Results<Element>)?
  /// The condition of a search field, in addition to the other.
  var search: Search<Element>?

  init(_ configuration: Realm.Configuration?, keyPaths: [String]?, sortDescriptors: [Fief.SortDescriptor]) {
    self.configuration = configuration
    self.keyPaths = keyPaths
    self.sortDescriptors = sortDescriptors
  }

  /// Replaces the condition by a predicate, or by none.
  mutating func setPredicate(_ predicate: NSPredicate?) {
    self.predicate = predicate
    query = nil
    condition = predicate.map { predicate in { $0.filter(predicate) } }
  }

  /// The objects of a realm that the request selects.
  func selected(in realm: Realm) -> Results<Element> {
    var results = realm.objects(Element.self)
    if let condition { results = condition(results) }
    if let search { results = search.apply(results) }
    return results
  }
}

extension QueryRequest where Element: Object {
  /// Replaces the condition by a query, or by none.
  mutating func setQuery(_ query: ((Query<Element>) -> Query<Bool>)?) {
    self.query = query
    predicate = nil
    condition = query.map { query in { $0.where(query) } }
  }
}

/// The condition of a search field: a property contains a text.
struct Search<Element: RealmFetchable> {
  let text: String
  let keyPath: AnyKeyPath
  let apply: (Results<Element>) -> Results<Element>
}

/// The results of a query, or their sections, followed from version to version.
///
///     request ──first use──▶ live: observed, shown as a frozen copy
///                 ▲                    │
///                 └── request changed, or realm invalidated
public final class QueriedStorage<Element: RealmFetchable & KeypathSortable, Shown: RealmSubscribable>: FollowedSource<
  Shown
>
{
  /// The request. Setting it makes views show what it selects.
  @MainActor var request: QueryRequest<Element> {
    get { present }
    set {
      present = newValue
      reset()
      announce()
    }
  }

  private var present: QueryRequest<Element>

  /// The configuration of the environment.
  @MainActor var environment: Realm.Configuration? {
    didSet { if request.configuration == nil, environment != oldValue { reset() } }
  }

  #if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))
    /// Whether an evaluation has given the environment.
    private var isPlaced = false

    /// Takes over the configuration of the environment.
    ///
    /// Outside of evaluations, as in the handler of an event, the environment has its defaults alone. These are for
    /// wrappers that no evaluation has given another environment.
    @MainActor func takeOver(_ configuration: Realm.Configuration) {
      if EnvironmentValues.evaluated != nil { isPlaced = true } else if isPlaced { return }
      environment = configuration
    }
  #endif

  private let derive: (Results<Element>, [Fief.SortDescriptor]) -> Shown
  private var live: Shown?

  /// - Parameter derive: orders the selected objects, and divides them into sections.
  init(
    _ request: QueryRequest<Element>, _ derive: @escaping (Results<Element>, [Fief.SortDescriptor]) -> Shown
  ) {
    present = request
    self.derive = derive
  }

  private func reset() {
    live = nil
    forget()
  }

  /// The realm of the query.
  @MainActor var realm: Realm { .ofView(request.configuration ?? environment ?? .defaultConfiguration) }

  /// The live results or sections.
  @MainActor var value: Shown {
    if let live, !live.isInvalidated { return live }
    forget()
    let made = derive(request.selected(in: realm), request.sortDescriptors)
    live = made
    return made
  }

  /// The value for a view, frozen.
  @MainActor var shown: Shown {
    noteRead()
    let value = value
    follow(value, keyPaths: request.keyPaths)
    return show(value)
  }

  /// The value in the state in which views were shown it last.
  @MainActor var asShown: Shown { lastShown ?? shown }
}

extension Realm {
  /// The realm of a view. Traps when it cannot be opened, as a view cannot pass the error on.
  static func ofView(_ configuration: Configuration) -> Realm {
    do {
      return try Realm(configuration: configuration)
    } catch {
      fatalError("The realm of a view could not be opened: \(error)")
    }
  }
}
