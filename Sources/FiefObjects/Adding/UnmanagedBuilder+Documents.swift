import FiefCopying
import FiefGraph
import Foundation

// Documents: values with the markers of `ObjectDocument`. Instances are made where they are met first.

extension UnmanagedBuilder {
  typealias Span = DocumentTree.Span

  /// Makes the object at the root of a document, and all objects that it reaches.
  ///
  /// - Throws: `UnknownName` for a name that nothing reads; `Realm.Error` for all else.
  static func object(
    of tree: DocumentTree, as type: ObjectBase.Type, classes: [ObjectBase.Type], ignoringUnknownNames: Bool
  ) throws -> ObjectBase {
    var builder = UnmanagedBuilder(
      type.className(),
      DocumentMarks(tree, root: type, classes: classes, ignoresUnknownNames: ignoringUnknownNames))
    return try Realm.Error.translating {
      let root = try builder.object(tree.untyped(tree.root), as: type, .root)
      try builder.run()
      return root
    }
  }

  /// Makes or finds the object for a value.
  ///
  /// - Parameter expected: the class of the property; nil in an any-value.
  mutating func object(_ value: Any, as expected: ObjectBase.Type?, _ step: PlanStep) throws -> ObjectBase {
    func refusal() -> CopyError { wrong(value, at: step, expected: expected.map { $0.className() } ?? "an object") }
    guard case .members(let tree, var members)? = DynamicContainer.of(value) else { throw refusal() }
    let id = try self.id(&members, step)
    if let id, let known = marks?.made[id] {
      guard let object = known as? ObjectBase else { throw refusal() }
      return object
    }
    if tree.member("$list", of: members) != nil || tree.member("$map", of: members) != nil { throw refusal() }
    var type = expected
    if let name = tree.member("$class", of: members)?.text, name != expected.map({ ModelClass.of($0).name }) {
      guard let named = marks?.type(named: name) else {
        throw CopyError(
          "The document names the class '\(PlanPath.shortened(name))' at \(path(step)): the program has no such class, "
            + "or several.")
      }
      type = named
    }
    guard let type else { throw wrong(value, at: step, expected: "an object with a '$class'") }
    let object = type.init()
    if let id { marks?.made[id] = object }
    try add(.object(object, ModelClass.of(type)), from: .members(tree, members), at: step)
    return object
  }

  /// Returns the `$id` of an object, or that of the object to which a `$ref` refers; `members` become those of the
  /// definition.
  private func id(_ members: inout Span, _ step: PlanStep) throws -> Int64? {
    guard let marks else { return nil }
    if case .int(let id)? = marks.tree.member("$id", of: members) { return id }
    guard let reference = marks.tree.member("$ref", of: members) else { return nil }
    try refuseOthers(than: ["$class", "$ref"], members, step)
    guard case .int(let id) = reference, let definition = marks.definitions[id] else {
      throw CopyError(
        "The reference at \(path(step)) leads nowhere: nothing in the document has that '$id'.")
    }
    members = definition
    return id
  }

  /// The any-value of an object with markers; nil for a list or a map without them.
  mutating func marked(_ value: Any, _ step: PlanStep) throws -> AnyRealmValue? {
    guard case .members(let tree, var members)? = DynamicContainer.of(value) else { return nil }
    if let scalar = DocumentScalar.marked(members, in: tree) { return AnyRealmValue.scalar(scalar) }
    guard (0..<members.count).contains(where: { tree.name($0, of: members).hasPrefix("$") }) else { return nil }
    let id = try self.id(&members, step)
    if let id, let known = marks?.made[id].flatMap(AnyRealmValue.of) { return known }
    for marker in ["$list", "$map"] {
      guard let contents = tree.member(marker, of: members),
        let container = DynamicContainer.of(tree.untyped(contents)), (container.entries == nil) == (marker == "$list")
      else { continue }
      try refuseOthers(than: ["$id", marker], members, step)
      let made = try fill(container, step)
      if let id { marks?.made[id] = made.collection }
      return made
    }
    guard let object = try object(value, as: nil, step) as? Object else {
      throw wrong(value, at: step, expected: "AnyRealmValue, which holds no embedded objects")
    }
    return .object(object)
  }

  // MARK: Names

  func isMarker(_ name: String, _ number: Int) -> Bool {
    name == "$class" || name == "$id" || number == 0 && name == "$objects"
  }

  /// Throws when an object has a name that its class does not have, and that is no marker.
  func refuseUnknown(_ members: Span, of model: ModelClass, number: Int, _ step: PlanStep) throws {
    guard let tree = marks?.tree, marks?.ignoresUnknownNames != true else { return }
    for member in 0..<members.count {
      let name = tree.name(member, of: members)
      if model.number(of: name) != nil || isMarker(name, number) { continue }
      throw UnknownName(
        at: members.first + 2 * member, name: name, path: path(step), className: model.name,
        known: model.properties.map(\.name))
    }
  }

  /// Throws when an object of markers has a name that is not read with them.
  private func refuseOthers(than known: [String], _ members: Span, _ step: PlanStep) throws {
    guard let tree = marks?.tree, marks?.ignoresUnknownNames != true else { return }
    for member in 0..<members.count where !known.contains(tree.name(member, of: members)) {
      throw UnknownName(
        at: members.first + 2 * member, name: tree.name(member, of: members), path: path(step), className: nil,
        known: known)
    }
  }
}
