/// One bit for each table, by the number of its key; all clear at first.
///
/// The bits of the first 64 tables need no allocation. Most applications have no more tables.
@usableFromInline
struct TableFlags {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: ContiguousArray<Bool> = []

  init() {}

  @inlinable
  subscript(table: Int) -> Bool {
    get {
      assert(table >= 0, "A table has an index.")
      return table < 64 ? low & (1 << UInt64(table)) != 0 : table - 64 < high.count && high[table - 64]
    }
    set {
      if table < 64 {
        low = newValue ? low | 1 << UInt64(table) : low & ~(1 << UInt64(table))
      } else {
        while high.count <= table - 64 { high.append(false) }
        high[table - 64] = newValue
      }
    }
  }
}
