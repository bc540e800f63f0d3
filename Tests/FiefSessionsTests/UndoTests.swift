import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Testing

/// Undoing and redoing the writes of a session, and the versions for it.
@Suite struct UndoTests {
  private let session: Session
  private let key: ObjectKey

  init() throws { (session, key) = try Self.open(versions: nil) }

  private static func open(versions: Int?) throws -> (Session, ObjectKey) {
    var options = StoreOptions()
    options.history = HistoryLimits(versions: versions, age: nil)
    let session = Session(
      try Store.ofNumbers(.memory(UUID().uuidString), options), .currentThread, options: PlainOptions())
    var key = ObjectKey(0)
    try session.write { key = try $0.add(0) }
    return (session, key)
  }

  private func set(_ number: Int, _ name: String? = nil) throws {
    try session.write { session in
      try session.set(number, of: key)
      if let name { session.undoing.name(name, session.transaction) }
    }
  }

  private func isRefused(_ code: String, _ direction: UndoLog.Direction, in session: Session? = nil) -> Bool {
    do {
      try (session ?? self.session).turn(direction)
      return false
    } catch { return "\(error)".contains(code) }
  }

  @Test func writesAreUndoneAndRedoneInTurn() throws {
    for number in 1...3 { try set(number) }
    try session.turn(.undo)
    try session.turn(.undo)
    #expect(session.numbers == [1])
    try session.turn(.redo)
    #expect(session.numbers == [2])
    try session.turn(.undo)
    #expect(session.numbers == [1])
    for _ in 0..<2 { try session.turn(.redo) }
    #expect(session.numbers == [3] && isRefused("no write of this realm to redo", .redo))
  }

  @Test func addedAndDeletedRowsComeAndGo() throws {
    try session.write { try $0.remove(key) }
    try session.turn(.undo)
    #expect(session.numbers == [0])
    try session.turn(.redo)
    #expect(session.numbers == [])
    for _ in 0..<2 { try session.turn(.undo) }
    #expect(session.numbers == [] && isRefused("no write of this realm to undo", .undo))
  }

  @Test func aNewWriteEndsWhatCouldBeRedone() throws {
    try set(1)
    try session.turn(.undo)
    try set(2)
    #expect(isRefused("no write of this realm to redo", .redo) && session.numbers == [2])
  }

  @Test func aWriteWithoutChangesIsNotUndone() throws {
    try set(1)
    try session.write { _ in }
    try session.turn(.undo)
    #expect(session.numbers == [0])
  }

  @Test func aGroupIsOneStep() throws {
    session.undoing.openGroup("two")
    try set(1)
    session.undoing.openGroup("inner")
    try set(2)
    session.undoing.closeGroup()
    session.undoing.closeGroup()
    #expect(session.nextUndo(.undo) == .some("two"))
    try session.turn(.undo)
    #expect(session.numbers == [0] && session.nextUndo(.redo) == .some("two"))
    try session.turn(.redo)
    #expect(session.numbers == [2])
  }

  @Test func anEmptyGroupIsNone() throws {
    try set(1, "one")
    session.undoing.openGroup("empty")
    session.undoing.closeGroup()
    #expect(session.nextUndo(.undo) == .some("one"))
  }

  @Test func namesFollowTheirWrites() throws {
    try set(1, "one")
    try set(2)
    #expect(session.nextUndo(.undo) == .some(nil))
    try session.turn(.undo)
    #expect(session.nextUndo(.undo) == .some("one") && session.nextUndo(.redo) == .some(nil))
    session.undoing.name("first", nil)
    #expect(session.nextUndo(.undo) == .some("first"))
  }

  @Test func theNameOfAWriteThatWasRolledBackIsDropped() throws {
    try session.beginWrite()
    session.undoing.name("lost", session.transaction)
    session.cancelWrite()
    try set(1)
    #expect(session.nextUndo(.undo) == .some(nil))
  }

  @Test func writesWithoutUndoAreNotRecorded() throws {
    try set(1)
    try session.undoing.paused { try set(2) }
    #expect(isRefused("a later write stands in the way", .undo) && session.numbers == [2])
    try session.undoing.paused { try set(1) }
    try session.turn(.undo)
    #expect(session.numbers == [0])
  }

  @Test func aConflictLeavesTheLogAndTheVersion() throws {
    try set(1)
    let other = Session(session.store, .currentThread, options: PlainOptions())
    try other.write { try $0.set(9, of: key) }
    #expect(isRefused("a later write stands in the way", .undo))
    #expect(session.transaction == nil && session.numbers == [9])
    try other.write { try $0.set(1, of: key) }
    try session.turn(.undo)
    #expect(session.numbers == [0])
  }

