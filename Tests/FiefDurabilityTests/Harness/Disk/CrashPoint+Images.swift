import FiefTestSupport

/// The result of a crash for all pending changes: a fate for each write, and for each other change whether it arrived.
struct Fates {
  /// For each file in the order of their numbers, for each change in order. A truncation happened unless it is dropped.
  var changes: [Fate]
  var names: [Bool]
}

extension CrashPoint {
  private var filesWithPending: [Int] { pending.keys.sorted() }

  /// The disk after a power failure with these fates, with nothing pending.
  func image(_ fates: Fates, isRecording: Bool = false, chance: UInt64 = 1) -> SimulatedDisk {
    var files = safe
    var next = fates.changes.makeIterator()
    for file in filesWithPending {
      for change in pending[file] ?? [] {
        guard let fate = next.next() else { fatalError("There are fewer fates than changes that are pending.") }
        switch change {
        case .wrote(let offset, let bytes):
          fate.apply(bytes, at: offset, to: &files[file, default: []], formerBytes: formerBytes)
        case .truncated: if fate != .dropped { change.apply(to: &files[file, default: []]) }
        }
      }
    }
    var names = names
    for (change, isKept) in zip(pendingNames, fates.names) where isKept { change.apply(to: &names) }
    return SimulatedDisk(files: names.mapValues { files[$0] ?? [] }, isRecording: isRecording, chance: chance)
  }

  /// The disk after a kill of the process: every write is there.
  func imageAfterKill(chance: UInt64 = 1) -> SimulatedDisk {
    image(Fates(changes: changes.map { _ in .kept }, names: pendingNames.map { _ in true }), chance: chance)
  }

  private var changes: [Change] { filesWithPending.flatMap { pending[$0] ?? [] } }

  /// Calls `body` with the fates to try at this moment.
  ///
  /// - Parameters:
  ///   - limit: For at most this many items, all combinations of kept and dropped are tried; for more, "all", "none",
  ///     "all but one", and "only one" for up to four.
  ///   - extra: The number of additional random fates of all kinds.
  func forEachFates(limit: Int = 6, extra: Int, using random: inout SeededRandom, _ body: (Fates) throws -> Void)
    rethrows
  {
    let changes = changes
    let total = changes.count + pendingNames.count
    func fates(_ isKept: (Int) -> Bool) -> Fates {
      Fates(
        changes: changes.indices.map { isKept($0) ? .kept : .dropped },
        names: pendingNames.indices.map { isKept(changes.count + $0) })
    }
    if total <= limit {
      for mask in 0..<(1 << total) { try body(fates { mask >> $0 & 1 == 1 }) }
    } else {
      try body(fates { _ in false })
      try body(fates { _ in true })
      for lost in 0..<total { try body(fates { $0 != lost }) }
      for only in 0..<min(total, 4) { try body(fates { $0 == only }) }
    }
    guard total > 0 else { return }
    for _ in 0..<extra {
      let drawn = changes.map { change in
        if case .wrote(_, let bytes) = change {
          Fate.any(count: bytes.count, using: &random)
        } else {
          random.bool() ? Fate.kept : .dropped
        }
      }
      let names = pendingNames.map { _ in random.below(4) != 0 }
      try body(Fates(changes: drawn, names: names))
    }
  }

  /// The fates with which all pending changes are lost.
  var noFates: Fates { Fates(changes: changes.map { _ in .dropped }, names: pendingNames.map { _ in false }) }

  /// Random fates of all kinds.
  func anyFates(using random: inout SeededRandom) -> Fates {
    let drawn = changes.map { change in
      if case .wrote(_, let bytes) = change {
        Fate.any(count: bytes.count, using: &random)
      } else {
        random.bool() ? Fate.kept : .dropped
      }
    }
    return Fates(changes: drawn, names: pendingNames.map { _ in random.bool() })
  }

  /// Calls `body` with all fates: each combination of the possible fates of each write. They have eight forms when at
  /// most three items are pending, and four forms up to five items. Above that, a write is kept or lost.
  func forEveryFates(_ body: (Fates) throws -> Void) rethrows {
    let changes = changes
    let total = changes.count + pendingNames.count
    let forms = total <= 3 ? 8 : total <= 5 ? 4 : 2
    var wheel = [Int](repeating: 0, count: total)
    while true {
      var isMeant = true
      let fates = changes.enumerated().map { position, change -> Fate in
        guard case .wrote(_, let bytes) = change else {
          // A truncation happened or did not.
          if wheel[position] > 1 { isMeant = false }
          return wheel[position] == 0 ? .kept : .dropped
        }
        return [
          .kept, .dropped, .cut(bytes.count / 2), .noise(UInt64(position)), .zeros, .cut(bytes.count - 1),
          .sectors(0x5555_5555_5555_5555), .older(0),
        ][wheel[position]]
      }
      for position in changes.count..<total where wheel[position] > 1 { isMeant = false }
      if isMeant { try body(Fates(changes: fates, names: wheel[changes.count...].map { $0 == 0 })) }
      guard let next = wheel.indices.first(where: { wheel[$0] < forms - 1 }) else { return }
      for position in 0..<next { wheel[position] = 0 }
      wheel[next] += 1
    }
  }
}
