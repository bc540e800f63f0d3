import RealmSwift

/// A class that steps use.
enum Kind: CaseIterable {
  case token, keeper, ledger

  var type: Object.Type {
    switch self {
    case .token: Token.self
    case .keeper: Keeper.self
    case .ledger: Ledger.self
    }
  }
}

/// A value that becomes an `Any` on each side: objects are numbers, since each side has its own.
indirect enum Given {
  case plain(Any)
  case held(Int)
  case foreign(Int)
  case entries([(String, Given)])
  case items([Given])
  case optional(Given)
}

/// An operation on a realm.
enum Step {
  case create(Kind, Given, Realm.UpdatePolicy)
  case createAtOnce(Kind, Given, Realm.UpdatePolicy)
  /// Makes an unmanaged object, which is held.
  case make(Kind, Given)
  case add(Int, Realm.UpdatePolicy)
  case copy(foreign: Int, Realm.CopyKeys)
  case createFrom(foreign: Int)
  case link(Int, Int?)
  case append(Int, Int)
  case appendNumber(Int, Int)
  case delete(Int)
  indirect case undone([Step])
}

/// A question that changes nothing.
enum Question {
  case key(Int)
  case name(String)
  case city(String)
  case text(String)
  case ages(ClosedRange<Int>)
  case beginning(String)
  case containing(String, foldsCase: Bool)
  case linked(Int)
  case sorted(byName: Bool, first: Int)
  case totals
  case ends
  case walk
  case backlinks(Int)
}
