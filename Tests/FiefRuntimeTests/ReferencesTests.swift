import FiefRuntime
import Foundation
import Testing

private final class Node: @unchecked Sendable {
  var other: Node?
  let onDeinit: @Sendable (Node) -> Void
  init(onDeinit: @escaping @Sendable (Node) -> Void = { _ in }) { self.onDeinit = onDeinit }
  deinit { onDeinit(self) }
}

/// The references to a node, one of each sort.
private final class Holder {
  var strong: Node?
  weak var weak: Node?
  unowned var unowned: Node?
}

@Suite struct ReferenceCountTests {
  @Test func anObjectWithOneReferenceHasTheSoleWord() {
    guard let sole = ReferenceCount.sole else { return }
    let node = Unmanaged.passRetained(Node())
    #expect(ReferenceCount.word(of: node) == sole)
    node.release()
  }

  @Test(arguments: ["strong", "unowned", "weak"])
  func anotherReferenceOfAnySortChangesTheWord(_ sort: String) {
    guard let sole = ReferenceCount.sole else { return }
    let node = Unmanaged.passRetained(Node())
    let holder = Holder()
    switch sort {
    case "strong": holder.strong = node.takeUnretainedValue()
    case "unowned": holder.unowned = node.takeUnretainedValue()
    default: holder.weak = node.takeUnretainedValue()
    }
    #expect(ReferenceCount.word(of: node) != sole)
    withExtendedLifetime(holder) {}
    holder.strong = nil
    node.release()
  }
}

@Suite struct CountedTwiceTests {
  private final class Log: @unchecked Sendable {
    var released = 0
  }

  @Test func theSecondReferenceIsOneLikeAnyOther() throws {
    guard let known = ReferenceCount.known else { return }
    let log = Log()
    let kept = Kept(Node { _ in log.released += 1 })
    #expect(kept.countWord == known.one)
    for _ in 0..<3 {
      var second: Node? = kept.countedTwice(as: known.two)
      #expect(kept.countWord == known.two && second?.other == nil)
      second = nil
      #expect(kept.countWord == known.one && log.released == 0)
    }
    kept.release()
    #expect(log.released == 1)
  }

  @Test func theSecondReferenceKeepsTheObjectAlive() throws {
    guard let known = ReferenceCount.known else { return }
    let log = Log()
    let kept = Kept(Node { _ in log.released += 1 })
    let holder = Holder()
    holder.strong = kept.countedTwice(as: known.two)
    kept.release()
    #expect(log.released == 0 && holder.strong?.other == nil)
    holder.strong = nil
    #expect(log.released == 1)
  }
}

@Suite struct WeakReferenceTests {
  @Test func aLivingObjectIsFoundAndAReleasedOneIsNot() throws {
    var node: Node? = Node()
    let reference = WeakReference(try #require(node))
    #expect(reference.object === node)
    #expect(reference.refers(to: try #require(node)))
    #expect(!reference.refers(to: Node()))
    node = nil
    #expect(reference.object == nil)
  }

  @Test func anObjectIsNotFoundOnceItsDestructionBegins() {
    final class Box: @unchecked Sendable {
      var reference: WeakReference<Node>?
      var found: Bool?
    }
    let box = Box()
    var node: Node? = Node { _ in box.found = box.reference?.object != nil }
    box.reference = node.map { WeakReference($0) }
    node = nil
    #expect(box.found == false)
  }

  @Test func anObjectIsRetainedBetweenThreadsOrNotFoundAtAll() async {
    for _ in 0..<200 {
      let node = Node()
      let reference = WeakReference(node)
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 { group.addTask { reference.object.map { $0.other == nil } ?? true } }
        group.addTask {
          withExtendedLifetime(node) {}
          return true
        }
        for await isSound in group { #expect(isSound) }
      }
    }
  }
}

@Suite struct CurrentExecutorTests {
  private actor Kennel {
    func isRunning() -> Bool { CurrentExecutor.runs(self) }
    func runs(_ other: Kennel) -> Bool { CurrentExecutor.runs(other) }
    func identity() -> UInt { CurrentExecutor.identity }
  }

  @Test func anActorRunsInItsOwnCodeOnly() async {
    let (kennel, other) = (Kennel(), Kennel())
    #expect(await kennel.isRunning() == CurrentExecutor.isAvailable)
    #expect(await kennel.runs(other) == false)
    #expect(!CurrentExecutor.runs(kennel))
  }

  @Test func executorsDifferByTheirIdentity() async {
    guard CurrentExecutor.isAvailable else { return }
    let (kennel, other) = (Kennel(), Kennel())
    let (one, two) = (await kennel.identity(), await other.identity())
    #expect(one != 0 && two != 0 && one != two)
    withExtendedLifetime((kennel, other)) {}
  }
}

@Suite struct ThreadLocalTests {
  @Test func everyThreadHasItsOwnObjectAndReleasesItWhenItEnds() {
    final class Flag: @unchecked Sendable { var isGone = false }
    let local = ThreadLocal()
    let mine = Node()
    local.value = mine
    let flag = Flag()
    let thread = Thread {
      if local.value != nil { return }
      local.value = Node { _ in flag.isGone = true }
    }
    thread.start()
    while !thread.isFinished || !flag.isGone { usleep(1000) }
    #expect(local.value === mine)
    local.value = nil
    #expect(local.value == nil)
  }
}
