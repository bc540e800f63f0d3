import Fief
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
    let (file, asJSON) = (try StoredFile(arguments), arguments.has("--json"))
    do {
      let info = try Progress.show("Reading \(file.name)") { _ in
        try StoreFile.info(file.name, key: Realm.fileKey(file.key, nil))
      }
      terminal.say(asJSON ? json(info).page : text(info, file.name))
    } catch let error as StoreError where error.code == .invalidDatabase && file.isOfRealm {
      try RealmFileInspecting.show(file.name, asJSON: asJSON, terminal)
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
    return FactsPage.text(file, facts, classes: info.tables.map { ($0.name, $0.rows) })
  }

  // MARK: For programs

  /// The names are a stable interface for programs that read the output.
  private static func json(_ info: StoreInfo) -> JSON {
    let isLocked = info.encryption?.isLocked ?? false
    return .members([
      "store": .text(info.store.uuidString), "state": .text(info.state.name), "version": .number(info.version),
      "schemaVersion": .number(info.userVersion),
      "snapshot": ["bytes": .number(info.snapshotSize), "version": .number(info.snapshotVersion)],
      "journal": ["bytes": .number(info.journalSize), "commits": .number(info.journalCommits)],
      "history": info.historySize > 0
        ? ["bytes": .number(info.historySize), "versions": .number(info.historyVersions)] : nil,
      "cutOff": info.cutOff.map { ["bytes": .number($0.bytes), "commits": .number($0.commits)] },
      "classes": isLocked ? nil : .counts(info.tables.lazy.map { ($0.name, $0.rows) }),
      "documents": isLocked ? nil : .number(info.documents),
      "encryption": info.encryption.map { ["keyIdentifier": .text($0.digits)] },
      "processes": info.processes.isEmpty ? nil : .array(info.processes.map { .number($0) }),
    ])
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
