public import FiefGraph
import FiefRuntime
public import FiefSessions

package typealias CollectionLocation = _CollectionLocation

/// The location of a managed list, set or map: one cell of one row, as one session sees it.
///
/// A location retains its session.
public struct _CollectionLocation {
  @usableFromInline package let session: Session
  @usableFromInline package let cell: Cell
  /// The form of the column.
  @usableFromInline package let type: ColumnType
  // The store retains the classes, and the session retains the store. So copying a location retains one reference, not
  // three.
  private let targetReference: Borrowed<ClassBinding>?
  private let ownerReference: Borrowed<ClassBinding>?
  private let number: Int
  /// The moment at which this location was made; shows whether the session was invalidated since.
  let madeStamp: VersionStamp

  /// The class that links among the elements point at.
  @usableFromInline
  package var target: ClassBinding? { targetReference?.counted }

  /// The class and the index of the property; nil for a collection inside an any-value.
  package var property: (binding: ClassBinding, number: Int)? {
    ownerReference.map { ($0.counted, number) }
  }

  init(_ session: Session, _ binding: ClassBinding, row key: ObjectKey, number: Int) {
    self.session = session
    madeStamp = session.validity.stamp
    cell = binding.cell(key, number)
    type = binding.type(of: number)
    targetReference = binding.borrowedTarget(number)
    ownerReference = unsafe Borrowed(binding)
    self.number = number
  }

  /// The location of a collection inside an any-value, which is stored in a row of one of the two tables for nested
  /// collections.
  init(_ session: Session, nested link: ObjectLink) {
    self.session = session
    madeStamp = session.validity.stamp
    cell = Cell(link.table, link.key, .nestedElements)
    type = ColumnType(.any, shape: link.table == .nestedLists ? .list : .dictionary)
    targetReference = nil
    ownerReference = nil
    number = -1
  }

  package init(_ session: Session, _ other: CollectionLocation) {
    self.session = session
    madeStamp = session.validity.stamp
    cell = other.cell
    type = other.type
    targetReference = other.targetReference
    ownerReference = other.ownerReference
    number = other.number
  }

  /// The context for reading elements.
  @usableFromInline
  var context: _StoreContext { _StoreContext(session, target: target) }

  /// The class and the property, for messages.
  package var path: String {
    property.map { "\($0.binding.model.name).\($0.binding.model.properties[$0.number].name)" } ?? "AnyRealmValue"
  }

  /// The same; for a collection inside an any-value, the property and the positions that lead to it. Reads the graph.
  package var fullPath: String { property == nil ? session.path(of: cell) ?? path : path }

  /// Whether the row that holds the collection exists. Traps off the session's thread, queue or actor.
  package var isValid: Bool {
    session.checkConfinementOfUse()
    return !session.isClosed && session.validity.isCurrent(madeStamp) && session.hasRow(cell.object)
  }

  /// Whether both are one collection in the same version. Traps when they are, off the thread, queue or actor of their
  /// session.
  func isSame(as other: CollectionLocation) -> Bool {
    guard cell == other.cell && session.sees(sameAs: other.session) else { return false }
    session.checkConfinementOfUse()
    return true
  }

  /// Hashes the cell, which `isSame(as:)` compares. Traps off the session's thread, queue or actor.
  func hash(into hasher: inout Hasher) {
    session.checkConfinementOfUse()
    hasher.combine(cell)
  }

  /// Traps unless the current thread may read the collection and it exists.
  @usableFromInline
  func checkReading() {
    session.checkConfinement()
    if !isValid { trapInvalidated() }
  }

  /// Traps unless the current thread may change the collection and a write is under way.
  @usableFromInline
  package func checkWriting() {
    // A deleted collection cannot be changed in a write either, so that is reported first.
    if session.transaction == nil && !session.isFrozen { checkReading() }
    session.checkWriting("The collection '\(path)' was changed")
    checkReading()
  }

  /// Calls `body` with the current contents, nil when empty; they must not escape the call.
  @usableFromInline
  package func read<Result>(_ body: (StoredCollection?) throws -> Result) rethrows -> Result {
    checkReading()
    session.noteRead(cell)
    return try session.read { try body($0.collection(cell)) }
  }

  /// The number of elements.
  var count: Int { read { $0?.count ?? 0 } }
}

extension RowBinding {
  func location(_ index: Int) -> CollectionLocation { CollectionLocation(session, binding, row: key, number: index) }
}
