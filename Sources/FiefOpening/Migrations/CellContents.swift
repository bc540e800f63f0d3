import FiefGraph
import FiefObjects

/// The contents of a cell.
struct CellContents {
  private let collection: StoredCollection?
  private let type: ColumnType
  let count: Int
  let first: StoredValue
  let isCollection: Bool

  init(_ cluster: Cluster, leaf: Int, slot: Int, _ type: ColumnType) {
    self.type = type
    isCollection = type.isCollection
    if isCollection {
      collection = cluster[leaf: leaf].values.collection(at: slot)
      count = collection?.count ?? 0
      first = count > 0 ? collection?.value(at: 0, as: type) ?? .null : .null
    } else {
      collection = nil
      first = cluster[leaf: leaf].value(at: slot, as: type)
      count = first.isNull ? 0 : 1
    }
  }

  var isUnset: Bool { isCollection ? count == 0 : first.isNull || first.isZero }

  /// The contents for people: the first value, and how many there are.
  ///
  /// - Parameter graph: the graph of the cell, which knows the classes of linked objects.
  func text(in graph: Graph) -> String {
    var text = "\(first)".prefix(64)
    if let link = first.linked {
      text = link.table.isNested ? "a list or a dictionary" : "\(graph[link.table]?.schema.name ?? "") \(link.key)"
    }
    return isCollection && count > 1 ? "\(count) elements from \(text)" : String(text)
  }

  /// Whether both have the same values, in whatever form these are stored.
  func equals(_ other: CellContents) -> Bool {
    guard isCollection, count == other.count else {
      return !isCollection && !other.isCollection && first == other.first
    }
    guard let collection, let others = other.collection else { return true }
    return (0..<count).allSatisfy { position in
      collection.value(at: position, as: type) == others.value(at: position, as: other.type)
        && collection.key(ofEntryAt: position) == others.key(ofEntryAt: position)
    }
  }

  /// Both contents as numbers, if each is a single one.
  func numbers(_ other: CellContents) -> (Double, Double)? {
    guard !isCollection, !other.isCollection, let a = first.number, let b = other.first.number else { return nil }
    return (a, b)
  }
}

extension StoredValue {
  /// Whether it is what a new column begins with.
  fileprivate var isZero: Bool {
    switch self {
    case .bool(let value): !value
    case .int(let value): value == 0
    case .float(let value): value == 0
    case .double(let value): value == 0
    case .string(let value): value.isEmpty
    case .data(let value): value.isEmpty
    case .date(let value): value == .zero
    case .decimal(let value): value == .zero
    case .objectId(let value): value == .zero
    case .uuid(let value): value == .zero
    default: false
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }
}
