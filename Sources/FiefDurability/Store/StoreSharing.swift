import Dispatch
import Foundation
import Synchronization

/// The part of a process in a store that several processes have open (S26 to S39): the locks that it holds.
///
///     opening ──share──▶ member: free ──retain──▶ acquiring ──▶ held, n users ──the last one releases──▶ free
///
/// The turn belongs to the process. Its writer, a checkpoint and the timer may have it at the same time, because locks
/// of the process keep them apart.
final class StoreSharing: Sendable {
  private let lock: StoreLock
  /// The opening of the lock file that takes the turn.
  private let turn: any OpenFile
  private let paths: StorePaths
  private let system: any FileSystem
  /// How long a lock is waited for, in milliseconds.
  private let patience: Int
  /// Whether the opening has found no other process.
  let wasAlone: Bool
  /// Whether this process keeps earlier versions.
  private let keepsVersions: Bool
  /// The line that names this opening as the one that had the turn last.
  private let ownLine: (offset: Int, bytes: [UInt8], vector: SIMD4<UInt64>)
  private let state = Mutex(State())
  /// Held while a line of the lock file is written. The disk may fail in any thread, and that is noted there, too.
  private let noting = Locked(())

  private struct State {
    /// The users of the turn. One that is to be acquired has no users yet.
    var users = 0
    var isAcquiring = false
    /// Whether the opening still holds the door, and the presence or the turn.
    var isOpening = true
    /// The line of the lock file that names this process.
    var line: Int?
    /// When threads of this process have waited for the turn, one after the other, and did not get it.
    var vain: (since: DispatchTime, until: DispatchTime)?
  }

  private init(
    _ lock: StoreLock, turn: any OpenFile, _ paths: StorePaths, _ system: any FileSystem, patience: Int, isAlone: Bool,
    keepsVersions: Bool
  ) {
    (self.lock, self.turn, self.paths, self.system, self.patience) = (lock, turn, paths, system, patience)
    wasAlone = isAlone
    self.keepsVersions = keepsVersions
    let (offset, bytes) = LockRecord.writer(system.processIdentifier, drawn: system.randomBits())
    ownLine = (offset, bytes, TurnLines.vector(bytes))
  }

  // MARK: Opening

  /// Enters the door of a store, and finds out whether other processes have it open (S26).
  ///
  /// - Returns: the lock, and the part; nil when the store has to be opened alone: the system has no locks of bytes, or
  ///   the lock file is one of others, in which nothing can be noted.
  /// - Throws: `alreadyOpen` for a store that is open alone, and when the door stays closed; the errors of
  ///   `StoreLock.acquire`.
  static func enter(
    _ paths: StorePaths, hasStore: Bool, patience: Int, keepsVersions: Bool, _ system: any FileSystem
  ) throws(StoreError) -> (lock: StoreLock, sharing: StoreSharing)? {
    try asStoreError("The store cannot be locked", at: paths.lock) {
      try StoreLock.opened(paths, system) { file, isNew -> (StoreLock, StoreSharing)?? in
        let lock = StoreLock(file, isNew: isNew)
        _ = try lock.isOfOthers(paths)
        var left = patience * 1000
        let isEntered = try keepTrying(&left, system) { () throws(FileFailure) in
          try file.lock(byte: SharedLock.door.byte, .exclusive)
        }
        guard let isEntered else {
          file.close()
          return .some(nil)
        }
        guard isEntered else {
          throw StoreLock.alreadyOpen(paths.snapshot, holder: StoreLock.holder(in: file)).adding(
            "It is being opened there for longer than \(words(for: patience)).")
        }
        guard try system.entry(at: paths.lock)?.identity == file.identity else { return nil }
        if try lock.isOfOthers(paths) {
          file.close()
          return .some(nil)
        }
        let presence = try enterPresence(file, &left, system)
        switch presence {
        case .taken: throw StoreLock.alreadyOpen(paths.snapshot, holder: StoreLock.holder(in: file))
        case .alone: try lock.claim(paths, hasStore: hasStore, system)
        case .shared: break
        }
        if keepsVersions { _ = try file.lock(byte: SharedLock.versions.byte, .shared) }
        guard let turn = try openAgain(lock, isAlone: presence == .alone, paths, system) else { return nil }
        return (
          // Another process may have been faster at the door, and use the file that was made here.
          StoreLock(file, turn: turn, isNew: isNew && presence == .alone),
          StoreSharing(
            lock, turn: turn, paths, system, patience: patience, isAlone: presence == .alone,
            keepsVersions: keepsVersions)
        )
      }
    }
  }

