import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions
import Synchronization

/// The elements of a collection that have one value of a property.
///
///     for group in persons.grouped(by: \.city) {
///       print(group.key, group.count, group.elements.average(of: \.age) ?? 0)
///     }
public struct ResultsGroup<Key: _Persistable, Element: ObjectBase> {
  /// The value that the elements share.
  public let key: Key
  /// The number of elements when the groups were made.
  ///
  ///     let largest = persons.grouped(by: \.city).max { $0.count < $1.count }
  public let count: Int
  private let members: GroupMembers

  init(
    _ value: StoredValue, _ rows: ResultsContents, _ path: PropertyPath, _ core: ResultsStorage, _ stamp: VersionStamp
  ) {
    key = Key._fromStored(value, core.context)
    count = rows.count
    members = GroupMembers(value, rows, path, core, stamp)
  }

  /// The elements in the order of the collection, live: a query for the elements with the value.
  ///
  ///     for group in persons.grouped(by: \.city) {
  ///       print(group.key, group.elements.sorted(by: \.name).map { $0.name })
  ///     }
  ///
  /// The elements are known from the grouping, so that this evaluates nothing before the realm changes.
  public var elements: Results<Element> { Results(members.core) }
}

/// The elements of one group: a view that is made at its first use and then kept, because most groups are counted only.
private final class GroupMembers: Sendable {
  /// What the view is made from.
  private struct Recipe {
    let value: StoredValue
    /// The rows of the elements when the groups were made.
    let rows: ResultsContents
    let path: PropertyPath
    let all: ResultsStorage
    /// The moment at which the groups were made.
    let stamp: VersionStamp

    var core: ResultsStorage {
      let same = QueryPredicate(Comparison(.path(path), .equal, .constant(.value(value))))
      let found = all.requiring(ParsedQuery(same))
      found.presume(rows, stamp)
      return found
    }
  }

  private enum State {
    case recipe(Recipe)
    case made(ResultsStorage)
  }

  /// Groups of a frozen collection may be used by many threads.
  private let state: Mutex<UncheckedBox<State>>

  init(
    _ value: StoredValue, _ rows: ResultsContents, _ path: PropertyPath, _ all: ResultsStorage, _ stamp: VersionStamp
  ) {
    state = Mutex(
      UncheckedBox(.recipe(Recipe(value: value, rows: rows, path: path, all: all, stamp: stamp))))
  }

  var core: ResultsStorage {
    state.withLock { state in
      switch state.value {
      case .made(let core):
        core.checkPresence()
        return core
      case .recipe(let recipe):
        let core = recipe.core
        state = UncheckedBox(.made(core))
        return core
      }
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The elements grouped by the present value of a property. Groups ascend by their values; null comes before every
  /// other value.
  ///
  ///     let oldest = persons.where { $0.isActive }.grouped(by: \.city).map { ($0.key, $0.elements.max(of: \.age)) }
  ///
  /// Objects of several classes (`includingSubclasses`) are grouped together, by a property that all of the classes
  /// have.
  ///
  /// Traps when the collection is unmanaged, and for a path that leads to several values.
  ///
  /// - Parameter keyPath: the property, or a path over links to one object: a value, not a collection.
  /// - Returns: a group for each value, made for this moment; the elements of each are live.
  /// - Complexity: O(n) for numbers, dates and strings, O(n log n) for other values. No objects are made.
  public func grouped<Key: _Persistable>(by keyPath: KeyPath<Element, Key>) -> [ResultsGroup<Key, Element>] {
    let core = _asResults().core
    core.checkUseOfValues()
    let path = PropertyPath(text: _name(for: keyPath))
    let session = core.session
    let catalog = StoreCatalog(store: session.store)
    let stamp = session.validity.stamp
    let start = LoggedTime.now
    func report(_ groups: Int, _ rows: Int) {
      session.report("Grouping", since: start) { "\(groups) groups of \(rows) elements, by '\(path)'." }
    }
    do {
      let query = try GroupQuery(by: [path], of: core.base.tables ?? [], in: session.layout, catalog: catalog)
      if core.base.table != nil {
        let rows = core.show().keys
        let groups = session.read { query.groups(in: $0, among: rows) }
        report(groups.count, rows.count)
        return groups.map { ResultsGroup($0.key.first ?? .null, .keys($0.rows), path, core, stamp) }
      }
      let rows = core.presentLinks
      let groups = session.read { query.groups(in: $0, among: rows) }
      report(groups.count, rows.count)
      return groups.map { ResultsGroup($0.key.first ?? .null, ResultsContents($0.rows), path, core, stamp) }
    } catch {
      error.trap()
    }
  }
}
