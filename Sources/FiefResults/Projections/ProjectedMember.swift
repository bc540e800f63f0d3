import FiefCopying
import FiefObjects

/// One property of a projection.
struct ProjectedMember {
  /// The name of the property in the projection.
  let name: String
  /// The projected key path, as dotted names that start at the root.
  let path: String
  private let shown: any AnyProjected

  /// The projected value of a root object; nil for null.
  func value(_ root: ObjectBase) -> Any? { shown.value(of: root) }

  /// Returns the members of a projection in the order of declaration, superclass members first.
  static func all(of projection: Any) -> [ProjectedMember] {
    wrappers(of: projection).compactMap { name, shown in
      shown.path.map { ProjectedMember(name: name, path: $0, shown: shown) }
    }
  }

  /// Returns the name of the first property whose key path passes no persisted property; nil if all pass one.
  static func unkept(in projection: Any) -> String? { wrappers(of: projection).first { $0.shown.path == nil }?.name }

  private static func wrappers(of projection: Any) -> [(name: String, shown: any AnyProjected)] {
    var wrappers: [(name: String, shown: any AnyProjected)] = []
    var mirror: Mirror? = Mirror(reflecting: projection)
    while let level = mirror {
      wrappers =
        level.children.compactMap { child in
          guard let label = child.label, label.hasPrefix("_"), let shown = child.value as? any AnyProjected else {
            return nil
          }
          return (String(label.dropFirst()), shown)
        } + wrappers
      mirror = level.superclassMirror
    }
    return wrappers
  }
}

/// A `Projected` with its types erased.
protocol AnyProjected {
  var path: String? { get }
  func value(of root: ObjectBase) -> Any?
}

extension Projected: AnyProjected {
  var path: String? { KeyPathNames.name(of: keyPath as PartialKeyPath<T>) }

  func value(of root: ObjectBase) -> Any? { (root as? T).flatMap { flattened($0[keyPath: keyPath]) } }
}