  /// Opens the lock file a second time.
  ///
  /// - Returns: nil if the file has lost its name meanwhile.
  private static func openAgain(
    _ lock: StoreLock, isAlone: Bool, _ paths: StorePaths, _ system: any FileSystem
  ) throws -> (any OpenFile)? {
    do {
      guard let file = try paths.open(paths.lock, for: .updating, system) else { return nil }
      if file.identity == lock.identity { return file }
      file.close()
      return nil
    } catch {
      if lock.isNew && isAlone { lock.remove(paths, system) }
      throw error
    }
  }

  private enum Presence { case alone, shared, taken }

  /// Finds out whether other processes have the store open. The caller has the door.
  private static func enterPresence(
    _ file: any OpenFile, _ left: inout Int, _ system: any FileSystem
  ) throws(FileFailure) -> Presence {
    let byte = SharedLock.presence.byte
    var presence = Presence.taken
    _ = try keepTrying(&left, system) { () throws(FileFailure) in
      if try file.lock(byte: byte, .exclusive) == true {
        presence = .alone
        if try file.lock() { return true }
        // An opening that wants the store alone for its life takes the two locks in the other order.
        presence = .taken
        file.unlock(byte: byte)
        return false
      }
      if try file.lock(byte: byte, .shared) == true {
        presence = .shared
        return true
      }
      // A member that excludes others for a moment is waited for; a store that is open alone for its life is not.
      guard try file.lock(.shared) else { return true }
      file.unlock()
      return false
    }
    return presence
  }

  /// Tries until a lock is free, with growing pauses.
  ///
  /// - Parameter left: how long, in microseconds; what is left of that afterwards.
  /// - Returns: whether it was taken; nil where the system has no such locks.
  private static func keepTrying<Failure: Error>(
    _ left: inout Int, _ system: any FileSystem, _ attempt: () throws(Failure) -> Bool?
  ) throws(Failure) -> Bool? {
    var pause = 10
    while true {
      let isFree = try attempt()
      if isFree != false || left <= 0 { return isFree }
      system.pause(microseconds: pause)
      // A pause takes longer than it says, because a sleeping thread has to be woken.
      left -= pause + 50
      pause = min(pause * 2, 1000)
    }
  }

  /// Lets other processes in: the opening has ended, and this process is a member.
  ///
  /// - Parameters:
  ///   - files: the snapshot and the journal, whose locks are shared from now on.
  ///   - prepare: called before others can come in.
  /// - Returns: false if it has ended before. Nothing is done then.
  func share(_ files: [any OpenFile], _ prepare: () -> Void) throws(StoreError) -> Bool {
    guard state.withLock({ $0.isOpening }) else { return false }
    prepare()
    try asStoreError("The store cannot be shared", at: paths.lock) {
      for file in files {
        // No other process can have locked it: that takes the presence first.
        guard try file.lock(.shared) else { throw StoreLock.alreadyOpen(paths.snapshot, holder: nil) }
      }
      let file = lock.file
      // Before the other locks are taken: some systems release all locks of an opening by this.
      file.unlock()
      _ = try file.lock(byte: SharedLock.presence.byte, .shared)
      if keepsVersions { _ = try file.lock(byte: SharedLock.versions.byte, .shared) }
      let line = try (0..<LockRecord.members).first {
        try file.lock(byte: SharedLock.member($0).byte, .exclusive) ?? false
      }
      try prepareLines(file)
      // A member that was alone begins to look for commits when this is written (S39).
      if let line { try note(LockRecord.member(line, system.processIdentifier)) }
      state.withLock { ($0.isOpening, $0.line) = (false, line) }
      file.unlock(byte: SharedLock.door.byte)
    }
    return true
  }

  /// Makes a lock file with one line ready for more, and removes what a failed disk has left.
  private func prepareLines(_ file: any OpenFile) throws(FileFailure) {
    let record = try LockRecord(file)
    if try file.size() <= LockRecord.lineLength {
      // An empty file beside a store is the store's.
      if record.holder == nil { try note(LockRecord.holder(system.processIdentifier)) }
      try file.synchronize()
    }
    if wasAlone, record.lost != nil { try note(LockRecord.blank(LockRecord.lostLines)) }
  }

  /// Writes a line of the lock file. One thread at a time does so: the file has one position, and each would write
  /// where the other one is about to.
  private func note(_ line: (offset: Int, bytes: [UInt8])) throws(FileFailure) {
    try noting.withLock { _ throws(FileFailure) in
      try lock.file.writeAll(line.bytes, at: line.offset, path: paths.lock)
    }
  }

