import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import FiefValues
import Foundation

/// Reads and writes the properties of dynamic objects by the types of their columns. They have no fields and no
/// unmanaged form.
package enum DynamicAccess: DynamicPropertyAccess {
  package static func content(of property: ModelProperty, in object: ObjectBase) -> _PropertyContent { .value(.null) }
  package static func copy(_ property: ModelProperty, from object: ObjectBase, to copy: ObjectBase) {}

  package static func value(of property: ModelProperty, in object: ObjectBase) -> Any? {
    let facts = property.facts
    guard let session = object.retainedSession, let binding = object.binding?.counted else {
      return nil
    }
    object.locate(facts.isBacklinks || facts.shape != .single ? nil : property.number)
    if facts.isBacklinks { return LinkingObjects<DynamicObject>._load(object, property.number) }
    if facts.shape != .single {
      return collection(CollectionLocation(session, binding, row: object.key, number: property.number), facts)
    }
    return plain(object.loadValue(property.number) ?? .null, session)
  }

  package static func plainValue(of property: ModelProperty, in object: ObjectBase) -> Any? {
    value(of: property, in: object)
  }

  /// As the protocol says. A link becomes an object of its class, if the program defines that class.
  package static func plain(_ value: StoredValue, _ session: Session) -> Any? {
    if case .link(let link) = value, !link.table.isNested {
      return session.store.classes.migration == nil ? session.accessor(link) : session.dynamicAccessor(link)
    }
    return AnyRealmValue._plain(AnyRealmValue._fromStored(value, _StoreContext(session)))
  }

  /// The collection of a property, with elements in their stored form.
  static func collection(_ location: CollectionLocation, _ facts: _TypeFacts) -> any _CollectionProperty {
    func scalars<Element: _PersistableScalar & RealmCollectionValue>(_ type: Element.Type) -> any _CollectionProperty {
      facts.isOptional ? elements(Element?.self, at: location, facts) : elements(type, at: location, facts)
    }
    if let type = scalarType(facts.kind) { return scalars(type) }
    if facts.kind == .any { return elements(AnyRealmValue.self, at: location, facts) }
    return facts.shape == .dictionary
      ? elements(DynamicObject?.self, at: location, facts) : elements(DynamicObject.self, at: location, facts)
  }

  private static func elements<Element: RealmCollectionValue>(
    _ type: Element.Type, at location: CollectionLocation, _ facts: _TypeFacts
  ) -> any _CollectionProperty {
    switch facts.shape {
    case .dictionary: Map<String, Element>(location)
    case .set: MutableSet<Element>(location)
    default: List<Element>(location)
    }
  }

  // MARK: Writing

  package static func set(_ value: Any?, to property: ModelProperty, in object: ObjectBase) -> Bool {
    guard let session = object.retainedSession, let link = object.rowLink else { return false }
    // The new objects of a migration take values as they are stored; what is not one, the program's class may convert.
    if session.store.classes.migration != nil, write(value, to: property, in: object) { return true }
    // If the program defines the class, the types of its properties convert the value.
    if let known = session.store.binding(of: link.table), known.type != DynamicObject.self,
      let number = known.model.number(of: property.name)
    {
      let value = value.flatMap { DynamicValue.cast($0, to: DynamicObject.self)?.typed ?? $0 }
      return known.model.properties[number].set(value, in: session.accessor(known, link.key))
    }
    return session.store.classes.migration == nil && write(value, to: property, in: object)
  }

  /// Stores a value by the type of the column.
  ///
  /// - Returns: false when the value is of another type.
  private static func write(_ value: Any?, to property: ModelProperty, in object: ObjectBase) -> Bool {
    let (index, facts) = (property.number, property.facts)
    guard let session = object.retainedSession else { return false }
    if facts.shape != .single {
      guard let binding = object.binding?.counted else { return false }
      return collection(CollectionLocation(session, binding, row: object.key, number: index), facts)._replaceElements(
        byAny: value)
    }
    switch facts.kind {
    case .any:
      guard let value = AnyRealmValue._fromAny(value ?? (value as Any)) else { return false }
      AnyRealmValue._save(value, to: object, index)
    case .link:
      guard let target = value.flatMap(DynamicValue.present) else {
        object.saveLink(nil, index)
        return true
      }
      guard let target = DynamicValue.cast(target, to: ObjectBase.self) else { return false }
      if session.store.classes.migration != nil {
        // An object that becomes embedded later is an ordinary row yet, so the row itself is linked to.
        let expected = object.binding.flatMap { $0.with { $0.type(of: index).target } }
        guard let link = session.row(of: target), link.table == expected else { return false }
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

  package static func content(of value: Any, for facts: _TypeFacts) -> _PropertyContent? {
    switch facts.kind {
    case .any: AnyRealmValue._encodeAny(value)
    case .link: ObjectBase._encodeAny(value)
    default: scalar(value, facts).map { .value($0) }
    }
  }

  /// The stored form of an untyped scalar; nil when its type is wrong.
  private static func scalar(_ value: Any?, _ facts: _TypeFacts) -> StoredValue? {
    // An optional inside of the `Any` would have to be cast to a protocol.
    guard let value else { return facts.isOptional ? .null : nil }
    if let stored = DynamicValue.stored(value, ColumnType(facts.kind)) { return stored }
    func stored<Scalar: _PersistableScalar>(_ type: Scalar.Type) -> StoredValue? {
      (facts.isOptional ? Scalar?._encodeAny(value) : Scalar._encodeAny(value))?.stored
    }
    guard let type = scalarType(facts.kind) else { return nil }
    return stored(type)
  }

  /// The type as which scalars of a kind are read; nil for links and any-values.
  private static func scalarType(_ kind: ValueKind) -> (any (_PersistableScalar & RealmCollectionValue).Type)? {
    switch kind {
    case .bool: Bool.self
    case .int: Int.self
    case .float: Float.self
    case .double: Double.self
    case .string: String.self
    case .data: Data.self
    case .date: Date.self
    case .objectId: ObjectId.self
    case .uuid: UUID.self
    case .decimal: Decimal128.self
    case .link, .any: nil
    }
  }
}
