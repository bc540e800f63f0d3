import Fief

/// Compares the report of a rehearsal with what must happen.
struct EvolvedReport {
  let before: EvolvedStore
  let step: EvolvedStep
  let outcome: EvolvedOutcome
  let reads: [String: Int]

  /// - Throws: the first difference, as an `EvolvedFault`.
  func check(_ report: MigrationReport) throws {
    if let failure = report.failure { throw EvolvedFault("The report fails: \(failure).") }
    let after = outcome.store
    var expected: [Line] = []
    let names = Set(before.tables.keys.map(step.newName)).union(after.tables.keys)
    for name in names.sorted() {
      let old = before.tables[step.storedName(name)].map { Set($0.rows.keys) } ?? []
      let new = after.tables[name].map { Set($0.rows.keys) } ?? []
      if old.isEmpty && new.isEmpty { continue }
      expected.append(
        Line(
          className: name, stored: old.count, read: reads[name] ?? 0, created: new.subtracting(old).count,
          changed: changed(name, old.intersection(new)), deleted: old.subtracting(new).count,
          copied: outcome.copies[name] ?? 0))
    }
    var found = report.classes.map(Line.init)
    // Which of several links keeps an object is up to the product, so the objects with other links may differ.
    if !outcome.originals.isEmpty {
      for position in found.indices where position < expected.count {
        found[position].changed = expected[position].changed
      }
    }
    if found != expected { throw EvolvedFault("The report has\n\(found), and not\n\(expected).") }
    let losses = losses().sorted { "\($0)" < "\($1)" }
    let foundLosses = report.losses.map { Loss($0.className, $0.propertyName, $0.kind, $0.count) }
      .sorted { "\($0)" < "\($1)" }
    if foundLosses != losses { throw EvolvedFault("The report has \(foundLosses), and not \(losses).") }
    if !report.duplicates.isEmpty { throw EvolvedFault("The report has duplicates: \(report.duplicates).") }
  }

  /// The objects of a class, as a report has them.
  struct Line: Equatable {
    let className: String
    let stored: Int
    let read: Int
    let created: Int
    var changed: Int
    let deleted: Int
    let copied: Int
  }

  // MARK: Properties

  /// The stored property whose cells a property has; nil for cells that began with zero.
  private func source(_ name: String, _ property: String) -> String? {
    guard step.schema[name] != nil else { return property }
    if let names = step.propertyNames.first(where: { $0.className == name && $0.names.new == property })?.names {
      return names.old
    }
    guard let old = step.stored(name, in: before)?.properties[property],
      let new = outcome.store.tables[name]?.declaration.properties[property]
    else { return nil }
    return new.keeps(old) ? property : nil
  }

  private func changed(_ name: String, _ objects: Set<Int>) -> Int {
    guard let table = outcome.store.tables[name] else { return 0 }
    return objects.count { object in
      table.declaration.ordered.contains { property, declared in
        let old = source(name, property).flatMap {
          before.tables[step.storedName(name)]?.rows[object]?[$0]
        }
        return table.rows[object]?[property] != old ?? declared.zero
      }
    }
  }

  // MARK: Losses

  private struct Loss: Equatable {
    let className: String
    let property: String
    let kind: MigrationReport.Loss.Kind
    let count: Int

    init(_ className: String, _ property: String, _ kind: MigrationReport.Loss.Kind, _ count: Int) {
      (self.className, self.property, self.kind, self.count) = (className, property, kind, count)
    }
  }

  private func losses() -> [Loss] {
    var losses: [Loss] = []
    let moved = step.propertyNames
    for stored in before.names {
      let name = step.newName(stored)
      guard let old = before.tables[stored], let new = outcome.store.tables[name] else { continue }
      for (property, declared) in old.declaration.ordered {
        let isRenamed = moved.contains { $0.className == name && $0.names.old == property }
        let isReplaced = moved.contains { $0.className == name && $0.names.new == property }
        let successor = new.declaration.properties[property]
        if isRenamed || !isReplaced && successor?.keeps(step.renamed(declared)) ?? false { continue }
        var counts: [MigrationReport.Loss.Kind: Int] = [:]
        for (object, row) in old.rows {
          guard let kept = new.rows[object], let before = row[property], !before.isUnset else { continue }
          guard successor != nil, let now = kept[property] else {
            counts[.removed, default: 0] += 1
            continue
          }
          if now.isUnset || now.count < before.count {
            counts[.lost, default: 0] += 1
          } else if let a = before.number, let b = now.number, a != b, abs(a - b) <= max(1, abs(a) * 1e-6) {
            counts[.rounded, default: 0] += 1
          }
        }
        for kind in [MigrationReport.Loss.Kind.removed, .lost, .rounded] {
          if let count = counts[kind] { losses.append(Loss(name, property, kind, count)) }
        }
      }
    }
    return losses
  }
}

extension EvolvedReport.Line {
  fileprivate init(_ report: MigrationReport.ClassReport) {
    self.init(
      className: report.className, stored: report.storedCount, read: report.readCount, created: report.createdCount,
      changed: report.changedCount, deleted: report.deletedCount, copied: report.copiedCount)
  }
}
