// Makes one module of the symbol graphs of several: `swift .ci/graphs.swift FROM TO`. Both are folders.
//
// Users import one module, which exports the others. DocC shows a page for each module, so each graph gets the name of
// that module. A file `A@B` holds what A adds to the types of B: it becomes part of the module if B is one of the
// house, and stays an extension if B is foreign.
import Foundation

let door = "Fief"
/// Symbols that are taken out of modules that users never import: an alias of the door names them.
let visible = ["FiefGraph": ["DeleteRule"]]
/// A stand-in of the tests is compiled in place of Apple's module; the pages show that module's name.
func shown(_ text: String) -> String { text.replacingOccurrences(of: "StandInCombine", with: "Combine") }

let from = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let to = URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true)
for file in try FileManager.default.contentsOfDirectory(at: from, includingPropertiesForKeys: nil) {
  let parts = file.lastPathComponent.replacingOccurrences(of: ".symbols.json", with: "").components(separatedBy: "@")
  // The door declares nothing but an alias of a type that has a page.
  if parts == [door] { continue }
  let text = shown(try String(contentsOf: file, encoding: .utf8))
  guard var graph = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
    var module = graph["module"] as? [String: Any], let symbols = graph["symbols"] as? [[String: Any]]
  else { fatalError("\(file.path) is no symbol graph.") }

  if let kept = visible[parts[0]] {
    if parts.count > 1 { continue }
    graph["symbols"] = symbols.filter { kept.contains(($0["pathComponents"] as? [String])?.first ?? "") }
  }
  module["name"] = door
  graph["module"] = module
  var name = parts.joined(separator: "-")
  if parts.count > 1, !parts[1].hasPrefix(door) { name = "\(parts[0])@\(shown(parts[1]))" }
  try JSONSerialization.data(withJSONObject: graph).write(to: to.appendingPathComponent("\(name).symbols.json"))
}
