import FiefGraph
import Foundation

/// Objects as text: class and properties, one a line, nested objects and collections indented.
///
///     Dog {
///       name = Rex;
///       toy = Toy {
///         name = ball;
///       };
///       friends = List<Dog> (
///         [0] Dog { … }
///       );
///     }
///
/// What is deep, long or large is cut, so that a text ends also for objects that reach themselves: at `deepest` levels, at `longest`
/// elements, at `widest` bytes.
struct ObjectDescription {
  static let deepest = 5
  static let longest = 100
  static let widest = 24

  static func of(_ object: ObjectBase) -> String {
    if let shown = (object as? DynamicObject)?.shown { return of(shown) }
    var text = ObjectDescription()
    text.write(object, 0)
    return text.lines
  }

  /// An any-value as text, without the name of its case.
  static func of(_ value: AnyRealmValue) -> String {
    var text = ObjectDescription()
    text.write(value, 0)
    return text.lines
  }

  private var lines = ""

  private func indent(_ depth: Int) -> String { String(repeating: "\t", count: depth) }

  // The recursion ends at `deepest`.

  private mutating func write(_ object: ObjectBase, _ depth: Int) {
    if object.isManaged {
      object.heldSession.unsafelyUnwrapped.checkConfinement()
      if !object.hasRow {
        lines += "[invalid object]"
        return
      }
    }
    guard depth < Self.deepest else {
      lines += "<Maximum depth exceeded>"
      return
    }
    let model = object.model
    lines += "\(model.name) {\n"
    for property in model.properties where property.isStored {
      lines += "\(indent(depth + 1))\(property.name) = "
      write(property.access.get(object, property.number), property.facts, depth + 1)
      lines += ";\n"
    }
    lines += "\(indent(depth))}"
  }

  private mutating func write(_ value: Any?, _ facts: _TypeFacts, _ depth: Int) {
    switch value {
    case nil: lines += "(null)"
    case let value as ObjectBase: write(value, depth)
    case let value as CollectionBase: write(value, facts, depth)
    case let value as Data: write(value)
    case let value as AnyRealmValue: write(value, depth)
    case let value?: lines += "\(value)"
    }
  }

  private mutating func write(_ data: Data) {
    let bytes = data.prefix(Self.widest).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    lines += data.count > Self.widest ? "<\(bytes)… — \(data.count) total bytes>" : "<\(bytes)>"
  }

  private mutating func write(_ collection: CollectionBase, _ facts: _TypeFacts, _ depth: Int) {
    let name = facts.shape == .dictionary ? "Map" : facts.shape == .set ? "MutableSet" : "List"
    let element = facts.targetName ?? facts.target.map { $0.className() } ?? "\(PropertyType(facts))"
    lines += facts.shape == .dictionary ? "Map<string, \(element)> (\n" : "\(name)<\(element)> (\n"
    guard depth < Self.deepest else {
      lines.removeLast(2)
      lines += "<Maximum depth exceeded>"
      return
    }
    let (count, elements) = collection.firstContents(Self.longest)
    for (position, element) in elements.enumerated() {
      lines += indent(depth + 1) + (element.key.map { "[\($0)]: " } ?? "[\(position)] ")
      write(element.content, collection.place?.session, depth + 1)
      lines += position + 1 < count ? ",\n" : "\n"
    }
    if count > elements.count { lines += "\(indent(depth + 1))… \(count - elements.count) objects skipped.\n" }
    lines += "\(indent(depth)))"
  }

  private mutating func write(_ content: _Content, _ session: Session?, _ depth: Int) {
    switch content {
    case .value(.data(let data)): write(data)
    case .value(.string(let text)): lines += text
    case .value(.null): lines += "(null)"
    case .value(.link(let link)):
      guard let session else { return }
      if link.table.isReserved {
        write(AnyRealmValue._fromStored(.link(link), _StoreContext(session)), depth)
      } else if let object = session.accessor(link) {
        write(object, depth)
      }
    case .value(.date(let value)): lines += "\(value.date)"
    case .value(let value): lines += "\(value)"
    case .object(let object): write(object, depth)
    case .nestedList(let values): write(.fromArray(values), depth)
    case .nestedDictionary(let entries):
      write(.fromDictionary(Dictionary(entries) { _, last in last }), depth)
    case .collection: break
    }
  }

  private mutating func write(_ value: AnyRealmValue, _ depth: Int) {
    var facts = _TypeFacts(.any)
    switch value {
    case .list(let list):
      facts.shape = .list
      write(list, facts, depth)
    case .dictionary(let map):
      facts.shape = .dictionary
      write(map, facts, depth)
    case .object(let object): write(object, depth)
    case .none: lines += "(null)"
    case .data(let data): write(data)
    case .int(let value): lines += "\(value)"
    case .bool(let value): lines += "\(value)"
    case .float(let value): lines += "\(value)"
    case .double(let value): lines += "\(value)"
    case .string(let value): lines += value
    case .date(let value): lines += "\(value)"
    case .objectId(let value): lines += "\(value)"
    case .decimal128(let value): lines += "\(value)"
    case .uuid(let value): lines += "\(value)"
    }
  }
}

extension CollectionBase {
  /// How many elements there are, and the first of them with what they contain.
  final func firstContents(_ limit: Int) -> (count: Int, elements: [(key: String?, content: _Content)]) {
    guard let place else {
      let all = contents()
      return (all.count, Array(all.prefix(limit)))
    }
    return place.read { stored in
      guard let stored else { return (0, []) }
      var elements: [(key: String?, content: _Content)] = []
      for position in 0..<min(limit, stored.count) {
        elements.append((stored.key(ofEntryAt: position), .value(stored.value(at: position, as: place.type))))
      }
      return (stored.count, elements)
    }
  }
}
