import FiefGraph
import FiefSessions
import FiefTestSupport
import Testing

/// An event in the life of a session, as the head of `Validity` lists them.
private enum Event: String, CaseIterable {
  case change, move, removal, beginWrite, beginWriteElsewhere, commit, adopt, cancel, refresh, invalidate

  /// The knowledge that the event ends, by the table.
  var ends: Set<Knowledge> {
    switch self {
    case .change: [.contents]
    case .move, .beginWrite, .commit, .adopt: [.location, .contents]
    case .removal, .beginWriteElsewhere, .cancel, .refresh: [.location, .presence, .contents]
    case .invalidate: [.location, .presence, .life, .contents]
    }
  }

  /// Whether the event happens within a write, or at its end.
  var isOfWrite: Bool { [.change, .move, .removal, .commit, .cancel].contains(self) }

  func happen(to validity: inout Validity, _ motion: inout RowMotion) {
    switch self {
    case .change: validity.note(motion)
    case .move:
      motion.move()
      validity.note(motion)
    case .removal:
      motion.remove()
      validity.note(motion)
    case .beginWrite, .beginWriteElsewhere:
      motion = RowMotion()
      validity.beginWrite(motion, isBaseVisible: self == .beginWrite)
    case .commit: validity.commit()
    case .adopt: validity.adopt()
    case .cancel: validity.cancel()
    case .refresh: validity.refresh()
    case .invalidate: validity.invalidate()
    }
  }
}

private enum Knowledge: CaseIterable {
  case location, presence, life, contents
}

/// Something that was found at a moment, and what is known of it still.
private struct Find {
  let rowStamp: RowStamp
  let stamp: VersionStamp
  var known = Set(Knowledge.allCases)

  init(at validity: Validity) {
    rowStamp = validity.present
    stamp = validity.stamp
  }

  func isKnown(_ knowledge: Knowledge, to validity: Validity) -> Bool {
    switch knowledge {
    case .location: rowStamp == validity.present
    case .presence: validity.knows(rowStamp)
    case .life: validity.isCurrent(stamp)
    case .contents: stamp == validity.stamp
    }
  }
}

/// Which event ends which knowledge: the table in the head of `Validity`.
@Suite struct ValidityTests {
  /// A session that has lived through a write and an invalidation, in the phase in which the event may happen.
  private func stage(before event: Event) -> (Validity, RowMotion) {
    var (validity, motion) = (Validity(isFrozen: false), RowMotion())
    for earlier in [Event.refresh, .beginWrite, .move, .removal, .commit, .adopt, .invalidate] {
      earlier.happen(to: &validity, &motion)
    }
    if event.isOfWrite { Event.beginWrite.happen(to: &validity, &motion) }
    return (validity, motion)
  }