  /// Whether no other process has the store open, and none can open it until `readmit` is called. An opening that is
  /// alone stays so.
  func excludeOthers() -> Bool {
    if state.withLock({ $0.isOpening }) && wasAlone { return true }
    do { return try lock.file.lock(byte: SharedLock.presence.byte, .exclusive) == true } catch {
      readmit()
      return false
    }
  }

  /// Ends what `excludeOthers` began.
  func readmit() {
    if state.withLock({ $0.isOpening }) && wasAlone { return }
    _ = try? lock.file.lock(byte: SharedLock.presence.byte, .shared)
  }

  /// The error for an operation that needs to be alone.
  func notAlone(_ what: String) -> StoreError {
    let other = otherMember
    return StoreError(
      .alreadyOpen,
      "\(what) needs the store \(paths.snapshot) for itself, and "
        + (other.map { "process \($0) has" } ?? "another process has") + " it open: close it there.",
      file: paths.snapshot, holder: other)
  }

  /// The process of another member.
  var otherMember: Int32? { Self.members(in: lock.file, except: state.withLock { $0.line }).first }

  /// The processes of the members of a store.
  ///
  /// - Parameter own: the line of this opening, which is left out.
  static func members(in file: any OpenFile, except own: Int? = nil) -> [Int32] {
    guard let record = try? LockRecord(file) else { return [] }
    return (0..<LockRecord.members).compactMap { line in
      guard line != own, let process = record.member(line) else { return nil }
      // A line whose lock is free names a process that is gone.
      return (try? file.isLocked(byte: SharedLock.member(line).byte)) == false ? nil : process
    }
  }

  /// Whether no other process has the store open. Unlike the lines, this includes processes without one.
  var isAlone: Bool { (try? lock.file.isLocked(byte: SharedLock.presence.byte)) == false }

  /// Whether another process keeps earlier versions. The caller keeps none.
  var othersKeepVersions: Bool { (try? lock.file.isLocked(byte: SharedLock.versions.byte)) != false }

  // MARK: The turn

  /// Takes the turn for one more user in this process.
  ///
  /// - Parameters:
  ///   - limit: how long to wait if another process has it, in milliseconds; nil for the limit of the store.
  ///   - arrival: since when the caller waits for other threads of this process; nil if it does not.
  ///   - acquired: called when the process did not have the turn before, with what the lock file says. No other user
  ///     gets it until that returns. The turn is given back if it throws.
  /// - Returns: false if it is not free, and not waited for.
  /// - Throws: `alreadyOpen` after the limit, with the process that has it.
  func retainTurn(
    within limit: Int? = nil, since arrival: @autoclosure () -> DispatchTime? = nil,
    acquired: (Remarks) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    var left = limit.map { $0 * 1000 } ?? .max
    var own: DispatchTime?
    var isFirst = false
    // Another thread that waits for the turn has a limit of its own.
    let isUser = Self.keepTrying(&left, system) {
      state.withLock { state in
        isFirst = state.users == 0
        if state.isAcquiring {
          own = own ?? .now()
          return false
        }
        if isFirst { state.isAcquiring = true } else { state.users += 1 }
        return true
      }
    }
    guard isUser == true else { return false }
    guard isFirst else { return true }
    var isAcquired = false
    defer {
      state.withLock { state in
        state.isAcquiring = false
        if isAcquired { (state.users, state.vain) = (1, nil) }
      }
    }
    guard let remarks = try acquire(within: limit, since: arrival() ?? own) else { return false }
    do throws(StoreError) { try acquired(remarks) } catch {
      turn.unlockBytes()
      throw error
    }
    isAcquired = true
    return true
  }

  private func acquire(
    within limit: Int?, since arrival: @autoclosure () -> DispatchTime?
  ) throws(StoreError) -> Remarks? {
    let file = lock.file
    let line = SharedLock.line.byte
    // A call that fails may have taken the lock before it failed.
    var isAcquired = false
    defer { if !isAcquired { turn.unlockBytes() } }
    return try asStoreError("The turn to write cannot be taken", at: paths.lock) {
      // A process that writes again and again finds a waiting one in the line, and stands behind it.
      if try turn.lock(byte: SharedLock.turn.byte, .exclusive) == true {
        let remarks = try remarks()
        isAcquired = try !remarks.hasWaiting || !file.isLocked(byte: line)
        if isAcquired { return remarks }
        turn.unlockBytes()
      }
      guard limit != 0 else { return nil }
      // One limit for both.
      var left = limit.map { $0 * 1000 } ?? beginWaiting(since: arrival())
      var isInLine = false
      defer {
        // If one of the two cannot be noted, a writer that takes turn after turn may be faster for longer.
        if isInLine { try? note(LockRecord.nobodyWaits) }
        file.unlock(byte: line)
      }
      for (file, byte) in [(file, line), (turn, SharedLock.turn.byte)] {
        let isFree = try Self.keepTrying(&left, system) { () throws(FileFailure) in
          try file.lock(byte: byte, .exclusive)
        }
        guard isFree == true else {
          if limit == nil { state.withLock { $0.vain?.until = .now() } }
          throw waitedInVain(file)
        }
        if byte == line {
          isInLine = true
          try? note(LockRecord.waiting(system.processIdentifier))
        }
      }
      let remarks = try remarks()
      isAcquired = true
      return remarks
    }
  }

