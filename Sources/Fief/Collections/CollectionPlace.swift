public import FiefGraph

typealias CollectionPlace = _CollectionPlace

/// Where the contents of a managed list, set or map are kept: one cell of one row, as one session sees it.
///
/// Holding one keeps the session alive.
public struct _CollectionPlace {
  @usableFromInline let session: Session
  @usableFromInline let cell: Cell
  /// The form of the column.
  @usableFromInline let type: ColumnType
  // Classes are held by the store, which the session holds: a place that is copied counts one reference, not three.
  private let targetReference: Unmanaged<ClassBinding>?
  private let ownerReference: Unmanaged<ClassBinding>?
  private let number: Int
  /// The session's stamp when this was made: tells whether it was invalidated with the session.
  let born: UInt64

  /// The class that links among the elements point at.
  @usableFromInline
  var target: ClassBinding? { targetReference?._withUnsafeGuaranteedRef { $0 } }

  /// The class and the number of the property; nil for a collection inside an any-value.
  var property: (binding: ClassBinding, number: Int)? {
    ownerReference.map { ($0._withUnsafeGuaranteedRef { $0 }, number) }
  }

  /// The collection of an object's property.
  init(_ session: Session, _ binding: ClassBinding, _ key: ObjectKey, _ number: Int) {
    self.session = session
    born = session.stamp
    cell = binding.cell(key, number)
    type = binding.columnTypes[number]
    targetReference = binding.targets[number]
    ownerReference = .passUnretained(binding)
    self.number = number
  }

  /// The collection inside an any-value that is kept in a row of one of the two tables for them.
  init(_ session: Session, nested link: ObjectLink) {
    self.session = session
    born = session.stamp
    cell = Cell(link.table, link.key, .nestedElements)
    type = ColumnType(.any, shape: link.table == .nestedLists ? .list : .dictionary)
    targetReference = nil
    ownerReference = nil
    number = -1
  }

  init(_ session: Session, _ other: CollectionPlace) {
    self.session = session
    born = session.stamp
    cell = other.cell
    type = other.type
    targetReference = other.targetReference
    ownerReference = other.ownerReference
    number = other.number
  }

  /// What elements are read with.
  @usableFromInline
  var context: _StoreContext { _StoreContext(session, target: target) }

  /// Class and property, for messages.
  var path: String {
    property.map { "\($0.binding.model.name).\($0.binding.model.properties[$0.number].name)" } ?? "AnyRealmValue"
  }

  /// Whether the row that holds the collection is there. Traps elsewhere than in the session's place.
  var isValid: Bool {
    session.checkPlaceOfUse()
    return !session.isClosed && session.isCurrent(born) && session.hasRow(cell.object)
  }

  /// Whether both are one collection, seen alike. Traps elsewhere than in the sessions' place.
  func isSame(as other: CollectionPlace) -> Bool {
    session.checkPlaceOfUse()
    if session !== other.session { other.session.checkPlaceOfUse() }
    return cell == other.cell && session.sees(sameAs: other.session)
  }

  /// Hashes what equality goes by. Traps elsewhere than in the session's place.
  func hash(into hasher: inout Hasher) {
    session.checkPlaceOfUse()
    hasher.combine(cell)
  }

  /// Traps unless the collection may be read here and now.
  @usableFromInline
  func checkReading() {
    session.checkConfinement()
    if !isValid { trapInvalidated() }
  }

  /// Traps unless the collection may be changed here and now.
  @usableFromInline
  func checkWriting() {
    // What is gone cannot be changed in a write either, so that is said first.
    if session.transaction == nil && !session.isFrozen { checkReading() }
    session.checkWriting("The collection '\(path)' was changed")
    checkReading()
  }

  /// Calls `body` with the contents as seen now, nil when empty; they must not outlive the call.
  @usableFromInline
  func read<Result>(_ body: (StoredCollection?) throws -> Result) rethrows -> Result {
    checkReading()
    return try session.read { try body($0.collection(cell)) }
  }

  /// How many elements there are.
  var count: Int { read { $0?.count ?? 0 } }
}

extension CollectionPlace {
  /// The stored form of a content that needs no row of its own: a value, or a shared object that this session's realm
  /// has.
  func plainValue(_ content: _Content) -> StoredValue? {
    switch content {
    case .value(let value): return value
    case .object(let object):
      guard type.kind == .link, let target, target.model.kind == .object, object.hasRow,
        object.isHeld(by: session), let link = object.link, link.table == target.table
      else { return nil }
      return .link(link)
    default: return nil
    }
  }
}

extension ObjectBase {
  /// Whether it is an accessor of that very session.
  final func isHeld(by other: Session) -> Bool {
    session.map { $0.toOpaque() == Unmanaged.passUnretained(other).toOpaque() } ?? false
  }
}