  @Test(arguments: Event.allCases) private func anEventEndsTheKnowledgeThatTheTableNames(_ event: Event) {
    var (validity, motion) = stage(before: event)
    let find = Find(at: validity)
    for knowledge in Knowledge.allCases { #expect(find.isKnown(knowledge, to: validity), "\(knowledge) before") }
    event.happen(to: &validity, &motion)
    for knowledge in Knowledge.allCases {
      #expect(find.isKnown(knowledge, to: validity) == !event.ends.contains(knowledge), "\(knowledge)")
    }
  }

  @Test(arguments: Event.allCases) private func anAccessorThatWasNotLookedUpHasALifeOnly(_ event: Event) {
    var (validity, motion) = stage(before: event)
    let awaited = validity.awaited
    for _ in 0..<2 {
      #expect(awaited != validity.present && !validity.knows(awaited))
      #expect(validity.isCurrent(awaited.stamp) == (validity.stamp == awaited.stamp || event != .invalidate))
      if validity.stamp == awaited.stamp { event.happen(to: &validity, &motion) }
    }
  }

  @Test func aRowThatWasJustMadeIsThereAndIsLookedUp() {
    var (validity, motion) = stage(before: .removal)
    let made = validity.justMade
    #expect(made.isLocated && made != validity.present)
    #expect(validity.knows(made) && validity.isCurrent(made.stamp))
    Event.move.happen(to: &validity, &motion)
    #expect(validity.knows(made) && made != validity.present)
    Event.removal.happen(to: &validity, &motion)
    #expect(!validity.knows(made) && validity.isCurrent(made.stamp))
    // After a removal at this very moment, the row is looked up also for its presence.
    #expect(!validity.knows(validity.justMade) && validity.justMade != validity.present)
  }

  @Test func sightingsAreWhatTheyWereMadeOf() {
    for stamp in [VersionStamp(rawValue: 1), VersionStamp(rawValue: 2), VersionStamp(rawValue: 1 << 40)] {
      #expect(RowStamp.located(stamp).isLocated && RowStamp.located(stamp).stamp == stamp)
      #expect(!RowStamp.awaited(stamp).isLocated && RowStamp.awaited(stamp).stamp == stamp)
      #expect(RowStamp.located(stamp) != .awaited(stamp))
      for other in [RowStamp.none, .absent] { #expect(other != .located(stamp) && other != .awaited(stamp)) }
    }
    #expect(RowStamp.none != .absent && !RowStamp.none.isLocated && !RowStamp.absent.isLocated)
    #expect(RowStamp.none.stamp == .never && RowStamp.absent.stamp == .never)
  }

  @Test func nothingIsKnownOfWhatWasNeverFound() {
    for validity in [Validity(isFrozen: false), Validity(isFrozen: true)] {
      #expect(validity.stamp != .never)
      for rowStamp in [RowStamp.none, .absent] { #expect(rowStamp != validity.present && !validity.knows(rowStamp)) }
    }
  }

  @Test func accessorsOfAFrozenSessionBeginWithoutASighting() {
    #expect(Validity(isFrozen: true).awaited == .none)
  }

  @Test func aRemovalIsNotedOrItIsSeenThatItWasNot() {
    var (validity, motion) = stage(before: .removal)
    motion.move()
    #expect(validity.hasNoted(motion))
    motion.remove()
    #expect(!validity.hasNoted(motion))
    validity.note(motion)
    #expect(validity.hasNoted(motion))
    motion.remove()
    validity.cancel()
    #expect(validity.hasNoted(motion))
  }

  @Test(arguments: Seeds.all) func anyWayMatchesAModelThatForgets(seed: Seed) {
    var random = seed.random
    var (validity, motion) = (Validity(isFrozen: false), RowMotion())
    var finds: [Find] = []
    for _ in 0..<300 {
      let possible = Event.allCases.filter { $0.isOfWrite == (validity.phase == .writing) }
      let event = random.element(of: possible)
      finds.append(Find(at: validity))
      let before = validity.stamp
      event.happen(to: &validity, &motion)
      for index in finds.indices { finds[index].known.subtract(event.ends) }
      if finds.count > 40 { finds.remove(at: random.below(finds.count)) }
      #expect(before < validity.stamp)
      #expect(validity.ended <= validity.lost && validity.lost <= validity.present.stamp)
      #expect(validity.present.stamp <= validity.stamp)
      for find in finds {
        for knowledge in Knowledge.allCases {
          let isKnown = find.isKnown(knowledge, to: validity)
          #expect(isKnown == find.known.contains(knowledge), "\(knowledge) after \(event)")
        }
      }
    }
  }

  @Test func aWriteThatIsNotUnderWayCannotEnd() async {
    await #expect(processExitsWith: .failure) {
      var validity = Validity(isFrozen: false)
      validity.commit()
    }
    await #expect(processExitsWith: .failure) {
      var validity = Validity(isFrozen: false)
      validity.cancel()
    }
  }

  @Test func aSessionInAWriteStaysAtItsVersion() async {
    await #expect(processExitsWith: .failure) {
      var validity = Validity(isFrozen: false)
      validity.beginWrite(RowMotion(), isBaseVisible: true)
      validity.refresh()
    }
    await #expect(processExitsWith: .failure) {
      var validity = Validity(isFrozen: false)
      validity.beginWrite(RowMotion(), isBaseVisible: true)
      validity.beginWrite(RowMotion(), isBaseVisible: true)
    }
  }

  @Test func nothingHappensToAFrozenSession() async {
    await #expect(processExitsWith: .failure) {
      var validity = Validity(isFrozen: true)
      validity.refresh()
    }
  }
}
