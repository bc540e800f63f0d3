import FiefDurability
import FiefGraph
import Testing

@Suite(.leavesNoFileOpen) struct FileKindTests {
  private func kind(_ bytes: [UInt8]) -> FileKind { bytes.withUnsafeBytes { FileKind(of: $0) } }

  /// The first bytes of an original Realm file: two positions, the mnemonic, formats, flags.
  private let realm: [UInt8] =
    [0x18, 0, 0, 0, 0, 0, 0, 0, 0x40, 1, 0, 0, 0, 0, 0, 0] + Array("T-DB".utf8) + [9, 24, 0, 1]

  @Test func filesOfOthersAreKnown() {
    #expect(kind([]) == .empty)
    #expect(kind([UInt8](repeating: 0, count: 4096)) == .zeros)
    #expect(kind(realm + [UInt8](repeating: 7, count: 100)) == .originalRealm(fileFormat: 24))
    #expect(kind(Array("SQLite format 3\0".utf8) + [0x10, 0]) == .sqlite)
    #expect(kind(Array("Grüße, Welt\n".utf8)) == .text)
    // Cut within a character.
    #expect(kind(Array(String(repeating: "ü", count: 300).utf8)) == .text)
    #expect(kind([1, 2, 3]) == .unknown)
    #expect(kind(Snapshot.bytes(.empty, Fixed.header())) == .snapshot(formatVersion: 1))
    #expect(kind(JournalWriter(Fixed.journal).headerBytes) == .journal(formatVersion: 1))
  }

  @Test func aForeignFileIsRefusedForWhatItIs() {
    for (bytes, kind) in [
      (realm, FileKind.originalRealm(fileFormat: 24)), (Array("a text".utf8), .text),
      (JournalWriter(Fixed.journal).headerBytes, .journal(formatVersion: 1)),
      ([UInt8](repeating: 0, count: 100), .zeros),
    ] {
      do throws(CodecError) {
        _ = try Snapshot(bytes)
        Issue.record("\(kind) was read")
      } catch {
        #expect(error.code == .foreign(kind))
        #expect(error.isRefusalOfSoundFile)
        #expect("\(error)".contains(kind.phrase))
      }
    }
    do throws(CodecError) {
      _ = try Snapshot([])
      Issue.record("nothing was read")
    } catch {
      #expect(error.code == .empty)
    }
  }

  @Test func damageToAHeaderIsNoForeignFile() {
    let sound = Snapshot.bytes(.empty, Fixed.header())
    for bit in 0..<64 * 8 {
      var bytes = sound
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(CodecError) {
        _ = try Snapshot(bytes)
        Issue.record("bit \(bit) is not seen")
      } catch {
        #expect(error.code == .checksum, "bit \(bit)")
      }
    }
  }
}
