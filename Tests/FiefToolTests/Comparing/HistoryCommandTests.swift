#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct HistoryCommandTests {
    @Test func theVersionsOfTheJournalArePrinted() throws {
      let realm = try TestRealm()
      let outcome = try Program.run("history", realm.path)
      #expect(outcome.status == 0 && outcome.complaints == "")
      #expect(
        outcome.output == """
          version  time     changes
                3  unknown  Person: 1 inserted
                2  unknown  Dog: 2 inserted
                1  unknown  the classes changed

          """)
      #expect(
        try Program.run("history", realm.path, "--objects", "--limit", "2").output == """
          version 3
            + Person 0
          version 2
            + Dog #0
            + Dog #1

          """)
      #expect(
        try Program.run("history", realm.path, "--json", "--limit", "1").output == """
          [
          {"classes":[{"deleted":0,"inserted":1,"modified":0,"name":"Person"}],"schemaChanged":false,"time":null,\
          "version":3}
          ]

          """)
    }

    @Test func aHistoryGoesOnBeforeTheSnapshotAndHasTimes() throws {
      let realm = try TestRealm()
      var configuration = realm.configuration
      configuration.history = .versions(10)
      do {
        let opened = try Realm(configuration: configuration)
        for name in ["Bella", "Max"] { try opened.write { opened.objects(TestRealm.Dog.self)[0].name = name } }
        try opened.compact()
        try opened.write { opened.delete(opened.objects(TestRealm.Dog.self)[1]) }
      }
      let outcome = try Program.run("history", realm.path, "--objects")
      let lines = outcome.output.split(separator: "\n")
      #expect(
        lines.filter { !$0.hasPrefix("version") } == [
          "  - Dog #1", "  ~ Person 0  dogs", "  ~ Dog #0  name", "  ~ Dog #0  name", "  + Person 0", "  + Dog #0",
          "  + Dog #1", "  the classes changed",
        ])
      let times = lines.filter { $0.hasPrefix("version") }.map { $0.split(separator: " ").last ?? "" }
      #expect(times.count == 6 && times.allSatisfy { $0.hasPrefix("20") && $0.hasSuffix("Z") })
      let json = try Program.run("history", realm.path, "--json", "--objects").output
      let versions = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
      let classes = try #require(versions[0]["classes"] as? [NSDictionary])
      #expect(classes[0]["objects"] as? NSDictionary == ["deleted": ["#1"], "inserted": [], "modified": []])
      #expect(
        classes[1]["objects"] as? NSDictionary == [
          "deleted": [], "inserted": [], "modified": [["key": "0", "properties": ["dogs"]]],
        ])
    }

    @Test func aCopyHasOneVersion() throws {
      let realm = try TestRealm()
      #expect(try Program.run("copy", realm.path, realm.path + ".copy").status == 0)
      #expect(try Program.run("history", realm.path + ".copy").output == "The file keeps version 3 alone.\n")
      #expect(try Program.run("history", realm.path + ".copy", "--json").output == "[\n]\n")
    }

    @Test func hostileNamesCannotAct() throws {
      let store = try HostileStore()
      for options in [[], ["--objects"], ["--json", "--objects"]] {
        let outcome = try Program.run(["history", store.path] + options)
        #expect(outcome.status == 0 && outcome.output.isSafeToPrint)
      }
      #expect(try Program.run("history", store.path + ".none").status == 66)
      #expect(try Program.run("history", store.path, "--limit", "0").status == 64)
    }
  }
#endif
