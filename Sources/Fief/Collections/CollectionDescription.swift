import Foundation

/// Collections as text: the elements one under the other, a hundred at most.
///
///     List<Dog> (
///     	[0] Dog {
///     		name = Rex;
///     	}
///     )
enum CollectionDescription {
  /// How many elements are shown.
  static let limit = 100

  static func of<C: RandomAccessCollection & ThreadConfined>(_ collection: C) -> String {
    if collection.isInvalidated { return "[invalid \(name(C.self))]" }
    let count = collection.count
    var lines: [String] = []
    for (index, element) in collection.prefix(limit).enumerated() { lines.append("[\(index)] \(text(element))") }
    return frame(name(C.self), lines, count)
  }

  static func of<Key, Value>(_ map: Map<Key, Value>) -> String {
    if map.isInvalidated { return "[invalid \(name(Map<Key, Value>.self))]" }
    var lines: [String] = []
    for entry in map.prefix(limit) { lines.append("[\(entry.key)] \(text(entry.value))") }
    return frame(name(Map<Key, Value>.self), lines, map.count)
  }

  private static func frame(_ name: String, _ lines: [String], _ count: Int) -> String {
    var lines = lines
    if count > limit { lines.append("... \(count - limit) objects skipped.") }
    if lines.isEmpty { return "\(name) ()" }
    let inner = lines.map { $0.replacingOccurrences(of: "\n", with: "\n\t") }.joined(separator: ",\n\t")
    return "\(name) (\n\t\(inner)\n)"
  }

  private static func text(_ value: Any) -> String { flattened(value).map { "\($0)" } ?? "nil" }

  /// The type without modules.
  private static func name(_ type: Any.Type) -> String { String(describing: type) }
}
