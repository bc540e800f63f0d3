/// What several processes say that they did with the realms of one folder, and what must be found afterwards.
///
/// Each line has the time at which it was said; all processes have one clock. A commit that was acknowledged may be
/// missing only if a deletion of its realm ended after it; what was refused, or never begun, must not be there.
struct ScheduleOutcomes {
  /// What stands between a row and its twin, which the same commit makes.
  static let twin = 1 << 32

  /// What is wrong with what they say by itself.
  private(set) var faults: [String] = []
  /// How often what happened.
  private(set) var counts: [String: Int] = [:]
  /// The rows that a realm got, with the time when that was acknowledged.
  private var acknowledged: [String: [Int: Int]] = [:]
  /// When deletions of a realm ended.
  private var deletions: [String: [Int]] = [:]
  /// All rows that anyone began to make.
  private var begun: Set<Int>
  private let seedRows: Set<Int>
  /// The error codes that each operation may end with.
  private static let documented: [String: Set<String>] = [
    "open": ["alreadyOpen"], "copy": ["alreadyOpen", "fileExists"], "delete": ["alreadyOpen"],
    "verify": ["fileNotFound"], "read": ["fileNotFound"],
  ]

  init(seedRows: Set<Int>) {
    self.seedRows = seedRows
    begun = seedRows
  }

  /// Takes in the record of a process.
  mutating func add(_ record: Record) {
    if record.calls.last?.note != ["ended"] { faults.append("a process did not end: \(record.calls.last?.name ?? "")") }
    for call in record.calls where call.kind == "note" { add(call.note, at: call.offset) }
  }

  private mutating func add(_ words: [String], at time: Int) {
    let name = words.count > 1 ? words[1] : ""
    let rows = words.dropFirst(2).compactMap { Int($0) }
    counts[words[0] == "threw" ? "threw \(name) \(words[3])" : words[0], default: 0] += 1
    switch words[0] {
    case "begin": begun.formUnion(rows)
    case "done", "copied": for row in rows { acknowledge(row, name, time) }
    case "opened", "read":
      if let half = rows.first(where: { $0 < 0 }) { faults.append("\(name) shows half of commit \(-half)") }
    case "deleted" where words[2] == "true": deletions[name, default: []].append(time)
    case "threw":
      if Self.documented[name]?.contains(words[3]) != true { faults.append(words.joined(separator: " ")) }
    default: break
    }
  }

  private mutating func acknowledge(_ row: Int, _ name: String, _ time: Int) {
    // The last time counts: a realm may get a row again, by a copy.
    acknowledged[name, default: [:]][row] = max(time, acknowledged[name]?[row] ?? 0)
  }

  /// What is wrong with a realm; nil when nothing is.
  func fault(ofFinding ids: [Int], in name: String) -> String? {
    let found = Set(ids)
    let rows = Set(ids.filter { $0 < Self.twin })
    if let half = found.first(where: { !found.contains($0 < Self.twin ? $0 + Self.twin : $0 - Self.twin) }) {
      return "\(name) has half of commit \(half)"
    }
    if let strange = rows.first(where: { !begun.contains($0) }) {
      return "\(name) has row \(strange), which nobody made"
    }
    let seeded = rows.intersection(seedRows)
    if !seeded.isEmpty && seeded != seedRows { return "\(name) has a part of its seed" }
    return missing(rows, name)
  }

  /// What is wrong with there being no realm of that name; nil when nothing is.
  func fault(ofMissing name: String) -> String? { missing([], name) }

  private func missing(_ rows: Set<Int>, _ name: String) -> String? {
    let lastDeletion = deletions[name]?.max() ?? 0
    for (row, time) in acknowledged[name] ?? [:] where time > lastDeletion && !rows.contains(row) {
      return "\(name) lacks row \(row), which was acknowledged"
    }
    return nil
  }
}
