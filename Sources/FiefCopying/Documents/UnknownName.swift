import FiefGraph

/// A name in a document of objects that their class does not have.
package struct UnknownName: Error {
  /// The position of the name in the tree; see `DocumentParser.place(ofValue:in:)`.
  package let position: Int
  private let name: String
  package var path: String
  private let className: String?
  private let advice: String

  /// - Parameters:
  ///   - position: the position of the name in the tree.
  ///   - name: the name.
  ///   - path: the path of the object with the name.
  ///   - className: the class of the object; nil for a part of an any-value.
  ///   - known: the names of the class.
  package init(at position: Int, name: String, path: String, className: String?, known: some Collection<String>) {
    self.position = position
    self.name = PlanPath.shortened(name)
    self.path = path
    self.className = className
    advice = SchemaNames.advice(on: name, among: known)
  }

  /// The problem, with the path of the name.
  package var message: String {
    className.map { "Invalid property name '\(name)' for class '\($0)' at '\(path).\(name)': \(advice)" }
      ?? "Invalid name '\(name)' at '\(path)': \(advice)"
  }
}
