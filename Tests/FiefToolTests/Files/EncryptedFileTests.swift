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

    @Test(arguments: [["schema"], ["query", "Dog"], ["copy", "new.realm"]])
    func otherCommandsRefuseTheFile(arguments: [String]) throws {
      let before = try realm.contents()
      var arguments = arguments
      arguments.insert(path, at: 1)
      if arguments[0] == "copy" { arguments[2] = path + ".copy" }
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 1 && outcome.complaints.contains("opened without a key"), "\(outcome)")
      #expect(try realm.contents() == before)
    }

    #if !canImport(CryptoKit)
      @Test func aKeyNeedsCryptoKit() throws {
        let key = realm.folder.url.appendingPathComponent("key")
        try Data(repeating: 7, count: 64).write(to: key)
        let before = try realm.contents()
        for options in [["--key", key.path], ["--new-key", key.path]] {
          let source = options[0] == "--key" ? path : realm.path
          let outcome = try Program.run(["copy", source, path + ".copy"] + options)
          #expect(outcome.status == 74 && outcome.complaints.contains("import Crypto"), "\(outcome)")
        }
        #expect(try Program.run("copy", path, path + ".copy", "--key", key.path + ".none").status == 66)
        #expect(try realm.contents() == before)
      }
    #endif
  }
#endif
