import FiefRuntime

extension Graph {
  /// Every fault of the graph, a sentence each with the path to it; empty for a sound graph.
  ///
  /// It checks for every table: the schema is sound; trees are ordered, balanced and have correct counts; bitmaps,
  /// leaves and counts agree, and leaves have their columns' types; null cells hold zeros; primary keys and indexes
  /// contain every row once, under its current values, and unique ones contain no repetition; every value fits its
  /// column; every link has its target and its backlink, and every backlink its link; every embedded row has one owner,
  /// and following owners ends at a row that is not embedded.
  ///
  /// - Complexity: O(n · log n) in the size of the graph.
  public func checkInvariants() -> [String] { checkInvariants(counting: nil) }

  /// Every fault of the graph.
  ///
  /// - Parameter meter: counts the rows as they are checked, in three passes.
  package func checkInvariants(counting meter: WorkMeter?) -> [String] {
    meter?.begin(.checking, of: allTables.reduce(0) { $0 + $1.count }, passes: 3)
    var faults = schema.problems
    for (index, table) in tables.enumerated() {
      guard let table else { continue }
      if table.schema.key.index != index { faults.append("'\(table.schema.name)' stands at index \(index).") }
      faults += table.checkInvariants(counting: meter)
    }
    faults += checkLinks(counting: meter)
    faults += checkOwners()
    return faults
  }

  /// Counts the links of all rows, target by target, and compares them to the bags.
  func checkLinks(counting meter: WorkMeter? = nil) -> [String] {
    var faults: [String] = []
    // For each target and each column that links to it: the linking rows, once for each link.
    var expected: [ObjectLink: [LinkColumn: [Int64]]] = [:]
    for table in allTables {
      let schema = table.schema
      table.forEachRow { key, cluster, slot in
        for leaf in schema.linkLeaves {
          let column = schema.columns[leaf]
          cluster.leaves[leaf].forEachLink(at: slot, as: column.type) { target in
            if !contains(target) {
              faults.append("'\(schema.name)' \(key) '\(column.name)' links to \(target), which is not there.")
            } else if let table = self[target.table], !column.type.mayLink(to: table.schema) {
              faults.append("'\(schema.name)' \(key) '\(column.name)' cannot link to '\(table.schema.name)', and does.")
            }
            expected[target, default: [:]][LinkColumn(origin: schema.key, column: column.key), default: []]
              .append(key.rawValue)
          }
        }
        if slot == 0 { meter?.advance(by: cluster.count) }
      }
    }
    for table in allTables {
      for incoming in table.incoming {
        faults += incoming.blocks.checkInvariants("'\(table.schema.name)' backlinks")
        incoming.blocks.forEach { chunk, block in
          faults += block.checkInvariants("'\(table.schema.name)' backlinks: block \(chunk)")
          block.linked.forEach { bit in
            let target = ObjectLink(table.schema.key, ObjectKey(chunk: chunk, bit: bit))
            guard let bag = block.bag(atBit: bit) else { return }
            var origins: [Int64] = []
            bag.forEach { origins.append($0.rawValue) }
            let column = LinkColumn(origin: incoming.origin, column: incoming.column)
            if expected[target]?.removeValue(forKey: column)?.sorted() != origins {
              faults.append("The backlinks of \(target) from \(incoming.origin) \(incoming.column) are not its links.")
            }
          }
          return true
        }
      }
    }
    for (target, columns) in expected where !columns.isEmpty { faults.append("Links to \(target) have no backlinks.") }
    return faults
  }

  /// Follows the owners of every embedded row to a row that is not embedded, and visits each row once.
  func checkOwners() -> [String] {
    var rows: [ObjectLink] = []
    for table in allTables where table.schema.kind == .embedded {
      table.forEachRow { key, _, _ in rows.append(ObjectLink(table.schema.key, key)) }
    }
    return checkOwners(of: rows)
  }

  /// Follows the owners of embedded rows, which exist.
  func checkOwners(of rows: some Sequence<ObjectLink>) -> [String] {
    var faults: [String] = []
    var sound: Set<ObjectLink> = []
    for row in rows {
      let owners = self[row.table]?.incoming.reduce(0) { $0 + ($1.bag(of: row.key)?.count ?? 0) } ?? 0
      if owners != 1 { faults.append("Embedded row \(row) has \(owners) owners.") }
      var walked: Set<ObjectLink> = []
      var next: ObjectLink? = row
      while let link = next, !sound.contains(link) {
        if !walked.insert(link).inserted {
          faults.append("Embedded row \(row) is owned in a circle.")
          break
        }
        next = owner(of: link)?.object
      }
      sound.formUnion(walked)
    }
    return faults
  }

