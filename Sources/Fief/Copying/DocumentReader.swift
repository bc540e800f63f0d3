import FiefCopying
import FiefGraph
import Foundation

extension ObjectDocument {
  /// Makes unmanaged objects of the document, linked to each other as it says.
  ///
  ///     let person = try ObjectDocument(json: data).object(as: Person.self)
  ///
  /// Keys that are no property are ignored, missing ones mean the declared default, as for `create`.
  ///
  /// - Parameters:
  ///   - type: the class of the object at the root.
  ///   - classes: the classes of objects in any-values, where the program has several of one name.
  /// - Returns: the object at the root; adding it to a realm adds all of them.
  /// - Throws: `Realm.Error.invalidValue` with class, path and value for the first thing that does not fit.
  /// - Complexity: linear in the document.
  public func object<T: ObjectBase>(as type: T.Type, classes: [ObjectBase.Type] = []) throws -> T {
    var reader = DocumentReader(root: type, classes: classes)
    let object = try reader.read(tree, type)
    guard let object = object as? T else {
      throw Realm.Error(
        .invalidValue, "The document is of class '\(Swift.type(of: object).className())', expected \(type.className())."
      )
    }
    return object
  }
}

/// Makes objects of trees: instances first, in a work list; what stands in them is looked at later.
struct DocumentReader {
  private var classes: [String: ObjectBase.Type] = [:]
  private var knowsProgram = false
  /// What stands under an "$id", and what was made of it.
  private var definitions: [Int64: [String: DocumentTree]] = [:]
  private var made: [Int64: AnyObject] = [:]
  private var tasks: [Task] = []
  /// Embedded objects are given to their owners when they have their values: a property of a custom type takes those and not the object.
  private var owning: [Owning] = []

  private struct Owning {
    let object: ObjectBase
    let property: ModelProperty
    let value: Any?
    let task: Int
  }

  private struct Task {
    let target: AnyObject
    let content: Content
    /// The earlier task, and the part of the path that led here.
    let parent: Int
    let part: String
  }

  private enum Content {
    case members([String: DocumentTree], ModelClass)
    case elements([DocumentTree])
    case entries([String: DocumentTree])
  }

  init(root: ObjectBase.Type, classes: [ObjectBase.Type]) {
    // Whatever typed properties lead to is known by its name.
    var waiting = classes + [root]
    while let type = waiting.popLast() {
      let model = ModelClass.of(type)
      guard self.classes[model.name] == nil else { continue }
      self.classes[model.name] = type
      waiting += model.properties.compactMap(\.facts.target)
    }
  }

  mutating func read(_ tree: DocumentTree, _ type: ObjectBase.Type) throws -> ObjectBase {
    define(tree)
    let root = try object(tree, type, -1, type.className())
    var next = 0
    while next < tasks.count {
      try carryOut(next)
      next += 1
    }
    // Owners were met before what they own.
    for owning in owning.reversed() {
      guard owning.property.access.set(owning.object, owning.property.number, owning.value) else {
        throw Realm.Error(
          .invalidValue,
          "Invalid value at '\(path(owning.task, "." + owning.property.name))': expected "
            + "\(owning.property.declaredWords(isElement: false)).")
      }
    }
    return root
  }

  /// Notes everything that has an "$id".
  private mutating func define(_ tree: DocumentTree) {
    var waiting = [tree]
    while let tree = waiting.popLast() {
      switch tree {
      case .array(let values): waiting += values
      case .object(let members):
        if case .int(let id)? = members["$id"], definitions[id] == nil { definitions[id] = members }
        waiting += members.values
      default: continue
      }
    }
  }

  // MARK: Taking up

