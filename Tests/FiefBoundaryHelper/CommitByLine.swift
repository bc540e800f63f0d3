import FiefBoundarySupport
import Foundation

/// Makes a commit for each line of standard input and prints its result: `done NUMBER`, or `threw CODE`.
struct CommitByLine {
  let path: String

  func run() {
    do {
      let ledger = try Ledger(path)
      say("opened \(ledger.number)")
      while readLine() != nil {
        var number = 0
        do {
          try ledger.realm.write {
            number = ledger.countWrite()
            ledger.realm.create(Entry.self, value: ["id": number, "text": "entry \(number)"], update: .modified)
          }
          say("done \(number)")
        } catch {
          say("threw \(code(of: error))")
        }
      }
    } catch {
      say("not-opened \(code(of: error))")
    }
  }
}
