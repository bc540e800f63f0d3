internal import FiefGraph

/// Builds a tree from a sequence of events: values, names of members, and the begin and end of containers.
///
/// The contents of open containers wait on a stack. When a container ends, its contents are moved to the tree, next to
/// each other. Each value is moved once, so the time is linear, except for objects whose members are not in order:
/// those are sorted.
package struct DocumentBuilder {
  package typealias Value = DocumentTree.Value

  private var values: [Value] = []
  private var waiting: [Value] = []
  private var open: [(start: Int, isObject: Bool)] = []
  /// The places of names in the source, parallel to `waiting` and `values`; nil unless they are asked for.
  private var places: (waiting: [Int], values: [Int])?

  package init() {}

  /// A builder that notes where names stand.
  init(notingPlaces: Void) { places = ([], []) }

  /// The number of open containers.
  package var depth: Int { open.count }

  /// Whether the innermost open container is an object.
  package var isInObject: Bool { open.last?.isObject ?? false }

  package mutating func add(_ value: Value) { add(value, at: 0) }

  /// Adds a value of a tree as the next value. Linear in the value.
  package mutating func add(_ tree: DocumentTree, _ value: Value) {
    var frames: [(span: DocumentTree.Span, isObject: Bool, next: Int)] = []
    func put(_ value: Value) {
      switch value {
      case .array(let span):
        beginArray()
        frames.append((span, false, 0))
      case .object(let span):
        beginObject()
        frames.append((span, true, 0))
      default: add(value)
      }
    }
    put(value)
    while let (span, isObject, next) = frames.last {
      guard next < span.count else {
        frames.removeLast()
        if isObject { _ = endObject() } else { endArray() }
        continue
      }
      frames[frames.count - 1].next += 1
      if isObject { name(tree.name(next, of: span)) }
      put(isObject ? tree.value(next, of: span) : tree.elements(span)[span.first + next])
    }
  }

  /// Adds a tree as the next value.
  package mutating func add(_ tree: DocumentTree) {
    // The contents of a container come before it: they are copied as they are, but for their places.
    let base = values.count
    func moved(_ value: Value) -> Value {
      switch value {
      case .array(let span): .array(DocumentTree.Span(first: base + span.first, count: span.count))
      case .object(let span): .object(DocumentTree.Span(first: base + span.first, count: span.count))
      default: value
      }
    }
    let contents = tree.elements(DocumentTree.Span(first: 0, count: tree.count - 1))
    for value in contents { values.append(moved(value)) }
    if places != nil { places?.values.append(contentsOf: repeatElement(0, count: contents.count)) }
    add(moved(tree.root))
  }

  /// Adds the name of the next member.
  ///
  /// - Parameter place: where the name stands in the source.
  package mutating func name(_ name: String, at place: Int = 0) {
    assert(isInObject && (waiting.count - (open.last?.start ?? 0)) % 2 == 0, "A name stands before a member's value.")
    add(.string(name), at: place)
  }

  @inline(__always)
  private mutating func add(_ value: Value, at place: Int) {
    waiting.append(value)
    if places != nil { places?.waiting.append(place) }
  }

  package mutating func beginArray() { open.append((waiting.count, false)) }

  package mutating func beginObject() { open.append((waiting.count, true)) }

  /// Ends the innermost container, an array.
  package mutating func endArray() {
    assert(open.last.map { !$0.isObject } ?? false, "An array ends that has begun.")
    let start = open.removeLast().start
    let count = waiting.count - start
    add(.array(move(start, count)))
  }

  /// - Returns: a name that occurs twice in the object; nil when the names are unique.
  package mutating func endObject() -> String? {
    assert(isInObject, "An object ends that has begun.")
    let start = open.removeLast().start
    assert((waiting.count - start) % 2 == 0, "Each name of an object has a value.")
    let count = (waiting.count - start) / 2
    func name(_ index: Int) -> String { waiting[start + 2 * index].text ?? "" }
    var twice: String?
    if (1..<max(count, 1)).contains(where: { !DocumentTree.precedes(name($0 - 1), name($0)) }) {
      var members = (0..<count).map {
        (name: name($0), value: waiting[start + 2 * $0 + 1], place: places?.waiting[start + 2 * $0] ?? 0)
      }
      members.sort { DocumentTree.precedes($0.name, $1.name) }
      waiting.removeSubrange(start...)
      places?.waiting.removeSubrange(start...)
      for member in members {
        if twice == nil, waiting.count > start, name((waiting.count - start) / 2 - 1) == member.name,
          String.isIdentical(name((waiting.count - start) / 2 - 1), member.name)
        {
          twice = member.name
        }
        add(.string(member.name), at: member.place)
        add(member.value)
      }
    }
    add(.object(DocumentTree.Span(first: move(start, 2 * count).first, count: count)))
    return twice
  }

  private mutating func move(_ start: Int, _ count: Int) -> DocumentTree.Span {
    assert(start + count == waiting.count, "The contents of a container are the last that wait.")
    let span = DocumentTree.Span(first: values.count, count: count)
    values.append(contentsOf: waiting[start...])
    waiting.removeSubrange(start...)
    if let moved = places?.waiting[start...] {
      places?.values.append(contentsOf: moved)
      places?.waiting.removeSubrange(start...)
    }
    return span
  }

  /// The place in the source of the name at a position of the tree; nil unless places were noted.
  func place(ofValue position: Int) -> Int? {
    assert(places.map { $0.values.count == values.count && $0.waiting.count == waiting.count } ?? true)
    return places?.values[position]
  }

  /// Returns the tree. Requires that exactly one root value was added and that all containers have ended.
  package consuming func finish() -> DocumentTree {
    precondition(waiting.count == 1 && open.isEmpty, "A document that is not at its end was finished.")
    values.append(waiting[0])
    return DocumentTree(values: values)
  }

  /// The path of the next value, with one component for each open container.
  package var path: some RandomAccessCollection<String> {
    open.indices.lazy.map { level in
      let start = open[level].start
      let count = (level + 1 < open.count ? open[level + 1].start : waiting.count) - start
      guard open[level].isObject else { return "[\(count)]" }
      // An odd count means that a name waits for its value.
      return count % 2 == 1 ? ".\(PlanPath.shortened(waiting[start + count - 1].text ?? ""))" : ""
    }
  }
}
