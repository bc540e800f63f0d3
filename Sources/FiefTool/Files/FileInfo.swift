import FiefDurability
import Foundation

/// `fief info`: prints the contents of a realm's file. It neither opens the file for writing nor needs the classes.
///
///     dogs.realm
///       state            closed in order
///       version          3
///       schema version   0
///       snapshot         2,210 bytes, version 0
///       journal          704 bytes, 3 commits
///       objects          7
///
///       Dog              5
///       Person           2
enum FileInfo {
  static let command = Command(
    "info", "FILE", "what is in a realm's file: classes, counts, sizes, versions",
    options: [.flag("--json", "print JSON, for programs"), KeyFile.option]
  ) { arguments, terminal in
    let (file, asJSON) = (arguments.operands[0], arguments.has("--json"))
    let key = try KeyFile.key(arguments)
    do {
      let info = try Progress.show("Reading \(file)") { _ in try StoreFile.info(file, key: KeyFile.fileKey(key)) }
      terminal.say(asJSON ? json(info) : text(info, file))
    } catch let error as StoreError where error.code == .invalidDatabase && RealmFileInspecting.isOfRealm(file) {
      try RealmFileInspecting.show(file, asJSON: asJSON, terminal)
    }
    return .done
  }

  // MARK: For people

  private static func text(_ info: StoreInfo, _ file: String) -> String {
    var facts = [
      ("state", info.state.words),
      ("version", "\(info.version)"),
      ("schema version", "\(info.userVersion)"),
      ("snapshot", "\(info.snapshotSize) bytes, version \(info.snapshotVersion)"),
      ("journal", "\(info.journalSize) bytes, \(info.journalCommits.of("commit"))"),
      ("objects", "\(info.objects)"),
    ]
    if let encryption = info.encryption, encryption.isLocked {
      facts[2].1 += " at the snapshot"
      facts[5] = ("encrypted", "with \(encryption.keyWords), so classes and objects are not known here")
    } else if let encryption = info.encryption {
      facts.append(("encrypted", "with \(encryption.keyWords)"))
    }
    if info.historySize > 0 {
      facts.insert(("history", "\(info.historySize) bytes, \(info.historyVersions.of("version"))"), at: 5)
    }
    if !info.processes.isEmpty {
      facts.append(("open in", info.processes.map { "process \($0)" }.joined(separator: ", ")))
    }
    if info.documents > 0 { facts.append(("documents", "\(info.documents) waiting")) }
    if let cutOff = info.cutOff {
      let commits = cutOff.commits == 0 ? "no commit to be seen" : "at least \(cutOff.commits.of("commit"))"
      facts.append(("cut off", "\(cutOff.bytes) bytes, \(commits)"))
    }
    return FactsPage(file: file, facts: facts, classes: info.tables.map { ($0.name, $0.rows) }).text
  }

  // MARK: For programs

  /// The names are a stable interface for programs that read the output.
  private struct Record: Encodable {
    let store: String
    let state: String
    let version: UInt64
    let schemaVersion: UInt64
    let snapshot: [String: UInt64]
    let journal: [String: Int]
    let history: [String: Int]?
    let cutOff: [String: Int]?
    let classes: [FactsPage.Class]?
    let documents: Int?
    let encryption: [String: String]?
    let processes: [Int32]?
  }

  private static func json(_ info: StoreInfo) -> String {
    let isLocked = info.encryption?.isLocked ?? false
    let record = Record(
      store: info.store.uuidString, state: info.state.name, version: info.version, schemaVersion: info.userVersion,
      snapshot: ["bytes": UInt64(info.snapshotSize), "version": info.snapshotVersion],
      journal: ["bytes": info.journalSize, "commits": info.journalCommits],
      history: info.historySize > 0 ? ["bytes": info.historySize, "versions": info.historyVersions] : nil,
      cutOff: info.cutOff.map { ["bytes": $0.bytes, "commits": $0.commits] },
      classes: isLocked ? nil : info.tables.map { .init(name: $0.name, objects: $0.rows) },
      documents: isLocked ? nil : info.documents,
      encryption: info.encryption.map { ["keyIdentifier": $0.digits] },
      processes: info.processes.isEmpty ? nil : info.processes)
    return FactsPage.json(record)
  }
}

extension StoreInfo {
  /// The number of rows in all tables.
  var objects: Int { tables.reduce(0) { $0 + $1.rows } }
}

extension StoreInfo.Encryption {
  /// The identifier of the key in hexadecimal digits.
  fileprivate var digits: String {
    keyIdentifier.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The key, as the end of a sentence.
  fileprivate var keyWords: String { digits.isEmpty ? "a key without an identifier" : "the key \(digits)" }
}

extension StoredVersion.State {
  /// The state in the output for programs.
  var name: String { "\(self)" }

  /// The state in the output for people.
  var words: String {
    switch self {
    case .created: "just created"
    case .closed: "closed in order"
    case .notClosed: "not closed: it is open now, or its program ended without releasing it; nothing is lost"
    case .cutOff: "not closed, and its journal ends in what is no whole commit, which the next opening cuts off"
    }
  }
}
