#if DEBUG
  import FiefGraph
  import Testing

  @Suite struct HashIndexSharingTests {
    @Test func anIndexThatNoOneElseHoldsIsChangedInPlace() {
      var index = HashIndex()
      for key in Int64(0)..<5000 { index.insert(key, hash: UInt64(key) &* 0x9E37_79B9_7F4A_7C15 >> 20) }
      let before = index.nodeIdentities()
      for key in Int64(0)..<5000 {
        index.remove(key, hash: UInt64(key) &* 0x9E37_79B9_7F4A_7C15 >> 20)
        index.insert(key, hash: UInt64(key) &* 0x9E37_79B9_7F4A_7C15 >> 20)
      }
      #expect(index.nodeIdentities() == before)
    }

    @Test func aChangeBesideACopyCopiesOnePath() {
      var index = HashIndex()
      for key in Int64(0)..<5000 { index.insert(key, hash: UInt64(key) &* 0x9E37_79B9_7F4A_7C15 >> 20) }
      let before = index.nodeIdentities()
      #expect(before.count > 200)
      let copy = index
      index.insert(-1, hash: 0)
      let copied = Set(index.nodeIdentities()).subtracting(before)
      // Two or three levels of inner nodes, and a bucket.
      #expect((3...4).contains(copied.count))
      #expect(copy.nodeIdentities() == before)
    }
  }
#endif
