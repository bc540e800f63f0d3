import FiefCopying
import FiefGraph
import FiefSessions

/// Instances and collections of the application, for reading a graph of them.
final class ObjectReading: ObjectReader {
  private var models: [ObjectIdentifier: ModelClass] = [:]

  private func base(_ object: AnyObject) -> ObjectBase { unsafe unsafeDowncast(object, to: ObjectBase.self) }

  /// The typed object for a dynamic object.
  func readable(_ object: AnyObject) -> AnyObject? {
    guard let dynamic = object as? DynamicObject else { return object }
    let typed = dynamic.typed
    return typed is DynamicObject ? nil : typed
  }

  func declaredClass(of object: AnyObject) -> RowClass {
    let type = type(of: base(object))
    if let known = models[ObjectIdentifier(type)] { return known }
    let model = ModelClass.of(type)
    models[ObjectIdentifier(type)] = model
    return model
  }

  func checkReading(_ object: AnyObject) {
    let object = base(object)
    if object.isInvalidated { Misuse.invalidated(object) }
    object.retainedSession?.checkConfinement()
    object.retainedSession?.noteReadOfAll()
  }

  func value(of property: RowProperty, in object: AnyObject) -> SourceValue {
    let object = base(object)
    // An older version of the program, which does not know the value, keeps it.
    guard let session = object.retainedSession, let stored = property.model.storedWithoutMeaning(in: object) else {
      return SourceValue(property.model.content(in: object))
    }
    return Self.value(stored, property.type, session)
  }

  /// A stored value of a session, as a property or an element of a type.
  private static func value(_ stored: StoredValue, _ type: ColumnType, _ session: Session) -> SourceValue {
    if type.kind == .any { return SourceValue(AnyRealmValue._fromStored(stored, _StoreContext(session))) }
    return stored.linked.flatMap(session.accessor).map(SourceValue.object) ?? .stored(stored)
  }

  // MARK: Identities

  func identity(of object: AnyObject) -> SourceIdentity { SourceIdentity(of: base(object)) }

  func identity(ofNested collection: AnyObject) -> SourceIdentity {
    guard let location = (collection as? CollectionBase)?.location else { return SourceIdentity(collection) }
    return SourceIdentity(location.cell.object, in: location.session)
  }

  func isList(_ collection: AnyObject) -> Bool { collection is List<AnyRealmValue> }

  // MARK: Elements

  func elements(of collection: AnyObject, _ type: ColumnType) -> [SourceElement] {
    guard let collection = collection as? CollectionBase else { return [] }
    guard let location = collection.location else {
      let contents: [SourceElement] = collection.contents().map { ($0.key, SourceValue($0.content)) }
      switch type.shape {
      case .dictionary: return Self.sorted(contents.map { ($0.key ?? "", $0.value) })
      case .set where type.kind != .link:
        return contents.sorted { StoredOrder.compare(Self.stored($0.value), Self.stored($1.value)) < 0 }
      default: return contents
      }
    }
    guard let stored = collection.borrowedContents(location) else { return [] }
    func value(_ value: StoredValue) -> SourceValue { Self.value(value, type, location.session) }
    if let dictionary = stored as? StoredDictionary { return dictionary.entries.map { ($0.key, value($0.value)) } }
    var contents: [SourceElement] = []
    contents.reserveCapacity(stored.count)
    stored.forEach(as: location.type) {
      contents.append((nil, value($0)))
      return true
    }
    return contents
  }

  private static func stored(_ value: SourceValue) -> StoredValue {
    if case .stored(let value) = value { value } else { .null }
  }

  /// Sorts entries by the bytes of their keys, the order of stored maps.
  private static func sorted(_ entries: [(String, SourceValue)]) -> [SourceElement] {
    entries.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { ($0.0, $0.1) }
  }
}
