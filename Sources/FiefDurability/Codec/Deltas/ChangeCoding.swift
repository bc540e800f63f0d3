import FiefGraph

// Deleted rows and changed cells. Keys are written as the difference from the key before.

extension ByteWriter {
  func deleted(_ rows: [DeletedRows]) {
    varint(rows.count)
    for rows in rows {
      signedVarint(rows.chunk)
      bitmap(rows.rows)
    }
  }

  func updated(_ column: ColumnDelta) {
    varint(UInt64(column.column.rawValue))
    varint(column.cells.count)
    var last: Int64 = 0
    for (key, change) in column.cells {
      signedVarint(key.rawValue &- last)
      last = key.rawValue
      self.change(change)
    }
  }

  private func change(_ change: CellChange) {
    switch change {
    case .value(let value):
      append(0 as UInt8)
      self.value(value)
    case .list(let splices):
      append(1 as UInt8)
      varint(splices.count)
      for splice in splices {
        varint(splice.range.lowerBound)
        varint(splice.range.count)
        values(splice.values)
      }
    case .set(let removed, let inserted):
      append(2 as UInt8)
      values(removed)
      values(inserted)
    case .dictionary(let removed, let set):
      append(3 as UInt8)
      varint(removed.count)
      for key in removed { string(key) }
      varint(set.count)
      for entry in set {
        string(entry.key)
        value(entry.value)
      }
    }
  }

  private func values(_ values: [Value]) {
    varint(values.count)
    for value in values { self.value(value) }
  }
}

extension ByteReader {
  mutating func deleted() throws(CodecError) -> [DeletedRows] {
    var all: [DeletedRows] = []
    for _ in 0..<(try count(of: "chunks", eachAtLeast: 3)) {
      let start = self
      let chunk = try signedVarint()
      if let before = all.last, before.chunk >= chunk {
        throw start.wrong(.notCanonical, "chunks of rows that go do not ascend")
      }
      all.append(DeletedRows(chunk: chunk, rows: try bitmap()))
    }
    if all.isEmpty { throw wrong(.notCanonical, "rows that go are announced, and none follow") }
    return all
  }

  mutating func updated() throws(CodecError) -> ColumnDelta {
    let column = ColumnKey(rawValue: try number32("a column"))
    var cells: [(key: ObjectKey, change: CellChange)] = []
    var last: Int64 = 0
    for _ in 0..<(try count(of: "cells", eachAtLeast: 3)) {
      let start = self
      last &+= try signedVarint()
      if let before = cells.last, before.key.rawValue >= last {
        throw start.wrong(.notCanonical, "cells that change do not ascend")
      }
      cells.append((ObjectKey(last), try change()))
    }
    if cells.isEmpty { throw wrong(.notCanonical, "cells that change are announced, and none follow") }
    return ColumnDelta(column: column, cells: cells)
  }

  private mutating func change() throws(CodecError) -> CellChange {
    let start = self
    switch try byte() {
    case 0: return .value(try value())
    case 1:
      var splices: [ListSplice] = []
      for _ in 0..<(try count(of: "splices", eachAtLeast: 3)) {
        let start = self
        let low = try varint()
        let (high, overflow) = low.addingReportingOverflow(try varint())
        guard !overflow, let end = Int(exactly: high) else {
          throw start.wrong(.malformed, "a position is out of range")
        }
        splices.append(ListSplice(range: Int(truncatingIfNeeded: low)..<end, values: try values()))
      }
      return .list(splices)
    case 2:
      let removed = try values()
      return .set(removed: removed, inserted: try values())
    case 3:
      var removed: [String] = []
      for _ in 0..<(try count(of: "keys")) { removed.append(try string()) }
      var set: [DictionaryEntry] = []
      for _ in 0..<(try count(of: "entries", eachAtLeast: 2)) {
        let key = try string()
        set.append(DictionaryEntry(key: key, value: try value()))
      }
      return .dictionary(removed: removed, set: set)
    default: throw start.wrong(.malformed, "there is no such change of a cell")
    }
  }

  private mutating func values() throws(CodecError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try count(of: "values")) { values.append(try value()) }
    return values
  }
}
