import FiefDurability
import FiefGraph
import FiefTestSupport
import Testing

struct RoundTripTests {
  @Test(arguments: Seeds.first(8))
  func everyChangeIsTheSameAfterItsBytes(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<25 {
      let before = store.graph
      let delta = try store.step()
      let bytes = DeltaCodec.encode(delta)
      let decoded = try DeltaCodec.decode(bytes)
      #expect(DeltaCodec.encode(decoded) == bytes)
      #expect(try before.applying(decoded) == store.graph)
    }
    #expect(store.graph.checkInvariants() == [])
  }

  @Test(arguments: Seeds.first(8))
  func everyGraphIsTheSameAfterItsSnapshot(seed: Seed) throws {
    var store = try RandomStore(seed: seed)
    for _ in 0..<8 {
      for _ in 0..<6 { _ = try store.step() }
      let bytes = Snapshot.bytes(store.graph, Fixed.header())
      let snapshot = try Snapshot(bytes)
      #expect(snapshot.graph == store.graph)
      #expect(snapshot.graph.version == 17)
      #expect(snapshot.header == Fixed.header())
      #expect(snapshot.graph.checkInvariants() == [])
      #expect(Snapshot.bytes(snapshot.graph, snapshot.header) == bytes)
    }
  }

  @Test func theEmptyGraphHasASnapshot() throws {
    let bytes = Snapshot.bytes(.empty, Fixed.header())
    #expect(bytes.count == 64 + 12 + 80)
    #expect(try Snapshot(bytes).graph == .empty)
  }
}
