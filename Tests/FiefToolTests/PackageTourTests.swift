#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct PackageTourTests {
    private let description = """
      {
        "name": "Zoo", "path": "/zoo", "tools_version": "6.0", "swift_languages_versions": ["6"],
        "platforms": [{"name": "macos", "version": "15.0"}], "manifest_display_name": "Zoo",
        "dependencies": [{"identity": "straw", "type": "sourceControl", "url": "https://example.com/straw",
          "requirement": {"range": [{"lower_bound": "1.0.0", "upper_bound": "2.0.0"}]}}],
        "products": [
          {"name": "Zoo", "targets": ["Zoo"], "type": {"library": ["automatic"]}},
          {"name": "feed", "targets": ["Feeder"], "type": {"executable": null}}],
        "targets": [
          {"name": "Feeder", "c99name": "Feeder", "type": "executable", "path": "Sources/Feeder",
            "module_type": "SwiftTarget", "sources": ["main.swift"],
            "target_dependencies": ["Zoo"], "product_memberships": ["feed"]},
          {"name": "Zoo", "c99name": "Zoo", "type": "library", "path": "Sources/Zoo",
            "sources": ["Ape.swift", "Bear.swift"], "target_dependencies": ["Animals"]},
          {"name": "Animals", "c99name": "Animals", "type": "library", "path": "Sources/Animals",
            "sources": ["Animal.swift"]}]
      }
      """

    private let said = """
      1. The document is read into objects, in one write
         the package                                 Zoo
         its products                                Zoo, feed
         its targets, and all that are named         3, 3
         files of source, each owned by its target   4
         links from target to target                 2

      2. Questions are asked
         targets of type executable                  Feeder
         targets of type library                     Animals, Zoo
         who stands on nothing (@count)              Animals
         who stands on Animals (inverse links)       Zoo
         products with Animals (inverse links)       nobody
         the target with the most files              Zoo, 2 files
         what Feeder needs, also through others      Animals, Zoo

      3. The package is copied to a second realm, and goes out as JSON
         copied: Zoo and all that it reaches         equal
         as JSON and back, in no realm               equal
         these objects, added to a third realm       equal, 3 targets

      4. The file is closed, checked, and opened again
         fief verify package.realm                   sound
         the package, read from the file             equal

      What stands on the right was found in a realm: 17 claims checked against the document, all true.

      """

    @Test func theDescriptionOfAPackageIsReadFromStandardInputAndFromAFile() throws {
      let piped = try Program.run(["tour", "--json", "-"], input: Data(description.utf8))
      #expect(piped == Program.Outcome(status: 0, output: said, complaints: ""))
      #if !os(Windows)
        #expect(try Program.run(["tour", "--json", "/dev/stdin"], input: Data(description.utf8)) == piped)
      #endif
      try TemporaryFolder.with { folder in
        let file = folder.appendingPathComponent("zoo.json")
        try Data(description.utf8).write(to: file)
        #expect(try Program.run(["tour", "--json", file.path]) == piped)
      }
    }

    @Test(
      arguments: [
        ("", "no JSON"), ("{", "no JSON"), ("[1]", "no JSON object"), ("{}", "no 'name'"),
        (#"{"name": "a"}"#, "no 'targets'"),
        (#"{"name": 5, "targets": [], "products": []}"#, "Package.name"),
        (#"{"name": "a", "targets": 5, "products": []}"#, "Package.targets"),
        (#"{"name": "a", "products": [], "targets": [{"name": "t"}, {"name": 3}]}"#, "Package.targets[1].name"),
        (
          #"{"name": "a", "products": [], "targets": [{"name": "t", "sources": [7]}]}"#, "Package.targets[0].sources[0]"
        ),
        (#"{"name": "a", "products": [{"name": "p", "targets": "t"}], "targets": []}"#, "Package.products[0].targets"),
        (#"{"name": null, "products": [], "targets": []}"#, "Package.name"),
      ])
    func whatIsNoDescriptionIsRefusedWithTheReason(_ json: String, _ reason: String) throws {
      let outcome = try Program.run(["tour", "--json", "-"], input: Data(json.utf8))
      #expect(outcome.status == 65)
      #expect(outcome.output == "")
      #expect(outcome.complaints.contains(reason), "\(outcome.complaints)")
    }

    @Test func anEmptyPackageIsAPackage() throws {
      let outcome = try Program.run(
        ["tour", "--json", "-"], input: Data(#"{"name": "a", "products": [], "targets": []}"#.utf8))
      #expect(outcome.status == 0, "\(outcome.complaints)")
    }

    @Test func aFileThatIsNotThereIsSaidSo() throws {
      let outcome = try Program.run(["tour", "--json", "/nowhere/at/all.json"])
      #expect(outcome.status == 66)
    }
  }
#endif
