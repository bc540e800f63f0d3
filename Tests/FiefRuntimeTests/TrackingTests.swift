import FiefRuntime
import Foundation
import Observation
import Testing

@Suite(.enabled(if: TrackingScope.isKnown, "The word of the running scope is not known."))
struct TrackingTests {
  private final class Thing: Observable, Sendable {
    let registrar = ObservationRegistrar()
    var value: Int { 0 }
    func access() { registrar.access(self, keyPath: \.value) }
  }

  @Test func aScopeRunsWhileItsClosureRuns() {
    let finder = TrackingScope.Finder.ofThisThread
    #expect(finder.scope.isNone && TrackingScope.current.isNone)
    withObservationTracking {
      #expect(!finder.scope.isNone && TrackingScope.current == finder.scope)
    } onChange: {
    }
    #expect(finder.scope.isNone && TrackingScope.current.isNone)
  }

  @Test func scopesOfOtherThreadsAreTheirOwn() {
    withObservationTracking {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        #expect(TrackingScope.current.isNone)
        done.signal()
      }
      done.wait()
      #expect(!TrackingScope.current.isNone)
    } onChange: {
    }
  }

  @Test func theAccessesStayWithTheirScope() {
    let (first, second) = (Thing(), Thing())
    withObservationTracking {
      #expect(TrackingScope.current.accesses == 0)
      #expect(TrackingScope.Kept(.current) == nil)
      first.access()
      let accesses = TrackingScope.current.accesses
      #expect(accesses != 0)
      first.access()
      #expect(TrackingScope.current.accesses == accesses)
      let scope = TrackingScope.current
      withObservationTracking {
        #expect(TrackingScope.current != scope && TrackingScope.current.accesses == 0)
        second.access()
        #expect(TrackingScope.current.accesses != accesses)
      } onChange: {
      }
      #expect(TrackingScope.current == scope)
      #expect(TrackingScope.current.accesses != accesses, "The accesses of the inner scope were merged into a copy.")
    } onChange: {
    }
  }

  /// Scopes that follow each other have variables at equal addresses, and their dictionaries could have them too.
  @Test func theDictionaryOfAScopeThatHasEndedIsNotMistakenForThatOfTheNext() {
    var kept: TrackingScope.Kept?
    var last: UInt = 0
    var repeated = 0
    for _ in 0..<1_000 {
      let thing = Thing()
      withObservationTracking {
        thing.access()
        #expect(TrackingScope.current.accesses != last)
        last = TrackingScope.current.accesses
        kept = TrackingScope.Kept(.current)
      } onChange: {
      }
      // Without this, the tracking would keep the dictionary.
      thing.registrar.withMutation(of: thing, keyPath: \.value) {}
      if kept == nil { repeated += 1 }
    }
    #expect(repeated == 0)
  }

  @Test func codeThatNoScopeConcernsIsInNone() {
    withObservationTracking {
      #expect(TrackingScope.Finder.nothing.scope.isNone)
      #expect(!TrackingScope.Finder.ofAnyThread.scope.isNone)
      #expect(TrackingScope.isKnown || TrackingScope.Finder.ofThisThread.scope == .unknown)
    } onChange: {
    }
  }
}
