import FiefGraph
import FiefQueries

/// The elements of a collection that have one value of a property.
///
///     for group in persons.grouped(by: \.city) {
///       print(group.key, group.count, group.elements.average(of: \.age) ?? 0)
///     }
public struct ResultsGroup<Key: _Persistable, Element: ObjectBase> {
  /// The value that they share.
  public let key: Key
  /// How many they were when the groups were made.
  public let count: Int
  private let rows: ContiguousArray<ObjectKey>
  private let value: StoredValue
  private let path: PropertyPath
  private let core: ResultsCore
  /// The session's number of changes when the groups were made.
  private let changes: UInt64

  init(_ group: RowGroup, _ path: PropertyPath, _ core: ResultsCore, _ changes: UInt64) {
    value = group.key.first ?? .null
    key = Key._fromStored(value, core.context)
    count = group.count
    rows = group.rows
    self.path = path
    self.core = core
    self.changes = changes
  }

  /// The elements in the order of the collection, live: a query for those that have the value. It is not asked anew before the realm
  /// changes.
  public var elements: Results<Element> {
    let same = QueryPredicate(Comparison(.path(path), .equal, .constant(.value(value))))
    let found = core.requiring { $0.predicate = $0.predicate && same }
    found.presume(.keys(rows), changes)
    return Results(found)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The elements grouped by the value of a property, as they are now. Groups ascend by their values; null is before everything.
  ///
  ///     let oldest = persons.where { $0.isActive }.grouped(by: \.city).map { ($0.key, $0.elements.max(of: \.age)) }
  ///
  /// - Parameter keyPath: the property, or one over links to one object: a value, no collection.
  /// - Complexity: O(n), O(n log n) for values that are no numbers, dates or texts. No objects are made.
  ///
  /// Traps when the collection is unmanaged, for a path that leads to several values, and for objects of several classes.
  public func grouped<Key: _Persistable>(by keyPath: KeyPath<Element, Key>) -> [ResultsGroup<Key, Element>] {
    let core = _asResults().core
    core.session.checkConfinement()
    guard let table = core.base.table else {
      fatalError("Objects of several classes cannot be grouped: group those of each class.")
    }
    let path = PropertyPath(text: _name(for: keyPath))
    do {
      let query = try GroupQuery(
        by: [path], of: table, in: core.session.store.published.current,
        catalog: StoreCatalog(store: core.session.store))
      let changes = core.session.changes
      let rows = ResultsBase.view(core).keys(core.session)
      let groups = core.session.read { query.groups(in: $0, among: rows) }
      return groups.map { ResultsGroup($0, path, core, changes) }
    } catch {
      error.trap()
    }
  }
}