  private struct LinkColumn: Hashable {
    let origin: TableKey
    let column: ColumnKey
  }
}

extension Table {

  /// Every fault of the table alone; see `Graph.checkInvariants()`.
  func checkInvariants(counting meter: WorkMeter? = nil) -> [String] {
    var faults = rows.checkInvariants("'\(schema.name)' rows")
    var total = 0
    rows.forEach { chunk, cluster in
      total += cluster.count
      faults += cluster.checkInvariants("'\(schema.name)' cluster \(chunk)", schema)
      if cluster.count > 0, ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: cluster.count - 1)).rawValue >= nextKey {
        faults.append("'\(schema.name)' cluster \(chunk) has a row whose key is yet to be given out.")
      }
      meter?.advance(by: cluster.count)
      return true
    }
    if total != count { faults.append("'\(schema.name)' counts \(count) rows and has \(total).") }
    faults += checkPrimaryKeys()
    faults += checkIndexes()
    meter?.advance(by: count)
    return faults
  }

  private func checkPrimaryKeys() -> [String] {
    var faults = primary.checkInvariants().map { "'\(schema.name)' primary keys: \($0)" }
    let leaf = schema.primaryKeyLeaf
    if primary.count != (leaf < 0 ? 0 : count) {
      faults.append("'\(schema.name)' has \(count) rows and \(primary.count) primary keys.")
    }
    guard leaf >= 0 else { return faults }
    forEachRow { key, cluster, slot in
      let value = cluster.leaves[leaf].value(at: slot, as: schema.columns[leaf].type)
      if find(primaryKey: value) != key {
        faults.append("'\(schema.name)' \(key) is not found by its primary key \(value).")
      }
    }
    return faults
  }

  private func checkIndexes() -> [String] {
    var faults: [String] = []
    if indexes.map(\.definition) != ContiguousArray(schema.indexes).map({ $0 }) {
      faults.append("'\(schema.name)' has other indexes than its schema says.")
      return faults
    }
    for (number, index) in indexes.enumerated() {
      let name = "'\(schema.name)' index \(number)"
      let own = index.checkInvariants(name)
      if !own.isEmpty {
        faults += own
        continue
      }
      let wanted = self.entries(index.definition)
      let entries = index.entries
      if entries.count != wanted.count { faults.append("\(name) holds \(entries.count) entries of \(wanted.count).") }
      for (entry, wanted) in zip(entries, wanted) where IndexEntry.compare(entry, wanted) != 0 {
        faults.append("\(name) holds \(entry.key) where \(wanted.key) belongs.")
        break
      }
    }
    return faults
  }
}

extension PropertyIndex {
  /// Every fault of the index itself, as sentences; empty for a sound one.
  fileprivate func checkInvariants(_ name: String) -> [String] {
    var faults = values.checkInvariants(areIdentical: IndexedValue.isIdentical) { a, b in
      StoredOrder.compare(a.first, b.first) < 0
        || StoredOrder.compare(a.first, b.first) == 0 && StoredOrder.compare(a.rest, b.rest) < 0
    }.map { "\(name): \($0)" }
    faults += postings.checkInvariants("\(name) postings")
    var numbers: [Int64] = []
    postings.forEach { number, posting in
      faults += posting.checkInvariants("\(name) posting \(number)")
      if number >= nextPosting { faults.append("\(name) posting \(number) has a number that was not given out.") }
      numbers.append(number)
      return true
    }
    if numbers != values.map(\.posting).filter({ $0 < 0 }).map(~).sorted() {
      faults.append("\(name) has other postings than its values name.")
    }
    if rowCount(in: 0..<values.count) != count {
      faults.append("\(name) counts \(count) rows and has \(rowCount(in: 0..<values.count)).")
    }
    if definition.isUnique {
      for value in values where value.posting < 0 && !value.hasNull {
        faults.append("\(name) is unique and has \(value.first) in several rows.")
      }
    }
    return faults
  }
}

extension InsertedRows {
  /// Whether the rows alone are a sound cluster of a table with the schema `schema`. Linear in their cells.
  package func fit(_ schema: TableSchema) -> Bool { faults(schema).isEmpty }

  /// Every fault of the rows alone, as a cluster of a table with the schema `schema`.
  func faults(_ schema: TableSchema) -> [String] {
    rows.checkInvariants("A cluster of '\(schema.name)'", schema)
  }
}

