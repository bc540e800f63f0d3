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
  /// An instance or a collection that is to be filled.
  enum Target {
    case object(ObjectBase, ModelClass)
    case list(List<AnyRealmValue>)
    case map(Map<String, AnyRealmValue>)
  }

  private struct Task {
    let target: Target
    /// The source of its contents.
    let source: DynamicContainer
    /// How it was reached; parents are numbers of tasks.
    let step: PlanStep
    /// The array or dictionary that is the source or contains it: a node of `containers`; -1 for none.
    let node: Int32
  }

  /// An element of which application code makes another value when it is filled, and what was given for it.
  private struct Unfilled {
    let ready: Any
    let given: Any
  }

  /// The marks of the objects of a document; nil unless a document is read.
  var marks: DocumentMarks?
  /// The beginning of paths.
  private let rootName: String
  private var tasks: ContiguousArray<Task> = []
  private var containers = ContainerPaths()
  /// The objects that were made from others, which were read by the names of their properties: by their classes.
  private var foreignObjects: [ObjectIdentifier: [SourceIdentity: ObjectBase]] = [:]
  /// Owned objects, and collections of them, which are given to their owners last, from the inside out: a property of a
  /// custom type takes their values, and not the object. Likewise what custom types make of any-values, whose lists and
  /// maps are filled by then. Also sets that may hold objects, which find them by their keys, or as their class
  /// compares them.
  private var late: [(property: ModelProperty, value: Any?, step: PlanStep)] = []

  init(_ rootName: String, _ marks: DocumentMarks? = nil) {
    self.rootName = rootName
    self.marks = marks
  }

  /// Sets the properties of an object from a value; implements `Dog(value:)`.
  ///
  /// - Throws: the first error. Some of the properties are set by then.
  package static func fill(_ object: ObjectBase, _ value: Any) throws {
    let type = type(of: object)
    try Realm.Error.translating {
      let model = ModelClass.of(type)
      guard let source = try source(value, for: model) else {
        throw CopyError(
          "Object of class '\(type.className())' cannot be made of \(DynamicValue.description(of: value)): expected a "
            + "dictionary with property names as keys, an array with one value for each property, or an object.")
      }
      var builder = UnmanagedBuilder(model.shownName)
      try builder.add(.object(object, model), from: source, at: .root)
      try builder.run()
    }
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
  mutating func add(_ target: Target, from source: DynamicContainer, at step: PlanStep) throws {
    var cost = 1
    if case .object = target { cost = ContainerPaths.costOfObject }
    tasks.append(Task(target: target, source: source, step: step, node: try enter(source, at: step, cost: cost)))
  }

  /// Enters the container at a step, below that of the enclosing task.
  @discardableResult
  private mutating func enter(_ container: DynamicContainer, at step: PlanStep, cost: Int = 1) throws -> Int32 {
    do throws(ContainerPaths.Refusal) {
      let node = step.parent < 0 ? -1 : tasks[step.parent].node
      return try containers.enter(container.identity, cost: cost, below: node)
    } catch {
      throw error.error(", at \(path(step))")
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
    for late in late.reversed() {
      let value = late.property.facts.isConvertedToRows ? try filled(late.value, late.property, late.step) : late.value
      try store(value, in: late.property, at: late.step, given: late.value)
    }
  }

  private mutating func run(_ number: Int) throws {
    let task = tasks[number]
    switch (task.target, task.source) {
    case (.list(let list), .array(let values, _)):
      list.unmanaged = try values.enumerated().map { try any($1, PlanStep(number, -1, at: .index($0))) }
    case (.map(let map), let container):
      for (key, value) in container.entries ?? [] {
        if marks == nil { try MapKeys.check(key, path(task.step)) }
        map[key] = try any(value, PlanStep(number, -1, at: .key(key)))
      }
    case (.object(_, let model), .dictionary(let values, _)):
      for property in model.properties where property.isStored {
        if let value = values[property.name] { try set(property, to: value, in: number) }
      }
    case (.object(_, let model), .array(let values, _)):
      let stored = model.properties.lazy.filter(\.isStored)
      if values.count > stored.count {
        throw CopyError(
          "Invalid array at \(path(task.step)): it has \(values.count) values, and class '\(model.name)' has "
            + "\(stored.count) properties (\(stored.map(\.name).joined(separator: ", "))).")
      }
      for (property, value) in zip(stored, values) { try set(property, to: value, in: number) }
    case (.object(_, let model), .members(let tree, let members)):
      // Markers come first in the order of the bytes.
      var read = 0
      while read < members.count, isMarker(tree.name(read, of: members), number) { read += 1 }
      for property in model.properties where property.isStored {
        guard let value = tree.member(property.name, of: members) else { continue }
        try set(property, to: tree.untyped(value), in: number)
        read += 1
      }
      if read < members.count { try refuseUnknown(members, of: model, number: number, task.step) }
    case (.list, _): preconditionFailure("A list is made of an array.")
    }
  }

  // MARK: One property

  private mutating func set(_ property: ModelProperty, to value: Any, in number: Int) throws {
    let step = PlanStep(number, property.number)
    let isAny = property.facts.kind == .any && property.facts.shape == .single
    guard let given = DynamicValue.present(isAny ? value : Self.content(of: value)) else {
      return try store(nil, in: property, at: step, given: value)
    }
    let made: Any
    switch property.facts.shape {
    case .single: made = try prepared(given, for: property, at: step)
    case .list, .set:
      if try isCollection(given, at: step), assign(given, to: property, at: step) { return }
      guard let elements = DynamicContainer.elements(given) else { throw wrong(given, for: property, at: step) }
      if let container = DynamicContainer.of(given) { try enter(container, at: step) }
      made = try elements.enumerated().map { position, value in
        try element(value, of: property, at: PlanStep(number, property.number, at: .index(position)))
      }
    case .dictionary:
      if try isCollection(given, at: step), assign(given, to: property, at: step) { return }
      made = try entries(of: given, property, step)
    }
    let isSetOfObjects = property.facts.shape == .set && (property.facts.kind == .link || property.facts.kind == .any)
    if isSetOfObjects || property.facts.target is EmbeddedObject.Type || property.facts.isConvertedToRows {
      late.append((property, made, step))
    } else {
      try store(made, in: property, at: step, given: given)
    }
  }

  private mutating func entries(of value: Any, _ property: ModelProperty, _ step: PlanStep) throws -> DynamicEntries {
    func entries<M: RealmKeyedCollection>(of map: M) -> DynamicEntries {
      zip(map.keys, map.values).map { ("\($0)", $1 as Any) }.sorted { $0.0 < $1.0 }
    }
    let given: DynamicEntries
    if let map = value as? any RealmKeyedCollection {
      given = entries(of: map)
    } else {
      guard let container = DynamicContainer.of(value), let entries = container.entries else {
        throw wrong(value, for: property, at: step)
      }
      try enter(container, at: step)
      given = entries
    }
    return try given.map { key, value in
      // A document may hold what an unmanaged map had.
      if marks == nil { try MapKeys.check(key, path(step)) }
      return (key, try element(value, of: property, at: PlanStep(step.parent, step.number, at: .key(key))))
    }
  }

  /// What an any-value stands for where none is wanted: its content. Any other value stands for itself.
  private static func content(of value: Any) -> Any {
    guard type(of: value) == AnyRealmValue.self, let any = value as? AnyRealmValue else { return value }
    return AnyRealmValue._plain(any) ?? NSNull()
  }

  /// Whether a value is a list, set or map.
  ///
  /// - Throws: for one that was deleted with its object.
  private func isCollection(_ value: Any, at step: PlanStep) throws -> Bool {
    guard DynamicValue.isObject(value), let collection = value as? CollectionBase else { return false }
    if collection.isInvalidated {
      throw CopyError(
        "Invalid value for property '\(path(step))': the collection has been deleted or invalidated with its object "
          + "and cannot be copied.")
    }
    return true
  }

  /// Gives the object of a task the value of a property.
  ///
  /// - Returns: false when the value has a wrong type.
  private func assign(_ value: Any?, to property: ModelProperty, at step: PlanStep) -> Bool {
    guard case .object(let object, _) = tasks[step.parent].target else { return false }
    return property.hold(value, in: object)
  }

  private func store(_ value: Any?, in property: ModelProperty, at step: PlanStep, given: Any?) throws {
    if !assign(value, to: property, at: step) { throw wrong(given ?? NSNull(), for: property, at: step) }
  }

  /// Prepares an element and checks its type, so that an error names the element's position.
  private mutating func element(_ value: Any, of property: ModelProperty, at step: PlanStep) throws -> Any {
    let given = property.facts.kind == .any ? value : Self.content(of: value)
    let ready = try prepared(given, for: property, at: step)
    return property.facts.isConvertedToRows
      ? Unfilled(ready: ready, given: value) : try held(ready, given: value, of: property, at: step)
  }

  /// An element as the collection holds it, after its type was checked.
  private func held(_ ready: Any, given value: Any, of property: ModelProperty, at step: PlanStep) throws -> Any {
    // The typed values of a document are checked together, when their collection is stored.
    if marks != nil { return property.heldElement(ready) }
    // A property of a mapped type reads null as its default, and so does a map; an element of a list cannot be null.
    let isRefused = property.facts.isMapped && property.facts.shape != .dictionary && DynamicValue.isNull(ready)
    guard !isRefused, property.facts.element?._encodeAny(ready) != nil else {
      throw wrong(value, for: property, at: step)
    }
    return property.heldElement(ready)
  }

  /// The value of a property, with its elements as the collection holds them, when all of it is filled.
  private func filled(_ value: Any?, _ property: ModelProperty, _ step: PlanStep) throws -> Any? {
    func element(_ element: Any, _ place: PlanStep.Place) throws -> Any {
      guard let element = element as? Unfilled else { return element }
      let step = PlanStep(step.parent, step.number, at: place)
      return try held(element.ready, given: element.given, of: property, at: step)
    }
    switch property.facts.shape {
    case .single: return value
    case .dictionary:
      guard let entries = value as? DynamicEntries else { return value }
      return try entries.map { ($0.key, try element($0.value, .key($0.key))) } as DynamicEntries
    case .list, .set:
      guard let elements = value as? [Any] else { return value }
      return try elements.enumerated().map { try element($1, .index($0)) }
    }
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
    let identity = object.map(SourceIdentity.init(of:))
    if let identity, let made = foreignObjects[ObjectIdentifier(target)]?[identity] { return made }
    let model = ModelClass.of(target)
    guard let source = try Self.source(value, for: model) else { return value }
    let made = target.init()
    if let identity { foreignObjects[ObjectIdentifier(target), default: [:]][identity] = made }
    try add(.object(made, model), from: source, at: step)
    return made
  }

  /// The values for an object of a class: a container, or the properties of another object, by their names. Those that
  /// are nil there keep their defaults.
  private static func source(_ value: Any, for model: ModelClass) throws -> DynamicContainer? {
    guard let inner = DynamicValue.present(value) else { return nil }
    guard let object = object(in: inner) else { return DynamicContainer.of(inner) }
    if object.flags.contains(.faulty), let error = FaultyObjects.error(of: object) { throw error }
    object.retainedSession?.checkConfinement()
    if object.isInvalidated {
      throw CopyError(
        "Object of class '\(type(of: object).className())' has been deleted or invalidated and cannot be copied.")
    }
    let source = object.model
    var values: [String: Any] = [:]
    for property in model.properties where property.isStored {
      guard let index = source.number(of: property.name) else {
        throw CopyError(
          "Object of class '\(source.name)' has no property '\(property.name)', which class '\(model.name)' asks "
            + "for: give a dictionary of what is there.")
      }
      values[property.name] = source.properties[index].value(in: object)
    }
    return .dictionary(values, nil)
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
    if DynamicValue.isObject(value), let held = AnyRealmValue.of(value as AnyObject) { return held }
    if let container = DynamicContainer.of(value) {
      if marks != nil, let marked = try marked(value, step) { return marked }
      return try fill(container, step)
    }
    let other: AnyRealmValue? = Represented.read(value) {
      DynamicValue.isNull($0) ? AnyRealmValue.none : Self.scalar($0)
    }
    if let other { return other }
    throw wrong(value, at: step, expected: "AnyRealmValue")
  }

  /// A list or a map that is filled later.
  mutating func fill(_ container: DynamicContainer, _ step: PlanStep) throws -> AnyRealmValue {
    if case .array = container {
      let list = List<AnyRealmValue>()
      try add(.list(list), from: container, at: step)
      return .list(list)
    }
    let map = Map<String, AnyRealmValue>()
    try add(.map(map), from: container, at: step)
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
      let target = tasks[step.parent].target
      if case .object(_, let model) = target {
        parts.append(step.text(model.properties[step.number].name))
      } else {
        parts.append(step.text(""))
      }
      step = tasks[step.parent].step
    }
    return PlanPath.join([rootName] + parts.reversed())
  }

  private func wrong(_ value: Any, for property: ModelProperty, at step: PlanStep) -> CopyError {
    var isElement = true
    if case .value = step.place { isElement = false }
    let facts = property.facts
    if facts.isConverted, DynamicValue.stored(value, ColumnType(facts.kind)) != nil {
      return CopyError(
        "Invalid value \(DynamicValue.description(of: value)) for property '\(path(step))': no value of its type is "
          + "stored as this, and an unmanaged object can hold no other.")
    }
    return wrong(value, at: step, expected: isElement ? property.elementTypeName : property.typeName)
  }

  func wrong(_ value: Any, at step: PlanStep, expected: String) -> CopyError {
    CopyError(
      "Invalid value \(DynamicValue.description(of: value)) for property '\(path(step))': expected \(expected).")
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AnyRealmValue {
  public static func _fromAny(_ value: Any) -> AnyRealmValue? { try? UnmanagedBuilder.any(value) }
}
