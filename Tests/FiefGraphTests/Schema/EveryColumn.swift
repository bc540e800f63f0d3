import FiefGraph
import FiefTestSupport
import FiefValues
import Foundation

/// A graph whose table `row` has a column of every sound type, with rows to fill and to link to.
///
///     table 2  target    ordinary   rows #0 … #4, a string each
///     table 3  part      embedded   an integer
///     table 4  row       ordinary   every kind × shape × optional or not × width, by the name of the type
struct EveryColumn {
  let graph: Graph
  let target: TableKey
  let part: TableKey
  let row: TableKey
  let columns: [Column]

  init() throws {
    let transaction = Transaction(.empty)
    target = try transaction.addTable("target")
    let name = try transaction.addColumn(to: target, "name", ColumnType(.string))
    part = try transaction.addTable("part", kind: .embedded)
    try transaction.addColumn(to: part, "number", ColumnType(.int))
    row = try transaction.addTable("row")
    for type in Self.types(target: target) { try transaction.addColumn(to: row, type.declaration, type) }
    for shape in [ColumnShape.single, .list, .dictionary] {
      try transaction.addColumn(to: row, "part \(shape)", .link(to: part, shape: shape))
    }
    for number in 0..<5 { try transaction.create(in: target) { try $0.set("target \(number)", name) } }
    graph = transaction.graph
    columns = graph[row]?.schema.columns ?? []
  }

  /// Every type that a column can have; links go to `target`.
  static func types(target: TableKey) -> [ColumnType] {
    var types: [ColumnType] = []
    for kind in ValueKind.allCases {
      for shape in ColumnShape.allCases {
        if kind == .link {
          types.append(.link(to: target, shape: shape))
        } else {
          for isOptional in kind == .any ? [false] : [false, true] {
            for width in kind == .int ? IntegerWidth.allCases : [.bits64] {
              types.append(ColumnType(kind, shape: shape, isOptional: isOptional, width: width))
            }
          }
        }
      }
    }
    return types
  }

  /// Samples that fit a cell, or an element, of the type; null comes last if it is allowed.
  func samples(of type: ColumnType) -> [Value] {
    let links = (0..<3).map { Value.link(ObjectLink(target, ObjectKey($0))) }
    var samples = type.kind == .link ? (type.target == target ? links : []) : SampleValues.of(type.kind)
    if type.kind == .any { samples += links }
    samples = samples.filter(type.element.holds)
    return samples + (type.allowsNull ? [.null] : [])
  }
}
