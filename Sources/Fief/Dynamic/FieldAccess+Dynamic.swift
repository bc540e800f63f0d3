import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefValues
import Foundation

// Properties of dynamic objects, which have no fields, only the row.

extension _FieldAccess {
  /// Access to a property of a dynamic object.
  static func dynamic(_ facts: _TypeFacts) -> _FieldAccess {
    unsafe _FieldAccess(
      content: { _, _, _ in .value(.null) },
      // A dynamic object has no unmanaged form. A non-nil `fill` only marks scalars.
      fill: facts.shape == .single && facts.kind != .link && facts.kind != .any ? { _, _, _ in } : nil,
      bind: { _, _, _ in },
      convert: { DynamicValues.scalar($0, facts) },
      take: { DynamicValues.content($0, facts) },
      get: { owner, index in DynamicValues.read(owner, index, facts) },
      set: { owner, index, value in DynamicValues.write(value, owner, index, facts) })
  }
}

/// Reads and writes properties by the type of their column.
enum DynamicValues {
  static func read(_ object: ObjectBase, _ index: Int, _ facts: _TypeFacts) -> Any? {
    guard let session = object.retainedSession, let binding = object.binding?.counted else {
      return nil
    }
    object.locate(facts.isBacklinks || facts.shape != .single ? nil : index)
    if facts.isBacklinks { return LinkingObjects<DynamicObject>._load(object, index) }
    if facts.shape != .single { return collection(CollectionLocation(session, binding, object.key, index), facts) }
    return plain(object.loadValue(index) ?? .null, session)
  }

  /// A stored value as code that reads by name sees it. A link becomes an object of its class, if the program defines
  /// that class.
  static func plain(_ value: StoredValue, _ session: Session) -> Any? {
    if case .link(let link) = value, !link.table.isReserved {
      return session.store.classes.migration == nil ? session.accessor(link) : session.dynamicAccessor(link)
    }
    return AnyRealmValue._plain(AnyRealmValue._fromStored(value, _StoreContext(session)))
  }

  /// The collection of a property, with elements in their stored form.
  static func collection(_ location: CollectionLocation, _ facts: _TypeFacts) -> any _CollectionProperty {
    switch facts.kind {
    case .bool: scalars(Bool.self, location, facts)
    case .int: scalars(Int.self, location, facts)
    case .float: scalars(Float.self, location, facts)
    case .double: scalars(Double.self, location, facts)
    case .string: scalars(String.self, location, facts)
    case .data: scalars(Data.self, location, facts)
    case .date: scalars(Date.self, location, facts)
    case .objectId: scalars(ObjectId.self, location, facts)
    case .uuid: scalars(UUID.self, location, facts)
    case .decimal: scalars(Decimal128.self, location, facts)
    case .any: elements(AnyRealmValue.self, location, facts)
    case .link:
      facts.shape == .dictionary
        ? elements(DynamicObject?.self, location, facts) : elements(DynamicObject.self, location, facts)
    }
  }

  private static func scalars<Element: _PersistableScalar & RealmCollectionValue>(
    _ type: Element.Type, _ location: CollectionLocation, _ facts: _TypeFacts
  ) -> any _CollectionProperty {
    facts.isOptional ? elements(Element?.self, location, facts) : elements(type, location, facts)
  }

  private static func elements<Element: RealmCollectionValue>(
    _ type: Element.Type, _ location: CollectionLocation, _ facts: _TypeFacts
  ) -> any _CollectionProperty {
    switch facts.shape {
    case .dictionary: Map<String, Element>(location)
    case .set: MutableSet<Element>(location)
    default: List<Element>(location)
    }
  }

  // MARK: Writing

  static func write(_ value: Any?, _ object: ObjectBase, _ index: Int, _ facts: _TypeFacts) -> Bool {
    guard let session = object.retainedSession, let link = object.link else { return false }
    let known = session.store.binding(of: link.table).flatMap { $0.type == DynamicObject.self ? nil : $0 }
    // The new objects of a migration take values as they are stored; what is not one, the program's class may convert.
    if session.store.classes.migration != nil, writeStored(value, object, index, facts) { return true }
    // If the program defines the class, the types of its properties convert the value.
    if let known {
      let value = value.flatMap { DynamicValue.cast($0, to: DynamicObject.self)?.typed ?? $0 }
      return known.model.properties[index].access.set(session.accessor(known, link.key), index, value)
    }
    return session.store.classes.migration == nil && writeStored(value, object, index, facts)
  }

  /// Stores a value by the type of the column.
  ///
  /// - Returns: false when the value is of another type.
  private static func writeStored(_ value: Any?, _ object: ObjectBase, _ index: Int, _ facts: _TypeFacts) -> Bool {
    guard let session = object.retainedSession, let binding = object.binding?.counted else { return false }
    if facts.shape != .single {
      return collection(CollectionLocation(session, binding, object.key, index), facts)._replaceElements(byAny: value)
    }
    switch facts.kind {
    case .any:
      guard let value = AnyRealmValue._fromAny(value as Any) else { return false }
      AnyRealmValue._save(value, object, index)
    case .link:
      guard let target = value.flatMap(DynamicValue.present) else {
        object.saveLink(nil, index)
        return true
      }
      guard let target = DynamicValue.cast(target, to: ObjectBase.self) else { return false }
      if session.store.classes.migration != nil {
        // What is to be embedded later is an ordinary row yet, so the row itself is linked to.
        guard let link = session.row(of: target), link.table == binding.columnTypes[index].target else { return false }
        guard let cell = object.cellForWriting(index) else { return true }
        session.perform { try $0.set(.link(link), cell) }
        return true
      }
      guard target.model.name == facts.targetName else { return false }
      object.saveLink(target, index)
    default:
      guard let stored = scalar(value, facts) else { return false }
      guard let cell = object.cellForWriting(index) else { return true }
      session.perform { try $0.set(stored, cell) }
    }
    return true
  }

  /// An untyped value, or an element, as content; nil when its type is wrong.
  static func content(_ value: Any, _ facts: _TypeFacts) -> _PropertyContent? {
    switch facts.kind {
    case .any: AnyRealmValue._fromAny(value).map(AnyRealmValue._content)
    case .link: ObjectBase._fromAny(value).map { .object($0) }
    default: scalar(value, facts).map { .value($0) }
    }
  }

  /// The stored form of an untyped scalar; nil when its type is wrong.
  static func scalar(_ value: Any?, _ facts: _TypeFacts) -> StoredValue? {
    switch facts.kind {
    case .bool: return stored(Bool.self, value, facts)
    case .int: return stored(Int.self, value, facts)
    case .float: return stored(Float.self, value, facts)
    case .double: return stored(Double.self, value, facts)
    case .string: return stored(String.self, value, facts)
    case .data: return stored(Data.self, value, facts)
    case .date: return stored(Date.self, value, facts)
    case .objectId: return stored(ObjectId.self, value, facts)
    case .uuid: return stored(UUID.self, value, facts)
    case .decimal: return stored(Decimal128.self, value, facts)
    case .link, .any: return nil
    }
  }

  private static func stored<Scalar: _PersistableScalar>(
    _ type: Scalar.Type, _ value: Any?, _ facts: _TypeFacts
  ) -> StoredValue? {
    let content: _PropertyContent?
    if facts.isOptional {
      content = Scalar?._fromAny(value as Any).map { Scalar?._content($0) }
    } else {
      content = Scalar._fromAny(value as Any).map { Scalar._content($0) }
    }
    if case .value(let stored)? = content { return stored }
    return nil
  }
}
