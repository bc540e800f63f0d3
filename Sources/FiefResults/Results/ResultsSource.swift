import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime
import FiefSessions

/// The source of the elements of `Results`.
enum ResultsSource {
  /// All objects of a class. The store retains the binding, so no reference is counted, as every lookup makes a view.
  case table(Borrowed<ClassBinding>)
  /// A list, a set, or the values of a map.
  indirect case collection(CollectionLocation)
  /// The objects of a class that link to a row by a column, once for each link.
  indirect case backlinks(ClassBinding, ColumnKey, ObjectLink)
  /// All objects of several classes: a class and its subclasses.
  case union([ClassBinding])
  /// The elements of other results, or those of them for which a test of the application returns true.
  indirect case view(ResultsStorage, passing: ((ResultsStorage) -> ResultsContents)? = nil)

  /// The class of the elements, when all of them are objects and none is null.
  var rowClass: ClassBinding? {
    switch self {
    case .table(let binding): binding.counted
    case .backlinks(let binding, _, _): binding
    case .collection(let location):
      location.type.kind == .link && location.type.shape != .dictionary ? location.target : nil
    case .union: nil
    case .view(let core, _): core.base.rowClass
    }
  }

  /// The class whose property names apply to all rows of its table; nil when another class of the table may define them
  /// differently.
  var namingClass: Borrowed<ClassBinding>? {
    if case .table(let binding) = self, binding.with({ $0.definesNames }) { return binding }
    return nil
  }

  /// The base below the views.
  private var origin: ResultsSource {
    var origin = self
    while case .view(let core, _) = origin { origin = core.base }
    return origin
  }

  /// The collection that contains the elements, if it is one.
  private var collection: CollectionLocation? { if case .collection(let location) = origin { location } else { nil } }

  /// The class that links among the elements point at.
  var target: ClassBinding? { collection.map(\.target) ?? rowClass }

  /// The classes that the elements may have if they are objects; empty for any-values.
  var classes: [ClassBinding] { union ?? target.map { [$0] } ?? [] }

  /// The classes, if the elements are objects of several.
  var union: [ClassBinding]? { if case .union(let bindings) = origin { bindings } else { nil } }

  /// The table of the elements, if they are objects, or objects and nulls.
  var table: TableKey? {
    if let type = collection?.type { return type.kind == .link ? type.target : nil }
    return rowClass?.table
  }

  /// The tables of the elements, if they are objects, or objects and nulls.
  var tables: [TableKey]? { table.map { [$0] } ?? union?.map(\.table) }

  /// The column type of the collection that contains the elements.
  var elementType: ColumnType { collection?.type ?? ColumnType(.link) }

  /// The row without which there are no elements; nil when there is no such row.
  var owner: ObjectLink? {
    switch origin {
    case .collection(let location): location.cell.object
    case .backlinks(_, _, let target): target
    case .table, .union, .view: nil
    }
  }

  /// Whether the elements are all rows of their tables.
  var isWhole: Bool {
    switch self {
    case .table, .union: true
    case .collection, .backlinks, .view: false
    }
  }

  /// The base in another session of the store.
  func moved(to session: Session) -> ResultsSource {
    switch self {
    case .collection(let location): .collection(CollectionLocation(session, location))
    case .view(let core, let passing): .view(core.moved(to: session), passing: passing)
    case .table, .union, .backlinks: self
    }
  }

  /// Whether the collection or the object that contains the elements exists.
  func isValid(_ session: Session) -> Bool {
    switch self {
    case .table, .union: true
    case .view(let core, _): !core.isInvalidated
    case .collection(let location): location.isValid
    case .backlinks(_, _, let target): !session.isClosed && session.read { $0.contains(target) }
    }
  }

  /// All elements; none when the list or object was deleted.
  func all(_ session: Session) -> ResultsContents {
    if case .view(let core, let passing) = self {
      return passing.map { passing in session.withoutTracking { passing(core) } } ?? core.contents()
    }
    return session.read { graph in
      switch self {
      case .table(let binding):
        let table = binding.with { $0.table }
        return .table(TablePositions(graph[table], table, at: session.validity.present))
      case .collection(let location):
        guard let contents = graph.collection(location.cell) else { return .values([]) }
        if rowClass != nil { return .keys(ContiguousArray(contents.rowKeys.lazy.map { ObjectKey($0) })) }
        return .values(contents.values(from: 0, atMost: contents.count, as: location.type))
      case .backlinks(let binding, let column, let target):
        return .backlinks(graph[target.table]?.backlinks(to: target.key, from: binding.table, column))
      // A union always has a query, which may select everything.
      case .union, .view: return .values([])
      }
    }
  }
}

