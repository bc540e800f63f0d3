import FiefCopying
import FiefGraph

/// Makes a tree of what comes one after the other: values, names before the values of members, begins and ends.
///
/// What stands in containers that are still open waits on a stack; a container that ends moves its contents to the
/// tree, next to each other. Each value is moved once, so the time is linear, but for objects whose members do not
/// come in order: those are sorted.
struct DocumentBuilder {
  typealias Value = DocumentTree.Value

  private var values: [Value] = []
  private var waiting: [Value] = []
  private var open: [(start: Int, isObject: Bool)] = []

  /// How many containers are open.
  var depth: Int { open.count }

  /// Whether the innermost container that is open is an object.
  var isInObject: Bool { open.last?.isObject ?? false }

  mutating func add(_ value: Value) { waiting.append(value) }

  /// The name of the member that comes next.
  mutating func name(_ name: String) { waiting.append(.string(name)) }

  mutating func beginArray() { open.append((waiting.count, false)) }

  mutating func beginObject() { open.append((waiting.count, true)) }

  mutating func endArray() {
    let start = open.removeLast().start
    let count = waiting.count - start
    waiting.append(.array(move(start, count)))
  }

  /// - Returns: a name that stands twice in the object; nil when all is well.
  mutating func endObject() -> String? {
    let start = open.removeLast().start
    let count = (waiting.count - start) / 2
    func name(_ place: Int) -> String { waiting[start + 2 * place].text ?? "" }
    var twice: String?
    if (1..<max(count, 1)).contains(where: { !DocumentTree.precedes(name($0 - 1), name($0)) }) {
      var members = (0..<count).map { (name: name($0), value: waiting[start + 2 * $0 + 1]) }
      members.sort { DocumentTree.precedes($0.name, $1.name) }
      waiting.removeSubrange(start...)
      for member in members {
        if twice == nil, waiting.count > start, name((waiting.count - start) / 2 - 1) == member.name,
          String.isIdentical(name((waiting.count - start) / 2 - 1), member.name)
        {
          twice = member.name
        }
        waiting.append(.string(member.name))
        waiting.append(member.value)
      }
    }
    waiting.append(.object(DocumentTree.Span(first: move(start, 2 * count).first, count: count)))
    return twice
  }

  private mutating func move(_ start: Int, _ count: Int) -> DocumentTree.Span {
    let span = DocumentTree.Span(first: values.count, count: count)
    values.append(contentsOf: waiting[start...])
    waiting.removeSubrange(start...)
    return span
  }

  /// The tree, when one value was added and everything that began has ended.
  consuming func finish() -> DocumentTree {
    precondition(waiting.count == 1 && open.isEmpty, "A document that is not at its end was finished.")
    values.append(waiting[0])
    return DocumentTree(values: values)
  }

  /// Where the next value stands, one part for each container that is open.
  var path: [String] {
    open.indices.map { level in
      let start = open[level].start
      let count = (level + 1 < open.count ? open[level + 1].start : waiting.count) - start
      guard open[level].isObject else { return "[\(count)]" }
      // A name waits for its value; else there is none yet.
      return count % 2 == 1 ? ".\(PlanPath.shortened(waiting[start + count - 1].text ?? ""))" : ""
    }
  }
}
