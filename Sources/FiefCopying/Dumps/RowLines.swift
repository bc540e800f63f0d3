internal import FiefGraph
import FiefValues

/// The lines of one row, with all that it owns: embedded objects, and collections in any-values.
///
///     name: "Ann"
///     address: Address
///       city: "Rome"
///     dogs: [
///       Dog#1
///     ]
///
/// What is nested deeper than `deepest` levels stands behind the row's properties, under a number. So a line is never
/// indented without bound. There is no recursion.
struct RowLines {
  /// The maximum number of levels of a line.
  static let deepest = 12

  /// A line, or a part of one that ends in a link.
  struct Line {
    let depth: Int
    let text: String
    /// The row that the line names behind the text.
    var link: ObjectLink?
    /// The way from the row to the link.
    var path: UInt64 = 0
    /// Whether the line is a link in a set, whose order says nothing.
    var isUnordered = false
  }

  private enum Frame {
    /// The properties of a row, from a position on.
    case row(ObjectLink, DumpClass, next: Int, end: Int, depth: Int, path: UInt64)
    /// The elements of a collection, from a position on.
    case elements(StoredCollection, ColumnType, next: Int, depth: Int, path: UInt64)
    case close(String, depth: Int)
  }

  let classes: DumpClasses
  private var stack: [Frame] = []
  /// The nested parts behind the properties.
  private var waiting: [(link: ObjectLink, path: UInt64)] = []
  private var lines: [Line] = []

  init(_ classes: DumpClasses) { self.classes = classes }

  /// The lines of some properties of a row; `columns` are positions among those of its class.
  mutating func lines(of link: ObjectLink, _ rowClass: DumpClass, columns: Range<Int>) -> [Line] {
    assert(stack.isEmpty && columns.upperBound <= rowClass.columns.count, "Lines are made of one row at a time.")
    lines.removeAll(keepingCapacity: true)
    waiting = []
    stack = [.row(link, rowClass, next: columns.lowerBound, end: columns.upperBound, depth: 1, path: 0)]
    run()
    var number = 0
    while number < waiting.count {
      let (owned, path) = waiting[number]
      number += 1
      put(.link(owned), type: ColumnType(.any), prefix: "(\(number)): ", depth: 1, path: path, isMoved: true)
      run()
    }
    return lines
  }

  private mutating func run() {
    while let frame = stack.popLast() {
      switch frame {
      case .close(let text, let depth): lines.append(Line(depth: depth, text: text))
      case .row(let link, let rowClass, let next, let end, let depth, let path):
        guard next < end else { continue }
        stack.append(.row(link, rowClass, next: next + 1, end: end, depth: depth, path: path))
        property(rowClass.columns[next], of: link, in: rowClass, depth: depth, path: path)
      case .elements(let collection, let type, let next, let depth, let path):
        guard next < collection.count else { continue }
        stack.append(.elements(collection, type, next: next + 1, depth: depth, path: path))
        let value = collection.value(at: next, as: type)
        let key = collection.key(ofEntryAt: next)
        let step = key.map(PathHash.of) ?? (type.shape == .list ? UInt64(next) : 0)
        put(
          value, type: type, prefix: key.map { DumpText.literal($0[...]) + ": " } ?? "", depth: depth,
          path: PathHash.joined(path, step))
        if type.shape == .set && value.linked != nil { lines[lines.count - 1].isUnordered = true }
      }
    }
  }

  private mutating func property(
    _ column: DumpColumn, of link: ObjectLink, in rowClass: DumpClass, depth: Int, path: UInt64
  ) {
    assert(link.table == rowClass.table.schema.key, "A row is one of its class.")
    let path = PathHash.joined(path, column.hash)
    let prefix = column.name + ": "
    if column.type.shape == .single {
      put(
        rowClass.table.value(link.key, leaf: column.leaf) ?? .null, type: column.type, prefix: prefix, depth: depth,
        path: path)
    } else {
      open(
        rowClass.table.collection(link.key, leaf: column.leaf), type: column.type, prefix: prefix, depth: depth,
        path: path)
    }
  }

  private mutating func open(
    _ collection: StoredCollection?, type: ColumnType, prefix: String, depth: Int, path: UInt64
  ) {
    assert(type.isCollection && depth <= Self.deepest + 1, "A line is never indented without bound.")
    let (first, last, empty) =
      switch type.shape {
      case .set: ("{", "}", "{}")
      case .dictionary: ("[", "]", "[:]")
      default: ("[", "]", "[]")
      }
    guard let collection, collection.count > 0 else {
      lines.append(Line(depth: depth, text: prefix + empty))
      return
    }
    lines.append(Line(depth: depth, text: prefix + first))
    stack.append(.close(last, depth: depth))
    stack.append(.elements(collection, type, next: 0, depth: depth + 1, path: path))
  }

  private mutating func put(
    _ value: Value, type: ColumnType, prefix: String, depth: Int, path: UInt64, isMoved: Bool = false
  ) {
    guard let link = value.linked, let target = classes[link.table] else {
      for (number, text) in DumpText.lines(value, isAny: type.kind == .any).enumerated() {
        lines.append(number == 0 ? Line(depth: depth, text: prefix + text) : Line(depth: depth + 1, text: "+ " + text))
      }
      return
    }
    if !target.isOwned {
      lines.append(Line(depth: depth, text: prefix, link: link, path: path))
    } else if depth >= Self.deepest && !isMoved {
      waiting.append((link, path))
      lines.append(Line(depth: depth, text: "\(prefix)(\(waiting.count))"))
    } else if link.table.isNested {
      let type = target.columns[0].type
      open(target.table.collection(link.key, leaf: 0), type: type, prefix: prefix, depth: depth, path: path)
    } else {
      lines.append(Line(depth: depth, text: prefix + target.name))
      stack.append(.row(link, target, next: 0, end: target.columns.count, depth: depth + 1, path: path))
    }
  }
}
