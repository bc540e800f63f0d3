import FiefValues
import Foundation
import Testing

@Suite struct ObjectIdTests {
  @Test func itTakesTwelveBytes() {
    #expect(MemoryLayout<ObjectId>.size == 12)
    #expect(MemoryLayout<ObjectId>.stride == 12)
    #expect(MemoryLayout<ObjectId>.alignment == 4)
  }

  @Test func theEmptyOneIsZero() {
    #expect(ObjectId().bytes == [UInt8](repeating: 0, count: 12))
    #expect(ObjectId().stringValue == "000000000000000000000000")
  }

  @Test func bytesGoInAndOutInOrder() {
    let bytes: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFE, 0xDC, 0xBA, 0x98]
    let id = ObjectId(bytes: bytes)
    #expect(id?.bytes == bytes)
    #expect(id?.stringValue == "0123456789abcdeffedcba98")
    #expect(id.map { $0.words == (0x0123_4567, 0x89AB_CDEF, 0xFEDC_BA98) } == true)
    #expect(ObjectId(bytes: Set<UInt8>()) == nil)
    #expect(ObjectId(bytes: bytes.dropLast()) == nil)
    #expect(ObjectId(bytes: bytes + [0]) == nil)
  }

  @Test func orderIsThatOfBytes() {
    var random = SplitMix64(seed: runSeed)
    let ids = (0..<2_000).map { _ -> ObjectId in
      // Few different bytes, so that many identifiers have a common prefix.
      let bytes = (0..<12).map { _ in [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0 as UInt8 }
      return ObjectId(bytes: bytes.enumerated().map { $0.offset < 9 ? $0.element & 1 : $0.element }) ?? ObjectId()
    }
    for (a, b) in zip(ids, ids.dropFirst()) {
      #expect((a < b) == a.bytes.lexicographicallyPrecedes(b.bytes), "\(a) \(b), seed \(runSeed)")
      #expect((a == b) == (a.bytes == b.bytes))
    }
    let sorted = ids.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(sorted.map(\.stringValue) == ids.map(\.stringValue).sorted())
  }

  @Test func theTimestampIsTheFirstFourBytesUnsigned() {
    #expect(ObjectId("000000000000000000000000").timestamp == Date(timeIntervalSince1970: 0))
    // The specification's examples of the ends: 2038-01-19T03:14:07Z, then 2038-01-19T03:14:08Z, 2106-02-07T06:28:15Z.
    #expect(ObjectId("7FFFFFFF0000000000000000").timestamp == Date(timeIntervalSince1970: 2_147_483_647))
    #expect(ObjectId("800000000000000000000000").timestamp == Date(timeIntervalSince1970: 2_147_483_648))
    #expect(ObjectId("FFFFFFFF0000000000000000").timestamp == Date(timeIntervalSince1970: 4_294_967_295))
  }

  @Test func aGivenTimeAndPlaceAreKept() {
    let date = Date(timeIntervalSince1970: 1_700_000_000.75)
    let one = ObjectId(timestamp: date, machineId: 0x7A_BCDE_F012, processId: -1)
    let two = ObjectId(timestamp: date, machineId: 0x7A_BCDE_F012, processId: -1)
    #expect(one.timestamp == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(Array(one.bytes[4..<9]) == [0xDE, 0xF0, 0x12, 0xFF, 0xFF])
    #expect(one != two)
    #expect(one.bytes.prefix(9) == two.bytes.prefix(9))
  }

  @Test func timesOutsideFourBytesAreKeptWithin() {
    func first(_ interval: Double) -> [UInt8] {
      Array(ObjectId(timestamp: Date(timeIntervalSince1970: interval), machineId: 0, processId: 0).bytes.prefix(4))
    }
    #expect(first(-1) == [0, 0, 0, 0])
    #expect(first(.nan) == [0, 0, 0, 0])
    #expect(first(-.infinity) == [0, 0, 0, 0])
    #expect(first(.infinity) == [255, 255, 255, 255])
    #expect(first(4_294_967_296) == [255, 255, 255, 255])
  }
}
