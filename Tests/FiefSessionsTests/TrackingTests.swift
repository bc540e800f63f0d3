import FiefGraph
import FiefRuntime
import FiefTestSupport
import Observation
import Synchronization
import Testing

#if DEBUG
  @testable import FiefSessions
#else
  import FiefSessions
#endif

/// Scopes of `withObservationTracking` over a store without classes.
@Suite struct TrackingTests {
  /// Counts the notifications of some scopes, by name.
  private final class Notified: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }

    func track(_ name: String = "scope", _ reads: () -> Void) {
      withObservationTracking(reads) { [self] in names.withLock { $0.append(name) } }
    }
  }

  private let session: Session
  private let keys: [ObjectKey]
  private let notified = Notified()

  init() throws {
    session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    var keys: [ObjectKey] = []
    try session.write { keys = [try $0.add(1), try $0.add(2), try $0.add(3)] }
    self.keys = keys
  }

  @Test func aScopeIsNotifiedOfTheCellThatItRead() throws {
    notified.track { _ = session.number(of: keys[0]) }
    try session.write { try $0.set(9, of: keys[1]) }
    #expect(notified.all.isEmpty)
    try session.write { try $0.set(9, of: keys[0]) }
    #expect(notified.all == ["scope"])
  }

  @Test func aScopeIsNotifiedOnce() throws {
    notified.track { _ = session.number(of: keys[0]) }
    for number in 5..<8 { try session.write { try $0.set(number, of: keys[0]) } }
    #expect(notified.all == ["scope"])
  }

  @Test func anEqualValueNotifiesNobody() throws {
    notified.track { _ = session.number(of: keys[0]) }
    try session.write { try $0.set(1, of: keys[0]) }
    #expect(notified.all.isEmpty)
  }

  @Test func aDeletionNotifiesTheReadersOfTheRow() throws {
    notified.track { _ = session.number(of: keys[0]) }
    try session.write { try $0.remove(keys[0]) }
    #expect(notified.all == ["scope"])
  }

  @Test func aScopeThatAskedForAMissingRowIsNotifiedWhenItComes() throws {
    let next = ObjectKey(rawValue: keys[2].rawValue + 1)
    notified.track { session.noteRead(row: ObjectLink(session.store.numbers.table, next)) }
    try session.write { try $0.set(9, of: keys[0]) }
    #expect(notified.all.isEmpty)
    var made = ObjectKey(0)
    try session.write { made = try $0.add(4) }
    #expect(made == next)
    #expect(notified.all == ["scope"])
  }

  @Test func aScopeThatReadEverythingIsNotifiedOfAnything() throws {
    notified.track { session.noteReadOfAll() }
    try session.write { _ in }
    #expect(notified.all.isEmpty)
    try session.write { try $0.add(4) }
    #expect(notified.all == ["scope"])
  }

  @Test func aCollectionIsTestedAfterEachCommitUntilItHasChanged() throws {
    let subject = PlainOptions()
    var tests = 0
    notified.track {
      session.noteRead(collection: subject, isDeep: false) {
        { session, _ in
          tests += 1
          return session.numbers.count > 4
        }
      }
    }
    for number in 0..<2 { try session.write { try $0.add(number) } }
    #expect(tests == 2 && notified.all == ["scope"])
    // The scope has ended.
    try session.write { try $0.add(9) }
    #expect(tests == 2)
  }

  @Test(.enabled(if: TrackingScope.isKnown)) func aScopeTestsOneCollectionOnce() throws {
    let (one, two) = (PlainOptions(), PlainOptions())
    var made: [String] = []
    func read(_ subject: PlainOptions, _ name: String, isDeep: Bool = false) {
      session.noteRead(collection: subject, isDeep: isDeep) {
        made.append(name)
        return { _, _ in false }
      }
    }
    notified.track {
      for _ in 0..<3 {
        read(one, "one")
        read(two, "two")
        read(one, "deep", isDeep: true)
      }
    }
    #expect(made == ["one", "two", "deep"])
    notified.track { read(one, "again") }
    #expect(made.last == "again")
  }

  @Test func theCommitOfAnotherSessionNotifiesAtTheRefresh() throws {
    let other = Session(session.store, .currentThread, options: PlainOptions())
    notified.track { _ = session.number(of: keys[0]) }
    try other.write { try $0.set(9, of: keys[0]) }
    #expect(notified.all.isEmpty)
    #expect(session.refresh() && notified.all == ["scope"])
  }

  @Test func aScopeInAWriteIsNotifiedAtItsEnd() throws {
    try session.write { session in
      notified.track { _ = session.number(of: keys[0]) }
      #expect(notified.all.isEmpty)
    }
    #expect(notified.all == ["scope"])
  }

  @Test func aRollbackNotifiesThoseWhoReadInTheWriteAlone() throws {
    notified.track("before") { _ = session.number(of: keys[0]) }
    try session.beginWrite()
    try session.set(9, of: keys[0])
    notified.track("within") { _ = session.number(of: keys[0]) }
    session.cancelWrite()
    #expect(notified.all == ["within"])
  }

  @Test func invalidatingNotifiesAllInTheOrderOfTheirFirstReads() {
    for name in ["a", "b", "c"] { notified.track(name) { _ = session.number(of: keys[0]) } }
    session.invalidate()
    #expect(notified.all == ["a", "b", "c"])
  }

  @Test func readsWithoutTrackingAreNotNoted() throws {
    notified.track {
      _ = session.number(of: keys[1])
      session.withoutTracking { _ = session.number(of: keys[0]) }
    }
    try session.write { try $0.set(9, of: keys[0]) }
    #expect(notified.all.isEmpty)
  }

  @Test func anInnerScopeBelongsToTheOuterOneToo() throws {
    notified.track("outer") {
      _ = session.number(of: keys[0])
      notified.track("inner") { _ = session.number(of: keys[1]) }
      _ = session.number(of: keys[2])
    }
    try session.write { try $0.set(9, of: keys[1]) }
    #expect(notified.all.sorted() == ["inner", "outer"])
  }

  @Test func oneScopeReadsFromSeveralStores() throws {
    let other = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    var key = ObjectKey(0)
    try other.write { key = try $0.add(1) }
    for changed in [session, other] {
      let notified = Notified()
      notified.track {
        _ = session.number(of: keys[0])
        _ = other.number(of: key)
      }
      try changed.write { try $0.set(Int.random(in: 100..<1_000), of: changed === other ? key : keys[0]) }
      #expect(notified.all == ["scope"])
    }
  }

  @Test func frozenSessionsNoteNothing() {
    let frozen = session.frozen()
    notified.track { #expect(frozen.number(of: keys[0]) == 1 && !frozen.mayBeTracked) }
  }

  @Test func scopesAreNotifiedBeforeObservations() throws {
    let observation = Noting(session)
    session.observers.add(observation)
    let count = Mutex(-1)
    let deliveries = observation.count
    withObservationTracking {
      _ = session.number(of: keys[0])
    } onChange: {
      count.withLock { $0 = deliveries.number }
    }
    let other = Session(session.store, .currentThread, options: PlainOptions())
    try other.write { try $0.set(9, of: keys[0]) }
    #expect(session.refresh())
    #expect(count.withLock { $0 } == 0 && deliveries.number == 1)
  }

  @Test func aScopeKeepsNoSession() throws {
    weak var released: Session?
    try {
      let session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
      var key = ObjectKey(0)
      try session.write { key = try $0.add(1) }
      notified.track { _ = session.number(of: key) }
      released = session
    }()
    #expect(released == nil)
  }

  #if DEBUG
    @Test func whatEndedScopesHaveReadIsForgotten() throws {
      for _ in 0..<100 {
        notified.track { _ = session.number(of: keys[0]) }
        try session.write { try $0.set(Int.random(in: 0..<1 << 40), of: keys[0]) }
      }
      let counts = try #require(session.tracked).counts
      #expect(counts.scopes <= 32 && counts.collections == 0)
      try session.write { try $0.add(1) }
      #expect(session.tracked?.counts.scopes == 0 && session.tracked?.counts.readers == 0)
    }
  #endif
}