  @Test func theWritesOfAnotherSessionAreNotUndone() throws {
    let other = Session(session.store, .currentThread, options: PlainOptions())
    try other.write { try $0.add(5) }
    try session.turn(.undo)
    #expect(session.numbers == [5] && isRefused("no write of this realm to undo", .undo, in: nil))
  }

  @Test func whatIsNoLongerKeptIsNotUndone() throws {
    let (session, key) = try Self.open(versions: 2)
    for number in 1...4 { try session.write { try $0.set(number, of: key) } }
    var count = 0
    while session.nextUndo(.undo) != nil {
      try session.turn(.undo)
      count += 1
    }
    #expect(1...3 ~= count && session.numbers != [0])
  }

  @Test func whatIsKeptIsUndoneInTurnAfterManyWrites() throws {
    let (session, key) = try Self.open(versions: 40)
    for number in 1...200 {
      try session.write { try $0.set(number, of: key) }
      session.undoing.name("\(number)", nil)
    }
    var number = 200
    while let name = session.nextUndo(.undo) {
      #expect(name == "\(number)")
      try session.turn(.undo)
      number -= 1
      #expect(session.numbers == [Int64(number)])
    }
    #expect(160..<200 ~= number)
    // Those that were undone last are redone first.
    for _ in 0..<5 { try session.turn(.redo) }
    #expect(session.numbers == [Int64(number) + 5])
  }

  /// Writes that leave everything as it was, as one group.
  private func setAndReset(_ key: ObjectKey, in session: Session) throws {
    session.undoing.openGroup("none")
    let number = try #require(session.number(of: key))
    for number in [Int(number) + 1, Int(number)] { try session.write { try $0.set(number, of: key) } }
    session.undoing.closeGroup()
  }

  @Test func anUndoThatChangesNothingIsNotRedone() throws {
    try set(1, "one")
    try setAndReset(key, in: session)
    try session.turn(.undo)
    #expect(session.numbers == [1] && session.nextUndo(.redo) == nil && session.nextUndo(.undo) == .some("one"))
    try session.turn(.undo)
    #expect(session.numbers == [0] && session.nextUndo(.redo) == .some("one"))
    // Documents that were sent stay sent.
    try session.write { $0.send("word") }
    try session.turn(.undo)
    #expect(session.waiting == ["word"] && session.nextUndo(.redo) == nil)
  }

  @Test func anUndoThatChangesNothingDoesNotKeepLaterWrites() throws {
    let (session, key) = try Self.open(versions: 4)
    try setAndReset(key, in: session)
    try session.turn(.undo)
    _ = try? session.turn(.redo)
    for number in 1...30 { try session.write { try $0.set(number, of: key) } }
    var count = 0
    while session.nextUndo(.undo) != nil {
      try session.turn(.undo)
      count += 1
    }
    #expect(1...4 ~= count && session.numbers != [0])
  }

  @Test func removingAllLeavesNothingToUndoOrRedo() throws {
    for number in 1...2 { try set(number) }
    try session.turn(.undo)
    session.undoing.removeAll()
    #expect(session.nextUndo(.undo) == nil && session.nextUndo(.redo) == nil)
  }

  @Test func aStoreWithoutHistorySaysHowToKeepIt() throws {
    let session = Session(try Store.ofNumbers(), .currentThread, options: PlainOptions())
    try session.write { try $0.add(1) }
    #expect(isRefused("Set Configuration.history", .undo, in: session))
  }

  @Test func keptVersionsAreFoundByTheirNumbers() throws {
    let first = session.graph.version
    for number in 1...3 { try set(number) }
    for number in 0...3 {
      let graph = try #require(session.version(first + UInt64(number)))
      guard case .int(Int64(number))? = graph.value(session.cell(key)) else {
        Issue.record("Version \(number) has another number.")
        continue
      }
    }
    #expect(session.version(first + 4) == nil)
  }

  @Test func undoingInsideAGroupTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (session, _) = try Self.open(versions: nil)
      session.undoing.openGroup(nil)
      try session.turn(.undo)
    }
    expectSentence("The realm cannot undo or redo inside an undo group", of: result)
  }

  @Test func endingAGroupThatWasNotBegunTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Self.open(versions: nil).0.undoing.closeGroup()
    }
    expectSentence("An undo group was ended that was not begun", of: result)
  }
}