  /// The object that a tree stands for.
  private mutating func object(
    _ tree: DocumentTree, _ expected: ObjectBase.Type?, _ parent: Int, _ part: String
  ) throws -> ObjectBase {
    guard var members = tree.members else {
      throw wrong(tree, parent, part, expected.map { $0.className() } ?? "an object")
    }
    let id = try self.id(&members, parent, part)
    if let id, let object = made[id] {
      guard let object = object as? ObjectBase else {
        throw wrong(tree, parent, part, expected.map { $0.className() } ?? "an object")
      }
      return object
    }
    if members["$list"] != nil || members["$map"] != nil {
      throw wrong(tree, parent, part, expected.map { $0.className() } ?? "an object")
    }
    var type = expected
    if let name = members["$class"]?.text, name != expected.map({ ModelClass.of($0).name }) {
      type = try self.type(name, parent, part)
    }
    guard let type else { throw wrong(tree, parent, part, "an object with a '$class'") }
    let object = type.init()
    if let id { made[id] = object }
    tasks.append(Task(target: object, content: .members(members, ModelClass.of(type)), parent: parent, part: part))
    return object
  }

  /// The number of what stands here or elsewhere; `members` become those of the definition.
  private func id(_ members: inout [String: DocumentTree], _ parent: Int, _ part: String) throws -> Int64? {
    if case .int(let id)? = members["$id"] { return id }
    guard let reference = members["$ref"] else { return nil }
    guard case .int(let id) = reference, let definition = definitions[id] else {
      throw Realm.Error(
        .invalidValue, "The reference at \(path(parent, part)) leads nowhere: nothing in the document has that '$id'.")
    }
    members = definition
    return id
  }

  private mutating func type(_ name: String, _ parent: Int, _ part: String) throws -> ObjectBase.Type {
    if let type = classes[name] { return type }
    if !knowsProgram {
      knowsProgram = true
      let all = ClassDiscovery.models()
        .filter { !$0._realmIgnoreClass() && $0.shouldIncludeInDefaultSchema() }
      // A name that several classes have is nobody's.
      for (name, types) in Dictionary(grouping: all, by: { $0._realmObjectName() ?? $0.className() })
      where types.count == 1 && classes[name] == nil { classes[name] = types[0] }
      if let type = classes[name] { return type }
    }
    throw Realm.Error(
      .invalidValue,
      "The document names the class '\(PlanPath.shortened(name))' at \(path(parent, part)): the program has no such class, or several."
    )
  }

  // MARK: Carrying out

  private mutating func carryOut(_ number: Int) throws {
    let task = tasks[number]
    switch task.content {
    case .elements(let values):
      let list = unsafeDowncast(task.target, to: List<AnyRealmValue>.self)
      for (place, value) in values.enumerated() { list.unmanaged.append(try any(value, number, "[\(place)]")) }
    case .entries(let entries):
      let map = unsafeDowncast(task.target, to: Map<String, AnyRealmValue>.self)
      for (key, value) in entries {
        map.unmanaged[key] = try any(value, number, "['\(PlanPath.shortened(key))']")
      }
    case .members(let members, let model):
      let object = unsafeDowncast(task.target, to: ObjectBase.self)
      for property in model.properties where property.isStored {
        if let value = members[property.name] { try set(property, value, object, number) }
      }
    }
  }

  private mutating func set(
    _ property: ModelProperty, _ tree: DocumentTree, _ object: ObjectBase, _ number: Int
  ) throws {
    let name = ".\(property.name)"
    let value: Any?
    switch (property.facts.shape, tree) {
    case (.single, _): value = try element(tree, property, number, name)
    case (_, .null): value = nil
    case (.dictionary, .object(let entries)):
      var values: [String: Any] = [:]
      for (key, entry) in entries {
        values[key] = try element(entry, property, number, "\(name)['\(PlanPath.shortened(key))']") ?? NSNull()
      }
      value = values
    case (.list, .array(let elements)), (.set, .array(let elements)):
      var values: [Any] = []
      values.reserveCapacity(elements.count)
      for (place, element) in elements.enumerated() {
        values.append(try self.element(element, property, number, "\(name)[\(place)]") ?? NSNull())
      }
      value = values
    default: throw wrong(tree, number, name, property.declaredWords(isElement: false))
    }
    if property.facts.target is EmbeddedObject.Type {
      owning.append(Owning(object: object, property: property, value: value, task: number))
    } else if !property.access.set(object, property.number, value) {
      throw wrong(tree, number, name, property.declaredWords(isElement: false))
    }
  }

