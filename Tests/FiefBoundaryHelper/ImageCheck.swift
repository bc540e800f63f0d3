import Fief
import FiefBoundarySupport
import Foundation

/// Examines the files after a crash in every way that an application can. It verifies them, reads them, opens them for
/// writing, writes, and opens them again. All results must agree.
///
///     found NUMBER DIGEST    the last write in the realm; 0 when there is no realm, or no write yet
///     wrong SENTENCE         a result that must not occur
struct ImageCheck {
  let path: String

  private struct Wrong: Error { let sentence: String }

  /// The result, in one line.
  func run() -> String {
    do {
      let (number, digest) = try check()
      return "found \(number) \(digest)"
    } catch let wrong as Wrong {
      return "wrong \(wrong.sentence)"
    } catch {
      return "wrong \("\(error)".replacingOccurrences(of: "\n", with: " "))"
    }
  }

  private func check() throws -> (number: Int, digest: String) {
    let report = try verify()
    let seen = try read(report)
    let kept = keptTails
    let found = try state(Ledger(path))
    if found != seen { throw Wrong(sentence: "a reader saw \(seen), and opening found \(found)") }
    if keptTails != kept && report?.doubts.isEmpty != false {
      throw Wrong(sentence: "verify had no doubts about a file of which something was cut off")
    }
    try write()
    let after = try verify()
    guard after?.isSound == true else {
      throw Wrong(sentence: "not sound after it was written to: \(after.debugDescription)")
    }
    let again = try Ledger(path).number
    if again != found.number + 1 {
      throw Wrong(sentence: "write \(found.number + 1) after the crash is not there: \(again)")
    }
    return (found.number, found.digest)
  }

  private struct State: Equatable {
    let number: Int
    let digest: String
  }

  private func state(_ ledger: Ledger) throws -> State { State(number: ledger.number, digest: ledger.digest) }

  private func write() throws {
    let ledger = try Ledger(path)
    try ledger.realm.write { _ = ledger.countWrite() }
  }

  /// The report; nil when there is no realm.
  private func verify() throws -> StoreReport? {
    do { return try Realm.verify(fileURL: URL(fileURLWithPath: path)) } catch let error as Realm.Error {
      if error.code == .fileNotFound { return nil }
      throw Wrong(sentence: "verify throws \(error)")
    }
  }

  /// The state that a reader sees, which must agree with the report.
  private func read(_ report: StoreReport?) throws -> State {
    let expected: Realm.Error.Code? =
      switch report {
      case nil: .fileNotFound
      case let report? where !report.problems.isEmpty: .damaged
      default: nil
      }
    do {
      let seen = try state(Ledger(path, isReadOnly: true))
      if let expected { throw Wrong(sentence: "a reader opens it, which \(expected) was expected of") }
      return seen
    } catch let error as Realm.Error {
      guard error.code == expected else {
        throw Wrong(sentence: "a reader gets \(error), verify \(report.debugDescription)")
      }
    }
    if let problem = report?.problems.first { throw Wrong(sentence: "does not open: \(problem)") }
    return State(number: 0, digest: Ledger.emptyDigest)
  }

  /// The files in which openings keep the parts that they cut off. Incomplete ones, which were being written when a
  /// process died, are removed by the next opening and not listed here.
  private var keptTails: Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent)
    return Set((names ?? []).filter { $0.contains(".cut-off-") && !$0.hasSuffix(".tmp") })
  }
}
