import FiefRealmFiles
import FiefTestSupport
import Testing

/// Damaged and forged files: an error or a sound graph, whatever the bytes are.
@Suite struct HostileTests {
  @Test(arguments: [Sample.empty, .small]) func everyLengthIsAnErrorOrASoundGraph(_ sample: Sample) throws {
    let bytes = try sample.bytes
    // Each length where the header is, and some everywhere else: a prime step meets every remainder.
    let step = Effort.of(debug: 977, release: 61, night: 1)
    for length in Array(0...64) + Array(stride(from: 65, to: bytes.count, by: step)) {
      #expect(RealmFile.examine(ContiguousArray(bytes.prefix(length))) == [], "\(length) bytes")
    }
  }

  @Test func aFileThatIsCutShortIsRefused() throws {
    let bytes = try Sample.small.bytes
    for length in [24, 1000, 4448, 40000, 44384] {
      #expect(throws: RealmFileError.self, "\(length) bytes") { try RealmFile(ContiguousArray(bytes.prefix(length))) }
    }
  }

  @Test(arguments: Seeds.all) func forgedFilesAreErrorsOrSoundGraphs(_ seed: Seed) throws {
    for sample in [Sample.empty, .small] {
      let forger = Forger(try sample.bytes)
      var random = seed.random
      for round in 0..<Effort.of(debug: 10, release: 60, night: 2000) {
        #expect(RealmFile.examine(forger.forged(using: &random)) == [], "\(sample), round \(round)")
      }
    }
  }

  @Test(arguments: Seeds.all) func theCheckRefusesWhatTheReadingRefuses(_ seed: Seed) throws {
    let forger = Forger(try Sample.small.bytes)
    var random = seed.random
    for round in 0..<Effort.of(debug: 20, release: 100, night: 2000) {
      let bytes = forger.forged(using: &random)
      guard (try? RealmFile.check(bytes)) != nil else { continue }
      #expect(throws: Never.self, "round \(round)") { try RealmFile(bytes) }
    }
  }

  @Test(arguments: LateForgery.allCases) func theCheckFindsWhatTheGraphWouldRefuse(_ forgery: LateForgery) {
    let error = #expect(throws: RealmFileError.self) { try RealmFile.check(forgery.file(of: 2000)) }
    #expect(error?.code == .damaged)
    #expect(error?.place.table != nil, "\(error as Any)")
  }

  @Test(arguments: Seeds.all) func noiseIsRefused(_ seed: Seed) throws {
    var random = seed.random
    for _ in 0..<20 {
      var bytes = ContiguousArray(random.bytes(count: random.below(3) * 4096 + random.below(100)))
      #expect(throws: RealmFileError.self) { try RealmFile(bytes) }
      guard bytes.count >= 24 else { continue }
      bytes.replaceSubrange(16..<24, with: Array("T-DB".utf8) + [24, 24, 0, 0])
      #expect(throws: RealmFileError.self) { try RealmFile(bytes) }
    }
  }

  @Test func everyErrorHasAPlace() throws {
    let forger = Forger(try Sample.small.bytes)
    var random = SeededRandom(seed: 7)
    var (errors, placed) = (0, 0)
    for _ in 0..<Effort.of(debug: 60, release: 300) {
      do {
        _ = try RealmFile(forger.forged(using: &random))
      } catch let error as RealmFileError {
        errors += 1
        if error.offset != nil || error.place.table != nil { placed += 1 }
        #expect(error.message.count < 1000)
      }
    }
    #expect(errors > 20)
    #expect(placed * 10 > errors * 9)
  }
}
