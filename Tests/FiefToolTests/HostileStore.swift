#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation

  /// A file whose strings and names try to act on whoever prints them: on terminals, pages, tables and documents. Each
  /// command is run on it.
  ///
  /// | class | holds |
  /// | --- | --- |
  /// | `Node` | one object for each string: `id` (a primary key), `text`, `tags`, `marks`, `any`, `next`, `part` |
  /// | `Part` | the embedded objects of the nodes, with the text again |
  /// | `oddClass` | two objects whose names are odd, too, with a string as the primary key |
  final class HostileStore {
    /// The strings, which `Node.text` has in this order.
    static let texts = [
      "plain", "", " ", "it's", "say \"no\"", "a,b;c\td", "two\nlines\r\nand a third", "</script><b>&amp;",
      "\u{1B}[31mred\u{1B}[0m\u{7}", "\u{9B}2J", "\u{202E}drawkcab\u{202C}", "🐕‍🦺 👨‍👩‍👧 🇳🇴", "日本語のテキスト",
      "e\u{301} \u{E9}", "=1+1", "\\u{1B} \\n", "\u{0}", "\u{2028}\u{2029}\u{FEFF}",
      String(repeating: "long ", count: 2_000), "<!--", "$ref", "null", "%s%n", "\u{7F}", "\u{E0041}",
    ]

    static let oddClass = "</script>\"'& 🐕"
    static let oddKey = "na\"me's"
    static let oddText = "=a,b <i> 日本"
    /// The keys of the two odd objects; the second links to the first.
    static let oddKeys = ["</script>\u{1B}[1m", "\u{202E}\n\""]

    static let schema = DynamicSchema([
      .init(
        "Node", primaryKey: "id",
        [
          .init("id", .int), .init("text", .string, isOptional: true, index: .plain), .init("tags", .string, .list),
          .init("marks", .string, .map), .init("any", .any), .init("next", .object, linkingTo: "Node"),
          .init("part", .object, linkingTo: "Part"),
        ]),
      .init("Part", isEmbedded: true, [.init("text", .string)]),
      .init(
        oddClass, primaryKey: oddKey,
        [.init(oddKey, .string), .init(oddText, .string, .list), .init("link to", .object, linkingTo: oddClass)]),
    ])

    let folder: TemporaryFolder
    var url: URL { folder.url.appendingPathComponent("hostile.realm") }
    var path: String { url.path }

    init() throws {
      folder = try TemporaryFolder()
      let realm = try open()
      try realm.write {
        for (position, text) in Self.texts.enumerated() {
          let key = text.filter { $0 != "." && $0 != "$" }
          realm.dynamicCreate(
            "Node",
            value: [
              "id": position, "text": text, "tags": [text, text], "marks": [key: text], "any": [text, [key: text]],
              "part": ["text": text],
            ] as [String: Any])
        }
        for position in Self.texts.indices {
          let node = realm.dynamicObject(ofType: "Node", forPrimaryKey: position)
          node?["next"] = realm.dynamicObject(ofType: "Node", forPrimaryKey: (position + 1) % Self.texts.count)
        }
        let first = realm.dynamicCreate(
          Self.oddClass, value: [Self.oddKey: Self.oddKeys[0], Self.oddText: Self.texts] as [String: Any])
        realm.dynamicCreate(
          Self.oddClass, value: [Self.oddKey: Self.oddKeys[1], "link to": first] as [String: Any])
      }
    }

    /// Opens the file for writing.
    func open() throws -> Realm {
      var configuration = Realm.Configuration(fileURL: url)
      configuration.dynamicSchema = Self.schema
      return try Realm(configuration: configuration)
    }

    /// All files of the folder with their bytes.
    func contents() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url.appendingPathComponent($0))) })
    }
  }

  extension String {
    /// Whether a terminal shows the text as it is. Line breaks are the program's own.
    var isSafeToPrint: Bool {
      unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n"
        case .format: scalar.value == 0x200D
        case .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
    }
  }
#endif
