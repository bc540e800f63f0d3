import FiefGraph
import FiefRuntime
import FiefTestSupport
import Testing

@Suite struct HashIndexTests {
  @Test func anEmptyIndexFindsNothing() {
    let index = HashIndex()
    #expect(index.count == 0)
    #expect(index.find(hash: 0) { _ in true } == nil)
    #expect(index.checkInvariants() == [])
  }

  @Test func theCallerSeesTheCandidatesOfExactlyThisHash() {
    var index = HashIndex()
    for key in 0..<100 { index.insert(Int64(key), hash: UInt64(key % 3)) }
    var seen: [Int64] = []
    let found = index.find(hash: 1) { key in
      seen.append(key)
      return false
    }
    #expect(found == nil)
    #expect(seen.sorted() == (0..<100).filter { $0 % 3 == 1 }.map(Int64.init))
  }

  @Test func theSearchEndsWithTheFirstMatch() {
    var index = HashIndex()
    for key in 0..<10 { index.insert(Int64(key), hash: 7) }
    var asked = 0
    let found = index.find(hash: 7) { _ in
      asked += 1
      return asked == 3
    }
    #expect(found != nil)
    #expect(asked == 3)
  }

  @Test func errorsOfTheCallersClosuresAreThrown() {
    struct Planted: Error {}
    var index = HashIndex()
    for key in 0..<100 { index.insert(Int64(key), hash: UInt64(key)) }
    #expect(throws: Planted.self) { try index.find(hash: 5) { _ in throw Planted() } }
    var shown = 0
    #expect(throws: Planted.self) {
      try index.forEach { _, _ in
        shown += 1
        if shown == 50 { throw Planted() }
      }
    }
    #expect(shown == 50)
  }

  @Test func everyKeyAndEveryHashCanBeStored() {
    var index = HashIndex()
    let edges = SeededRandom.integerEdges
    for key in edges { index.insert(key, hash: UInt64(bitPattern: key)) }
    for key in edges {
      #expect(index.find(hash: UInt64(bitPattern: key)) { $0 == key } == key)
    }
    #expect(index.checkInvariants() == [])
  }

  @Test func aPairThatWasInsertedTwiceIsThereTwice() {
    var index = HashIndex()
    index.insert(1, hash: 9)
    index.insert(1, hash: 9)
    #expect(index.count == 2)
    let first = index.remove(1, hash: 9)
    #expect(first && index.count == 1)
    let second = index.remove(1, hash: 9)
    #expect(second && index.count == 0)
    let third = index.remove(1, hash: 9)
    #expect(!third && index.count == 0)
  }

  @Test func removingWhatIsNotThereChangesNothing() {
    var index = HashIndex()
    for key in 0..<1000 { index.insert(Int64(key), hash: KeyHash.of(Int64(key))) }
    let removed = [
      index.remove(1000, hash: KeyHash.of(1000)),
      // The key exists, but with another hash; the hash exists, but with another key.
      index.remove(1, hash: KeyHash.of(2)),
      index.remove(2, hash: KeyHash.of(1)),
    ]
    #expect(removed == [false, false, false])
    #expect(index.count == 1000)
  }

  @Test func aChangedCopyLeavesTheOriginalAsItWas() {
    withEvery("count", in: [0, 1, 31, 32, 33, 1000]) { count in
      var index = HashIndex()
      for key in 0..<count { index.insert(Int64(key), hash: KeyHash.of(Int64(key))) }
      let saved = index
      index.insert(-1, hash: KeyHash.of(-1))
      #expect(saved.count == count)
      #expect(saved.find(hash: KeyHash.of(-1)) { $0 == -1 } == nil)
      #expect(index.find(hash: KeyHash.of(-1)) { $0 == -1 } == -1)
    }
  }

  /// A thousand entries with one hash use up its bits: the bucket at the end of a chain of sixteen nodes has to hold
  /// all of them.
  @Test func equalHashesAreSlowButCorrect() {
    withEvery("hash", in: [0, 0x0123_4567_89AB_CDEF, UInt64.max]) { hash in
      var index = HashIndex()
      for key in 0..<1000 { index.insert(Int64(key), hash: hash) }
      #expect(index.checkInvariants() == [])
      #expect(index.find(hash: hash) { $0 == 999 } == 999)
      #expect(index.find(hash: hash ^ 1 << 63) { _ in true } == nil)
      for key in 0..<1000 {
        let removed = index.remove(Int64(key), hash: hash)
        #expect(removed)
        if key % 50 == 0 || key > 950 { #expect(index.checkInvariants() == []) }
      }
      #expect(index.count == 0)
    }
  }

  /// Two hashes that differ only in one bit separate at the level of that bit, so this makes a chain of every length.
  @Test func hashesThatPartLatePartCorrectly() {
    withEvery("bit", in: 0..<64) { bit in
      var index = HashIndex()
      for key in 0..<20 {
        index.insert(Int64(key), hash: 0)
        index.insert(Int64(key), hash: 1 << UInt64(bit))
      }
      #expect(index.checkInvariants() == [])
      for key in 0..<20 {
        let removed = index.remove(Int64(key), hash: 0)
        #expect(removed)
        #expect(index.checkInvariants() == [])
        #expect(index.find(hash: 1 << UInt64(bit)) { $0 == key } == Int64(key))
      }
      #expect(index.count == 20)
    }
  }

  /// A node must not become a bucket while one of its children is too large for that, even if the others are empty.
  @Test func aLargeChildKeepsItsSparseSiblingsFromMerging() {
    var index = HashIndex()
    for key in Int64(0)..<100 { index.insert(key, hash: UInt64(key) << 4 | 1) }
    for key in Int64(100)..<105 { index.insert(key, hash: 2) }
    for key in Int64(100)..<105 {
      let removed = index.remove(key, hash: 2)
      #expect(removed)
      #expect(index.checkInvariants() == [])
      #expect(index.find(hash: 99 << 4 | 1) { _ in true } == 99)
    }
    #expect(index.count == 100)
  }

  @Test func anIndexGrowsAndShrinksThroughEverySize() {
    withEvery("removal", in: ["first in first out", "last in first out", "shuffled"]) { removal in
      var index = HashIndex()
      let keys = Array(Int64(0)..<600)
      for key in keys {
        index.insert(key, hash: KeyHash.of(key))
        #expect(index.checkInvariants() == [])
      }
      var random = SeededRandom(seed: 1)
      let order = removal == "shuffled" ? random.shuffled(keys) : removal.hasPrefix("first") ? keys : keys.reversed()
      for (done, key) in order.enumerated() {
        let removed = index.remove(key, hash: KeyHash.of(key))
        #expect(removed)
        #expect(index.count == 600 - done - 1)
        #expect(index.checkInvariants() == [])
      }
    }
  }
}
