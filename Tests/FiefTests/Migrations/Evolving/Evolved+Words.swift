import Fief
import Foundation

// Evolutions as text, for messages.

extension EvolvedProperty: CustomStringConvertible {
  var description: String {
    let type = "\(target ?? "\(kind)")\(isOptional ? "?" : "")\(cascades ? " (cascading)" : "")"
    return "\(shape == .single ? type : "\(shape) of \(type)")\(index == .none ? "" : " (\(index))")"
  }
}

extension EvolvedClass: CustomStringConvertible {
  var description: String {
    let words = ordered.map { "\($0.name)\(key == $0.name ? " (key)" : ""): \($0.property)" }
    let index = pair.map { "\($0.isUnique ? "unique" : "index") \($0.names.joined(separator: " "))" }
    return "\(isEmbedded ? "embedded " : "")[\((words + [index].compactMap { $0 }).joined(separator: ", "))]"
  }
}

extension EvolvedStep.Names: CustomStringConvertible {
  var description: String { "\(old) -> \(new)" }
}

extension EvolvedStep: CustomStringConvertible {
  var description: String {
    let lines =
      schema.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
      + classNames.map { "  class \($0)" } + propertyNames.map { "  \($0.className): \($0.names)" }
      + computations.map { "  \($0.className): \($0.target) = \($0.source)\($0.isDirect ? "" : ", converted")" }
      + created.map { "  create \($0.className) \($0.number): \($0.values)" }
      + deleted.map { "  delete \($0.className) \($0.object)" } + cleared.map { "  clear \($0)" }
      + renumbered.map { "  renumber \($0)" } + (hasBlock ? [] : ["  without a block"])
    return lines.joined(separator: "\n")
  }
}

extension EvolvedStore: CustomStringConvertible {
  var description: String {
    names.map { name in
      let rows = objects(name).map { "    \($0): \(tables[name]?.rows[$0] ?? [:])" }
      let head =
        "  \(declared.contains(name) ? "" : "undeclared ")\(name): \(tables[name]?.declaration ?? EvolvedClass())"
      return ([head] + rows).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension EvolvedReport.Line: CustomStringConvertible {
  var description: String {
    "\(className): \(stored) stored, \(read) read, \(created) created, \(changed) changed, \(deleted) deleted, "
      + "\(copied) copied"
  }
}

extension EvolvedContent: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .float(let value): "\(value) of single precision"
    case .date(let value): "\(value.timeIntervalSince1970) s"
    case .data(let value): "\(Array(value))"
    case .decimal(let value): "\(value) d"
    case .objectId(let value): "\(value)"
    case .uuid(let value): "\(value)"
    case .link(let object): "#\(object)"
    case .list(let elements): "\(elements)"
    case .set(let elements): "{\(elements.map(\.description).sorted().joined(separator: ", "))}"
    case .map(let entries):
      "[\(entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
    }
  }
}
