import FiefCopying
import FiefRuntime
import FiefValues
import Foundation

/// Makes any-values from untyped values: numbers, strings, arrays and dictionaries, parsed from JSON or built by a
/// program.
///
/// Containers go on a work list: each is inserted in its parent while empty, and filled later.
struct DynamicNest {
  /// Why a value cannot become an any-value.
  struct Refusal: Error {
    enum Reason {
      /// A short description of a value that no any-value can hold.
      case unholdable(String)
      /// A container that contains itself, or occurs in too many places.
      case container(ContainerPaths.Refusal)
    }

    let reason: Reason
    /// The path to the value, as in `[0]['name'][7]`; empty at the root.
    let path: String
  }

  private enum Contents {
    case array([Any], List<AnyRealmValue>)
    case dictionary([String: Any], Map<String, AnyRealmValue>)
  }

  /// A container to be filled.
  private struct Task {
    let contents: Contents
    /// The container's index in `entered`.
    let number: Int
    /// The container's node in `ContainerPaths`.
    let node: Int32
  }

  private enum Spot {
    case index(Int)
    case key(String)
  }

  private var waiting: [Task] = []
  /// For every container, its parent and its position there; used for paths.
  private var entered: [(parent: Int, spot: Spot)] = []
  private var paths = ContainerPaths()

  /// The any-value of an untyped value; nil when a part of it cannot be converted, or contains itself.
  static func read(_ value: Any) -> AnyRealmValue? { try? reading(value) }

  /// The any-value of an untyped value; throws when a part of it cannot be converted, or contains itself.
  static func reading(_ value: Any) throws(Refusal) -> AnyRealmValue {
    if let text = Existential.value(value, as: String.self) { return .string(text) }
    var nest = DynamicNest()
    return try nest.read(value)
  }

  private mutating func read(_ value: Any) throws(Refusal) -> AnyRealmValue {
    let root = try one(value, -1, -1, .index(0))
    while let task = waiting.popLast() {
      switch task.contents {
      case .array(let values, let list):
        var elements: [AnyRealmValue] = []
        elements.reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
          elements.append(try one(value, task.node, task.number, .index(position)))
        }
        list.unmanaged = elements
      case .dictionary(let values, let map):
        for (key, value) in values { map[key] = try one(value, task.node, task.number, .key(key)) }
      }
    }
    return root
  }

  private mutating func one(
    _ value: Any, _ node: Int32, _ parent: Int, _ spot: Spot
  ) throws(Refusal) -> AnyRealmValue {
    guard let value = DynamicValue.present(value) else { return AnyRealmValue.none }
    // The most common containers are recognised by their type alone; casting one to each scalar type costs more.
    let isPlainContainer = type(of: value) == [Any].self || type(of: value) == [String: Any].self
    if !isPlainContainer, let scalar = Self.scalar(value) { return scalar }
    if DynamicValue.isObject(value) {
      switch value as AnyObject {
      case let value as Object: return .object(value)
      case let value as List<AnyRealmValue>: return .list(value)
      case let value as Map<String, AnyRealmValue>: return .dictionary(value)
      default: break
      }
    }
    switch DynamicContainer.of(value) {
    case .array(let values, let identity):
      let list = List<AnyRealmValue>()
      try enter(.array(values, list), identity, node, parent, spot)
      return .list(list)
    case .dictionary(let values, let identity):
      let map = Map<String, AnyRealmValue>()
      try enter(.dictionary(values, map), identity, node, parent, spot)
      return .dictionary(map)
    case .members, nil: break
    }
    let other: AnyRealmValue? = Represented.read(value) {
      DynamicValue.isNull($0) ? AnyRealmValue.none : Self.scalar($0)
    }
    if let other { return other }
    throw Refusal(reason: .unholdable(DynamicValue.words(value)), path: path(parent, spot))
  }

  private mutating func enter(
    _ contents: Contents, _ identity: ContainerIdentity?, _ node: Int32, _ parent: Int, _ spot: Spot
  ) throws(Refusal) {
    let entry: Int32
    do throws(ContainerPaths.Refusal) {
      entry = try paths.enter(identity, below: node)
    } catch {
      throw Refusal(reason: .container(error), path: path(parent, spot))
    }
    waiting.append(Task(contents: contents, number: entered.count, node: entry))
    entered.append((parent, spot))
  }

  private func path(_ parent: Int, _ spot: Spot) -> String {
    var parts: [String] = []
    var (parent, spot) = (parent, spot)
    while parent >= 0 {
      switch spot {
      case .index(let index): parts.append("[\(index)]")
      case .key(let key): parts.append("['\(PlanPath.shortened(key))']")
      }
      (parent, spot) = entered[parent]
    }
    return PlanPath.join(parts.reversed())
  }

  private static func scalar(_ value: Any) -> AnyRealmValue? {
    if !DynamicValue.isObject(value), let value = value as? AnyRealmValue { return value }
    // A date may be more precise than its stored form, so it is not converted to that.
    if let date = DynamicValue.date(value) { return .date(date) }
    return DynamicValue.storedAny(value).map { AnyRealmValue.scalar($0) }
  }
}
