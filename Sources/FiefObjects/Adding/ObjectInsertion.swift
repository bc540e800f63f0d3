import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

/// The means by which a session inserts objects: a planner, and the instances, collections and classes of the
/// application as the planner asks for them.
///
/// A session keeps one of them for its next operation, so that small operations allocate no memory.
final class ObjectInsertion: ObjectSource {
  // Exclusivity is not checked at run time for these properties: one operation at a time uses them.

  /// The session of the operation. Either it retains this object, or the caller retains both.
  @safe @exclusivity(unchecked) private unowned(unsafe) let session: Session
  @safe @exclusivity(unchecked) private unowned(unsafe) var transaction: Transaction
  private(set) lazy var planner = InsertionPlanner(self, store: session, transaction: transaction)
  /// The values of a dictionary that needs no plan.
  @safe @exclusivity(unchecked) var given = GivenScalars()
  /// The changes of the session when the plan was begun. Equal stamps prove that no code of the application has
  /// changed the session meanwhile.
  @safe @exclusivity(unchecked) private var begun: VersionStamp

  init(_ session: Session, _ transaction: Transaction) {
    self.session = session
    self.transaction = transaction
    begun = session.validity.stamp
  }

  // MARK: Operations

  /// Begins an operation of the session, or begins it again.
  @inline(__always)
  func begin(_ transaction: Transaction, _ request: PlanRequest) {
    self.transaction = transaction
    planner.transaction = transaction
    begun = session.validity.stamp
    planner.begin(request)
  }

  /// Applies the plan. Traps when code of the application has ended the write.
  ///
  /// - Parameter policy: the treatment of existing rows and collections, if it differs from that of the request.
  /// - Throws: `StalePlan` when application code has changed something that the plan relies on; nothing was written
  ///   then. Also throws the kernel's errors.
  func apply(_ policy: PlanPolicy? = nil) throws {
    try checkBeforeApplying()
    // Application code may run next: the release of instances and values that were only needed for the plan.
    defer { session.noteChanges() }
    try planner.plan.apply(to: transaction, by: policy ?? planner.request.policy)
  }

  /// Applies a plan whose root `root` stores, once its row exists; see `apply(_:)`.
  func apply(root: () throws -> Void) throws {
    try checkBeforeApplying()
    defer { session.noteChanges() }
    try planner.plan.apply(to: transaction, by: planner.request.policy, root: root)
  }

  private func checkBeforeApplying() throws {
    Inserter(session).checkIsWriting(transaction, planner.className(ofRow: 0))
    try planner.checkBeforeApplying(hasChanged: session.validity.stamp != begun)
  }

  /// Makes the unmanaged objects that were added managed.
  func bindObjects() {
    planner.forEachAdded { object, rowClass, key in
      let object = base(object)
      object.flags.remove(.visited)
      let type = rowClass.model.type
      if let binding = session.knownBinding(of: type) {
        binding.with { object.becomeManaged(session, $0, at: key) }
      } else if let binding = session.store.dynamicBinding(of: rowClass.table) {
        // A class that the program does not define.
        object.becomeManaged(session, binding, at: key)
      } else {
        fatalError(session.store.missing(type))
      }
      // A later object with the same primary key has replaced what the earlier one owned.
      if planner.hasRepeatedRows, !transaction.contains(ObjectLink(rowClass.table, key)) {
        object.rowStamp = session.validity.awaited
      }
    }
  }

  // MARK: Untyped values

  private func base(_ object: AnyObject) -> ObjectBase { unsafe unsafeDowncast(object, to: ObjectBase.self) }

  func value(of untyped: Any) -> SourceValue? {
    // Only objects are cast to a class. For any other value, the cast would first make an object of it, to test that
    // object's class.
    if DynamicValue.isObject(untyped) {
      if let object = untyped as? ObjectBase { return .object(object.represented) }
      return (untyped as? CollectionBase).map { .collection($0) }
    }
    guard type(of: untyped) == AnyRealmValue.self else { return nil }
    return (untyped as? AnyRealmValue).map { SourceValue($0) }
  }

