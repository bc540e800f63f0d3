#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct FileCommandsTests {
    @Test func aCopyIsEqualAndStandsAlone() throws {
      let realm = try TestRealm()
      let new = realm.path + ".copy"
      let outcome = try Program.run("copy", realm.path, new)
      #expect(outcome.status == 0 && outcome.output.hasPrefix("\(new): 3 objects, "))
      #expect(try Program.run("diff", realm.path, new).status == 0)
      // What is there is never replaced.
      let again = try Program.run("copy", realm.path, new)
      #expect(again.status == 74 && again.complaints.contains("There is a file at"))
      #expect(try Program.run("copy", realm.path + ".none", new + "2").status == 66)
      #expect(try Program.run("copy", realm.path).status == 64)
    }

    @Test func compactingMakesAFileSmallerAndChangesNothingElse() throws {
      let realm = try TestRealm()
      #expect(try Program.run("copy", realm.path, realm.path + ".copy").status == 0)
      let outcome = try Program.run("compact", realm.path)
      #expect(
        outcome.status == 0 && outcome.output.hasPrefix("\(realm.path): ") && outcome.output.contains(" before, "))
      #expect(try Program.run("info", realm.path).output.contains(", 0 commits"))
      #expect(try Program.run("info", realm.path).output.contains("schema version   3"))
      #expect(try Program.run("diff", realm.path, realm.path + ".copy").status == 0)
      #expect(try Program.run("compact", realm.path + ".none").status == 66)
    }

    @Test func compactingKeepsTheHistory() throws {
      let realm = try TestRealm()
      var configuration = realm.configuration
      configuration.history = .versions(10)
      do {
        let opened = try Realm(configuration: configuration)
        try opened.write { opened.objects(TestRealm.Dog.self)[0].name = "Bella" }
      }
      let before = try Program.run("history", realm.path).output
      #expect(try Program.run("compact", realm.path).status == 0)
      #expect(try Program.run("edit", realm.path, "Dog", "#0", "name=Max").status == 0)
      #expect(try Program.run("compact", realm.path).status == 0)
      let after = try Program.run("history", realm.path).output
      #expect(after.split(separator: "\n").count == before.split(separator: "\n").count + 1)
    }

    @Test func whatIsLeftOfADamagedFileIsSaved() throws {
      let realm = try TestRealm()
      let sound = try Program.run("recover", realm.path, realm.path + ".sound")
      #expect(
        sound.status == 0 && sound.output.contains("1 of Person, 2 of Dog")
          || sound.output.contains("2 of Dog, 1 of Person"))
      #expect(sound.output.contains("everything was saved"))
      let journal = URL(fileURLWithPath: realm.path + ".journal")
      var bytes = try Data(contentsOf: journal)
      bytes[bytes.count / 3] ^= 0x5A
      try bytes.write(to: journal)
      #expect(try Program.run("verify", realm.path).status == 1)
      let damaged = try Data(contentsOf: realm.url)
      let outcome = try Program.run("recover", realm.path, realm.path + ".saved")
      #expect(outcome.status == 2 && outcome.output.contains("something is lost\n  "))
      #expect(try Data(contentsOf: realm.url) == damaged && Data(contentsOf: journal) == bytes)
      #expect(try Program.run("verify", realm.path + ".saved").status == 0)
      let json = try Program.run("recover", realm.path, realm.path + ".json", "--json")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
      #expect(json.status == 2 && (report["losses"] as? [String])?.isEmpty == false)
      #expect(try Program.run("recover", realm.path, realm.path + ".saved").status == 74)
      #expect(try Program.run("recover", realm.path + ".none", realm.path + ".x").status == 66)
    }
  }
#endif
