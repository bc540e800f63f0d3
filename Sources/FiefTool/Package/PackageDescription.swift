import Fief
import Foundation

/// The output of `swift package describe --type json`, as parsed, and as a value for `create`.
///
///     "target_dependencies": ["Fief"]   ──▶   "dependencies": [["name": "Fief"]]     a link, by the key of its target
///     "sources": ["main.swift"]         ──▶   "sources": [["main.swift"]]            an object, by position
///
/// Names are translated and nothing is checked. `create` rejects values of a wrong type.
struct PackageDescription {
  let document: [String: Any]

  /// - Throws: `Unreadable` for data that is not JSON, and for JSON that does not describe a package.
  init(_ data: Data) throws(Unreadable) {
    let parsed: Any
    do {
      parsed = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw Unreadable(problem: "it is no JSON")
    }
    guard let document = parsed as? [String: Any] else { throw Unreadable(problem: "it is no JSON object") }
    for name in ["name", "targets", "products"] where document[name] == nil {
      throw Unreadable(problem: "it has no '\(name)'")
    }
    self.document = document
  }

  /// The data does not describe a package.
  struct Unreadable: Error {
    let problem: String
  }

  /// The value of a `Package`.
  var value: [String: Any] {
    var value = Self.renamed(
      document, ["tools_version": "toolsVersion", "swift_languages_versions": "languageVersions"])
    value["dependencies"] = Self.each(document["dependencies"]) { dependency in
      var value = Self.renamed(dependency, ["type": "kind"])
      value["place"] = dependency["url"] ?? dependency["path"]
      return value
    }
    value["products"] = Self.each(document["products"]) { product in
      var value = Self.renamed(product, ["type": "kind"])
      value["targets"] = Self.byName(product["targets"])
      return value
    }
    value["targets"] = Self.each(document["targets"]) { target in
      var value = Self.renamed(target, ["type": "kind", "c99name": "moduleName"])
      value["dependencies"] = Self.byName(target["target_dependencies"])
      value["sources"] = (target["sources"] as? [String])?.map { [$0] } ?? target["sources"]
      return value
    }
    return value
  }

  private static func renamed(_ members: [String: Any], _ names: [String: String]) -> [String: Any] {
    Dictionary(members.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
  }

  private static func each(_ value: Any?, _ body: ([String: Any]) -> [String: Any]) -> Any? {
    (value as? [[String: Any]])?.map(body) ?? value
  }

  private static func byName(_ value: Any?) -> Any? { (value as? [String])?.map { ["name": $0] } ?? value }

  // MARK: Expected values, computed from the document

  var name: String { document["name"] as? String ?? "" }
  var products: [[String: Any]] { document["products"] as? [[String: Any]] ?? [] }
  var targets: [[String: Any]] { document["targets"] as? [[String: Any]] ?? [] }

  static func name(_ target: [String: Any]) -> String { target["name"] as? String ?? "" }
  static func sources(_ target: [String: Any]) -> [String] { target["sources"] as? [String] ?? [] }
  static func dependencies(_ target: [String: Any]) -> [String] { target["target_dependencies"] as? [String] ?? [] }

  /// The names of the targets that depend directly on a target.
  func users(of name: String) -> [String] {
    targets.filter { Self.dependencies($0).contains(name) }.map(Self.name).sorted()
  }

  /// The names of all targets that a target needs, directly or through others.
  func needs(of name: String) -> [String] {
    let edges = Dictionary(targets.map { (Self.name($0), Self.dependencies($0)) }) { first, _ in first }
    var found: Set<String> = []
    var waiting = edges[name] ?? []
    while let next = waiting.popLast() {
      if found.insert(next).inserted { waiting += edges[next] ?? [] }
    }
    return found.sorted()
  }
}
