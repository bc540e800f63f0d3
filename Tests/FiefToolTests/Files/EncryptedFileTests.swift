#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation
  import Testing

  /// An encrypted file, at a terminal that has no key.
  @Suite struct EncryptedFileTests {
    private let realm: TestRealm
    private let path: String

    init() throws {
      realm = try TestRealm()
      let url = realm.folder.url.appendingPathComponent("encrypted.realm")
      try Realm(configuration: realm.configuration).writeCopy(toFile: url, cipher: InsecureStandInCipher())
      var configuration = realm.configuration
      configuration.fileURL = url
      configuration.cipher = InsecureStandInCipher()
      let copy = try Realm(configuration: configuration)
      try copy.write { copy.add(TestRealm.Dog(value: ["Bello"])) }
      path = url.path
    }

    @Test func infoSaysWhatIsKnownWithoutTheKey() throws {
      let before = try realm.contents()
      let text = try Program.run("info", path)
      #expect(text.status == 0 && text.complaints == "")
      for words in ["closed in order", "encrypted", "the key 0700000000000000", "3 at the snapshot", "1 commit"] {
        #expect(text.output.contains(words), "\(words): \(text.output)")
      }
      #expect(!text.output.contains("Dog"))
      let json = try Program.run("info", "--json", path)
      #expect(json.status == 0 && json.output.contains("\"keyIdentifier\"") && !json.output.contains("classes"))
      #expect(try realm.contents() == before)
    }

    @Test func verifyChecksTheChecksumsAndSaysThatItDidNotCheckTheContents() throws {
      let sound = try Program.run("verify", path)
      #expect(sound.status == 2 && sound.output.contains("no key was given"))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[300] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let damaged = try Program.run("verify", path)
      #expect(damaged.status == 1 && damaged.output.contains("block 0 does not have the checksum"))
    }

    @Test func verifyPrintsTheDoubtAsJSON() throws {
      let outcome = try Program.run("verify", "--json", path)
      #expect(outcome.status == 2 && outcome.complaints == "")
      let record = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(record["isSound"] as? Bool == false && record["objects"] == nil)
      #expect((record["problems"] as? [String])?.isEmpty == true && (record["doubts"] as? [String])?.count == 1)
    }

    /// Every command that opens a file, with what stands behind the file.
    private static let commands: [[String]] = [
      ["schema"], ["query", "Dog"], ["show", "Dog", "#0"], ["export"], ["graph"], ["browse"], ["diff", "FILE"],
      ["history"], ["rehearse", "--schema", "PLAIN"], ["edit", "Dog", "#0", "name=Rex"],
      ["delete", "Dog", "TRUEPREDICATE", "--yes"], ["shell"], ["copy", "NEW"], ["compact"], ["recover", "NEW"],
    ]

    private func run(_ command: [String], _ options: [String] = []) throws -> Program.Outcome {
      var arguments = command.map {
        $0 == "NEW" ? path + ".new" : $0 == "PLAIN" ? realm.path : $0 == "FILE" ? path : $0
      }
      arguments.insert(path, at: 1)
      return try Program.run(arguments + options, input: Data())
    }

    @Test(arguments: commands)
    func withoutAKeyACommandSaysWhatToDo(command: [String]) throws {
      let before = try realm.contents()
      let outcome = try run(command)
      #expect(outcome.status == 1 && outcome.output == "", "\(outcome)")
      #expect(outcome.complaints.split(separator: "\n").count == 1, "\(outcome.complaints)")
      #expect(outcome.complaints.hasPrefix("fief: \(path) is encrypted, and was opened without a key: "))
      #expect(outcome.complaints.contains("let its application write a plain copy"))
      #if canImport(CryptoKit)
        #expect(outcome.complaints.contains("'--encryption-key'"))
      #else
        #expect(outcome.complaints.contains("this system, which has no CryptoKit"))
      #endif
      #expect(try realm.contents() == before)
    }

    @Test func anOtherFileThatIsEncryptedIsNamed() throws {
      let outcome = try Program.run("diff", realm.path, path)
      #expect(outcome.status == 1 && outcome.complaints.hasPrefix("fief: \(path) is encrypted"), "\(outcome)")
    }

    /// A file for `--encryption-key`.
    private func keyFile(_ count: Int) throws -> String {
      let key = realm.folder.url.appendingPathComponent("key")
      try Data(repeating: 7, count: count).write(to: key)
      return key.path
    }

    @Test(arguments: commands + [["info"], ["verify"]])
    func aKeyThatIsNoneIsRefusedFirst(command: [String]) throws {
      let key = try keyFile(63)
      let before = try realm.contents()
      let short = try run(command, ["--encryption-key", key])
      #expect(short.status == 65 && short.complaints == "fief: \(key) has 63 bytes: a key has 64 of them.\n")
      let missing = try run(command, ["--encryption-key", key + ".none"])
      #expect(missing.status == 66 && missing.complaints == "fief: There is no file \(key).none.\n", "\(missing)")
      #expect(short.output + missing.output == "")
      #expect(try realm.contents() == before)
    }

    #if !canImport(CryptoKit)
      @Test(arguments: commands + [["info"], ["verify"]])
      func aKeyNeedsCryptoKit(command: [String]) throws {
        let key = try keyFile(64)
        let before = try realm.contents()
        let outcome = try run(command, ["--encryption-key", key])
        #expect(outcome.status == 74 && outcome.output == "", "\(outcome)")
        #expect(
          outcome.complaints == "fief: The option '--encryption-key' needs CryptoKit, which this system does not have: "
            + "let the application that has the cipher write a plain copy, as 'realm.writeCopy(toFile: url, cipher: "
            + "nil)' does, and use that.\n")
        #expect(try realm.contents() == before)
      }

      @Test(arguments: [["--new-encryption-key"], ["--new-key"]])
      func aCopyIsNotEncryptedWithoutCryptoKit(option: [String]) throws {
        let key = try keyFile(64)
        let before = try realm.contents()
        let outcome = try Program.run(["copy", realm.path, path + ".copy"] + option + [key])
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.complaints.hasPrefix("fief: The option '--new-encryption-key' needs CryptoKit"))
        #expect(try realm.contents() == before)
      }
    #endif

    @Test func theEarlierNamesOfTheOptionsOfCopyStay() throws {
      let outcome = try Program.run("copy", path, path + ".copy", "--key", path + ".none")
      #expect(outcome.status == 66 && outcome.complaints == "fief: There is no file \(path).none.\n")
      let help = try Program.run("help", "copy").output
      #expect(help.contains("--encryption-key KEYFILE") && !help.contains("[--key"))
      let twice = try Program.run("copy", path, path + ".copy", "--key", "a", "--encryption-key", "b")
      #expect(twice.status == 64 && twice.complaints.contains("'--encryption-key' was given twice"))
    }
  }
#endif
