import FiefGraph
import FiefRealmFiles
import Foundation
import Testing

/// Files that other versions of Realm wrote. `Files/README.md` describes them.
@Suite struct ReportedFilesTests {
  private func bytes(_ name: String) throws -> ContiguousArray<UInt8> {
    ContiguousArray(try Data(contentsOf: Sample.folder.appendingPathComponent("\(name).realm")))
  }

  /// The objects of a class, a line each.
  private func lines(_ file: RealmFile, _ name: String) -> [String] {
    CanonicalGraph(graph: file.graph).tables.first { $0.name == name }?.lines ?? []
  }

  @Test(arguments: [20, 24] as [UInt8]) func tombstonesAreLeftOutAndReported(_ format: UInt8) throws {
    var bytes = try bytes("tombstones-20")
    bytes[20] = format
    let file = try RealmFile(bytes)
    #expect(file.graph.checkInvariants() == [])
    #expect(file.report.format == Int(format))
    #expect(file.report.rows == 26)
    #expect(file.report.links == 12)
    #expect(file.report.unresolvedLinks == 2)
    #expect(file.report.tombstones == 2)
    #expect(file.report.disagreeingBacklinks == 0)
    #expect(lines(file, "foo") == [0, 2, 3, 15, 100, 7000].map { "(id=i\($0))" })
    #expect(lines(file, "bar") == ["frank", "carlo", "david", "gary", "adam", "bart"].map { "(name=s\($0))" })
    // The fifth of each half leads to an object that was deleted.
    let first = ["@i0", "@i2", "@i3", "@i15", "null", "@i100", "@i7000"].map { "(link1=\($0),link2=null)" }
    let second = ["adam", "bart", "carlo", "david", nil, "frank", "gary"].map { name in
      "(link1=null,link2=\(name.map { "@s\($0)" } ?? "null"))"
    }
    #expect(lines(file, "origin") == first + second)
  }

  @Test func aFileBegunBefore2016IsReadWholly() throws {
    let file = try RealmFile(try bytes("begun-before-2016"))
    #expect(file.graph.checkInvariants() == [])
    #expect(
      lines(file, "Person") == [
        "(FirstName=sMigratey,LastName=sMcMigrateface,Score=f0,Latitude=d0,Longitude=d0,Birthday=t1468837396548,"
          + "Email=s,IsInteresting=false,TriggersSchema=sNeeds migration,Friends=[])"
      ])
    #expect(lines(file, "Dog") == [])
    #expect(lines(file, "Owner") == [])
  }

  @Test func nodesFromBeforeFebruary2016AreRead() throws {
    let file = try RealmFile(try bytes("old-node-header"))
    #expect(
      lines(file, "Person") == [
        "(firstName=sJohn,lastName=sDoe,age=i42)", "(firstName=sJane,lastName=sDoe,age=i43)",
        "(firstName=sJohn,lastName=sSmith,age=i44)",
      ])
  }
}
