package import FiefGraph

extension InsertionPlan {
  /// Applies the plan.
  ///
  ///     make       creates a row for each new row that is not owned, with its scalars
  ///     root       calls the closure, which stores the root where the caller needs it
  ///     complete   sets links and collections, now that targets have rows; makes owned rows and applies updates
  ///
  /// A row is complete with all that it owns before the next one is changed. So a later row of the plan with the same
  /// primary key, which may replace what the earlier one owns, replaces whole rows.
  ///
  /// - Parameters:
  ///   - transaction: the transaction to change. Rows that were found during planning still exist in it.
  ///   - policy: the treatment of existing rows and collections.
  ///   - root: called between making and linking.
  /// - Throws: the kernel's errors. The transaction is then restored, but keys that were handed out are not reused.
  package func apply(to transaction: Transaction, by policy: PlanPolicy, root: () throws -> Void) throws {
    try checkKeys(transaction)
    guard canBeRefused else { return try run(transaction, by: policy, root: root) }
    try transaction.undoing { try run($0, by: policy, root: root) }
  }

  /// Applies a plan whose root is not stored anywhere else; see `apply(to:_:root:)`.
  ///
  /// A refused row changes nothing, so a plan of one new row without links and collections needs no savepoint. A
  /// savepoint would have the next change copy a cluster.
  package func apply(to transaction: Transaction, by policy: PlanPolicy) throws {
    guard rows.count == 1, rows[0].traits.isEmpty else { return try apply(to: transaction, by: policy, root: {}) }
    rows[0].key = try make(0, in: transaction)
  }

  private func run(_ transaction: Transaction, by policy: PlanPolicy, root: () throws -> Void) throws {
    owned.removeAll(keepingCapacity: true)
    for index in rows.indices where !rows[index].isUpdate && !rows[index].isOwned {
      rows[index].key = try make(index, in: transaction)
    }
    try root()
    try completeOwned(transaction, by: policy)
    for index in rows.indices where !rows[index].isOwned {
      try complete(index, in: transaction, by: policy)
      try completeOwned(transaction, by: policy)
    }
  }

  /// Completes the rows that were made in the cells of others, or are updated there, and all that they own.
  private func completeOwned(_ transaction: Transaction, by policy: PlanPolicy) throws {
    if owned.isEmpty { return }
    var next = 0
    while next < owned.count {
      try complete(owned[next], in: transaction, by: policy)
      next += 1
    }
    owned.removeAll(keepingCapacity: true)
  }

  private func complete(_ index: Int, in transaction: Transaction, by policy: PlanPolicy) throws {
    if rows[index].same >= 0 { rows[index].key = rows[rows[index].same].key }
    if rows[index].isUpdate {
      try update(index, in: transaction, by: policy)
    } else if rows[index].traits.contains(.deferred) {
      try link(index, in: transaction)
    }
  }

  /// Throws when a table has too few keys for the new rows.
  private func checkKeys(_ transaction: Transaction) throws {
    assert(rows.allSatisfy { $0.cells.upperBound <= cells.count }, "The cells of a row are in the plan.")
    var last: TableKey?
    for index in rows.indices where rows[index].table != last {
      let table = rows[index].table
      last = table
      if transaction.hasKeys(for: rows.count, in: table) { continue }
      try transaction.checkKeys(for: rows.count(where: { $0.table == table && !$0.isUpdate }), in: table)
    }
  }

  // MARK: New rows

  private func make(_ index: Int, in transaction: Transaction) throws -> ObjectKey {
    assert(!rows[index].isUpdate && !rows[index].isOwned && rows[index].key.rawValue < 0, "A row is made once.")
    let cells = rows[index].cells
    return try transaction.create(in: rows[index].table, primaryKey: rows[index].primaryKey) { try fill($0, cells) }
  }

  private func fill(_ new: NewRow, _ range: Range<Int>) throws {
    assert(range.upperBound <= cells.count, "The cells of a row are in the plan.")
    for index in range {
      guard case .value(let value) = cells[index].content else { continue }
      switch value {
      case .null, .link: continue
      default: try new.set(value, cells[index].column)
      }
    }
  }

  /// Sets the links and collections of a row that this plan made.
  private func link(_ index: Int, in transaction: Transaction) throws {
    let (table, key) = (rows[index].table, rows[index].key)
    assert(key.rawValue >= 0 && !rows[index].isUpdate, "A row is made before what it holds.")
    for number in rows[index].cells {
      let cell = Cell(table, key, cells[number].column)
      switch cells[number].content {
      case .value(let value): if value.linked != nil { try transaction.set(value, cell) }
      case .row:
        try put(cells[number].content, into: cell, at: .value, in: transaction) { try transaction.set($0, cell) }
      case .elements(let range): try refill(cell, with: range, in: transaction)
      case .cleared: continue
      }
    }
  }

  /// Adds elements to an empty collection.
  private func refill(_ cell: Cell, with range: Range<Int>, in transaction: Transaction) throws {
    assert(range.upperBound <= elements.count, "The elements of a collection are in the plan.")
    guard let first = range.first else { return }
    guard let shape = transaction.shape(of: cell) else { return }
    switch shape {
    case .dictionary:
      for index in range { try setEntry(elements[index], of: cell, in: transaction) }
    case .set:
      for index in range {
        try put(elements[index].content, into: cell, at: nil, in: transaction) {
          try transaction.insert($0, inSet: cell)
        }
      }
    case .list, .single:
      // One operation inserts all elements, unless an element is an owned row, which its owner makes.
      if range.count > 1, !range.contains(where: { isOwned(elements[$0].content) }) {
        return try transaction.insert(
          contentsOf: elements[range].map { self.value(of: $0.content) }, at: 0, inList: cell)
      }
      for index in range {
        try put(elements[index].content, into: cell, at: .inserted(at: index - first), in: transaction) {
          try transaction.append($0, toList: cell)
        }
      }
    }
  }

