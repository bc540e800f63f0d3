import FiefCopying
import FiefGraph
import Foundation

extension ObjectDocument {
  /// Makes unmanaged objects from the document, with the links that it describes.
  ///
  ///     let person = try ObjectDocument(json: data).object(as: Person.self)
  ///
  /// Missing keys mean the declared default, as in `create`. A name that the class does not have is an error: it may be
  /// misspelt, and its value would be lost.
  ///
  /// - Parameters:
  ///   - type: the class of the object at the root.
  ///   - classes: the classes of objects in any-values, if the program has several classes of one name.
  /// - Returns: the object at the root; adding it to a realm adds all objects.
  /// - Throws: `Realm.Error.invalidValue` with class, path and value for the first error; for an unknown name also with
  ///   its line and byte, if the document was read from JSON.
  /// - Complexity: linear in the document.
  public func object<T: ObjectBase>(as type: T.Type, classes: [ObjectBase.Type] = []) throws -> T {
    var reader = DocumentReader(tree, root: type, classes: classes)
    let object: ObjectBase
    do { object = try reader.read(type) } catch let unknown as UnknownName { throw error(unknown) }
    guard let object = object as? T else {
      throw Realm.Error(
        .invalidValue, "The document is of class '\(Swift.type(of: object).className())', expected \(type.className())."
      )
    }
    return object
  }
}

/// Makes objects from trees with a work list: instances are made first, and filled later.
struct DocumentReader {
  private typealias Value = DocumentTree.Value
  private typealias Span = DocumentTree.Span

