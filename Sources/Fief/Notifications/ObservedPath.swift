import FiefGraph
import FiefRuntime
import FiefSessions

/// An observer's key path, resolved to the tables and columns of a store.
///
///     "dog.toy.name" of Person      Person.dog ──▶ Dog.toy ──▶ Toy.name
struct ObservedPath {
  let path: FollowedPath
  /// The index of the first property in its class.
  let first: Int

  /// Resolves a path of names that starts at a class. Traps when a name is not a property, or when a property before
  /// the last one does not hold objects.
  init(_ text: String, _ root: ClassBinding) {
    var steps: [FollowedPath.Step] = []
    var first: Int?
    var current: ClassBinding? = root
    for name in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let binding = current else {
        fatalError("Invalid property name '\(name)' in key path '\(text)': the property before it holds no objects.")
      }
      guard let number = binding.model.number(of: String(name)) else {
        fatalError(
          "Invalid property name '\(name)' in key path '\(text)': class '\(binding.model.name)' has no such property.")
      }
      if first == nil { first = number }
      if let (source, property) = binding.origin(number) {
        steps.append(.backlinks(binding.table, origin: source.table, source.columns[property]))
      } else {
        steps.append(.property(binding.table, binding.columns[number]))
      }
      current = binding.targets[number]?.counted
    }
    path = FollowedPath(steps)
    self.first = first ?? 0
  }

  /// Resolves an observer's key paths; nil when the observer named none and watches everything.
  static func parse(_ keyPaths: [String]?, _ root: ClassBinding?) -> [ObservedPath]? {
    guard let keyPaths, !keyPaths.isEmpty else { return nil }
    guard let root else { fatalError("Key paths can only be observed of objects and of collections of objects.") }
    return keyPaths.map { ObservedPath($0, root) }
  }
}
