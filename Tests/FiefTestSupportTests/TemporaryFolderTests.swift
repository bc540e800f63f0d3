import FiefTestSupport
import Foundation
import Testing

@Suite struct TemporaryFolderTests {
  private func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path)
  }

  @Test func itIsEmptyAndOnesOwn() throws {
    let one = try TemporaryFolder()
    let other = try TemporaryFolder()
    #expect(one.url != other.url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: one.url.path).isEmpty)
    withExtendedLifetime((one, other)) {}
  }

  @Test func itIsGoneWithItsContentAfterTheBody() throws {
    let url = try TemporaryFolder.with { url in
      try Data([1, 2, 3]).write(to: url.appendingPathComponent("file"))
      #expect(exists(url.appendingPathComponent("file")))
      return url
    }
    #expect(!exists(url))
  }

  @Test func itIsGoneAfterAnErrorToo() throws {
    var seen: URL?
    #expect(throws: Planted.self) {
      try TemporaryFolder.with { url in
        seen = url
        throw Planted()
      }
    }
    #expect(!exists(try #require(seen)))
  }

  @Test func itStaysWhileAnAsynchronousBodyRuns() async throws {
    let url = try await TemporaryFolder.with { url in
      await Task.yield()
      #expect(exists(url))
      return url
    }
    #expect(!exists(url))
  }

  @Test func aFolderThatTheTestRemovedItselfIsNoTrouble() throws {
    let url = try TemporaryFolder.with { url in
      try FileManager.default.removeItem(at: url)
      return url
    }
    #expect(!exists(url))
  }
}
