#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  @Suite struct GraphCommandTests {
    @Test func allObjectsAreDrawnWithTheirLinks() throws {
      let realm = try TestRealm()
      let outcome = try Program.run("graph", realm.path)
      #expect(outcome.status == 0 && outcome.complaints == "")
      let svg = try XMLElements(outcome.output)
      #expect(svg.texts["desc"] == ["3 objects, 2 links"])
      let texts = try #require(svg.texts["text"])
      for text in ["dogs.realm", "Dog #0", "Rex", "Dog #1", "Fido", "Person 0", "Dog", "Person", "dogs"] {
        #expect(texts.contains(text), "\(text) in \(texts)")
      }
      #expect(svg.texts["title"]?.dropFirst() == ["Person 0 – dogs → Dog #0", "Person 0 – dogs → Dog #1"])
      // A box for each object and one for each class in the legend; one colour a class.
      let boxes = (svg.attributes["rect"] ?? []).compactMap { $0["class"] }.filter { $0.hasPrefix("box") }
      #expect(boxes.sorted() == ["box c0", "box c0", "box c0", "box c1", "box c1"])
    }

    @Test func aPictureIsWrittenToAFileAndSaysSo() throws {
      let realm = try TestRealm()
      let file = realm.folder.url.appendingPathComponent("dogs.svg")
      let outcome = try Program.run("graph", realm.path, "-o", file.path)
      let size = try Data(contentsOf: file).count
      #expect(outcome.status == 0)
      #expect(outcome.output.hasPrefix("\(file.path): 3 objects, 2 links, ") && size > 1000)
      #expect(try Program.run("graph", realm.path).output == String(contentsOf: file, encoding: .utf8))
    }

    @Test func anObjectIsDrawnWithWhatIsNear() throws {
      let store = try HostileStore()
      let outcome = try Program.run("graph", store.path, "Node", "3", "--depth", "1")
      #expect(outcome.status == 0, "\(outcome.complaints)")
      let svg = try XMLElements(outcome.output)
      #expect(svg.texts["desc"] == ["3 objects, 2 links"])
      #expect(svg.texts["text"]?.contains("hostile.realm: Node 3") == true)
      // Embedded objects stand in the boxes of their owners, as boxes of their class.
      #expect(svg.texts["text"]?.count { $0 == "part: Part" } == 3)
      #expect(
        try XMLElements(Program.run("graph", store.path, "Node", "3", "--depth=0").output).texts["desc"] == [
          "1 object, 0 links"
        ])
    }

    @Test func aCycleIsDashed() throws {
      let store = try HostileStore()
      let svg = try XMLElements(Program.run("graph", store.path).output)
      let kinds = (svg.attributes["path"] ?? []).compactMap { $0["data-from"] == nil ? nil : $0["class"] }
      #expect(kinds.count == HostileStore.texts.count + 1)
      // The ring of nodes has one line against the others.
      #expect(kinds.count { $0 == "line closing" } == 1)
      #expect(svg.texts["text"]?.contains("closes a cycle") == true)
    }

    @Test func hostileTextsAreOnlyTexts() throws {
      let store = try HostileStore()
      let before = try store.contents()
      let picture = try Program.run("graph", store.path).output
      #expect(picture.isSafeToPrint)
      let svg = try XMLElements(picture)
      #expect(svg.attributes["script"] == nil && svg.attributes["b"] == nil)
      #expect(svg.texts["text"]?.contains("</script><b>&amp;") == true)
      #expect(svg.texts["text"]?.contains("\\u{1B}[31mred\\u{1B}[0m\\u{7}") == true)
      let file = store.folder.url.appendingPathComponent("hostile.html")
      #expect(try Program.run("graph", store.path, "-o", file.path).status == 0)
      let page = try Page(file)
      #expect(page.isHarmless)
      let data = try #require(page.data() as? [[String: Any]])
      #expect(data.count == HostileStore.texts.count + 2)
      try FileManager.default.removeItem(at: file)
      #expect(try store.contents() == before)
    }

    @Test func aPageHasTheObjectsBehindTheBoxes() throws {
      let realm = try TestRealm()
      let file = realm.folder.url.appendingPathComponent("dogs.html")
      #expect(try Program.run("graph", realm.path, "-o", file.path).status == 0)
      let page = try Page(file)
      #expect(page.isHarmless)
      let data = try #require(page.data() as? [NSDictionary])
      #expect(
        data[0] == [
          "name": "Dog #0", "properties": [["name", "Rex"]], "links": [], "backlinks": [["dogs", 2, "Person 0"]],
        ])
      #expect(data[2]["links"] as? NSArray == [["dogs", 0, "Dog #0"], ["dogs", 1, "Dog #1"]])
      for part in ["id=\"box-2\" tabindex=\"0\" role=\"button\" aria-label=\"Person 0\"", "aria-label=\"Larger\""] {
        #expect(page.text.contains(part))
      }
    }

    @Test func aLimitLeavesObjectsOutAndSaysSo() throws {
      let store = try HostileStore()
      let svg = try XMLElements(Program.run("graph", store.path, "--limit", "5").output)
      #expect(svg.texts["desc"]?[0].hasPrefix("5 of \(HostileStore.texts.count + 2) objects") == true)
    }

    @Test(
      arguments: [
        (["Node"], 64, "takes the key of an object with its class"),
        (["--depth", "1"], 64, "needs an object"),
        (["--limit", "0"], 64, "whole number from 1 on"),
        (["--limit", "2001"], 64, "takes at most 2000"),
        (["-o", "x.png"], 64, "ends in '.svg' or '.html'"),
        (["Cat", "1"], 64, "The file has no class 'Cat'"),
        (["Node", "99"], 66, "There is no Node 99."),
        (["Node", "one"], 64, "'one' cannot be a key of 'Node'"),
        (["Node", "#99"], 66, "There is no Node #99."),
        (["Part", "99"], 66, "There is no Part 99."),
        (["\u{1B}[1m", "1"], 64, "The file has no class '\\u{1B}[1m'"),
      ])
    func whatMakesNoSenseIsRefused(_ arguments: [String], _ status: Int32, _ words: String) throws {
      let store = try HostileStore()
      let outcome = try Program.run(["graph", store.path] + arguments)
      #expect(outcome.status == status && outcome.output == "")
      #expect(outcome.complaints.contains(words) && outcome.complaints.isSafeToPrint, "\(outcome.complaints)")
    }

    @Test func anOutputThatCannotBeWrittenIsAnError() throws {
      let realm = try TestRealm()
      let outcome = try Program.run("graph", realm.path, "-o", realm.folder.url.path + "/none/x.svg")
      #expect(outcome.status == 74 && outcome.complaints.contains("cannot be written"))
      #expect(try Program.run("graph", realm.path + ".none").status == 66)
    }

    @Test func anEmbeddedObjectIsDrawnWithItsOwner() throws {
      let store = try HostileStore()
      let outcome = try Program.run("graph", store.path, "Part", "#0", "--depth", "0")
      #expect(try XMLElements(outcome.output).texts["text"]?.contains("Node 0") == true)
    }
  }
#endif
