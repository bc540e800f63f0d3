import FiefGraph
import FiefValues

/// A step of an arrangement whose paths have their places.
enum BoundArrangement: Sendable {
  case sort([(path: BoundPath, ascending: Bool)])
  case distinct([BoundPath])
  case limit(Int, offset: Int)
}

extension QueryRun {
  /// Does to rows what a query asks, in order.
  func arrange(_ keys: ContiguousArray<ObjectKey>, of table: Table, _ steps: [BoundArrangement]) -> ContiguousArray<
    ObjectKey
  > {
    var keys = keys
    for step in steps {
      switch step {
      case .limit(let count, let offset):
        keys = ContiguousArray(keys.dropFirst(offset).prefix(count))
      case .distinct(let paths): keys = distinct(keys, of: table, paths)
      case .sort(let sortKeys):
        var order = Array(keys.indices)
        // Each sort is stable, so the one that counts least goes first.
        for key in sortKeys.reversed() { column(key.path, keys, of: table).sort(&order, ascending: key.ascending) }
        let sorted = keys
        keys = ContiguousArray(unsafeUninitializedCapacity: order.count) { places, filled in
          for place in order.indices { places.initializeElement(at: place, to: sorted[order[place]]) }
          filled = order.count
        }
      }
    }
    return keys
  }

  /// Keeps the first row of each combination of values.
  private func distinct(
    _ keys: ContiguousArray<ObjectKey>, of table: Table, _ paths: [BoundPath]
  ) -> ContiguousArray<ObjectKey> {
    if paths.isEmpty { return keys }
    var seen: Set<[MeantValue]> = []
    return keys.filter { key in
      guard let row = place(of: key, in: table.schema.key) else { return false }
      var combination: [MeantValue] = []
      for path in paths {
        guard let value = single(path, row) else { return false }
        combination.append(MeantValue(value))
      }
      return seen.insert(combination).inserted
    }
  }

  /// The one value of a path; nil when a link on its way is null.
  private func single(_ path: BoundPath, _ row: RowPlace) -> Value? {
    var (row, key): (RowPlace, ObjectKey?) = (row, row.key)
    for hop in path.hops {
      guard case .link(let leaf, let table) = hop else { return nil }
      key = row.cluster[leaf: leaf].load(Int64.self, at: row.slot).map(ObjectKey.init(_:))
      guard let key, let next = place(of: key, in: table) else { return nil }
      row = next
    }
    var found = Value.null
    forEachValue(of: BoundPath(start: row.table, end: path.end, walk: path.walk), row) { value in
      found = value
      return false
    }
    return found
  }

  // MARK: What is sorted by

  /// The values of a path in rows, in a form that sorts fast.
  private func column(_ path: BoundPath, _ keys: ContiguousArray<ObjectKey>, of table: Table) -> SortColumn {
    guard case .cell(let leaf, let type) = path.end, path.walk.isEmpty else {
      return .values(values(path, keys, of: table))
    }
    switch type.kind {
    case .int, .bool:
      return words(path, leaf, keys, table) { leaf, slot in SortColumn.word(Int64.load(from: leaf.values, at: slot)) }
    case .float:
      return words(path, leaf, keys, table) { leaf, slot in
        SortColumn.word(Double(Float.load(from: leaf.values, at: slot)))
      }
    case .double:
      return words(path, leaf, keys, table) { leaf, slot in SortColumn.word(Double.load(from: leaf.values, at: slot)) }
    case .date:
      var seconds = [UInt64](repeating: 0, count: keys.count)
      var nanoseconds = seconds
      let nulls = read(path, leaf, keys, table) { place, leaf, slot in
        let moment = Timestamp.load(from: leaf.values, at: slot)
        seconds[place] = SortColumn.word(moment.seconds)
        nanoseconds[place] = UInt64(moment.nanoseconds)
      }
      return .moments(seconds: seconds, nanoseconds: nanoseconds, nulls: nulls)
    case .string:
      var texts = [String](repeating: "", count: keys.count)
      let nulls = read(path, leaf, keys, table) { place, leaf, slot in
        texts[place] = String.load(from: leaf.values, at: slot)
      }
      return .texts(texts, nulls: nulls)
    default: return .values(values(path, keys, of: table))
    }
  }

  @inline(__always)
  private func words(
    _ path: BoundPath, _ leaf: Int, _ keys: ContiguousArray<ObjectKey>, _ table: Table,
    _ word: (Leaf, Int) -> UInt64
  ) -> SortColumn {
    var words = [UInt64](repeating: 0, count: keys.count)
    let nulls = read(path, leaf, keys, table) { place, leaf, slot in words[place] = word(leaf, slot) }
    return .words(words, nulls: nulls)
  }

  /// Calls `body` with the place of each row, and the leaf and slot of the cell at the end of its path, unless that is null.
  ///
  /// - Returns: which places are null; nil when none is.
  @inline(__always)
  private func read(
    _ path: BoundPath, _ end: Int, _ keys: ContiguousArray<ObjectKey>, _ table: Table,
    _ body: (Int, Leaf, Int) -> Void
  ) -> [Bool]? {
    var nulls: [Bool]?
    func setNull(_ place: Int) {
      if nulls == nil { nulls = Array(repeating: false, count: keys.count) }
      nulls?[place] = true
    }
    if path.hops.isEmpty {
      // Rows of one cluster mostly come together: the cluster is looked for once.
      var chunk: Int64 = -1
      var current: (cluster: Cluster, leaf: Leaf)?
      for place in keys.indices {
        let key = keys[place]
        if key.chunk != chunk {
          chunk = key.chunk
          current = table.rows[chunk].map { ($0, $0[leaf: end]) }
        }
        guard let (cluster, leaf) = current, let slot = cluster.slot(ofBit: key.bit), !leaf.nulls[slot] else {
          setNull(place)
          continue
        }
        body(place, leaf, slot)
      }
      return nulls
    }
    for place in keys.indices {
      var row = self.place(of: keys[place], in: table.schema.key)
      for hop in path.hops {
        guard case .link(let leaf, let next) = hop else { break }
        row = row.flatMap { $0.cluster[leaf: leaf].load(Int64.self, at: $0.slot) }.flatMap {
          self.place(of: ObjectKey($0), in: next)
        }
      }
      guard let row, case let leaf = row.cluster[leaf: end], !leaf.nulls[row.slot] else {
        setNull(place)
        continue
      }
      body(place, leaf, row.slot)
    }
    return nulls
  }

  private func values(_ path: BoundPath, _ keys: ContiguousArray<ObjectKey>, of table: Table) -> [Value] {
    keys.map { key in
      var found = Value.null
      forEachValue(of: path, place(of: key, in: table.schema.key)) { value in
        found = value
        return false
      }
      return found
    }
  }
}