extension Cluster {
  /// Every fault of the cluster alone, as a cluster of a table with the schema `schema`.
  ///
  /// A delta from a file is not trusted, so opening a file checks every cluster here. The name is evaluated only for a
  /// fault.
  func checkInvariants(_ name: @autoclosure () -> String, _ schema: TableSchema) -> [String] {
    var faults: [String] = []
    if live.isEmpty { faults.append("\(name()) is empty.") }
    if live.count != count { faults.append("\(name()) counts \(count) rows and has \(live.count).") }
    if isDense != (live == Bitmap256(prefix: count)) { faults.append("\(name()) is wrong about being dense.") }
    if leaves.count != schema.columns.count {
      return faults + ["\(name()) has \(leaves.count) leaves for \(schema.columns.count) columns."]
    }
    for (number, leaf) in leaves.enumerated() {
      let type = schema.types[number]
      func say(_ fault: String) { faults.append("\(name()) '\(schema.columns[number].name)' \(fault).") }
      if leaf.values.count != count { say("has \(leaf.values.count) cells for \(count) rows") }
      if !leaf.values.isStorage(for: type) {
        say("is stored in another type")
        continue
      }
      if !(leaf.nulls - Bitmap256(prefix: count)).isEmpty { say("has nulls beyond its rows") }
      if !type.hasNullBitmap && !leaf.nulls.isEmpty { say("has nulls and is required") }
      if leaf.values.count == live.count && leaf.values.isInteger {
        checkIntegers(leaf: number, as: type, say)
      } else {
        leaf.checkCells(as: type, count: min(count, leaf.values.count), say)
      }
    }
    return faults
  }

  /// Calls `say` with every fault of a leaf of integers, which has a cell for each row. Reads the leaf without making
  /// values, because most cells of files are integers, booleans and links.
  private func checkIntegers(leaf number: Int, as type: ColumnType, _ say: (String) -> Void) {
    let nulls = nulls(leaf: number)
    if !nulls.isEmpty {
      (nulls - slots(leaf: number, integersIn: 0...0)).forEach { slot in
        if slot < live.count { say("at slot \(slot) is null and keeps a value") }
      }
    }
    // Whether links lead to rows is checked with all rows.
    let range = type.kind == .bool ? 0...1 : type.kind == .int ? type.width.range : .min ... .max
    guard range != .min ... .max else { return }
    (Bitmap256(prefix: live.count) - slots(leaf: number, integersIn: range)).forEach { slot in
      say("at slot \(slot) holds \(leaves[number].value(at: slot, as: type)), which does not fit")
    }
  }
}

extension Leaf {
  /// Calls `say` with every fault of the values. The leaf must have its column's stored type.
  fileprivate func checkCells(as type: ColumnType, count: Int, _ say: (String) -> Void) {
    if type.isCollection {
      for slot in 0..<count {
        guard let contents = values.collection(at: slot) else { continue }
        guard contents.isStorage(for: type) else {
          say("at slot \(slot) holds a collection of another type")
          continue
        }
        for fault in contents.checkInvariants("at slot \(slot)") { say(fault) }
        if contents.count == 0 { say("at slot \(slot) stores an empty collection") }
        // Links of a column to one table are stored without it.
        if type.kind == .link && type.shape != .dictionary { continue }
        contents.forEach(as: type) { value in
          if !type.holdsElement(value) { say("at slot \(slot) holds \(value), which does not fit") }
          return true
        }
      }
      return
    }
    if !nulls.isEmpty {
      var zero = LeafValues(for: type)
      zero.appendZero()
      nulls.forEach { slot in
        if slot < count, values.value(at: slot, as: type) != zero.value(at: 0, as: type) {
          say("at slot \(slot) is null and keeps a value")
        }
      }
    }
    if case .string(let texts) = values, !texts.isValid { say("holds words that are not those of a string") }
    // All values of the other types fit; decoded dates are always moments.
    guard type.kind == .any || type.width != .bits64 else { return }
    for slot in 0..<count where !type.holds(value(at: slot, as: type)) {
      say("at slot \(slot) holds \(value(at: slot, as: type)), which does not fit")
    }
  }
}

extension LeafValues {
  /// Whether the cells are integers of any width.
  fileprivate var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }

  /// Whether the leaf has the stored type of columns of `type`.
  func isStorage(for type: ColumnType) -> Bool {
    switch (self, type.kind) {
    case (.collection, _): type.isCollection
    case (.int8, .bool): !type.isCollection
    case (_, .bool): false
    case (_, .link): !type.isCollection && kind == .int
    default: !type.isCollection && kind == type.kind
    }
  }
}
