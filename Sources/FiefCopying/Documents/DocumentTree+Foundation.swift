internal import FiefGraph
import FiefValues
import Foundation

extension DocumentTree {
  /// The tree as Foundation's JSON objects: `NSNull`, `Bool`, `Int`, `Double`, `String`, arrays and dictionaries.
  /// Decimals are `NSDecimalNumber`s, or `Decimal128` where Foundation cannot represent them exactly.
  package var foundationObject: Any {
    // Contents come before their container, so they are ready when the container is made.
    var made: [Any] = []
    made.reserveCapacity(count)
    for value in elements(Span(first: 0, count: count)) {
      switch value {
      case .null, .bool, .int, .double, .decimal, .string: made.append(untyped(value))
      case .array(let span): made.append(Array(made[span.first..<span.first + span.count]))
      case .object(let span):
        var members: [String: Any] = Dictionary(minimumCapacity: span.count)
        for member in 0..<span.count { members[name(member, of: span)] = made[span.first + 2 * member + 1] }
        made.append(members)
      }
    }
    assert(made.count == count, "Each value of a tree is made once.")
    return made[count - 1]
  }

  /// Makes a tree from an untyped value.
  ///
  /// - Throws: `CopyError` with the code `.invalidValue` for values that JSON does not have, for excessive nesting, and
  ///   for containers that occur in too many places; `.cycle` for containers that contain themselves.
  package init(foundationObject value: Any) throws {
    try self.init(value) { value, builder in
      guard let scalar = DocumentBuilder.scalar(value) else { return false }
      builder.add(scalar)
      return true
    }
  }

  /// Makes a tree from an untyped value, which may hold scalars of all stored types: those that JSON does not have
  /// become strings.
  ///
  /// - Throws: as `init(foundationObject:)` does.
  package init(plainValue value: Any) throws {
    try self.init(value) { value, builder in
      builder.scalar(value, isAny: false)
      return true
    }
  }

  /// - Parameter scalar: adds a scalar; returns false for a value that the tree cannot hold.
  private init(_ value: Any, scalar: (FiefGraph.Value, inout DocumentBuilder) -> Bool) throws {
    var builder = DocumentBuilder()
    var paths = ContainerPaths()
    try builder.add(value, below: -1, &paths, scalar: scalar)
    self = builder.finish()
  }
}

extension DocumentBuilder {
  fileprivate mutating func add(
    _ value: Any, below parent: Int32, _ paths: inout ContainerPaths,
    scalar: (FiefGraph.Value, inout DocumentBuilder) -> Bool
  ) throws {
    guard depth <= DocumentTree.deepest else {
      throw CopyError("A document is nested deeper than \(DocumentTree.deepest) levels, at '\(PlanPath.join(path))'.")
    }
    guard let value = DynamicValue.present(value) else {
      add(.null)
      return
    }
    if let stored = DynamicValue.storedAny(value) {
      guard scalar(stored, &self) else { throw impossible(value) }
      return
    }
    switch DynamicContainer.of(value) {
    case .array(let values, let identity):
      let node = try Self.enter(identity, below: parent, &paths)
      beginArray()
      for value in values { try add(value, below: node, &paths, scalar: scalar) }
      endArray()
    case .dictionary(let members, let identity):
      let node = try Self.enter(identity, below: parent, &paths)
      beginObject()
      for (name, value) in members {
        self.name(name)
        try add(value, below: node, &paths, scalar: scalar)
      }
      _ = endObject()
    case .members, nil: throw impossible(value)
    }
  }

  private static func enter(
    _ identity: ContainerIdentity?, below parent: Int32, _ paths: inout ContainerPaths
  ) throws -> Int32 {
    do throws(ContainerPaths.Refusal) {
      return try paths.enter(identity, below: parent)
    } catch {
      throw error.error(" of a document")
    }
  }

  /// A scalar in the form in which the parser would read it; nil for values that JSON does not have.
  fileprivate static func scalar(_ value: FiefGraph.Value) -> Value? {
    switch value {
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): DocumentNumber.value(of: value)
    case .float(let value): DocumentNumber.value(of: Double(value))
    case .decimal(let value): DocumentNumber.value(of: value)
    case .string(let value): .string(value)
    default: nil
    }
  }

  private func impossible(_ value: Any) -> CopyError {
    CopyError(
      "A document cannot hold \(DynamicValue.description(of: value)) at '\(PlanPath.join(path))': "
        + "JSON has no such value.")
  }
}
