#if DEBUG
  import FiefTestSupport
  import Foundation
  import Testing

  @testable import FiefTool

  private func outcome(_ source: String) -> (text: String, notes: [String]) {
    let (text, notes) = Modernizing.rewrite([source])[0]
    return (text, notes.map { "\($0.line): \($0.words)" })
  }

  /// The declaration within a class.
  private func inClass(_ body: String, _ header: String = "class A: Object") -> String { "\(header) {\n  \(body)\n}\n" }

  @Suite struct ModernizingTests {
    @Test func classesAsTheyStandInTheWildBecomePersisted() throws {
      let (text, notes) = outcome(OlderModels.older)
      let modern = try OlderModels.modern()
      #expect(text == modern, "\(UnifiedDiff.text(of: modern, text, file: "modern"))")
      #expect(notes == [], "\(notes)")
    }

    @Test func whatIsModernStaysAsItIs() throws {
      let (text, notes) = outcome(try OlderModels.modern())
      #expect(try text == OlderModels.modern() && notes.isEmpty)
    }

    @Test(
      arguments: [
        ("@objc dynamic var a = 0, b = 1", "several properties"), ("@objc dynamic var a: Unknown = .x", "'Unknown'"),
        ("@objc dynamic var a = Unknown.x", "does not show"), ("@objc dynamic var a: NSDate? = nil", "NSDate"),
        ("@objc dynamic var a: String!", "unknown form"), ("@objc dynamic lazy var a = 0", "lazy"),
        ("@objc(b) dynamic var a = 0", "Objective-C name"), ("@objc var a = 0", "not declared as"),
        ("let a = List<Int>(), b = 3", "several properties"), ("let a = List<Int>().self", "unknown form"),
        ("lazy var a = List<Int>()", "unknown form"),
        ("let a = LinkingObjects(fromType: B.self, property: x)", "unknown form"),
        ("let a = RealmOptional<Int>(x + 1)", "unknown form"), ("let a = List<Int>( /* none */ )", "comment"),
        ("@objc dynamic var a = 0\n  override class func primaryKey() -> String? { key }", "primaryKey()"),
        ("@objc dynamic var a = 0\n  override class func primaryKey() -> String? { \"b\" }", "'b'"),
        ("@objc dynamic var a = 0.5\n  override class func primaryKey() -> String? { \"a\" }", "primary key"),
        ("@objc dynamic var a = Data()\n  override class func indexedProperties() -> [String] { [\"a\"] }", "index"),
        ("let a = List<Int>()\n  override class func ignoredProperties() -> [String] { [\"a\"] }", "ignored"),
        (
          "@objc dynamic var a = 0\n  #if X\n  override class func primaryKey() -> String? { \"a\" }\n  #endif",
          "primaryKey()"
        ),
        ("@objc dynamic var a = 0\n  override class func primaryKey() -> String? { /* why */ \"a\" }", "primaryKey()"),
      ])
    func aClassThatIsNotCertainStaysAndIsListed(_ body: String, _ word: String) {
      let source = inClass(body + "\n  @objc dynamic var other = 0")
      let (text, notes) = outcome(source)
      #expect(text == source, "\(text)")
      #expect(notes.contains { $0.contains(word) && $0.contains("'A'") }, "\(notes)")
    }

    @Test func propertiesBesideAreNotTouched() {
      let source = inClass(
        """
        @objc dynamic var a = 0
          static let shared = A()
          var cache = [1, 2]
          var b: Int { 3 }
          lazy var c = 4
          func f(_ x: Int = 3) -> String { "@objc dynamic var z = 0" }
        """)
      #expect(outcome(source).text == source.replacingOccurrences(of: "@objc dynamic var a", with: "@Persisted var a"))
    }

    @Test func aClassOfAnotherBaseIsListed() {
      let source = inClass("@objc dynamic var a = 0", "class A: NSObject")
      let (text, notes) = outcome(source)
      #expect(text == source && notes.count == 1 && notes[0].hasPrefix("1: class 'A' has @objc properties"))
    }

    @Test func aModelDerivesFromOneInAnotherFile() {
      let outcomes = Modernizing.rewrite([
        "class Base: Object { @objc dynamic var a = 0 }", "class Derived: Base { @objc dynamic var b = \"\" }",
      ])
      #expect(
        outcomes.map(\.text) == [
          "class Base: Object { @Persisted var a = 0 }", "class Derived: Base { @Persisted var b = \"\" }",
        ])
    }

    @Test func aRawValueHasTheTypeOfItsEnumeration() {
      let source =
        "enum Kind: String { case a }\n"
        + inClass(
          "@objc dynamic var kind = A.Kind.a.rawValue\n  override class func primaryKey() -> String? { \"kind\" }")
      #expect(outcome(source).text.contains("  @Persisted(primaryKey: true) var kind = A.Kind.a.rawValue\n"))
      let unknown = inClass("@objc dynamic var kind = Other.a.rawValue")
      #expect(outcome(unknown).text == unknown && outcome(unknown).notes.count == 1)
    }

    @Test func aUseOfValueElsewhereIsListed() {
      let outcomes = Modernizing.rewrite([
        "class A: Object {\n  let age = RealmOptional<Int>()\n  func f(age: B) { print(age.value) }\n}\n",
        "func g(_ a: A) {\n  print(a.age.value ?? 0)\n}\n",
      ])
      #expect(outcomes[0].text.contains("@Persisted var age: Int?") && outcomes[0].text.contains("print(age.value)"))
      #expect(outcomes[0].notes.map(\.line) == [3] && outcomes[1].notes.map(\.line) == [2])
      #expect(outcomes[1].text.contains("a.age.value"))
    }

    @Test func aFileWithoutTokensStays() {
      let source = "class A: Object { @objc dynamic var a = \"\n }"
      let (text, notes) = outcome(source)
      #expect(text == source && notes == ["1: the file stays as it is: a string does not end"])
    }

    @Test func lineEndsOfWindowsAndAByteOrderMarkStay() {
      let source = "\u{FEFF}class A: Object {\r\n  @objc dynamic var a = 0\r\n}\r\n"
      #expect(outcome(source).text == "\u{FEFF}class A: Object {\r\n  @Persisted var a = 0\r\n}\r\n")
    }

    @Test(arguments: Seeds.first(200)) func anySourceKeepsWhatIsNoDeclaration(seed: Seed) {
      var random = seed.random
      let parts = [
        "class A: Object {", "}", "@objc", "dynamic", "var a = 0", "let b = List<Int>()", "\n", " ", "{", "(", ")",
        "override class func primaryKey() -> String? { \"a\" }", "// c", "/* d */", "\"e\"", "#if X", "#endif", ";",
        ",",
        "@objcMembers", "let f = RealmOptional<Int>()", "f.value", "private(set)", ":", "=", "<", ">", "[", "]", "enum",
        "func", "class", "LinkingObjects(fromType: A.self, property: \"a\")",
      ]
      let source = (0..<random.below(50)).map { _ in random.element(of: parts) }.joined(separator: " ")
      let (text, _) = outcome(source)
      // Whatever is done, the result has tokens, and rewriting it again changes nothing.
      if text != source { #expect(throws: Never.self) { try SwiftSource(Array(text.utf8)) } }
      #expect(outcome(text).text == text, "\(source)")
    }
  }

  @Suite struct UnifiedDiffTests {
    @Test func equalTextsHaveNone() { #expect(UnifiedDiff.text(of: "a\nb\n", "a\nb\n", file: "f") == "") }

    @Test func aChangeStandsAmongThreeLines() {
      let old = (1...9).map { "\($0)\n" }.joined()
      let new = old.replacingOccurrences(of: "5\n", with: "five\nfive\n")
      #expect(
        UnifiedDiff.text(of: old, new, file: "f") == """
          --- f
          +++ f
          @@ -2,7 +2,8 @@
           2
           3
           4
          -5
          +five
          +five
           6
           7
           8

          """)
    }

    @Test func farChangesAreHunksOfTheirOwn() {
      let old = (1...20).map { "\($0)\n" }.joined()
      let new = old.replacingOccurrences(of: "\n2\n", with: "\n").replacingOccurrences(of: "19\n", with: "x\n")
      let text = UnifiedDiff.text(of: old, new, file: "f")
      #expect(text.contains("@@ -1,5 +1,4 @@\n") && text.contains("@@ -16,5 +15,5 @@\n"), "\(text)")
    }

    @Test func aMissingLineEndIsMarked() {
      let text = UnifiedDiff.text(of: "a", "b\n", file: "f")
      #expect(text == "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n")
    }
  }

  #if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
    @Suite struct ModernizeCommandTests {
      @Test func aDryRunPrintsAPatchAndChangesNothing() throws {
        try TemporaryFolder.with { folder in
          let file = folder.appendingPathComponent("A.swift")
          let source = inClass("@objc dynamic var a = 0")
          try Data(source.utf8).write(to: file)
          let dry = try Program.run("modernize", file.path)
          #expect(dry.status == 0 && dry.output.contains("-  @objc dynamic var a = 0\n+  @Persisted var a = 0\n"))
          #expect(try String(contentsOf: file, encoding: .utf8) == source)
          try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
          #expect(try Program.run("modernize", "--write", file.path) == dry)
          #expect(try String(contentsOf: file, encoding: .utf8).contains("  @Persisted var a = 0\n"))
          let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
          #expect(permissions == 0o640)
          #expect(try Program.run("modernize", "--write", file.path).output == "")
        }
      }

      @Test func whatStaysIsListedWithFileAndLine() throws {
        try TemporaryFolder.with { folder in
          let file = folder.appendingPathComponent("A.swift")
          try Data(inClass("@objc dynamic var a: X = .b").utf8).write(to: file)
          let outcome = try Program.run("modernize", file.path)
          #expect(
            outcome.status == 0 && outcome.output == "" && outcome.complaints.hasPrefix("\(file.path):2: class 'A'"))
        }
      }

      #if !os(Windows)
        @Test func theNameOfAFileCannotAct() throws {
          try TemporaryFolder.with { folder in
            let file = folder.appendingPathComponent("A\u{1B}[31m\u{9B}2J.swift")
            let missing = try Program.run("modernize", file.path)
            #expect(missing.status == 66 && missing.complaints.isSafeToPrint, "\(missing)")
            try Data(inClass("@objc dynamic var a: X = .b").utf8).write(to: file)
            let noted = try Program.run("modernize", file.path)
            #expect(noted.complaints.contains("2J.swift:2: class 'A'") && noted.complaints.isSafeToPrint, "\(noted)")
            try Data([0xFF, 0xFE, 0x00]).write(to: file)
            let foreign = try Program.run("modernize", file.path)
            #expect(foreign.status == 65 && foreign.complaints.isSafeToPrint, "\(foreign)")
          }
        }
      #endif

      @Test func missingFilesAndForeignBytesAreErrors() throws {
        try TemporaryFolder.with { folder in
          let file = folder.appendingPathComponent("A.swift")
          #expect(try Program.run("modernize", file.path).status == 66)
          try Data([0xFF, 0xFE, 0x00]).write(to: file)
          #expect(try Program.run("modernize", file.path).status == 65)
          #expect(try Program.run("modernize").status == 64)
        }
      }
    }
  #endif
#endif
