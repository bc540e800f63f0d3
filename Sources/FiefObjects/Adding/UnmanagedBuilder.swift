import FiefCopying
import FiefGraph
import FiefRuntime
import Foundation

/// Makes unmanaged objects and any-values of foreign values: dictionaries, arrays, objects, and documents.
///
///     ["name": "Ann", "dogs": [["name": "Rex"], rufus], "note": [1, [2]]]
///        │                        │               │              └─ lists and maps of any-values
///        ▼                        ▼               └─ kept by reference
///     tasks: Ann ──────────────▶ Rex              what is made now is filled later, in a work list
///
/// It stops at the first error. No realm is read or changed. Depth is bounded by memory alone.
package struct UnmanagedBuilder {
  /// What is to be filled.
  enum Target {
    case object(ObjectBase, ModelClass)
    case list(List<AnyRealmValue>)
    case map(Map<String, AnyRealmValue>)
  }

  /// Where its contents come from.
  enum Source {
    case container(DynamicContainer)
    case object(ObjectBase)
  }

  private struct Task {
    let target: Target
    let source: Source
    /// How it was reached; parents are numbers of tasks.
    let step: PlanStep
    /// The array or dictionary that is the source or contains it: a node of `containers`; -1 for none.
    let node: Int32
  }

  /// An owned object, or a collection of them, that its owner is to be given.
  private struct Owning {
    let property: ModelProperty
    let value: Any?
    let step: PlanStep
  }

  /// An unmanaged object, or the row of a managed one, and the class as which it is read.
  private struct ForeignObject: Hashable {
    let identity: ObjectIdentifier
    let row: ObjectLink?
    let target: ObjectIdentifier

    init(_ object: ObjectBase, _ target: ObjectBase.Type) {
      identity = object.retainedSession.map { ObjectIdentifier($0) } ?? ObjectIdentifier(object)
      row = object.rowLink
      self.target = ObjectIdentifier(target)
    }
  }

  /// What a document says of its objects; nil unless a document is read.
  var marks: DocumentMarks?
  /// The beginning of paths.
  private let rootName: String
  private var tasks: ContiguousArray<Task> = []
  private var containers = ContainerPaths()
  /// Objects that were read by the names of their properties, and the objects that were made from them.
  private var foreignObjects: [ForeignObject: ObjectBase] = [:]
  /// Owned objects are given to their owners last, from the inside out: a property of a custom type takes their values,
  /// and not the object.
  private var owning: [Owning] = []

  init(_ rootName: String, _ marks: DocumentMarks? = nil) {
    self.rootName = rootName
    self.marks = marks
  }

  /// Sets the properties of an object from a value; implements `Dog(value:)`.
  ///
  /// - Throws: the first error. Some of the properties are set by then.
  package static func fill(_ object: ObjectBase, _ value: Any) throws {
    let type = type(of: object)
    guard let source = try source(value) else {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(type.className())' cannot be made of \(DynamicValue.description(of: value)): expected a "
          + "dictionary with property names as keys, an array with one value for each property, or an object.")
    }
    var builder = UnmanagedBuilder(type.className())
    try builder.add(.object(object, ModelClass.of(type)), from: source, at: .root)
    try builder.run()
  }

  /// The any-value of a value.
  ///
  /// - Throws: when a part of it cannot be converted, or contains itself.
  static func any(_ value: Any) throws -> AnyRealmValue {
    if let text = Existential.value(value, as: String.self) { return .string(text) }
    var builder = UnmanagedBuilder("")
    let any = try builder.any(value, .root)
    if !builder.tasks.isEmpty { try builder.run() }
    return any
  }

  // MARK: Walking

  /// Adds a task.
  mutating func add(_ target: Target, from source: Source, at step: PlanStep) throws {
    var node = step.parent < 0 ? -1 : tasks[step.parent].node
    switch source {
    case .object, .container(.members): break
    case .container(.array(_, let identity)), .container(.dictionary(_, let identity)):
      if case .object = target {
        node = try enter(identity, below: node, step, cost: ContainerPaths.costOfObject)
      } else {
        node = try enter(identity, below: node, step)
      }
    }
    tasks.append(Task(target: target, source: source, step: step, node: node))
  }

  private mutating func enter(
    _ identity: ContainerIdentity?, below node: Int32, _ step: PlanStep, cost: Int = 1
  ) throws -> Int32 {
    do throws(ContainerPaths.Refusal) {
      return try containers.enter(identity, cost: cost, below: node)
    } catch {
      throw Realm.Error(error.error(", at \(path(step))"))
    }
  }

  /// Carries out all tasks.
  mutating func run() throws {
    var next = 0
    while next < tasks.count {
      try run(next)
      next += 1
    }
    // Owners come before the objects that they own.
    for owning in owning.reversed() {
      try store(owning.value, in: owning.property, at: owning.step, given: owning.value)
    }
  }

  private mutating func run(_ number: Int) throws {
    let task = tasks[number]
    switch (task.target, task.source) {
    case (.list(let list), .container(.array(let values, _))):
      var elements: [AnyRealmValue] = []
      elements.reserveCapacity(values.count)
      for (position, value) in values.enumerated() {
        elements.append(try any(value, PlanStep(number, -1, at: .index(position))))
      }
      list.unmanaged = elements
    case (.map(let map), .container(.dictionary(let values, _))):
      for (key, value) in values { map[key] = try any(value, PlanStep(number, -1, at: .key(key))) }
    case (.map(let map), .container(.members(let tree, let members))):
      for (key, value) in tree.members(members) {
        map[key] = try any(tree.untyped(value), PlanStep(number, -1, at: .key(key)))
      }
    case (.object(_, let model), .container(.dictionary(let values, _))):
      for property in model.properties where property.isStored {
        if let value = values[property.name] { try set(property, to: value, in: number) }
      }
    case (.object(_, let model), .container(.array(let values, _))):
      let stored = model.properties.lazy.filter(\.isStored)
      if values.count > stored.count {
        throw Realm.Error(
          .invalidValue,
          "Invalid array at \(path(task.step)): it has \(values.count) values, and class '\(model.name)' has "
            + "\(stored.count) properties (\(stored.map(\.name).joined(separator: ", "))).")
      }
      for (property, value) in zip(stored, values) { try set(property, to: value, in: number) }
    case (.object(_, let model), .container(.members(let tree, let members))):
      // Markers come first in the order of the bytes.
      var read = 0
      while read < members.count, isMarker(tree.name(read, of: members), number) { read += 1 }
      for property in model.properties where property.isStored {
        guard let value = tree.member(property.name, of: members) else { continue }
        try set(property, to: tree.untyped(value), in: number)
        read += 1
      }
      if read < members.count { try refuseUnknown(members, of: model, number: number, task.step) }
    case (.object(_, let model), .object(let object)):
      let source = object.model
      for property in model.properties where property.isStored {
        guard let index = source.number(of: property.name) else {
          throw Realm.Error(
            .invalidValue,
            "Object of class '\(source.name)' has no property '\(property.name)', which class '\(model.name)' asks "
              + "for: give a dictionary of what is there.")
        }
        // A property that is nil in the source keeps its default.
        if let value = source.properties[index].value(in: object) { try set(property, to: value, in: number) }
      }
    default: preconditionFailure("A list is made of an array, and a map of a dictionary.")
    }
  }

  // MARK: One property

  private mutating func set(_ property: ModelProperty, to value: Any, in number: Int) throws {
    let step = PlanStep(number, property.number)
    guard let given = DynamicValue.present(value) else { return try store(nil, in: property, at: step, given: value) }
    let made: Any
    switch property.facts.shape {
    case .single: made = try prepared(given, for: property, at: step)
    case .list, .set:
      if isCollection(given), assign(given, to: property, at: step) { return }
      guard let elements = DynamicContainer.elements(given) else { throw wrong(given, for: property, at: step) }
      if case .array(_, let identity)? = DynamicContainer.of(given) {
        _ = try enter(identity, below: tasks[number].node, step)
      }
      var values: [Any] = []
      values.reserveCapacity(elements.count)
      for (position, value) in elements.enumerated() {
        values.append(try element(value, of: property, at: PlanStep(number, property.number, at: .index(position))))
      }
      made = values
    case .dictionary:
      if isCollection(given), assign(given, to: property, at: step) { return }
      made = try entries(of: given, property, step)
    }
    if property.facts.target is EmbeddedObject.Type {
      owning.append(Owning(property: property, value: made, step: step))
    } else {
      try store(made, in: property, at: step, given: given)
    }
  }

  private mutating func entries(of value: Any, _ property: ModelProperty, _ step: PlanStep) throws -> DynamicEntries {
    func entries<M: RealmKeyedCollection>(of map: M) -> [String: Any] {
      Dictionary(zip(map.keys.lazy.map { "\($0)" }, map.values.lazy.map { $0 as Any })) { $1 }
    }
    var made = DynamicEntries()
    func place(_ key: String) -> PlanStep { PlanStep(step.parent, step.number, at: .key(key)) }
    var dictionary: [String: Any]
    if let map = value as? any RealmKeyedCollection {
      dictionary = entries(of: map)
    } else {
      switch DynamicContainer.of(value) {
      case .members(let tree, let members):
        for (key, value) in tree.members(members) {
          made.append(key, try element(tree.untyped(value), of: property, at: place(key)))
        }
        return made
      case .dictionary(let values, let identity):
        _ = try enter(identity, below: tasks[step.parent].node, step)
        dictionary = values
      case .array, nil: throw wrong(value, for: property, at: step)
      }
    }
    for key in dictionary.keys.sorted() {
      do throws(CopyError) {
        try MapKeys.check(key, path(step))
      } catch {
        throw Realm.Error(error)
      }
      if let value = dictionary[key] { made.append(key, try element(value, of: property, at: place(key))) }
    }
    return made
  }

  private func isCollection(_ value: Any) -> Bool { DynamicValue.isObject(value) && value is CollectionBase }

  /// Gives the object of a task the value of a property.
  ///
  /// - Returns: false when the value has a wrong type.
  private func assign(_ value: Any?, to property: ModelProperty, at step: PlanStep) -> Bool {
    guard case .object(let object, _) = tasks[step.parent].target else { return false }
    return property.set(value, in: object)
  }

  private func store(_ value: Any?, in property: ModelProperty, at step: PlanStep, given: Any?) throws {
    if !assign(value, to: property, at: step) { throw wrong(given ?? NSNull(), for: property, at: step) }
  }

  /// Prepares an element and checks its type, so that an error names the element's position.
  private mutating func element(_ value: Any, of property: ModelProperty, at step: PlanStep) throws -> Any {
    let ready = try prepared(value, for: property, at: step)
    // The typed values of a document are checked together, when their collection is stored.
    if marks != nil { return ready }
    // A property of a mapped type reads null as its default, and so does a map; an element of a list cannot be null.
    let isRefused = property.facts.isMapped && property.facts.shape != .dictionary && DynamicValue.isNull(ready)
    guard !isRefused, property.facts.element?._encodeAny(ready) != nil else {
      throw wrong(value, for: property, at: step)
    }
    return ready
  }

  /// The any-value of a value, the object that is made for a nested dictionary or array where an object is expected, or
  /// the value itself.
  private mutating func prepared(_ value: Any, for property: ModelProperty, at step: PlanStep) throws -> Any {
    switch property.facts.kind {
    case .any: return try any(value, step)
    case .link: break
    default:
      if marks == nil || DynamicValue.isNull(value) { return value }
      guard let scalar = DocumentMarks.scalar(value, property.facts.kind) else {
        throw wrong(value, for: property, at: step)
      }
      return scalar
    }
    if marks != nil {
      return DynamicValue.isNull(value) ? NSNull() : try object(value, as: property.facts.target, step)
    }
    guard let target = property.facts.target else { return value }
    let object = Self.object(in: value)
    // An object of the expected class is used directly. Any other object is read by the names of its properties, once.
    if let object, type(of: object) == target { return object }
    if let object, let made = foreignObjects[ForeignObject(object, target)] { return made }
    guard let source = try Self.source(value) else { return value }
    let made = target.init()
    if let object { foreignObjects[ForeignObject(object, target)] = made }
    try add(.object(made, ModelClass.of(target)), from: source, at: step)
    return made
  }

  private static func source(_ value: Any) throws -> Source? {
    guard let inner = DynamicValue.present(value) else { return nil }
    guard let object = object(in: inner) else { return DynamicContainer.of(inner).map(Source.container) }
    if object.flags.contains(.faulty), let error = FaultyObjects.error(of: object) { throw error }
    object.retainedSession?.checkConfinement()
    if object.isInvalidated {
      throw Realm.Error(
        .invalidValue,
        "Object of class '\(type(of: object).className())' has been deleted or invalidated and cannot be copied.")
    }
    return .object(object)
  }

  /// The object in a value; for a dynamic object, the typed one for which it stands.
  private static func object(in value: Any) -> ObjectBase? {
    let object = DynamicValue.cast(value, to: ObjectBase.self)
    return (object as? DynamicObject)?.typed ?? object
  }

  // MARK: Any-values

  /// Converts a value to an any-value. A container is made now and filled later.
  mutating func any(_ value: Any, _ step: PlanStep) throws -> AnyRealmValue {
    guard let value = DynamicValue.present(value) else { return AnyRealmValue.none }
    // The most common containers are recognised by their type alone; casting one to each scalar type costs more.
    let type = type(of: value)
    let isPlainContainer = type == [Any].self || type == [String: Any].self || type == DocumentPart.self
    if !isPlainContainer, let scalar = Self.scalar(value) { return scalar }
    if DynamicValue.isObject(value) {
      switch value as AnyObject {
      case let value as Object: return .object(value)
      case let value as List<AnyRealmValue>: return .list(value)
      case let value as Map<String, AnyRealmValue>: return .dictionary(value)
      default: break
      }
    }
    if let container = DynamicContainer.of(value) {
      if marks != nil, let marked = try marked(value, step) { return marked }
      return try fill(container, step)
    }
    let other: AnyRealmValue? = Represented.read(value) {
      DynamicValue.isNull($0) ? AnyRealmValue.none : Self.scalar($0)
    }
    if let other { return other }
    throw Realm.Error(
      .invalidValue,
      "Invalid value \(DynamicValue.description(of: value)) for property '\(path(step))': expected AnyRealmValue.")
  }

  /// A list or a map that is filled later.
  mutating func fill(_ container: DynamicContainer, _ step: PlanStep) throws -> AnyRealmValue {
    if case .array = container {
      let list = List<AnyRealmValue>()
      try add(.list(list), from: .container(container), at: step)
      return .list(list)
    }
    let map = Map<String, AnyRealmValue>()
    try add(.map(map), from: .container(container), at: step)
    return .dictionary(map)
  }

  private static func scalar(_ value: Any) -> AnyRealmValue? {
    if !DynamicValue.isObject(value), let value = value as? AnyRealmValue { return value }
    // A date may be more precise than its stored form, so it is not converted to that.
    if let date = DynamicValue.date(value) { return .date(date) }
    return DynamicValue.storedAny(value).map { AnyRealmValue.scalar($0) }
  }

  // MARK: Errors

  func path(_ step: PlanStep) -> String {
    var parts: [String] = []
    var step = step
    while step.parent >= 0 {
      var part = ""
      if step.number >= 0, case .object(_, let model) = tasks[step.parent].target {
        part = ".\(model.properties[step.number].name)"
      }
      switch step.place {
      case .value: break
      case .index(let index): part += "[\(index)]"
      case .key(let key): part += "['\(PlanPath.shortened(key))']"
      }
      parts.append(part)
      step = tasks[step.parent].step
    }
    return PlanPath.join([rootName] + parts.reversed())
  }

  private func wrong(_ value: Any, for property: ModelProperty, at step: PlanStep) -> Realm.Error {
    var isElement = true
    if case .value = step.place { isElement = false }
    return wrong(value, at: step, expected: isElement ? property.elementTypeName : property.typeName)
  }

  func wrong(_ value: Any, at step: PlanStep, expected: String) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Invalid value \(DynamicValue.description(of: value)) for property '\(path(step))': expected \(expected).")
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AnyRealmValue {
  public static func _fromAny(_ value: Any) -> AnyRealmValue? { try? UnmanagedBuilder.any(value) }
}