  func converted(_ untyped: Any, for property: RowProperty?) -> SourceValue? {
    guard let property else { return AnyRealmValue._fromAny(untyped).map { SourceValue($0) } }
    return property.model.content(of: untyped).map { SourceValue($0) }
  }

  // MARK: Objects

  func state(of object: AnyObject) -> SourceState {
    let object = base(object)
    guard let session = object.retainedSession, let binding = object.binding else {
      return .unmanaged(
        mark: object.flags.contains(.visited) ? Int(object.key.rawValue) : nil,
        fault: object.flags.contains(.faulty) ? fault(of: object) : nil)
    }
    return .row(session, binding.counted, object.key)
  }

  private func fault(of object: ObjectBase) -> (any Error)? {
    guard let error = FaultyObjects.error(of: object) else { return nil }
    // Nothing but a value that could not be encoded is of no class of the application.
    return type(of: object) == Object.self ? CopyError(error.localizedDescription) : error
  }

  func hasRow(_ object: AnyObject) -> Bool {
    let object = base(object)
    object.retainedSession?.checkConfinement()
    return object.hasRow
  }

  func mark(_ object: AnyObject, _ number: Int?) {
    let object = base(object)
    if let number {
      object.flags.insert(.visited)
      object.key = ObjectKey(Int64(number))
    } else if object.flags.contains(.visited) {
      object.flags.remove(.visited)
      object.key = ObjectKey(-1)
    }
  }

  func declaredClass(of object: AnyObject) -> RowClass { base(object).model }

  func rowClass(like other: RowClass, of reader: (any RowReader)?) throws(CopyError) -> RowClass {
    // A class may have another name in a migration, but its table keeps its key.
    if session.store.classes.migration != nil, let reader = reader as? Session, session.isMigration(from: reader),
      let binding = session.store.binding(of: other.table)
    {
      return binding
    }
    let type = other.model.type
    if session.store.classes.isDynamic || type == DynamicObject.self {
      if let binding = session.store.binding(named: other.name) { return binding }
      throw CopyError(Store.missing(PlanPath.shortened(other.name)))
    }
    guard let binding = session.binding(of: type) else { throw CopyError(session.store.missing(type)) }
    return binding
  }

  func name(of cell: Cell) -> String? { session.path(of: cell) }

  func makeInstance(of rowClass: RowClass) -> AnyObject {
    ShortCut.applicationRuns()
    return rowClass.model.type.init()
  }

  func content(of property: RowProperty, in object: AnyObject, skippingUnset: Bool) -> SourceValue? {
    let object = base(object)
    let declared = property.model
    if skippingUnset && property.startsEmpty && declared.isUnset(in: object) { return nil }
    if declared.isForeign { ShortCut.applicationRuns() }
    return SourceValue(declared.content(in: object))
  }

  // MARK: Collections

  func contents(of collection: AnyObject) -> SourceContents {
    let base = unsafe unsafeDowncast(collection, to: CollectionBase.self)
    if let location = base.location {
      location.session.checkConfinement()
      guard location.isValid else { return .gone }
      return .cell(SourceCell(location.session, location.cell, type: location.type))
    }
    let isNestedList = base is List<AnyRealmValue> ? true : base is Map<String, AnyRealmValue> ? false : nil
    return .elements(base.contents().map { ($0.key, SourceValue($0.content)) }, isNestedList: isNestedList)
  }
}

extension SourceIdentity {
  init(of object: ObjectBase) {
    if let session = object.retainedSession {
      self.init(object.rowLink ?? ObjectLink(TableKey(rawValue: 0), object.key), in: session)
    } else {
      self.init(object)
    }
  }
}

extension SourceValue {
  init(_ content: _PropertyContent) {
    switch content {
    case .value(let value): self = .stored(value)
    case .object(let object): self = .object(object.represented)
    case .collection(let collection): self = .collection(collection)
    }
  }

  init(_ value: AnyRealmValue) { self.init(AnyRealmValue._encode(value)) }
}
