import Fief
import FiefBoundarySupport
import Foundation

/// A realm whose process is forked while the realm is open.
///
///     parent   opens, writes 1 ─┬─ (waits for the child) ─ writes 2 ─ closes
///     child                     └─ reads, tries to write, tries to open, and ends
///
/// The child has a single thread and does nothing that needs another one.
struct Forking {
  let path: String

  func run() {
    do {
      let ledger = try Ledger(path)
      try write(ledger, "of the parent")
      say("parent wrote \(ledger.number)")
      guard let fork = Self.fork else { return say("there is no fork") }
      let child = fork()
      if child == 0 { beChild(ledger) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      say("child ended \(status)")
      try write(ledger, "of the parent")
      say("parent wrote \(ledger.number)")
    } catch {
      say("failed \(code(of: error)) \(error)")
    }
  }

  private func write(_ ledger: Ledger, _ text: String) throws {
    try ledger.realm.write {
      let number = ledger.countWrite()
      ledger.realm.create(Entry.self, value: ["id": number, "text": text], update: .modified)
    }
  }

  private func beChild(_ ledger: Ledger) -> Never {
    say("child reads \(ledger.number)")
    do {
      try write(ledger, "of the child")
      say("child wrote \(ledger.number)")
    } catch {
      say("child refused \(code(of: error))")
    }
    say("child reads \(ledger.number)")
    do {
      let second = try Ledger(path)
      try write(second, "of the child")
      say("child wrote \(second.number)")
    } catch {
      say("child refused \(code(of: error))")
    }
    _exit(0)
  }

  /// `fork(2)`, which Swift does not import, because the child has only one of the threads.
  static let fork: (@convention(c) () -> Int32)? =
    dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }
}
