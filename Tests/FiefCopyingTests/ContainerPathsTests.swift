import FiefCopying
import Foundation
import Testing

@Suite struct ContainerPathsTests {
  @Test func anObjectInsideItselfIsACycle() throws {
    let (outer, inner) = (NSMutableArray(), NSMutableArray())
    var paths = ContainerPaths()
    let first = try paths.enter(ContainerIdentity(outer, count: 1), below: -1)
    let second = try paths.enter(ContainerIdentity(inner, count: 1), below: first)
    let refusal = #expect(throws: ContainerPaths.Refusal.self) {
      _ = try paths.enter(ContainerIdentity(outer, count: 1), below: second)
    }
    #expect(refusal == .cycle && refusal?.error("").code == .cycle)
  }

  @Test func anObjectInTwoPlacesIsNoCycle() throws {
    let shared = NSMutableArray()
    var paths = ContainerPaths()
    let root = try paths.enter(ContainerIdentity(NSMutableArray(), count: 2), below: -1)
    for _ in 0..<2 { _ = try paths.enter(ContainerIdentity(shared, count: 0), below: root) }
    #expect(!paths.isEmpty)
  }

  @Test func arraysThatDoubleAtEachLevelAreRefused() {
    // Each level holds the level below twice: sixty arrays stand for 2⁶⁰ elements.
    var paths = ContainerPaths()
    var level = [0]
    let identities = (0..<60).map { _ -> ContainerIdentity? in
      level = [level.count, level.count]
      return ContainerIdentity(level)
    }
    let refusal = #expect(throws: ContainerPaths.Refusal.self) {
      while true { for identity in identities { _ = try paths.enter(identity, below: -1) } }
    }
    #expect(refusal == .repeated && refusal?.error(", at 'a'").code == .invalidValue)
  }

  @Test func manyDifferentContainersAreNeverRefused() throws {
    var paths = ContainerPaths()
    for number in 0..<2 * ContainerPaths.unwatched { _ = try paths.enter(ContainerIdentity([number]), below: -1) }
    #expect(!paths.isEmpty)
  }
}