  /// The time for which others may do something else between two threads that wait one after the other.
  private static let gap = DispatchTimeInterval.seconds(1)

  /// Notes that a thread begins to wait. If threads before it have just waited in vain, it has waited with them: many
  /// threads together wait no longer than one.
  ///
  /// - Returns: how long it may wait, in microseconds.
  private func beginWaiting(since arrival: DispatchTime?) -> Int {
    state.withLock { state in
      let now = DispatchTime.now()
      let before = state.vain.flatMap { $0.until + Self.gap > now ? $0.since : nil }
      state.vain = (before ?? now, now)
      guard let before, let arrival else { return patience * 1000 }
      let waited = (now.uptimeNanoseconds - max(before, arrival).uptimeNanoseconds) / 1000
      return patience * 1000 - Int(clamping: waited)
    }
  }

  private func waitedInVain(_ file: any OpenFile) -> StoreError {
    let writer = (try? LockRecord(file))?.writer
    return StoreError(
      .alreadyOpen,
      "The store \(paths.snapshot) is written by " + (writer.map { "process \($0)" } ?? "another process")
        + " for longer than \(Self.words(for: patience)), or that process was stopped: nothing was changed here. Let "
        + "it go on or end it, and write again.", file: paths.snapshot, holder: writer)
  }

  private static func words(for milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) seconds" : "\(milliseconds) milliseconds"
  }

  /// Gives the turn back for one user.
  func releaseTurn() {
    state.withLock { state in
      precondition(state.users > 0, "A turn is given back once.")
      state.users -= 1
      if state.users == 0 { turn.unlockBytes() }
    }
  }

  /// Whether this process is still opening the store.
  var isOpening: Bool { state.withLock { $0.isOpening } }

  /// Whether this process has the turn.
  var hasTurn: Bool { state.withLock { $0.users > 0 } }

  /// The content of the lock file at the beginning of a turn.
  struct Remarks {
    /// Whether no other process had the turn since this one had it.
    let isOwn: Bool
    /// Whether a process may stand in line.
    let hasWaiting: Bool
    /// The last durable version of a process whose disk has failed, and the process that had the turn last.
    let lost: (version: UInt64, holder: Int32?)?
  }

  /// Reads what others have noted.
  func remarks() throws(FileFailure) -> Remarks {
    let lines = try TurnLines(lock.file)
    let record = lines.hasLoss ? try LockRecord(lock.file) : nil
    return Remarks(
      isOwn: lines.names(ownLine.vector), hasWaiting: lines.hasWaiting,
      lost: record.flatMap { record in record.lost.map { ($0, record.writer) } })
  }

  /// Notes that this process has the turn. It must be there before the process changes the journal (S27).
  func noteTurn() throws(FileFailure) { try note((ownLine.offset, ownLine.bytes)) }

  /// Notes that the disk has failed (S32). An opening that is alone has nobody to tell, and the first line of its lock
  /// file, by which the file is known, is not on the disk yet.
  func note(lostAfter durable: UInt64) {
    if isOpening && wasAlone { return }
    try? note(LockRecord.lost(durable))
  }

  // MARK: Other locks

  /// Takes a lock that one process has at a time.
  ///
  /// - Returns: whether it was free.
  func take(_ lock: SharedLock, isWaiting: Bool) throws(StoreError) -> Bool {
    assert(lock != .turn, "The turn has an opening of its own.")
    let file = self.lock.file
    do throws(StoreError) {
      return try asStoreError("The store cannot be locked", at: paths.lock) { () throws -> Bool in
        var left = isWaiting ? patience * 1000 : 0
        return try Self.keepTrying(&left, system) { () throws(FileFailure) in
          try file.lock(byte: lock.byte, .exclusive)
        } == true
      }
    } catch {
      giveBack(lock)
      throw error
    }
  }

  /// Gives back what `take` has taken.
  func giveBack(_ lock: SharedLock) {
    assert(lock != .turn, "The turn has an opening of its own.")
    self.lock.file.unlock(byte: lock.byte)
  }
}
