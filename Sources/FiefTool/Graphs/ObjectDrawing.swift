import FiefGraph

/// Objects and their links, as a drawing.
///
/// The more objects there are, the less of each is shown, so that the drawing stays readable.
struct ObjectDrawing {
  private let objects: StoreView
  /// The objects that are drawn, in order.
  let drawn: [ObjectLink]
  private let numbers: [ObjectLink: Int]
  /// How many objects were to be drawn.
  private let total: Int
  /// The maximum number of properties that a box shows.
  private let shownParts: Int

  /// More elements of a collection than these are only counted.
  private static let shownElements = 4
  /// Embedded objects inside each other have boxes to this depth.
  private static let shownDepth = 4
  private static let valueWidth = 28

  /// All objects of a file; of more than `limit` those that are connected with the first ones.
  init(all objects: StoreView, limit: Int) {
    let total = objects.objectCount
    var chosen: [ObjectLink] = []
    var known: Set<ObjectLink> = []
    for table in objects.objectTables where chosen.count < limit {
      table.forEachRow(from: ObjectKey(0)) { key, _, _ in
        let link = ObjectLink(table.schema.key, key)
        if total <= limit {
          chosen.append(link)
        } else if known.insert(link).inserted {
          let first = chosen.count
          chosen.append(link)
          Self.follow(objects, from: first, depth: .max, limit: limit, &chosen, &known)
        }
        return chosen.count < limit
      }
    }
    self.init(objects, chosen, total: total)
  }

  /// The objects at most `depth` links away from one, in either direction.
  init(around object: ObjectLink, depth: Int, _ objects: StoreView, limit: Int) {
    var chosen = [object]
    var known: Set = [object]
    Self.follow(objects, from: 0, depth: depth, limit: limit, &chosen, &known)
    self.init(objects, chosen, total: chosen.count, isCut: chosen.count == limit)
  }

  private init(_ objects: StoreView, _ drawn: [ObjectLink], total: Int, isCut: Bool = false) {
    self.objects = objects
    self.drawn = drawn
    self.total = isCut ? total + 1 : total
    self.isCut = isCut
    numbers = Dictionary(uniqueKeysWithValues: drawn.enumerated().map { ($1, $0) })
    shownParts = drawn.count <= 30 ? 8 : drawn.count <= 80 ? 4 : drawn.count <= 250 ? 1 : 0
  }

  /// Whether there are more objects, whose number is not known.
  private let isCut: Bool

  /// Adds what objects link to and are linked from, breadth first.
  private static func follow(
    _ objects: StoreView, from first: Int, depth: Int, limit: Int, _ chosen: inout [ObjectLink],
    _ known: inout Set<ObjectLink>
  ) {
    var level = first..<chosen.count
    var steps = 0
    while !level.isEmpty && steps < depth && chosen.count < limit {
      for object in chosen[level] {
        let near =
          objects.links(of: object, limit: limit).map(\.target)
          + objects.backlinks(of: object).prefix(limit).map(\.object)
        for target in near where chosen.count < limit && known.insert(target).inserted { chosen.append(target) }
      }
      level = level.upperBound..<chosen.count
      steps += 1
    }
  }

  /// The position of an object among the drawn ones; nil if it is not drawn.
  func number(of object: ObjectLink) -> Int? { numbers[object] }

  // MARK: Drawing

  /// The drawing.
  func drawing(title: String) -> Drawing {
    let lines = lines
    let links = lines.reduce(0) { $0 + $1.names.count }
    let what =
      isCut
      ? "the first \(drawn.count.of("object"))"
      : drawn.count < total ? "\(drawn.count) of \(total.of("object"))" : drawn.count.of("object")
    return Drawing(
      title: title.printable, summary: "\(what), \(links.of("link"))",
      boxes: drawn.map { object in
        var box = contents(object, depth: 0)
        box.title = objects.label(of: object).cut(to: 40)
        return box
      }, lines: lines)
  }

  /// The links between drawn objects; several between two are one line.
  private var lines: [Drawing.Line] {
    var lines: [Drawing.Line] = []
    var known: [Diagram.Line: Int] = [:]
    for (number, object) in drawn.enumerated() {
      for link in objects.links(of: object) {
        guard let target = numbers[link.target] else { continue }
        let ends = Diagram.Line(from: number, to: target)
        let name = link.path.printable
        if let index = known[ends] {
          if !lines[index].names.contains(name) { lines[index].names.append(name) }
        } else {
          known[ends] = lines.count
          lines.append(.init(from: number, to: target, names: [name]))
        }
      }
    }
    return lines
  }

  /// The contents of the box of a row. Recursion ends at `shownDepth`.
  private func contents(_ row: ObjectLink, depth: Int) -> BoxContents {
    guard let table = objects.graph[row.table] else { return BoxContents(title: "\(row)", className: "") }
    var box = BoxContents(title: table.schema.name.printable, className: table.schema.name)
    var left = 0
    for (leaf, column) in table.schema.columns.enumerated() where column.key != table.schema.primaryKey {
      if objects.isOwned(column.type) {
        add(table, row, leaf, column, depth, to: &box)
      } else if box.parts.count < shownParts {
        let words = words(table, row, leaf, column)
        if let words { box.parts.append(.line(name: column.name.printable.cut(to: 20), value: words)) }
      } else {
        left += 1
      }
    }
    if left > 0 && shownParts > 4 {
      box.parts.append(.line(name: "", value: "… \(left.of("more property", "more properties"))"))
    }
    return box
  }

  /// Adds the boxes of embedded objects.
  private func add(
    _ table: Table, _ row: ObjectLink, _ leaf: Int, _ column: Column, _ depth: Int, to box: inout BoxContents
  ) {
    let name = column.name.printable.cut(to: 20)
    var count = 0
    objects.forEachValue(table, row.key, leaf) { value in
      guard let target = value.linked else { return true }
      count += 1
      if count <= Self.shownElements && depth < Self.shownDepth {
        var inner = contents(target, depth: depth + 1)
        inner.title = "\(name): \(inner.title)".cut(to: 40)
        box.parts.append(.box(inner))
      }
      return true
    }
    if count == 0 && shownParts > 4 { box.parts.append(.line(name: name, value: "nil")) }
    let hidden = depth < Self.shownDepth ? count - Self.shownElements : count
    if hidden > 0 { box.parts.append(.line(name: name, value: "… \(hidden) more")) }
  }

  /// The value of a property in a few words; nil when it is shown by lines alone.
  private func words(_ table: Table, _ row: ObjectLink, _ leaf: Int, _ column: Column) -> String? {
    var texts: [String] = []
    var (count, drawnCount) = (0, 0)
    objects.forEachValue(table, row.key, leaf) { value in
      count += 1
      if let target = value.linked {
        if numbers[target] != nil {
          drawnCount += 1
        } else if texts.count < Self.shownElements {
          texts.append(target.table.isNested ? objects.text(value) : "→ \(objects.label(of: target))")
        }
      } else if texts.count < Self.shownElements {
        texts.append(objects.text(value))
      }
      return true
    }
    if drawnCount == count && count > 0 && column.type.canLink { return nil }
    guard column.type.isCollection else { return (texts.first ?? "nil").cut(to: Self.valueWidth) }
    if count == 0 { return "none" }
    let more = count - drawnCount > texts.count ? ", …" : ""
    return "\(count): \(texts.joined(separator: ", "))\(more)".cut(to: Self.valueWidth)
  }
}