/// The elements of `Results` at one moment.
enum ResultsContents {
  /// All rows of a table.
  case table(TablePositions)
  /// Rows in the order of their keys.
  case selection(RowSelection)
  /// Rows in a query's order.
  case keys(ContiguousArray<ObjectKey>)
  /// The rows that link to one row.
  case backlinks(BacklinkBag?)
  /// Stored values; rows of several tables are links.
  case values(ContiguousArray<StoredValue>)

  var count: Int {
    switch self {
    case .table(let positions): positions.rows.count
    case .keys(let keys): keys.count
    case .selection(let rows): rows.count
    case .backlinks(let bag): bag?.count ?? 0
    case .values(let values): values.count
    }
  }

  /// The row at a valid position.
  func key(at position: Int) -> ObjectKey {
    switch self {
    case .table(let positions): return positions.rows[position]
    case .keys(let keys): return keys[position]
    case .selection(let rows): return rows[position]
    case .backlinks(let bag): return unsafe bag.unsafelyUnwrapped[position]
    case .values: fatalError("Values were taken for objects.")
    }
  }

  /// The keys of all rows that are not null, in order.
  var keys: ContiguousArray<ObjectKey> {
    switch self {
    case .table(let positions): positions.rows.keys
    case .keys(let keys): keys
    case .selection(let rows): rows.keys
    case .backlinks(let bag): ContiguousArray(bag.map { bag in (0..<bag.count).map { bag[$0] } } ?? [])
    case .values(let values): ContiguousArray(values.lazy.compactMap { $0.linked?.key })
    }
  }

  /// The value at a valid position.
  ///
  /// - Parameter binding: the class of rows that are read as values.
  func value(at position: Int, of binding: ClassBinding?) -> StoredValue {
    if case .values(let values) = self { return values[position] }
    return binding.map { .link(ObjectLink($0.table, key(at: position))) } ?? .null
  }

  /// All values.
  ///
  /// - Parameter binding: the class of rows that are read as values; nil when the elements are no such rows.
  func values(of binding: ClassBinding?) -> ContiguousArray<StoredValue> {
    if case .values(let values) = self { return values }
    guard let table = binding?.table else { return [] }
    return ContiguousArray(keys.lazy.map { .link(ObjectLink(table, $0)) })
  }

  /// Whether these are the positions of a whole table, and still valid.
  func isPresent(_ session: Session) -> Bool {
    guard case .table(let positions) = self else { return false }
    return positions.isPresent(session)
  }

  /// The source of rows for a walk.
  func source(_ session: Session) -> RowWalk.Source {
    switch self {
    case .table(let positions):
      return session.snapshot[positions.table].map { .table($0.rows) } ?? .none
    case .keys(let keys): return .keys(keys)
    case .selection(let rows): return .keys(rows.keys)
    case .backlinks(.one(let key)): return .keys([key])
    case .backlinks(.many(let keys)): return .tree(keys)
    case .backlinks(nil), .values: return .none
    }
  }

  /// The position of a row, or nil.
  func index(of key: ObjectKey) -> Int? {
    switch self {
    case .table(let positions): return positions.rows.index(of: key)
    case .keys(let keys): return keys.firstIndex(of: key)
    case .selection(let rows): return rows.index(of: key)
    case .backlinks(.one(let only)): return only == key ? 0 : nil
    case .backlinks(.many(let keys)):
      let position = keys.partitionPoint { $0 >= key.rawValue }
      return position < keys.count && keys[position] == key.rawValue ? position : nil
    case .backlinks(nil), .values: return nil
    }
  }

  /// The position of the first value that is equal in `StoredOrder`, or nil.
  ///
  /// - Parameter binding: the class of rows that are read as values.
  func index(of value: StoredValue, among binding: ClassBinding?) -> Int? {
    values(of: binding).firstIndex { $0.isNull == value.isNull && StoredOrder.compare($0, value) == 0 }
  }
}

/// All rows of a table, and what shows whether they are still all of them.
struct TablePositions {
  let table: TableKey
  let rows: RowSelection
  /// The session's present row stamp and the table's next key when the positions were computed.
  private let present: RowStamp
  private let nextKey: Int64

  init(_ table: Table?, _ key: TableKey, at present: RowStamp) {
    self.table = key
    self.present = present
    nextKey = table?.nextKey ?? 0
    rows = table.map { RowSelection(all: $0) } ?? RowSelection()
  }

  /// Whether the table still has the rows for which the positions were computed.
  ///
  /// While the present rowStamp is unchanged, rows may be inserted and deleted, but nothing is rolled back. Each
  /// insertion raises the next key, and each deletion lowers the count. So when both are unchanged, no row was inserted
  /// or deleted.
  func isPresent(_ session: Session) -> Bool {
    present == session.validity.present
      && session.read { graph in graph[table].map { $0.nextKey == nextKey && $0.count == rows.count } ?? false }
  }
}
