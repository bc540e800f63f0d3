#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  #if DEBUG
    @testable import FiefTool
  #endif

  /// `fief import` of documents of others, whose schema has to be found.
  @Suite struct ImportCommandTests {
    /// Imports a document from standard input.
    private func run(_ document: String, _ arguments: String...) throws -> (outcome: Program.Outcome, dump: String) {
      try TemporaryFolder.with { (folder: URL) throws in
        let new = folder.appendingPathComponent("new.realm")
        let outcome = try Program.run(["import", "-", new.path] + arguments, input: Data(document.utf8))
        guard outcome.status == 0 else {
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
          return (outcome, "")
        }
        #expect(outcome.complaints == "")
        return (outcome, try Realm(fileURL: new, dynamic: true, readOnly: true).dump())
      }
    }

    @Test func nestedObjectsBecomeClasses() throws {
      let document = """
        { "Order": [
            { "id": 1, "customer": { "id": 7, "name": "Ann" }, "home": { "city": "Rome", "geo": { "lat": 1.5 } },
              "lines": [ { "what": "a", "price": 2 }, { "what": "b", "price": 2.5, "gift": true } ], "tags": ["x"] },
            { "id": 2, "customer": { "id": 7 }, "home": null, "lines": [], "tags": [], "note": "hi" } ] }
        """
      let (outcome, dump) = try run(document, "--json", "--key", "Order.id", "--key", "Customer.id")
      #expect(
        outcome.output == """
          Customer
            id        int, primary key
            name      string
          Geo (embedded)
            lat       double
          Home (embedded)
            city      string
            geo       Geo
          Line (embedded)
            gift      bool?
            price     double
            what      string
          Order
            customer  Customer
            home      Home
            id        int, primary key
            lines     list of Line
            note      string?
            tags      list of string

          3 objects
            Customer: 1
            Order: 2

          """)
      #expect(
        dump == """
          Customer[7]
            id: 7
            name: "Ann"

          Order[1]
            id: 1
            customer: Customer[7]
            home: Home
              city: "Rome"
              geo: Geo
                lat: 1.5
            lines: [
              Line
                gift: nil
                price: 2.0
                what: "a"
              Line
                gift: true
                price: 2.5
                what: "b"
            ]
            note: nil
            tags: [
              "x"
            ]

          Order[2]
            id: 2
            customer: Customer[7]
            home: nil
            lines: []
            note: "hi"
            tags: []

          """)
    }

    /// The type that is found for a property with some values.
    @Test(
      arguments: [
        ("1, 2", "int"), ("1, null", "int?"), ("1, 2.5", "double"), ("1e400, 1", "decimal128"),
        ("9007199254740993, 1", "int"), ("9007199254740993, 2.5, 1", "decimal128"), ("9007199254740992, 2.5", "double"),
        ("0.10000000000000000000001", "decimal128"), ("true, false", "bool"), ("\"a\", \"b\"", "string"),
        ("true, 1", "mixed"), ("1, \"a\"", "mixed"), ("null, null", "mixed"), ("{\"a\": 1}, 1", "mixed"),
        ("\"2024-02-29T12:00:00Z\", \"1999-01-01T00:00:00+01:00\"", "date"),
        ("\"2024-02-29T12:00:00Z\", \"soon\"", "string"), ("\"2024-02-29\"", "string"),
        ("[1, 2], []", "list of int"), ("[1, null]", "list of int?"), ("[1, \"a\"]", "list of mixed"),
        ("[[1], 2]", "list of mixed"), ("[], []", "list of mixed"), ("[{\"a\": 1}]", "list of P"),
        ("[{\"a\": 1}, null]", "list of mixed"), ("{\"a\": {\"a\": 1}}", "P"),
        ("{\"$date\": \"2024-02-29T12:00:00Z\"}", "mixed"),
      ])
    func typesAreThoseOfAllValues(_ values: String, _ type: String) throws {
      let objects = values.isEmpty ? "" : "[\(values)]"
      let parsed = try JSONSerialization.jsonObject(with: Data(objects.replacing("1e400", with: "1").utf8))
      let count = (parsed as? [Any])?.count ?? 0
      var parts: [String] = []
      // The values are separated at the top level only.
      var (depth, part) = (0, "")
      for character in values {
        if "[{".contains(character) { depth += 1 }
        if "]}".contains(character) { depth -= 1 }
        if character == ",", depth == 0 {
          parts.append(part)
          part = ""
        } else {
          part.append(character)
        }
      }
      parts.append(part)
      try #require(parts.count == count)
      let document = "[\(parts.map { "{\"p\": \($0)}" }.joined(separator: ","))]"
      let (outcome, _) = try run(document, "--json", "--class", "Thing")
      let line = outcome.output.split(separator: "\n").drop { $0 != "Thing" }.dropFirst().first ?? ""
      #expect(line.split(separator: " ").dropFirst().joined(separator: " ") == type, "\(outcome)")
    }

    @Test func datesOfOthersAreRead() throws {
      let document = """
        {"at": "2024-02-29", "n": 1}
        {"at": "2024-02-29 12:30:00", "n": 2}
        {"at": 1709208000, "n": 3}
        {"at": 1709208000500, "n": 4}
        {"at": 0.25, "n": 5}
        {"at": null, "n": 6}
        {"at": 1709208000.123456789, "n": 7}
        {"at": -0.000000001, "n": 8}
        """
      let (outcome, dump) = try run(document, "--ndjson", "--class", "Event", "--date", "Event.at", "--key", "Event.n")
      #expect(outcome.status == 0, "\(outcome)")
      let dates = dump.split(separator: "\n").filter { $0.hasPrefix("  at: ") }.map { $0.dropFirst(6) }
      #expect(
        dates == [
          "2024-02-29T00:00:00Z", "2024-02-29T12:30:00Z", "2024-02-29T12:00:00Z", "2024-02-29T12:00:00.5Z",
          "1970-01-01T00:00:00.25Z", "nil", "2024-02-29T12:00:00.123456789Z", "1969-12-31T23:59:59.999999999Z",
        ])
    }

    @Test func tablesOfOthersAreRead() throws {
      let table =
        "\u{FEFF}name,age,zip,ok,rate,when\r\nAnn,3,01234,true,1,2024-02-29T12:00:00Z\r\n"
        + "\"B, \"\"b\"\"\",,99999,false,2.5,\r\n\r\n"
      let (outcome, dump) = try run(table, "--csv", "--class", "Person")
      #expect(
        outcome.output.hasPrefix(
          "Person\n  age   int?\n  name  string\n  ok    bool\n  rate  double\n  when  date?\n  zip   string\n"))
      #expect(dump.contains("name: \"B, \\\"b\\\"\"") && dump.contains("zip: \"01234\"") && dump.contains("rate: 2.5"))
    }

    @Test func aTableOfVeryManyColumnsIsRefused() throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("wide.csv")
        let names = (0..<50_000).map { "c\($0)" }.joined(separator: ",")
        try Data("\(names)\n\(names)\n".utf8).write(to: file)
        let outcome = try Program.run("import", file.path, folder.appendingPathComponent("wide.realm").path)
        #expect(outcome.status == 65 && outcome.complaints.contains("has 50000 properties"), "\(outcome)")
      }
    }

    /// The type of a column with some cells, and the first cell.
    @Test(
      arguments: [
        ("1234567890123456789012345678901234", "decimal128", "1234567890123456789012345678901234"),
        ("12345678901234567890123456789012345", "string", "\"12345678901234567890123456789012345\""),
        ("-12345678901234567890123456789012345", "string", "\"-12345678901234567890123456789012345\""),
        ("0.12345678901234567890123456789012345678", "decimal128", "0.1234567890123456789012345678901235"),
      ])
    func noCellLosesDigitsOfAWholeNumber(_ cell: String, _ type: String, _ value: String) throws {
      let (outcome, dump) = try run("n\n\(cell)\n5\n", "--csv", "--class", "Thing")
      #expect(outcome.output.hasPrefix("Thing\n  n  \(type)\n"), "\(outcome)")
      #expect(dump.contains("n: \(value)\n"), "\(dump)")
    }

    @Test func aSchemaCanBeGiven() throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let schema = folder.appendingPathComponent("schema.json")
        try Data(
          """
          { "classes": [ { "name": "Dog", "primaryKey": "id", "properties": [
            { "name": "id", "type": "uuid" }, { "name": "chip", "type": "data", "optional": true },
            { "name": "price", "type": "decimal" }, { "name": "note", "type": "any" },
            { "name": "pups", "type": "object", "class": "Dog", "collection": "set" },
            { "name": "n", "type": "float" } ] } ] }
          """.utf8
        ).write(to: schema)
        let table = "id,chip,price,pups,note,n\n3B241101-E2BB-4255-8CAF-4136C566A962,AQI=,1.50,[],plain,nan\n"
        let (outcome, dump) = try run(table, "--csv", "--class", "Dog", "--schema", schema.path)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(dump.contains("chip: 2 bytes 0102") && dump.contains("price: 1.5\n") && dump.contains("n: nan"))
        #expect(dump.contains("note: \"plain\"") && dump.contains("pups: {}"))
        for (table, words) in [
          ("id\nx\n", "Invalid value 'x'"), ("idd\n1\n", "did you mean 'id'?"), ("n\nmany\n", "Invalid value 'many'"),
          ("pups\nx\n", "Line 2, 'pups': 'x' is no JSON."), ("id,n\n1\n", "Line 2: it has 1 field"),
          ("id,id\n", "stands twice"), ("id\n\"x\n", "Line 2: a quote is not closed."),
          ("id\na\"b\n", "a quote stands inside"),
        ] {
          let refused = try run(table, "--csv", "--class", "Dog", "--schema", schema.path).outcome
          #expect(refused.status == 65 && refused.complaints.contains(words), "\(refused)")
        }
        let more = "id,idd,n\n3B241101-E2BB-4255-8CAF-4136C566A962,1,2\n"
        #expect(
          try run(more, "--csv", "--class", "Dog", "--schema", schema.path, "--ignore-unknown").outcome.status == 0)
      }
    }

    @Test(
      arguments: [
        (#"{"classes": [{"name": "A", "properties": [{"name": "a", "type": "itn"}]}]}"#, "did you mean 'int'?"),
        (#"{"classes": [{"name": "A", "properties": [{"name": "a", "typ": "int"}]}]}"#, "did you mean 'type'?"),
        (#"{"classes": [{"name": "A", "properties": [{"name": "a", "type": "object"}]}]}"#, "The schema is not valid"),
        (#"{"classes": [{"name": "A", "primaryKey": "x", "properties": []}]}"#, "The schema is not valid"),
        (#"{"classes": 7}"#, "no array at 'classes'"), (#"{"#, "Invalid JSON"), (#"{}"#, "no 'classes'"),
        (#"{"classes": [{"name": 7, "properties": []}]}"#, "no string at 'classes[0].name'"),
        (#"{"classes": [{"name": "A", "embedded": 1, "properties": []}]}"#, "neither true nor false"),
      ])
    func aSchemaThatIsNoneIsRefused(_ schema: String, _ words: String) throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent("schema.json")
        try Data(schema.utf8).write(to: file)
        let outcome = try run("{}", "--json", "--schema", file.path).outcome
        #expect(outcome.status == 65 && outcome.complaints.contains(words), "\(outcome)")
      }
    }

    @Test(
      arguments: [
        ("{\"a\":", ["--json"], 65, "Invalid JSON at line 1"), ("[1]", ["--json"], 65, "an array of objects"),
        ("7", ["--json"], 65, "an array of objects"), ("{}\n[]\n", ["--ndjson"], 65, "line 2: expected an object"),
        ("{}\n{", ["--ndjson"], 65, "line 2: Invalid JSON"), ("{}", [], 64, "give '--json', '--ndjson' or '--csv'"),
        ("{\"a\": 1}", ["--json", "--key", "Objekt.a"], 64, "'Objekt'"),
        ("{\"a\": 1}", ["--json", "--key", "a"], 64, "takes CLASS.PROPERTY"),
        ("{\"a\": 1, \"b\": 2}", ["--json", "--key", "Object.a", "--key", "Object.b"], 64, "can have one primary key"),
        ("{\"a\": 1.5}", ["--json", "--key", "Object.a"], 65, "makes no schema"),
        ("{\"a\": \"soon\"}", ["--json", "--date", "Object.a"], 65, "Invalid value 'soon'"),
        ("{\"a\": 1e30}", ["--json", "--date", "Object.a"], 65, "Invalid value"),
        ("{\"a\": 1e400}", ["--json", "--date", "Object.a"], 65, "Invalid value"),
        ("{\"a\": -9000000000000000000}", ["--json", "--date", "Object.a"], 65, "Invalid value -9000000000000000000"),
        ("{\"a\\u001b\": 1}", ["--json"], 65, "makes no schema"),
        ("{}", ["--json", "--schema", "/no.json"], 66, "no file"),
        ("{\"A\": [{\"b\": {\"$ref\": 1}}]}", ["--json"], 65, "leads nowhere"),
      ])
    func whatCannotBeImportedHasItsExitCode(
      _ document: String, _ arguments: [String], _ status: Int32, _ words: String
    ) throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let new = folder.appendingPathComponent("new.realm").path
        let outcome = try Program.run(["import", "-", new] + arguments, input: Data(document.utf8))
        #expect(outcome.status == status && outcome.output == "", "\(outcome)")
        #expect(outcome.complaints.contains(words) && outcome.complaints.isSafeToPrint, "\(outcome.complaints)")
        #expect(!FileManager.default.fileExists(atPath: new))
      }
    }

    #if !os(Windows)
      /// `/dev/stdin` names a pipe here, as a shell's `<(…)` does.
      @Test func aPipeIsReadAsAFile() throws {
        try TemporaryFolder.with { (folder: URL) throws in
          func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
          let document = Data("{\"Dog\": [{\"age\": 3}]}".utf8)
          let imported = try Program.run(["import", "/dev/stdin", path("a.realm"), "--json"], input: document)
          #expect(imported.status == 0 && imported.output.contains("Dog: 1"), "\(imported)")
          try document.write(to: URL(fileURLWithPath: path("dogs.json")))
          let schema = Data(
            "{\"classes\": [{\"name\": \"Dog\", \"properties\": [{\"name\": \"age\", \"type\": \"double\"}]}]}".utf8)
          let typed = try Program.run(
            ["import", path("dogs.json"), path("b.realm"), "--schema", "/dev/stdin"], input: schema)
          #expect(typed.status == 0 && typed.output.contains("double"), "\(typed)")
        }
      }

      @Test func theFormatOfAPipeHasToBeSaid() throws {
        try TemporaryFolder.with { (folder: URL) throws in
          let new = folder.appendingPathComponent("new.realm").path
          let outcome = try Program.run(["import", "/dev/stdin", new], input: Data("{}".utf8))
          #expect(outcome.status == 64, "\(outcome)")
          #expect(outcome.complaints.contains("The format of /dev/stdin is not known: give '--json'"), "\(outcome)")
        }
      }
    #endif

    /// The name tells the format of a document, and also that a file was to be one of Realm.
    @Test(
      arguments: [
        ("dogs.txt", 64, "dogs.txt is not known: give '--json'"), ("dogs.REALM", 1, "not a file of Realm"),
      ])
    func aNameThatTellsNoFormatIsSaid(_ name: String, _ status: Int32, _ words: String) throws {
      try TemporaryFolder.with { (folder: URL) throws in
        let file = folder.appendingPathComponent(name)
        try Data("{\"Dog\": []}".utf8).write(to: file)
        let outcome = try Program.run("import", file.path, folder.appendingPathComponent("new.realm").path)
        #expect(outcome.status == status && outcome.complaints.contains(words), "\(outcome)")
      }
    }

    @Test func anExistingFileIsNotReplaced() throws {
      let kennel = try KennelFile()
      let before = try Data(contentsOf: URL(fileURLWithPath: kennel.path))
      let outcome = try Program.run(["import", "-", kennel.path, "--json"], input: Data("{}".utf8))
      #expect(outcome.status == 74 && outcome.complaints.contains("exists already"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: kennel.path)) == before)
      #expect(try Program.run("import", "/nowhere.json", kennel.path).status == 66)
    }

    /// Objects of two classes that refer to each other by `$ref`, without a schema.
    @Test func referencesByNumberAreLinksToTheClassOfTheirProperty() throws {
      let (outcome, dump) = try run(
        #"""
        {"Dog": [{"$id": 1, "name": "Rex"}], "Person": [{"name": "Ann", "dog": {"$ref": 1}, "dogs": [{"$ref": 1}]}]}
        """#,
        "--json")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(dump.contains("dog: Dog#1") && dump.contains("dogs: [\n    Dog#1\n  ]"))
    }

    #if DEBUG
      @Test(arguments: Seeds.all) func anyTableIsReadAsItWasWritten(seed: Seed) throws {
        var random = seed.random
        let width = 1 + random.below(4)
        let rows = (0..<random.below(20)).map { _ in
          (0..<width).map { _ -> String? in random.below(4) == 0 ? nil : random.string() }
        }
        var reader = CSVReader(Array(rows.map { CSVOutput.line($0) + "\n" }.joined().utf8))
        var read: [[String?]] = []
        while let row = try reader.next() { read.append(row.fields.map(\.value)) }
        // A row with one null is an empty line, which is skipped.
        let written = rows.filter { $0 != [nil] }
        #expect(
          read.map { $0.map { $0.map { Array($0.utf8) } } } == written.map { $0.map { $0.map { Array($0.utf8) } } })
      }
    #endif
  }
#endif
