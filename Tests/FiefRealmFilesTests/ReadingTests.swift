import FiefGraph
import FiefRealmFiles
import Foundation
import Testing

/// Files that realm-core wrote, against what it says of them.
@Suite struct ReadingTests {
  @Test(arguments: [Sample.empty, .small]) func everyValueIsThatOfTheOriginalLibrary(_ sample: Sample) throws {
    let file = try RealmFile(sample.bytes)
    let json = try CanonicalJSON(sample.json, file.graph.schema)
    for (name, lines) in CanonicalGraph(graph: file.graph).tables {
      let wanted = json.lines(of: name)
      #expect(lines.count == wanted.count, "\(name)")
      for (line, wanted) in zip(lines, wanted) where line != wanted {
        Issue.record("\(name): \(line)\n instead of \(wanted)")
      }
    }
    #expect(Set(json.tables.keys) == Set(CanonicalGraph(graph: file.graph).tables.map(\.name)).union(["metadata"]))
  }

  @Test(arguments: Sample.readable) func theDigestsAreThoseOfTheOriginalLibrary(_ sample: Sample) throws {
    let file = try RealmFile(sample.bytes)
    let digests = CanonicalGraph(graph: file.graph).tables.map { name, lines in
      "\(name) \(lines.count) \(CanonicalText.digest(lines))\n"
    }
    #expect(digests.joined() == (try sample.digests))
  }

  @Test(arguments: Sample.readable) func theGraphIsSound(_ sample: Sample) throws {
    let file = try RealmFile(sample.bytes)
    #expect(file.graph.checkInvariants() == [])
    #expect(file.schemaVersion == 3)
    #expect(file.report.format == 24)
    #expect(file.report.otherTables == [])
    #expect(file.report.unresolvedLinks == 0)
    #expect(file.report.disagreeingBacklinks == 0)
    #expect(file.report.repairedTexts == 0)
  }
}
