import FiefCopying
import FiefGraph
import Foundation

extension ThreadConfined where Self: ObjectBase {
  /// Returns a deep copy that belongs to no realm. The object and all objects that it reaches are copied as unmanaged
  /// objects, linked to each other like the originals.
  ///
  ///     let dog = realm.objects(Dog.self)[0].detached()
  ///     let json = try JSONEncoder().encode(dog)          // Dog: Encodable
  ///     let card = person.detached(depth: 1, properties: .except(\Person.diary))
  ///
  /// The object may be managed, frozen or unmanaged. Each object is copied once, so sharing and cycles are preserved.
  /// The copy may be used on any thread, and added to any realm.
  ///
  /// - Parameters:
  ///   - depth: the maximum number of links to follow, at least 0; nil follows all. 0 copies the object with its
  ///     embedded objects, 1 also the objects that it links to. In objects at the maximum depth, links and collections
  ///     of objects are empty.
  ///   - properties: the properties to copy; all others have their declared defaults.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps for deleted objects, on threads where the object may not be read, and for a dynamic object whose class the
  /// program does not define.
  public func detached(depth: Int? = nil, properties: CopyFilter = .all) -> Self {
    let options = CopyOptions(depth: depth.map { max(0, $0) }, properties: properties)
    guard let copy = try? Detaching(options).copy(self) else {
      fatalError("A detached copy that refuses nothing was refused.")
    }
    return unsafe unsafeDowncast(copy, to: type(of: self))
  }

  /// Returns a deep copy that belongs to no realm, with policies for primary keys and cycles.
  ///
  ///     let twin = try document.detached(keys: .regenerate)
  ///
  /// - Parameters:
  ///   - depth: as for `detached(depth:properties:)`.
  ///   - cycles: whether an object that reaches itself is copied, or is an error.
  ///   - keys: whether primary keys are kept, or new ones are generated.
  ///   - properties: as for `detached(depth:properties:)`.
  /// - Throws: `Realm.Error.cycle` with the path of the cycle; `.invalidValue` for a key that cannot be generated.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps as `detached(depth:properties:)` does.
  public func detached(
    depth: Int? = nil, cycles: Realm.CopyCycles = .preserve, keys: Realm.CopyKeys, properties: CopyFilter = .all
  ) throws -> Self {
    let options = CopyOptions(cycles: cycles, keys: keys, depth: depth.map { max(0, $0) }, properties: properties)
    return unsafe unsafeDowncast(try Detaching(options).copy(self), to: type(of: self))
  }
}

/// Makes unmanaged copies: first the instances with their values, then their links and collections.
private struct Detaching {
  private let options: CopyOptions
  private let reader: GraphReader
  /// The copy of each node that was read.
  private var copies: ContiguousArray<AnyObject> = []

  init(_ options: CopyOptions) {
    self.options = options
    reader = GraphReader(ObjectReading(), options, readsScalars: false)
  }

  consuming func copy(_ object: ObjectBase) throws -> ObjectBase {
    try Realm.Error.translating { try reader.read(object) }
    guard !reader.nodes.isEmpty else {
      fatalError(
        "Object of class '\(object.model.name)' cannot be detached: the program has no such class, by which it could "
          + "be copied.")
    }
    copies.reserveCapacity(reader.nodes.count)
    for index in reader.nodes.indices { copies.append(try instance(of: index)) }
    // Owned objects come after their owners. Reverse order completes them first, as a property of a custom type takes
    // their values, and not the object.
    for index in reader.nodes.indices.reversed() { link(index) }
    let copy = unsafe unsafeDowncast(copies[0], to: ObjectBase.self)
    // The copy of a dynamic object is dynamic too.
    return object is DynamicObject ? DynamicObject.of(copy) ?? copy : copy
  }

  /// An instance for a node, with all values that contain no links.
  private func instance(of index: Int) throws -> AnyObject {
    guard let model = reader.nodes[index].rowClass?.model else {
      return reader.isMap(index) ? Map<String, AnyRealmValue>() : List<AnyRealmValue>()
    }
    let object = unsafe unsafeDowncast(reader.nodes[index].source, to: ObjectBase.self)
    let copy = model.type.init()
    for property in model.properties where property.isCarried {
      if property.isPrimaryKey && options.keys == .regenerate {
        guard let key = FreshKey.stored(property.facts.kind)?.plain, property.set(key, in: copy) else {
          throw Realm.Error(CopyOptions.cannotRegenerate(model.name, property: property.name, type: property.typeName))
        }
      } else if property.isPrimaryKey || options.allows(model, property.name) {
        property.access.copy(property, from: object, to: copy)
      }
    }
    if object.flags.contains(.faulty), let error = FaultyObjects.error(of: object) { FaultyObjects.note(error, copy) }
    return copy
  }

  /// Sets the links and collections of a copy.
  private func link(_ index: Int) {
    let plan = reader.plan
    for cell in plan.rows[index].cells {
      let content = plan.cells[cell].content
      if let model = reader.nodes[index].rowClass?.model {
        let property = model.properties[Int(plan.cells[cell].number)]
        unsafe set(property, of: unsafeDowncast(copies[index], to: ObjectBase.self), to: content)
      } else if case .elements(let range) = content {
        let elements = plan.elements[range]
        if let list = copies[index] as? List<AnyRealmValue> { list.unmanaged = elements.map { any($0.content) } }
        if let map = copies[index] as? Map<String, AnyRealmValue> {
          for element in elements { map[element.key ?? ""] = any(element.content) }
        }
      }
    }
  }

  private func set(_ property: ModelProperty, of copy: ObjectBase, to content: PlannedContent) {
    let elements = reader.plan.elements
    func element(_ content: PlannedContent) -> Any {
      if property.facts.kind == .any { return any(content) }
      if case .row(let row) = content { return copies[row] }
      return NSNull()
    }
    let isUnset = property.isUnset(in: copy)
    let value: Any?
    switch content {
    case .elements(let range):
      if range.isEmpty && isUnset { return }
      if property.facts.shape == .dictionary {
        value =
          range.map { (elements[$0].key ?? "", property.heldElement(element(elements[$0].content))) } as DynamicEntries
      } else {
        value = range.map { property.heldElement(element(elements[$0].content)) }
      }
    case .value(.null) where isUnset: return
    case .value(.null) where property.facts.kind == .link: value = nil
    default: value = element(content)
    }
    if !property.hold(value, in: copy) {
      fatalError("Property '\(property.name)' of a copy did not take what the original has.")
    }
  }

  private func any(_ content: PlannedContent) -> AnyRealmValue {
    switch content {
    case .value(let value): AnyRealmValue.scalar(value)
    case .row(let row): AnyRealmValue.of(copies[row]) ?? .none
    case .elements, .cleared: .none
    }
  }
}

extension ModelProperty {
  /// Whether the value, and each of its elements, can be copied without its links.
  fileprivate var isCarried: Bool { isStored && facts.kind != .link && facts.kind != .any }
}