  private let tree: DocumentTree
  private var classes: [String: ObjectBase.Type] = [:]
  private var knowsProgram = false
  /// The objects with an `$id`, and the instances that were made from them.
  private var definitions: [Int64: Span] = [:]
  private var made: [Int64: AnyObject] = [:]
  private var tasks: [Task] = []
  /// Embedded objects are assigned to their owners after they have their values: a property of a custom type takes
  /// those values, and not the object.
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
    /// The index of the parent task, and the part of the path between them.
    let parent: Int
    let part: String
  }

  private enum Content {
    case members(Span, ModelClass)
    case elements(Span)
    case entries(Span)
  }

  init(_ tree: DocumentTree, root: ObjectBase.Type, classes: [ObjectBase.Type]) {
    self.tree = tree
    // Classes that typed properties refer to are known by their names.
    var waiting = classes + [root]
    while let type = waiting.popLast() {
      let model = ModelClass.of(type)
      guard self.classes[model.name] == nil else { continue }
      self.classes[model.name] = type
      waiting += model.properties.compactMap(\.facts.target)
    }
  }

  mutating func read(_ type: ObjectBase.Type) throws -> ObjectBase {
    define()
    let root = try object(tree.root, type, -1, type.className())
    var next = 0
    while next < tasks.count {
      try run(next)
      next += 1
    }
    // Owners come before the objects that they own.
    for owning in owning.reversed() {
      guard owning.property.set(owning.value, in: owning.object) else {
        throw Realm.Error(
          .invalidValue,
          "Invalid value at '\(path(owning.task, "." + owning.property.name))': expected "
            + "\(owning.property.declaredWords(isElement: false)).")
      }
    }
    return root
  }

  /// Records every object with an `$id`. If several have one `$id`, the first visited counts: an outer object before
  /// its contents, and later siblings before earlier ones.
  private mutating func define() {
    var waiting = [tree.root]
    while let value = waiting.popLast() {
      switch value {
      case .array(let span): waiting += tree.elements(span)
      case .object(let span):
        if case .int(let id)? = tree.member("$id", of: span), definitions[id] == nil { definitions[id] = span }
        for (_, value) in tree.members(span) { waiting.append(value) }
      default: continue
      }
    }
  }

  // MARK: Entering

  /// Makes or finds the object for a value.
  private mutating func object(
    _ value: Value, _ expected: ObjectBase.Type?, _ parent: Int, _ part: String
  ) throws -> ObjectBase {
    guard case .object(var members) = value else {
      throw wrong(value, parent, part, expected.map { $0.className() } ?? "an object")
    }
    let id = try self.id(&members, parent, part)
    if let id, let object = made[id] {
      guard let object = object as? ObjectBase else {
        throw wrong(value, parent, part, expected.map { $0.className() } ?? "an object")
      }
      return object
    }
    if tree.member("$list", of: members) != nil || tree.member("$map", of: members) != nil {
      throw wrong(value, parent, part, expected.map { $0.className() } ?? "an object")
    }
    var type = expected
    if let name = tree.member("$class", of: members)?.text, name != expected.map({ ModelClass.of($0).name }) {
      type = try self.type(name, parent, part)
    }
    guard let type else { throw wrong(value, parent, part, "an object with a '$class'") }
    let object = type.init()
    if let id { made[id] = object }
    tasks.append(Task(target: object, content: .members(members, ModelClass.of(type)), parent: parent, part: part))
    return object
  }

  /// Returns the `$id` of an object, or that of the object to which a `$ref` refers; `members` become those of the
  /// definition.
  private func id(_ members: inout Span, _ parent: Int, _ part: String) throws -> Int64? {
    if case .int(let id)? = tree.member("$id", of: members) { return id }
    guard let reference = tree.member("$ref", of: members) else { return nil }
    try refuseOthers(than: ["$class", "$ref"], members, parent, part)
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
      let all = (ModelDiscovery.models() ?? [])
        .filter { !$0._realmIgnoreClass() && $0.shouldIncludeInDefaultSchema() }
      // A name that several classes share is ambiguous, so it is left out.
      for (name, types) in Dictionary(grouping: all, by: { $0._realmObjectName() ?? $0.className() })
      where types.count == 1 && classes[name] == nil { classes[name] = types[0] }
      if let type = classes[name] { return type }
    }
    throw Realm.Error(
      .invalidValue,
      "The document names the class '\(PlanPath.shortened(name))' at \(path(parent, part)): the program has no such "
        + "class, or several."
    )
  }

  // MARK: Carrying out

  private mutating func run(_ number: Int) throws {
    let task = tasks[number]
    switch task.content {
    case .elements(let values):
      let list = unsafe unsafeDowncast(task.target, to: List<AnyRealmValue>.self)
      for (position, value) in tree.elements(values).enumerated() {
        list.unmanaged.append(try any(value, number, "[\(position)]"))
      }
    case .entries(let entries):
      let map = unsafe unsafeDowncast(task.target, to: Map<String, AnyRealmValue>.self)
      for (key, value) in tree.members(entries) {
        map[key] = try any(value, number, "['\(PlanPath.shortened(key))']")
      }
    case .members(let members, let model):
      let object = unsafe unsafeDowncast(task.target, to: ObjectBase.self)
      // Markers come first in the order of the bytes.
      var read = 0
      while read < members.count, isMarker(tree.name(read, of: members), number) { read += 1 }
      for property in model.properties where property.isStored {
        guard let value = tree.member(property.name, of: members) else { continue }
        try set(property, value, object, number)
        read += 1
      }
      if read < members.count { try refuseUnknown(members, model, number) }
    }
  }

  private func isMarker(_ name: String, _ number: Int) -> Bool {
    name == "$class" || name == "$id" || number == 0 && name == "$objects"
  }

  /// Throws when an object has a name that its class does not have, and that is no marker.
  private func refuseUnknown(_ members: Span, _ model: ModelClass, _ number: Int) throws {
    for member in 0..<members.count {
      let name = tree.name(member, of: members)
      if model.number(of: name) != nil || isMarker(name, number) { continue }
      throw UnknownName(
        at: members.first + 2 * member, name: name, path: path(number, ""), className: model.name,
        known: model.properties.map(\.name))
    }
  }

  /// Throws when an object of markers has a name that is not read with them.
  private func refuseOthers(than known: [String], _ members: Span, _ parent: Int, _ part: String) throws {
    for member in 0..<members.count where !known.contains(tree.name(member, of: members)) {
      throw UnknownName(
        at: members.first + 2 * member, name: tree.name(member, of: members), path: path(parent, part), className: nil,
        known: known)
    }
  }

  private mutating func set(
    _ property: ModelProperty, _ found: Value, _ object: ObjectBase, _ number: Int
  ) throws {
    let name = ".\(property.name)"
    let value: Any?
    switch (property.facts.shape, found) {
    case (.single, _): value = try element(found, property, number, name)
    case (_, .null): value = nil
    case (.dictionary, .object(let entries)):
      var values = DynamicEntries()
      for (key, entry) in tree.members(entries) {
        values.append(key, try element(entry, property, number, "\(name)['\(PlanPath.shortened(key))']") ?? NSNull())
      }
      value = values
    case (.list, .array(let elements)), (.set, .array(let elements)):
      var values: [Any] = []
      values.reserveCapacity(elements.count)
      for (position, element) in tree.elements(elements).enumerated() {
        values.append(try self.element(element, property, number, "\(name)[\(position)]") ?? NSNull())
      }
      value = values
    default: throw wrong(found, number, name, property.declaredWords(isElement: false))
    }
    if property.facts.target is EmbeddedObject.Type {
      owning.append(Owning(object: object, property: property, value: value, task: number))
    } else if !property.set(value, in: object) {
      throw wrong(found, number, name, property.declaredWords(isElement: false))
    }
  }

  /// Converts a value of the document to a property's value or element; nil for null.
  private mutating func element(
    _ found: Value, _ property: ModelProperty, _ number: Int, _ part: String
  ) throws -> Any? {
    switch property.facts.kind {
    case .any: return try any(found, number, part)
    case .link:
      if case .null = found { return nil }
      return try object(found, property.facts.target, number, part)
    default:
      if case .null = found { return nil }
      guard let value = Self.scalar(found, property.facts.kind) else {
        throw wrong(found, number, part, property.declaredWords(isElement: property.facts.shape != .single))
      }
      return value
    }
  }

  /// Converts a scalar by the type of its property.
  private static func scalar(_ found: Value, _ kind: ValueKind) -> Any? {
    if let text = found.text {
      switch kind {
      case .date: return Timestamp(text)?.date
      case .data: return Data(base64Encoded: text)
      case .objectId: return try? ObjectId(string: text)
      case .double, .float: return Double(text)
      default: return text
      }
    }
    return switch found {
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .decimal(let value):
      // The nearest number, if it is finite.
      switch kind {
      case .double: finite(value.doubleValue)
      case .float: Float(value.description).flatMap { finite($0) }
      default: value
      }
    default: nil
    }
  }

  private static func finite<Number: FloatingPoint>(_ number: Number) -> Any? { number.isFinite ? number : nil }

  /// Converts an any-value, whose type is marked in the document.
  private mutating func any(_ found: Value, _ number: Int, _ part: String) throws -> AnyRealmValue {
    switch found {
    case .null: return .none
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(Int(truncatingIfNeeded: value))
    case .double(let value): return .double(value)
    case .decimal(let value): return .decimal128(value)
    case .string(let value): return .string(value)
    case .array(let values): return .list(list(values, number, part))
    case .object(var members):
      if let value = marked(members) { return value }
      guard tree.members(members).contains(where: { $0.name.hasPrefix("$") }) else {
        return .dictionary(map(members, number, part))
      }
      let id = try self.id(&members, number, part)
      if let id, let known = made[id] {
        switch known {
        case let list as List<AnyRealmValue>: return .list(list)
        case let map as Map<String, AnyRealmValue>: return .dictionary(map)
        default: break
        }
      }
      if case .array(let values)? = tree.member("$list", of: members) {
        try refuseOthers(than: ["$id", "$list"], members, number, part)
        let list = list(values, number, part)
        if let id { made[id] = list }
        return .list(list)
      }
      if case .object(let entries)? = tree.member("$map", of: members) {
        try refuseOthers(than: ["$id", "$map"], members, number, part)
        let map = map(entries, number, part)
        if let id { made[id] = map }
        return .dictionary(map)
      }
      guard let object = try object(found, nil, number, part) as? Object else {
        throw wrong(found, number, part, "AnyRealmValue, which holds no embedded objects")
      }
      return .object(object)
    }
  }

  private mutating func list(_ values: Span, _ parent: Int, _ part: String) -> List<AnyRealmValue> {
    let list = List<AnyRealmValue>()
    tasks.append(Task(target: list, content: .elements(values), parent: parent, part: part))
    return list
  }

  private mutating func map(
    _ entries: Span, _ parent: Int, _ part: String
  ) -> Map<String, AnyRealmValue> {
    let map = Map<String, AnyRealmValue>()
    tasks.append(Task(target: map, content: .entries(entries), parent: parent, part: part))
    return map
  }

  /// Converts a scalar with a marker; nil for everything else.
  private func marked(_ members: Span) -> AnyRealmValue? {
    guard members.count == 1, let text = tree.value(0, of: members).text else { return nil }
    switch tree.name(0, of: members) {
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

  private func wrong(_ value: Value, _ number: Int, _ part: String, _ words: String) -> Realm.Error {
    let found =
      switch value {
      case .null: "null"
      case .array(let span): "an array of \(span.count) elements"
      case .object: "a dictionary"
      case .string(let value): DynamicValue.words(value)
      case .decimal(let value): "\(value)"
      default: Self.scalar(value, .any).map(DynamicValue.words) ?? "null"
      }
    return Realm.Error(.invalidValue, "Invalid value \(found) at '\(path(number, part))': expected \(words).")
  }
}
