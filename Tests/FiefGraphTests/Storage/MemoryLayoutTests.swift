import FiefGraph
import FiefValues
import Testing

/// Sizes that the design depends on. A toolchain or a change that breaks one makes every table larger; this test
/// detects it.
struct MemoryLayoutTests {
  @Test func aLeafIsOnePointerAndABitmap() {
    #expect(MemoryLayout<LeafValues>.size == 8)
    #expect(MemoryLayout<LeafValues?>.size == 8)
    #expect(MemoryLayout<Bitmap256>.size == 32)
    #expect(MemoryLayout<Leaf>.size == 40)
  }

  @Test func anElementOfALeafIsNoLargerThanItsValue() {
    #expect(MemoryLayout<ObjectId>.stride == 12)
    #expect(MemoryLayout<Decimal128>.stride == 16)
    #expect(MemoryLayout<Timestamp>.stride == 16)
    #expect(MemoryLayout<String>.stride == 16)
    #expect(MemoryLayout<StoredCollection?>.stride == 8)
  }

  @Test func aValueTakesThreeWords() {
    #expect(MemoryLayout<Value>.size <= 24)
    #expect(MemoryLayout<Value>.stride <= 24)
  }

  @Test func aTreeOfClustersIsANodeAndAHeight() {
    // A node is a pointer with its case in spare bits; eight of them are an inner node of one cache line.
    #expect(MemoryLayout<RadixTree<Cluster>>.size == 16)
  }

  @Test func keysAreAsLargeAsTheirNumbers() {
    #expect(MemoryLayout<ObjectKey>.size == 8)
    #expect(MemoryLayout<TableKey>.size == 4)
    #expect(MemoryLayout<ColumnKey>.size == 4)
    #expect(MemoryLayout<ObjectLink>.size == 16)
  }
}
