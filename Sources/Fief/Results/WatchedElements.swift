import FiefCopying
import FiefGraph
import FiefQueries
import FiefSessions

/// The elements of an observed collection, and how two versions of it are compared.
enum WatchedElements {
  /// All rows of a class, compared by the changes of its table.
  case table(ClassBinding)
  /// A list or a set, compared by the change of its cell.
  case cell(CollectionLocation)
  /// The objects of a class that satisfy a condition on their own properties, compared at the changed rows.
  case selection(ClassBinding, CompiledQuery)
  /// Any other collection, such as a query or the values of a map. It is evaluated and compared with its previous
  /// elements.
  case view(ResultsStorage)

  init(_ core: ResultsStorage) {
    if let query = core.query {
      if case .table(let binding) = core.base, let rows = query.rows, rows.testsRowsAlone {
        self = .selection(binding.counted, rows)
      } else {
        self = .view(core)
      }
      return
    }
    switch core.base {
    case .table(let binding): self = .table(binding.counted)
    case .collection(let location): self = location.type.shape == .dictionary ? .view(core) : .cell(location)
    case .union, .backlinks, .view, .tested: self = .view(core)
    }
  }

  /// Returns the elements of a view at the session's version, without the changes of a write in progress.
  static func elements(of core: ResultsStorage, _ session: Session) -> ContiguousArray<HashedValue> {
    let frozen = session.frozen()
    let base = core.base.seen(by: frozen)
    if !base.isValid(frozen) { return [] }
    let start = LoggedTime.now
    let shown = core.query?.evaluate(base, frozen) ?? base.all(frozen)
    core.report(since: start, counting: shown.count, for: " for an observation")
    var elements: ContiguousArray<HashedValue> = []
    elements.reserveCapacity(shown.count)
    if let table = core.base.rowClass?.table {
      for position in 0..<shown.count {
        elements.append(HashedValue(.link(ObjectLink(table, shown.key(at: position, frozen)))))
      }
    } else {
      for value in shown.allValues(core.base.rowClass) { elements.append(HashedValue(value)) }
    }
    return elements
  }
}

extension ResultsSource {
  /// Whether the row that owns the elements exists in a version.
  func isHeld(in graph: Graph) -> Bool {
    switch self {
    case .table, .union: true
    case .collection(let location): graph.contains(location.cell.object)
    case .backlinks(_, _, let target): graph.contains(target)
    case .view(let core), .tested(let core, _): core.base.isHeld(in: graph)
    }
  }
}
