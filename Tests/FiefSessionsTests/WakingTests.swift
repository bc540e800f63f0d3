import Dispatch
import FiefGraph
#if DEBUG
  @testable import FiefSessions
#else
  import FiefSessions
#endif
import FiefTestSupport
import Synchronization
import Testing

/// Sessions of queues, which commits elsewhere wake.
@Suite struct WakingTests {
  private let queue = DispatchQueue(label: "woken")
  private let store: Store
  private let writer: Session

  init() throws {
    store = try Store.ofNumbers()
    writer = Session(store, .currentThread, options: PlainOptions())
  }

  private func open() -> Held<Session> { queue.sync { Held(store.session(.of(queue), PlainOptions())) } }

  private func version(_ held: Held<Session>) -> UInt64? { held.value.signal.pinnedVersion }

  @Test func aSessionOfAQueueAdvancesAfterACommitElsewhere() throws {
    let held = open()
    queue.sync { _ = held.value.graph }
    try writer.write { try $0.add(1) }
    #expect(waits { version(held) == writer.graph.version })
  }

  @Test func aSessionThatSeesNoVersionPinsNone() throws {
    let held = open()
    try writer.write { try $0.add(1) }
    queue.sync {}
    #expect(version(held) == nil && queue.sync { !held.value.isPinned })
  }

  @Test func aSessionThatDoesNotAdvanceIsNotifiedOfNewVersions() throws {
    let held = open()
    let events = Mutex<[String]>([])
    queue.sync {
      held.value.autorefresh = false
      held.value.observers.add(
        CommitObservation(from: held.value.graph) { event, _ in events.withLock { $0.append("\(event)") } })
    }
    let before = version(held)
    try writer.write { try $0.add(1) }
    #expect(waits { events.withLock { $0 } == ["refreshRequired"] })
    #expect(version(held) == before)
  }

  @Test func severalCommitsWhileTheQueueIsBusyAreOneAnswer() throws {
    let held = open()
    let counts = Mutex(0)
    queue.sync { held.value.observers.add(Noting(held.value) { _, _ in counts.withLock { $0 += 1 } }) }
    queue.suspend()
    for number in 0..<5 { try writer.write { try $0.add(number) } }
    queue.resume()
    #expect(waits { counts.withLock { $0 } > 0 })
    queue.sync {}
    #expect(counts.withLock { $0 } == 1 && queue.sync { held.value.numbers.count } == 5)
  }

  @Test func aSignalDuringAWriteIsAnsweredAfterIt() throws {
    let held = open()
    queue.sync { held.value.observers.add(Noting(held.value)) }
    let version = writer.graph.version
    try queue.sync {
      try held.value.beginWrite()
      held.value.signal.raise()
      held.value.cancelWrite()
    }
    try writer.write { try $0.add(1) }
    #expect(waits { self.version(held) == version + 1 })
  }

  @Test func aVersionThatIsPublishedDuringAWriteIsReportedWhenItIsCancelled() throws {
    let held = open()
    let events = Mutex<[String]>([])
    try queue.sync {
      held.value.autorefresh = false
      held.value.observers.add(
        CommitObservation(from: held.value.graph) { event, _ in events.withLock { $0.append("\(event)") } })
      try held.value.beginWrite()
    }
    // As a commit that another thread has appended before is published when the disk has it.
    let published = store.published.current
    store.published.advance(to: published.numbered(published.version + 1))
    held.value.signal.raise()
    queue.sync {}
    #expect(events.withLock { $0 } == [])
    queue.sync { held.value.cancelWrite() }
    queue.sync {}
    #expect(events.withLock { $0 } == ["refreshRequired"])
  }

  @Test func theSignalKeepsNoSession() {
    let queue = queue
    var held: Held<Session>? = open()
    weak let session = held?.value
    let signal = held?.value.signal
    queue.sync { held = nil }
    #expect(session == nil)
    signal?.raise()
    queue.sync {}
  }

  #if DEBUG
    @Test func aSessionWithoutAReasonIsNotWoken() {
      let held = open()
      queue.sync {
        #expect(held.value.signal.isAttentive)
        held.value.autorefresh = false
        #expect(!held.value.signal.isAttentive)
        let observation = Noting(held.value)
        held.value.observers.add(observation)
        #expect(held.value.signal.isAttentive)
        held.value.observers.remove(observation)
        #expect(!held.value.signal.isAttentive)
        held.value.noteReadOfAll()
      }
    }
  #endif
}
