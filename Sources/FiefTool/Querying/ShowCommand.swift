import Fief
import FiefCopying
import FiefGraph

/// `fief show`: prints an object with its properties, its links, and what links to it.
///
///     Person 7
///       id      7
///       name    Ann
///       friend  Person 8
///       dogs    [2]
///         Dog #0
///         Dog #4
///     linked from
///       Person 8  friend
struct ShowCommand {
  static let command = Command(
    "show", "FILE CLASS KEY", "an object with its properties, its links, and what links to it",
    options: [
      .value("--depth", "N", "print the properties of the objects that are N links away, too"),
      .flag("--all", "print all elements of collections, and all links to the object"),
      .flag("--json", "print JSON"), KeyFile.option,
    ],
    details: """
      KEY is the primary key of the object. An object of a class without one has a number, as '#17',
      which 'fief query' prints; write '#17' with its quotes.
      """
  ) { arguments, terminal in
    try run(StoreView(StoredFile(arguments).forReading()), arguments, terminal)
    return .done
  }

  /// Prints an object of an open file.
  static func run(_ view: StoreView, _ arguments: Arguments, _ terminal: Terminal) throws {
    let link = try view.object(named: arguments.operands[2], in: view.table(named: arguments.operands[1]))
    let depth = try arguments.number("--depth") ?? 0
    var show = ShowCommand(
      view: view, terminal: terminal, depth: depth, limit: arguments.has("--all") ? .max : 20)
    if arguments.has("--json") { show.json(link) } else { try show.text(link) }
  }

  private let view: StoreView
  private let terminal: Terminal
  private let depth: Int
  /// How many elements of a collection are printed.
  private let limit: Int
  /// The objects whose properties were printed.
  private var shown: Set<ObjectLink> = []

  private init(view: StoreView, terminal: Terminal, depth: Int, limit: Int) {
    self.view = view
    self.terminal = terminal
    self.depth = depth
    self.limit = limit
  }

  // MARK: For people

  /// A part that is left to print.
  private enum Frame {
    /// The properties of an object, from a position on. `distance` counts links from the root.
    case properties(ObjectLink, [Column], next: Int, indentation: Int, distance: Int)
    case elements(StoredCollection, ColumnType, next: Int, indentation: Int, distance: Int)
  }

  private mutating func text(_ root: ObjectLink) throws {
    terminal.say(StyledText(view.label(of: root), .bold))
    var frames = [frame(root, indentation: 1, distance: 0)]
    while let frame = frames.popLast() {
      try terminal.checkReader()
      switch frame {
      case .properties(let link, let columns, let next, let indentation, let distance):
        guard next < columns.count else { continue }
        frames.append(
          .properties(link, columns, next: next + 1, indentation: indentation, distance: distance))
        property(columns[next], of: link, among: columns, indentation, distance, &frames)
      case .elements(let collection, let type, let next, let indentation, let distance):
        guard next < collection.count else { continue }
        guard next < limit else {
          line(indentation, StyledText("… \((collection.count - next).of("more element"))"))
          continue
        }
        frames.append(.elements(collection, type, next: next + 1, indentation: indentation, distance: distance))
        let key = collection.key(ofEntryAt: next).map { "\($0.printable): " } ?? ""
        value(collection.value(at: next, as: type), type, StyledText(key), indentation, distance, &frames)
      }
    }
    try printBacklinks(of: root)
  }

  /// The frame of an object that is printed now.
  private mutating func frame(_ link: ObjectLink, indentation: Int, distance: Int) -> Frame {
    shown.insert(link)
    let schema = view.graph[link.table]?.schema
    return .properties(
      link, schema?.keyFirst ?? [], next: 0, indentation: indentation, distance: distance)
  }

  private mutating func property(
    _ column: Column, of link: ObjectLink, among columns: [Column], _ indentation: Int, _ distance: Int,
    _ frames: inout [Frame]
  ) {
    let width = (columns.map(\.name.printable.columns).max() ?? 0) + 2
    let name =
      StyledText(column.name.printable, .cyan)
      + String(repeating: " ", count: width - column.name.printable.columns)
    let cell = Cell(link.table, link.key, column.key)
    guard column.type.isCollection else {
      return value(view.graph.value(cell) ?? .null, column.type, name, indentation, distance, &frames)
    }
    let collection = view.graph.collection(cell)
    line(indentation, name + "[\(collection?.count ?? 0)]")
    if let collection {
      frames.append(
        .elements(collection, column.type, next: 0, indentation: indentation + 1, distance: distance))
    }
  }

  /// Prints a value behind a name or a key, and lets the properties of an object follow.
  private mutating func value(
    _ value: Value, _ type: ColumnType, _ name: StyledText, _ indentation: Int, _ distance: Int,
    _ frames: inout [Frame]
  ) {
    guard let link = value.linked, !link.table.isNested, let table = view.graph[link.table] else {
      return line(indentation, name + view.text(value, of: type))
    }
    if table.schema.kind == .embedded {
      line(indentation, name + table.schema.name.printable)
      return frames.append(frame(link, indentation: indentation + 1, distance: distance))
    }
    let isKnown = shown.contains(link)
    let label = name + view.label(of: link)
    line(indentation, isKnown && depth > 0 ? label + StyledText(" (above)", .dim) : label)
    if distance < depth, !isKnown {
      frames.append(frame(link, indentation: indentation + 1, distance: distance + 1))
    }
  }

  /// Lines are not indented without bound.
  private func line(_ indentation: Int, _ text: StyledText) {
    terminal.say(StyledText(String(repeating: "  ", count: min(indentation, 40))) + text)
  }

  private func printBacklinks(of root: ObjectLink) throws {
    var count = 0
    for backlink in view.backlinks(of: root) {
      if count == 0 { terminal.say(StyledText("linked from", .bold)) }
      count += 1
      if count > limit {
        line(1, StyledText("… and others; --all prints them"))
        return
      }
      line(1, StyledText("\(view.label(of: backlink.object))  \(backlink.path.printable)"))
      try terminal.checkReader()
    }
  }

  // MARK: For programs

  private func json(_ root: ObjectLink) {
    let linked = depth > 0 ? [("linked", JSON.array(reached(from: root).map { .object(view.json($0)) }))] : []
    let backlinks = view.backlinks(of: root).map { backlink -> JSON in
      ["object": view.json(.link(backlink.object), of: ColumnType(.any)), "path": .text(backlink.path)]
    }
    terminal.say(JSON.object(view.json(root) + linked + [("linkedFrom", .array(backlinks))]).line)
  }

  /// The objects that are at most `depth` links away, the nearest first.
  private func reached(from root: ObjectLink) -> [ObjectLink] {
    var found: Set<ObjectLink> = [root]
    var (result, front) = ([ObjectLink](), [root])
    var distance = 0
    while distance < depth, !front.isEmpty {
      var next: [ObjectLink] = []
      for link in front {
        for target in view.links(of: link).map(\.target) where found.insert(target).inserted { next.append(target) }
      }
      result += next
      front = next
      distance += 1
    }
    return result
  }
}
