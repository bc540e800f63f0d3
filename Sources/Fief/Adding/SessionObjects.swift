import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

/// The classes, instances and collections of the application, for planning an insertion into a session.
final class SessionObjects: ObjectSource {
  // Exclusivity is not checked at run time for these properties: one operation at a time uses them.

  /// The session of the operation. Either it retains this object, or the caller retains both.
  @safe @exclusivity(unchecked) private unowned(unsafe) let session: Session
  @safe @exclusivity(unchecked) unowned(unsafe) var transaction: Transaction

  init(_ session: Session, _ transaction: Transaction) {
    self.session = session
    self.transaction = transaction
  }

  private func base(_ object: AnyObject) -> ObjectBase { unsafe unsafeDowncast(object, to: ObjectBase.self) }

  private func base(collection: AnyObject) -> CollectionBase {
    unsafe unsafeDowncast(collection, to: CollectionBase.self)
  }

  // MARK: Untyped values

  func value(of untyped: Any) -> SourceValue? {
    // Only objects are cast to a class. For any other value, the cast would first make an object of it, to test that
    // object's class.
    if DynamicValue.isObject(untyped) {
      if let object = untyped as? ObjectBase { return .object(object) }
      return (untyped as? CollectionBase).map { .collection($0) }
    }
    return (untyped as? AnyRealmValue).map { SourceValue($0) }
  }

  func anyValue(in untyped: Any) -> SourceValue? {
    Existential.value(untyped, as: AnyRealmValue.self).map { SourceValue($0) }
  }

  func converted(_ untyped: Any, for property: RowProperty?) -> SourceValue? {
    guard let property else { return AnyRealmValue._fromAny(untyped).map { SourceValue($0) } }
    return property.bound.content(of: untyped).map { SourceValue($0) }
  }

  // MARK: Objects

  func state(of object: AnyObject) -> SourceState {
    let object = base(object)
    guard let session = object.retainedSession, let binding = object.binding else {
      return .unmanaged(mark: object.flags.contains(.visited) ? Int(object.key.rawValue) : nil)
    }
    if session !== self.session, let new = self.session.row(of: object),
      let binding = self.session.store.binding(of: new.table)
    {
      return .row(self.session, binding.rows, new.key)
    }
    return .row(session, binding.with { $0.rows }, object.key)
  }

  func hasRow(_ object: AnyObject) -> Bool {
    let object = base(object)
    object.retainedSession?.checkConfinement()
    return object.hasRow
  }

  func mark(_ object: AnyObject, _ number: Int) {
    let object = base(object)
    object.flags.insert(.visited)
    object.key = ObjectKey(Int64(number))
  }

  func unmark(_ object: AnyObject) {
    let object = base(object)
    guard object.flags.contains(.visited) else { return }
    object.flags.remove(.visited)
    object.key = ObjectKey(-1)
  }

  func error(of object: AnyObject) -> (any Error)? {
    let object = base(object)
    return object.flags.contains(.faulty) ? FaultyObjects.error(of: object) : nil
  }

  func isLinkable(_ object: AnyObject) -> Bool { object is Object && !base(object).isOwned }

  func shown(by object: AnyObject) -> AnyObject { (object as? DynamicObject)?.shown ?? object }

  func counterpart(of link: ObjectLink, in other: any RowReader) -> ObjectLink? {
    guard session.store.classes.migration != nil, let other = other as? Session else { return nil }
    return session.counterpart(of: link, in: other)
  }

  func isInstance(_ object: AnyObject, of target: RowClass) -> Bool {
    let object = base(object)
    if type(of: object) == target.model.type && target.model.type != DynamicObject.self { return true }
    return object is DynamicObject && object.binding?.with { $0.model.name == target.name } ?? false
  }

  func declaredClass(of object: AnyObject) -> RowClass { base(object).model.rows }

  func className(of object: AnyObject) -> String { type(of: base(object)).className() }

  // MARK: Properties of unmanaged objects

  func content(of property: RowProperty, in object: AnyObject, skippingUnset: Bool) -> SourceValue? {
    let object = base(object)
    let declared = property.bound
    if skippingUnset && property.isBareUnset && declared.isUnset(in: object) { return nil }
    if declared.isForeign { ShortCut.applicationRuns() }
    return SourceValue(declared.content(in: object))
  }

  func untyped(_ property: RowProperty, in object: AnyObject) -> Any {
    property.bound.value(in: base(object)) ?? NSNull()
  }

  // MARK: Collections

  func cell(of collection: AnyObject) -> SourceCell? {
    base(collection: collection).location.map { SourceCell($0.session, $0.cell, $0.type) }
  }

  func checkReading(_ collection: AnyObject) { base(collection: collection).location?.checkReading() }

  func elements(of collection: AnyObject) -> [SourceElement] {
    base(collection: collection).contents().map { ($0.key, SourceValue($0.content)) }
  }

  func nestedElements(of collection: AnyObject) -> SourceElements? {
    switch collection {
    case let list as List<AnyRealmValue>: SourceElements(.list(Array(list)))
    case let map as Map<String, AnyRealmValue>: SourceElements(.dictionary(map.keyedElements))
    default: nil
    }
  }

  // MARK: The store

  var changes: UInt64 { session.validity.stamp.rawValue }

  func noteChanges() { session.noteChanges() }

  func checkIsWriting(_ className: String) { session.checkIsWriting(transaction, className) }

  func rowClass(of object: AnyObject) throws(CopyError) -> RowClass {
    let object = base(object)
    // A class may have another name in a migration, but its table keeps its key.
    if let other = object.retainedSession, session.isMigration(from: other), let table = object.link?.table,
      let binding = session.store.binding(of: table)
    {
      return binding.rows
    }
    if session.store.classes.isDynamic || object is DynamicObject { return try rowClass(named: object.model.name) }
    return try rowClass(of: type(of: object))
  }

  func rowClass(like other: RowClass) throws(CopyError) -> RowClass {
    if session.store.classes.isDynamic || other.model.type == DynamicObject.self {
      return try rowClass(named: other.name)
    }
    return try rowClass(of: other.model.type)
  }

  private func rowClass(named name: String) throws(CopyError) -> RowClass {
    if let binding = session.store.binding(named: name) { return binding.rows }
    throw CopyError(Store.missing(PlanPath.shortened(name)))
  }

  private func rowClass(of type: ObjectBase.Type) throws(CopyError) -> RowClass {
    guard let binding = session.binding(of: type) else { throw CopyError(session.store.missing(type)) }
    return binding.rows
  }

  func makeInstance(of rowClass: RowClass) throws -> AnyObject {
    try session.freshInstance(of: rowClass.model.type, rowClass.name, transaction)
  }

  func checkInstance(_ instance: AnyObject, _ rowClass: RowClass) throws {
    try session.checkIsFresh(base(instance), rowClass.name, transaction)
  }

  func bind(_ object: AnyObject, _ rowClass: RowClass, _ key: ObjectKey) {
    let object = base(object)
    object.flags.remove(.visited)
    let type = rowClass.model.type
    if let binding = session.knownBinding(of: type) {
      binding.with { object.becomeManaged(session, $0, key) }
    } else if let binding = session.store.dynamicBinding(of: rowClass.table) {
      // A class that the program does not define.
      object.becomeManaged(session, binding, key)
    } else {
      fatalError(session.store.missing(type))
    }
  }
}