  private func setEntry(_ element: PlannedElement, of cell: Cell, in transaction: Transaction) throws {
    assert(element.key != nil, "An entry has a key.")
    let key = element.key ?? ""
    try put(element.content, into: cell, at: .entry(key), in: transaction) {
      try transaction.set($0, forKey: key, inDictionary: cell)
    }
  }

  private func isOwned(_ content: PlannedContent) -> Bool {
    if case .row(let row) = content {
      assert(row < rows.count, "A row that is referred to is in the plan.")
      return rows[row].isOwned
    }
    return false
  }

  /// The value of a content whose row exists.
  private func value(of content: PlannedContent) -> Value {
    switch content {
    case .value(let value): return value
    case .row(let row):
      assert(key(of: row).rawValue >= 0, "A row that is linked to is there.")
      return .link(ObjectLink(rows[row].table, key(of: row)))
    case .elements, .cleared: return .null
    }
  }

  package func key(of row: Int) -> ObjectKey {
    assert(rows[row].same < 0 || rows[rows[row].same].same < 0, "A row stands for the first one.")
    return rows[row].same >= 0 ? rows[rows[row].same].key : rows[row].key
  }

  /// Stores one content: makes an owned row, or stores a value.
  ///
  /// - Parameters:
  ///   - content: the content, which is not a collection.
  ///   - cell: the cell. `place` is the position in it at which an owned row is made, or nil where owned rows are not
  ///     possible.
  ///   - store: stores a value.
  package func put(
    _ content: PlannedContent, into cell: Cell, at place: OwnedPosition?, in transaction: Transaction,
    _ store: (Value) throws -> Void
  ) throws {
    guard case .row(let row) = content, rows[row].isOwned, !rows[row].isUpdate, let place else {
      return try store(value(of: content))
    }
    assert(rows[row].key.rawValue < 0, "An owned row is made once.")
    rows[row].key = try transaction.createOwned(in: rows[row].table, by: cell, place) { try fill($0, rows[row].cells) }
    if rows[row].traits.contains(.deferred) { owned.append(row) }
  }

  // MARK: Updates

  private func update(_ index: Int, in transaction: Transaction, by policy: PlanPolicy) throws {
    let (table, key) = (rows[index].table, rows[index].key)
    assert(rows[index].isUpdate && key.rawValue >= 0, "A row that is updated is there.")
    for number in rows[index].cells {
      let cell = Cell(table, key, cells[number].column)
      switch cells[number].content {
      case .value(let value): try transaction.set(value, cell)
      case .row(let target):
        // The cell has it already.
        if noteInPlace(target) { continue }
        if policy == .modified, isThere(cells[number].content, transaction.value(cell), in: transaction) { continue }
        try put(cells[number].content, into: cell, at: .value, in: transaction) { try transaction.set($0, cell) }
      case .cleared: try transaction.removeAll(from: cell)
      case .elements(let range):
        if policy == .modified {
          try merge(range, into: cell, in: transaction)
        } else {
          try transaction.removeAll(from: cell)
          try refill(cell, with: range, in: transaction)
        }
      }
    }
  }

  /// Notes that an owned row is updated in place.
  ///
  /// - Returns: false for any other row, which has to be stored.
  private func noteInPlace(_ row: Int) -> Bool {
    guard rows[row].isOwned && rows[row].isUpdate else { return false }
    owned.append(row)
    return true
  }

  /// Merges lists by index, sets by union and dictionaries by key.
  private func merge(_ range: Range<Int>, into cell: Cell, in transaction: Transaction) throws {
    assert(range.upperBound <= elements.count, "The elements of a collection are in the plan.")
    guard let shape = transaction.shape(of: cell) else { return }
    if shape == .set { return try refill(cell, with: range, in: transaction) }
    for (position, index) in range.enumerated() {
      let element = elements[index]
      if case .row(let row) = element.content, noteInPlace(row) { continue }
      if isThere(element.content, value(at: position, element.key, of: cell, in: transaction), in: transaction) {
        continue
      }
      if shape == .dictionary {
        try setEntry(element, of: cell, in: transaction)
      } else if position < transaction.count(of: cell) {
        try put(element.content, into: cell, at: .element(at: position), in: transaction) {
          try transaction.replace(at: position, with: $0, inList: cell)
        }
      } else {
        try put(element.content, into: cell, at: .inserted(at: position), in: transaction) {
          try transaction.append($0, toList: cell)
        }
      }
    }
    let count = transaction.count(of: cell)
    if shape == .list, range.count < count { try transaction.removeSubrange(range.count..<count, fromList: cell) }
  }

  /// The any-value at a position of a list, or for a key of a dictionary; nil without one.
  private func value(at position: Int, _ key: String?, of cell: Cell, in transaction: Transaction) -> Value? {
    if let key { return transaction.value(forKey: key, inDictionary: cell) }
    return transaction.read { graph in
      guard let list = graph.collection(cell), position < list.count else { return nil }
      return list.value(at: position, as: ColumnType(.any, shape: .list))
    }
  }
}

extension Transaction {
  /// The shape of a cell: a single value, a list, a set or a dictionary; nil when the column does not exist.
  fileprivate func shape(of cell: Cell) -> ColumnShape? {
    read { $0[cell.table]?.schema.column(cell.column)?.type.shape }
  }
}
