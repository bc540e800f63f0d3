import Fief
import FiefBoundarySupport
import Foundation

/// Random work of one of several processes on the realms of one folder. The record contains the result of each step:
///
///     open NAME, opened NAME ROWS, closed NAME     a realm was open for writing between the last two
///     begin NAME ROW, done NAME ROW                a commit of two rows
///     copying NAME, copied NAME ROW…               a copy that contains these rows
///     deleting NAME, deleted NAME true|false
///     checkpoint NAME, checked NAME, read NAME ROWS
///     threw OPERATION NAME CODE
///
/// Row numbers are unique: no other process and no other commit makes a row with the same number.
struct Schedule {
  let folder: String
  var random: SplitMix64
  let steps: Int
  let process: Int
  private var made = 0

  init(folder: String, random: SplitMix64, steps: Int, process: Int) {
    (self.folder, self.random, self.steps, self.process) = (folder, random, steps, process)
  }

  /// The realms that the processes share.
  private static let names = ["a.realm", "b.realm", "c.realm"]
  /// The difference between the numbers of a row and its twin.
  static let twin = 1 << 32

  private func path(_ name: String) -> String { folder + "/" + name }

  mutating func run() {
    for _ in 0..<steps {
      let name = Self.names[random.below(Self.names.count)]
      switch random.below(10) {
      case 0..<5: write(name)
      case 5: attempt("delete", name) { delete(name) }
      case 6: verify(name)
      case 7, 8: read(name)
      default: usleep(UInt32(random.below(3000)))
      }
    }
  }

  private func attempt(_ operation: String, _ name: String, _ body: () throws -> Void) {
    do { try body() } catch { note("threw \(operation) \(name) \(code(of: error))") }
  }

  /// Opens a realm for some commits, checkpoints and copies.
  private mutating func write(_ name: String) {
    let seed = random.below(3) == 0 ? path("seed.realm") : nil
    note("open \(name)")
    do {
      let ledger = try Ledger(path(name), seed: seed)
      note("opened \(name) \(rows(ledger))")
      for _ in 0...random.below(4) {
        switch random.below(8) {
        case 0:
          note("checkpoint \(name)")
          attempt("checkpoint", name) { try ledger.realm.compact() }
        case 1: copy(ledger, Self.names[random.below(Self.names.count)])
        default: commit(ledger, name)
        }
      }
      withExtendedLifetime(ledger) {}
    } catch {
      note("threw open \(name) \(code(of: error))")
      return
    }
    note("closed \(name)")
  }

  private mutating func commit(_ ledger: Ledger, _ name: String) {
    made += 1
    let row = process * 1_000_000 + made
    note("begin \(name) \(row)")
    attempt("commit", name) {
      try ledger.realm.write {
        for id in [row, row + Self.twin] {
          ledger.realm.create(Entry.self, value: ["id": id, "text": "\(row)"], update: .error)
        }
      }
      note("done \(name) \(row)")
    }
  }

  private func copy(_ ledger: Ledger, _ name: String) {
    let rows = rows(ledger)
    note("copying \(name)")
    attempt("copy", name) {
      try ledger.realm.writeCopy(toFile: URL(fileURLWithPath: path(name)))
      note("copied \(name) \(rows)")
    }
  }

  private func delete(_ name: String) {
    note("deleting \(name)")
    attempt("delete", name) {
      note("deleted \(name) \(try Realm.deleteFiles(for: Ledger.configuration(path(name))))")
    }
  }

  private func verify(_ name: String) {
    attempt("verify", name) {
      let report = try Realm.verify(fileURL: URL(fileURLWithPath: path(name)))
      note(report.problems.isEmpty ? "checked \(name)" : "threw verify \(name) \(report.problems[0])")
    }
  }

  private func read(_ name: String) {
    attempt("read", name) { note("read \(name) \(rows(try Ledger(path(name), isReadOnly: true)))") }
  }

  /// The rows of a realm. A minus marks a row without its twin.
  private func rows(_ ledger: Ledger) -> String { Self.rows(of: ledger).map(String.init).joined(separator: " ") }

  static func rows(of ledger: Ledger) -> [Int] {
    let ids = Set(ledger.realm.objects(Entry.self).map(\.id))
    return ids.filter { $0 < twin ? true : !ids.contains($0 - twin) }
      .map { ids.contains($0 + twin) ? $0 : -$0 }.sorted()
  }
}

/// Returns when the file exists, so that processes that were started one after the other begin together.
func waitForFile(_ path: String) {
  while access(path, F_OK) != 0 { usleep(100) }
}

/// Opens a realm that begins as a copy of another one, and adds a row.
func openSeeded(_ path: String, seed: String, process: Int) {
  do {
    let ledger = try Ledger(path, seed: seed)
    try ledger.realm.write {
      ledger.realm.create(Entry.self, value: ["id": -process, "text": "process \(process)"], update: .error)
    }
    say("done \(process)")
  } catch {
    say("threw \(code(of: error))")
  }
}

/// Writes a copy of a realm as soon as the file `start` exists.
func copy(_ path: String, to target: String, when start: String) {
  do {
    let ledger = try Ledger(path)
    say("open")
    waitForFile(start)
    try ledger.realm.writeCopy(toFile: URL(fileURLWithPath: target))
    say("done")
  } catch {
    say("threw \(code(of: error))")
  }
}