  /// What a tree is as a property's value, or as one of its elements; nil for null.
  private mutating func element(
    _ tree: DocumentTree, _ property: ModelProperty, _ number: Int, _ part: String
  ) throws -> Any? {
    switch property.facts.kind {
    case .any: return try any(tree, number, part)
    case .link:
      if case .null = tree { return nil }
      return try object(tree, property.facts.target, number, part)
    default:
      if case .null = tree { return nil }
      guard let value = Self.scalar(tree, property.facts.kind) else {
        throw wrong(tree, number, part, property.declaredWords(isElement: property.facts.shape != .single))
      }
      return value
    }
  }

  /// A scalar where the property says its type.
  private static func scalar(_ tree: DocumentTree, _ kind: ValueKind) -> Any? {
    if let text = tree.text {
      switch kind {
      case .date: return Timestamp(text)?.date
      case .data: return Data(base64Encoded: text)
      case .objectId: return try? ObjectId(string: text)
      case .double, .float: return Double(text)
      default: return text
      }
    }
    switch tree {
    case .array, .object: return nil
    default: return tree.plain
    }
  }

  /// An any-value, where markers say the type.
  private mutating func any(_ tree: DocumentTree, _ number: Int, _ part: String) throws -> AnyRealmValue {
    switch tree {
    case .null: return .none
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(Int(truncatingIfNeeded: value))
    case .double(let value): return .double(value)
    case .decimal(let value): return .decimal128(value)
    case .string(let value): return .string(value)
    case .array(let values): return .list(list(values, number, part))
    case .object(var members):
      if let value = try Self.marked(members) { return value }
      guard members.keys.contains(where: { $0.hasPrefix("$") }) else { return .dictionary(map(members, number, part)) }
      let id = try self.id(&members, number, part)
      if let id, let known = made[id] {
        switch known {
        case let list as List<AnyRealmValue>: return .list(list)
        case let map as Map<String, AnyRealmValue>: return .dictionary(map)
        default: break
        }
      }
      if case .array(let values)? = members["$list"] {
        let list = list(values, number, part)
        if let id { made[id] = list }
        return .list(list)
      }
      if case .object(let entries)? = members["$map"] {
        let map = map(entries, number, part)
        if let id { made[id] = map }
        return .dictionary(map)
      }
      guard let object = try object(tree, nil, number, part) as? Object else {
        throw wrong(tree, number, part, "AnyRealmValue, which holds no embedded objects")
      }
      return .object(object)
    }
  }

  private mutating func list(_ values: [DocumentTree], _ parent: Int, _ part: String) -> List<AnyRealmValue> {
    let list = List<AnyRealmValue>()
    tasks.append(Task(target: list, content: .elements(values), parent: parent, part: part))
    return list
  }

  private mutating func map(
    _ entries: [String: DocumentTree], _ parent: Int, _ part: String
  ) -> Map<String, AnyRealmValue> {
    let map = Map<String, AnyRealmValue>()
    tasks.append(Task(target: map, content: .entries(entries), parent: parent, part: part))
    return map
  }

  /// A scalar with a marker; nil when it is something else.
  private static func marked(_ members: [String: DocumentTree]) throws -> AnyRealmValue? {
    guard members.count == 1, let (marker, value) = members.first, let text = value.text else { return nil }
    switch marker {
    case "$date": return Timestamp(text).map { .date($0.date) }
    case "$data": return Data(base64Encoded: text).map { .data($0) }
    case "$objectId": return (try? ObjectId(string: text)).map { .objectId($0) }
    case "$uuid": return UUID(uuidString: text).map { .uuid($0) }
    case "$decimal": return (try? Decimal128(validating: text)).map { .decimal128($0) }
    case "$float": return Float(text).map { .float($0) }
    case "$double": return Double(text).map { .double($0) }
    default: return nil
    }
  }

  // MARK: Errors

  private func path(_ number: Int, _ part: String) -> String {
    var parts = [part]
    var number = number
    while number >= 0 {
      parts.append(tasks[number].part)
      number = tasks[number].parent
    }
    return PlanPath.join(parts.reversed())
  }

  private func wrong(_ tree: DocumentTree, _ number: Int, _ part: String, _ words: String) -> Realm.Error {
    Realm.Error(
      .invalidValue, "Invalid value \(Untyped.words(tree.plain)) at '\(path(number, part))': expected \(words).")
  }
}
