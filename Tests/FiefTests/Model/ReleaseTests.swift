import FiefTestSupport
import RealmSwift
import Testing

private class Link: Object {
  @Persisted var next: Link?
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<Link>
  @Persisted var set: MutableSet<Link>
  @Persisted var map: Map<String, Link?>
  @Persisted var part: Part?
}

private class Part: EmbeddedObject {
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
}

/// Swift frees what an object holds by recursion; chains of a million would end the process. Debug builds use
/// shorter ones, which would do so too.
@Suite struct ReleaseTests {
  private static func length(_ release: Int) -> Int { Effort.of(debug: release / 4, release: release) }

  private func chain(_ length: Int = Self.length(1_000_000), _ join: (Link, Link) -> Void) -> Link {
    var head = Link()
    for _ in 0..<length {
      let next = Link()
      join(next, head)
      head = next
    }
    return head
  }

  @Test func aChainThroughLinksIsReleased() { _ = chain { $0.next = $1 } }

  @Test func aChainThroughAnyValuesIsReleased() { _ = chain { $0.any = .object($1) } }

  @Test func aChainThroughListsInAnyValuesIsReleased() {
    _ = chain(Self.length(200_000)) { $0.any = .fromArray([.object($1)]) }
  }

  @Test func aChainThroughListsIsReleased() { _ = chain(Self.length(300_000)) { $0.list.append($1) } }

  @Test func aChainThroughSetsIsReleased() { _ = chain(Self.length(100_000)) { $0.set.insert($1) } }

  @Test func aChainThroughMapsIsReleased() { _ = chain(Self.length(100_000)) { $0.map["k"] = $1 } }

  @Test func aChainOfEmbeddedObjectsIsReleased() {
    var head = Part()
    for _ in 0..<Self.length(300_000) {
      let next = Part()
      next.part = head
      head = next
    }
    let link = Link()
    link.part = head
  }

  @Test func retainedObjectsStay() {
    let kept = Link()
    do {
      let head = Link()
      head.next = kept
      head.list.append(kept)
      head.any = .object(kept)
    }
    kept.part = Part()
    #expect(kept.part != nil && kept.next == nil)
  }
}
