/// The records of several processes that use the realms of one folder, and the states that must be found afterwards.
///
/// Each note has a time, and all processes share one clock. An acknowledged commit may be missing only if a deletion of
/// its realm ended after it. A commit that was refused or never begun must not be found.
struct ScheduleOutcomes {
  /// The difference between the numbers of a row and its twin, which the same commit makes.
  static let twin = 1 << 32

  /// The faults in the records themselves.
  private(set) var faults: [String] = []
  /// The number of events of each kind.
  private(set) var counts: [String: Int] = [:]
  /// The rows acknowledged in each realm, with the time of the acknowledgement.
  private var acknowledged: [String: [Int: Int]] = [:]
  /// The times at which deletions of a realm ended.
  private var deletions: [String: [Int]] = [:]
  /// The rows of all commits that were begun.
  private var begun: Set<Int>
  private let seedRows: Set<Int>
  /// The error codes with which each operation may end.
  private static let documented: [String: Set<String>] = [
    "open": ["alreadyOpen"], "copy": ["alreadyOpen", "fileExists"], "delete": ["alreadyOpen"],
    "verify": ["fileNotFound"], "read": ["fileNotFound"],
  ]

  init(seedRows: Set<Int>) {
    self.seedRows = seedRows
    begun = seedRows
  }

  /// Adds the record of a process.
  mutating func add(_ record: Record) {
    // A thread of the library may still be looking for commits of others when the main thread ends.
    if !record.calls.contains(where: { $0.note == ["ended"] }) {
      faults.append("a process did not end: \(record.calls.last?.name ?? "")")
    }
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
    // The latest time counts: a copy may bring a row back into a realm.
    acknowledged[name, default: [:]][row] = max(time, acknowledged[name]?[row] ?? 0)
  }

  /// The fault of a realm; nil if there is no fault.
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

  /// The fault when no realm of that name exists; nil if that is allowed.
  func fault(ofMissing name: String) -> String? { missing([], name) }

  private func missing(_ rows: Set<Int>, _ name: String) -> String? {
    let lastDeletion = deletions[name]?.max() ?? 0
    for (row, time) in acknowledged[name] ?? [:] where time > lastDeletion && !rows.contains(row) {
      return "\(name) lacks row \(row), which was acknowledged"
    }
    return nil
  }
}
