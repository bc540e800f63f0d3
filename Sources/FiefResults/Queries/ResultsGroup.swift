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

  /// - Parameters:
  ///   - value: the value of the property at the end of `path`.
  ///   - rows: the elements of `all` that had it at a moment.
  fileprivate init(
    _ value: StoredValue, at path: PropertyPath, rows: ResultsContents, of all: ResultsStorage, at stamp: VersionStamp
  ) {
    key = Key._fromStored(value, all.context)
    count = rows.count
    members = GroupMembers {
      let condition = QueryPredicate(Comparison(.path(path), .equal, .constant(.value(value))))
      let found = all.asBase.requiring(ParsedQuery(condition))
      found.presume(rows, stamp)
      return found
    }
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
  // Groups of a frozen collection may be used by many threads.
  private let make: UncheckedBox<() -> ResultsStorage>
  private let made = Mutex<UncheckedBox<ResultsStorage>?>(nil)

  init(_ make: @escaping () -> ResultsStorage) { self.make = UncheckedBox(make) }

  var core: ResultsStorage {
    made.withLock { made in
      let core = made?.value ?? make.value()
      core.checkPresence()
      made = UncheckedBox(core)
      return core
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
    if core.isNothing { return [] }
    core.checkUseOfValues()
    let path = PropertyPath(text: _name(for: keyPath))
    let session = core.session
    let catalog = StoreCatalog(store: session.store)
    let stamp = session.validity.stamp
    let start = LoggedTime.now
    let query = QueryError.trapping {
      try GroupQuery(by: [path], of: core.base.tables ?? [], in: session.layout, catalog: catalog)
    }
    let groups: [(value: StoredValue?, rows: ResultsContents)]
    if core.base.table != nil {
      let keys = core.contents().keys
      groups = session.read { query.groups(in: $0, among: keys) }.map { ($0.key.first, .keys($0.rows)) }
    } else {
      let links = core.presentLinks
      groups = session.read { query.groups(in: $0, among: links) }.map { ($0.key.first, ResultsContents($0.rows)) }
    }
    session.report("Grouping", since: start) {
      "\(groups.count) groups of \(groups.reduce(0) { $0 + $1.rows.count }) elements, by '\(path)'."
    }
    return groups.map { ResultsGroup($0.value ?? .null, at: path, rows: $0.rows, of: core, at: stamp) }
  }
}
