import FiefCopying
import FiefGraph
import FiefRuntime
import FiefValues
import Foundation

/// The markers of a document: the classes of objects, and which places hold the same one.
struct DocumentMarks {
  let tree: DocumentTree
  /// The objects with an `$id`, and the instances that were made from them. If several have one `$id`, the first that
  /// was visited counts: an outer object before its contents, and later siblings before earlier ones.
  let definitions: [Int64: DocumentTree.Span]
  var made: [Int64: AnyObject] = [:]
  let ignoresUnknownNames: Bool
  private var classes: [String: ObjectBase.Type] = [:]
  private var knowsProgram = false

  /// - Parameters:
  ///   - root: the class of the object at the root. Classes that typed properties refer to are known by their names.
  ///   - classes: further classes.
  ///   - ignoresUnknownNames: whether names are skipped that a class does not have.
  init(_ tree: DocumentTree, root: ObjectBase.Type, classes: [ObjectBase.Type], ignoresUnknownNames: Bool) {
    self.tree = tree
    self.ignoresUnknownNames = ignoresUnknownNames
    var definitions: [Int64: DocumentTree.Span] = [:]
    var waiting = [tree.root]
    while let value = waiting.popLast() {
      switch value {
      case .array(let span): waiting += tree.elements(span)
      case .object(let span):
        if case .int(let id)? = tree.member("$id", of: span), definitions[id] == nil { definitions[id] = span }
        for (_, value) in tree.members(span) { waiting.append(value) }
      default: continue
      }
    }
    self.definitions = definitions
    var types = classes + [root]
    while let type = types.popLast() {
      let model = ModelClass.of(type)
      guard self.classes[model.name] == nil else { continue }
      self.classes[model.name] = type
      types += model.properties.compactMap(\.facts.target)
    }
  }

  /// The class with a stored name; nil when the program has no such class, or several.
  mutating func type(named name: String) -> ObjectBase.Type? {
    if let type = classes[name] { return type }
    if knowsProgram { return nil }
    knowsProgram = true
    let all = (ModelDiscovery.models() ?? []).filter { !$0._realmIgnoreClass() && $0.shouldIncludeInDefaultSchema() }
    for (name, types) in Dictionary(grouping: all, by: { $0._realmObjectName() ?? $0.className() })
    where types.count == 1 && classes[name] == nil { classes[name] = types[0] }
    return classes[name]
  }

  // MARK: Scalars

  /// Converts a scalar by the type of its property; nil when that is impossible.
  static func scalar(_ value: Any, _ kind: ValueKind) -> Any? {
    if let text = Existential.value(value, as: String.self) ?? (value as? String) {
      switch kind {
      case .date: return Timestamp(text)?.date
      case .data: return Data(base64Encoded: text)
      case .objectId: return try? ObjectId(string: text)
      case .double, .float: return DocumentScalar.value(of: text, kind)?.plain
      default: return text
      }
    }
    if Swift.type(of: value) == DocumentPart.self { return nil }
    guard kind == .double || kind == .float, let decimal = value as? Decimal128 else { return value }
    return DocumentScalar.value(of: decimal, kind)?.plain
  }
}
