#if os(Linux) || os(macOS)
  import FiefDurability
  import FiefGraph
  import FiefTestSupport
  import Foundation
  import Testing

  /// Behaviour that the simulated disk cannot show: errors of descriptors, owners of files, and their names.
  @Suite(.serialized, .leavesNoFileOpen) struct SystemBoundaryTests {
    private let system = RealFileSystem()

    // MARK: Synchronizing

    @Test func aSynchronizationThatTheSystemRefusesIsAFailure() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        // No system synchronizes a pipe: the call fails with EINVAL.
        let pipe = try system.open(path, for: .updating)
        let failure = #expect(throws: FileFailure.self) { try pipe.synchronize() }
        #expect(failure?.operation == .synchronize)
        #expect([EINVAL, ENOTSUP].contains(failure?.code))
      }
    }

    #if os(Linux)
      @Test func aCommitWhoseSynchronizationIsRefusedAsInvalidIsNotAcknowledged() throws {
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("a.realm").path
          let store = try StageStore(path)
          try store.commit()
          // The journal's descriptor leads to a pipe from now on, which can be written but not synchronized.
          let journal = try #require(descriptor(of: system.resolve(path) + ".journal"))
          var ends: [Int32] = [0, 0]
          try #require(pipe(&ends) == 0)
          defer { ends.forEach { _ = close($0) } }
          try #require(dup2(ends[1], journal) == journal)
          let error = #expect(throws: StoreError.self) { try store.commit() }
          #expect(error?.code == .commitOutcomeUnknown)
          #expect(error?.systemCode == EINVAL)
          #expect(store.file.refusal?.code == .storeIsReadOnly)
          #expect(StageStore.code { try store.file.close() } == .commitOutcomeUnknown)
          #expect(try StoreFile.read(path).version == 1)
        }
      }

      /// The descriptor under which this process has a file open.
      private func descriptor(of path: String) -> Int32? {
        (0..<1024).first { number in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
        }
      }
    #endif

    // MARK: Whose files they are

    private func write(_ text: String, to path: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(at path: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    @Test(arguments: ["A letter to nobody in particular.\n", "12"])
    func aForeignFileUnderTheLocksNameIsLeftAsItIs(contents: String) throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("dogs.realm").path
        try write(contents, to: path + ".lock")
        let code = StageStore.code { try StoreFile.open(path).file.close() }
        #expect(code == (contents.count > 20 ? .fileExists : nil))
        #expect(try text(at: path + ".lock") == contents)
        #expect(StageStore.code { _ = try StoreFile.delete(path) } == nil)
        #expect(try text(at: path + ".lock") == contents)
      }
    }

    @Test func aRealmUnderTheLocksNameIsNamedAndLeftAsItIs() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("dogs.realm").path
        let elsewhere = folder.appendingPathComponent("cats.realm").path
        let other = try StageStore(elsewhere)
        for _ in 0..<3 { try other.commit() }
        try other.file.close()
        for end in ["", ".journal"] {
          try FileManager.default.moveItem(atPath: elsewhere + end, toPath: path + ".lock" + end)
        }
        let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
        #expect(error?.code == .fileExists)
        #expect(error?.message.contains(path + ".lock") == true)
        #expect(try StoreFile.verify(path + ".lock").isSound)
        #expect(try StoreFile.read(path + ".lock").version == 3)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }

    @Test func aLinkUnderTheLocksNameIsNotFollowed() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("dogs.realm").path
        let target = folder.appendingPathComponent("diary").path
        try write("dear diary", to: target)
        try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: target)
        let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
        #expect(error?.code == .fileAccess)
        #expect(error?.message.contains(path + ".lock: it is a symbolic link") == true)
        #expect(try text(at: target) == "dear diary")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["diary", "dogs.realm.lock"])
      }
    }

    @Test(arguments: [true, false]) func aLinkUnderTheJournalsNameIsNotFollowed(isThere: Bool) throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("dogs.realm").path
        let target = folder.appendingPathComponent("elsewhere").path
        let store = try StageStore(path)
        try store.commit()
        try store.file.close()
        try FileManager.default.moveItem(atPath: path + ".journal", toPath: target)
        let journal = try Data(contentsOf: URL(fileURLWithPath: target))
        if !isThere { try FileManager.default.removeItem(atPath: target) }
        try FileManager.default.createSymbolicLink(atPath: path + ".journal", withDestinationPath: target)
        let error = #expect(throws: StoreError.self) { _ = try StoreFile.open(path) }
        #expect(error?.code == .fileAccess)
        #expect(error?.message.contains(path + ".journal: it is a symbolic link") == true)
        #expect(FileManager.default.contents(atPath: target) == (isThere ? journal : nil))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path + ".journal") == target)
      }
    }

    @Test func filesWithNamesLikeTemporaryOnesAreLeftAsTheyAre() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("dogs.realm").path
        let foreign = [
          ".tmp", ".journal.tmp", ".abc.tmp", ".0123456789ABCDEF.tmp", ".0123456789abcdef.tmp.realm",
          ".0123456789abcdef.tmp", ".journal.0123456789abcdef.tmp", ".0123456789abcdef01234567.tmp",
          ".history.0123456789abcdef01234567.tmp", ".cut-off-5", ".original",
        ]
        for end in foreign { try write("mine", to: path + end) }
        let target = folder.appendingPathComponent("diary").path
        try write("dear diary", to: target)
        // Temporary files of a writer that died.
        let left = try temporaryNames(of: "dogs.realm").map { folder.appendingPathComponent($0).path }
        for name in left { try write("torn", to: name) }
        let store = try StageStore(path)
        for _ in 0..<3 { try store.commit() }
        try store.checkpoint()
        try store.file.close()
        try StoreFile.open(path).file.close()
        for end in foreign { #expect(try text(at: path + end) == "mine") }
        for name in left { #expect(!FileManager.default.fileExists(atPath: name)) }
        #expect(try StoreFile.delete(path))
        for end in foreign { #expect(try text(at: path + end) == "mine") }
      }
    }

    /// The names of the files that a store writes before it renames them.
    private func temporaryNames(of name: String) throws -> Set<String> {
      nonisolated(unsafe) var names: Set<String> = []
      let process = SimulatedProcess(SimulatedDisk()) { operation, path in
        if operation == .open, path.hasSuffix(".tmp") { names.insert(URL(fileURLWithPath: path).lastPathComponent) }
      }
      let store = try StageStore(SimulatedDisk.folder + "/" + name, process)
      try store.commit()
      try store.checkpoint()
      try store.file.close()
      #expect(names.count == 4 && names.contains { $0.hasPrefix(name + ".journal.") })
      return names
    }

    // MARK: Names

    @Test func aBackslashIsALetter() throws {
      try TemporaryFolder.with { folder in
        for name in [#"a\b.realm"#, #"\.realm"#, #"a\"#] {
          let path = folder.path + "/" + name
          let store = try StageStore(path)
          for _ in 0..<3 { try store.commit() }
          try store.checkpoint()
          try store.commit()
          try store.file.close()
          #expect(try StoreFile.read(path).version == 4)
          #expect(try StoreFile.delete(path))
        }
      }
    }

    // MARK: Who may use them

    private func mode(_ path: String) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(arguments: [0o600, 0o660, 0o640])
    func replacementsKeepThePermissionsOfTheFile(wanted: Int) throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("secret.realm").path
        let first = try StageStore(path)
        try first.commit()
        try first.file.close()
        for name in [path, path + ".journal"] {
          try FileManager.default.setAttributes([.posixPermissions: wanted], ofItemAtPath: name)
        }
        do {
          let store = try StageStore(path)
          try store.commit()
          try store.checkpoint()
          #expect(try mode(path) == wanted)
          #expect(try mode(path + ".journal") == wanted)
          try store.commit()
        }
        // It was dropped without closing: the next opening rewrites the journal.
        try StoreFile.open(path).file.close()
        #expect(try mode(path) == wanted)
        #expect(try mode(path + ".journal") == wanted)
      }
    }

    /// Neither mode is a usual default of a process.
    @Test(arguments: [0o600, 0o622] as [UInt16]) func newFilesGetExactlyTheModeThatIsAskedFor(wanted: UInt16) throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("secret.realm").path
        func expectModes(_ wanted: UInt16, _ when: String) throws {
          for end in ["", ".journal", ".lock"] { #expect(try mode(path + end) == Int(wanted), "\(end) \(when)") }
        }
        let (file, stored) = try StoreFile.open(path, fileMode: wanted)
        try expectModes(wanted, "after creation")
        try file.checkpoint(stored.graph, version: stored.version, userVersion: 0)
        try expectModes(wanted, "after a checkpoint")
        try file.close()
        // Existing files keep their mode, and so do the files that replace them.
        for asked in [nil, 0o644] as [UInt16?] {
          let (again, stored) = try StoreFile.open(path, fileMode: asked)
          try again.checkpoint(stored.graph, version: stored.version, userVersion: 0)
          try expectModes(wanted, "after opening with another mode")
        }
        let copy = folder.appendingPathComponent("copy.realm").path
        try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: copy, fileMode: wanted)
        #expect(try mode(copy) == Int(wanted))
      }
    }

    /// The umask is that of a whole process, so the test runs in a process of its own.
    @Test func filesOfAStoreThatWasGivenNoModeFollowTheUmask() async {
      await #expect(processExitsWith: .success) {
        umask(0o027)
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("shared.realm").path
          try StoreFile.open(path).file.close()
          let copy = folder.appendingPathComponent("copy.realm").path
          try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: copy)
          for name in [path, path + ".journal", path + ".lock", copy] {
            let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
            #expect(mode == 0o640, "\(name)")
          }
        }
      }
    }

    @Test func aTemporaryFileHasTheModeFromTheBeginning() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("a").path
        try system.open(path + ".tmp", for: .creating(like: [path], mode: 0o622)).close()
        #expect(try mode(path + ".tmp") == 0o622)
        try system.open(path + ".lock", for: .creatingLock(like: [path], mode: 0o600)).close()
        #expect(try mode(path + ".lock") == 0o600)
        // The model's mode has priority.
        try system.open(path, for: .creating(like: [path + ".tmp"], mode: 0o600)).close()
        #expect(try mode(path) == 0o622)
      }
    }

    @Test func filesBesideACopyHaveItsPermissions() throws {
      try TemporaryFolder.with { folder in
        let path = folder.appendingPathComponent("copy.realm").path
        try StoreFile.writeCopy(of: .empty, version: 1, userVersion: 0, to: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy.realm"])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try StoreFile.open(path).file.close()
        for end in ["", ".journal", ".lock"] { #expect(try mode(path + end) == 0o600, "\(end)") }
      }
    }

    #if os(Linux)
      @Test func replacementsTakeOverOwnerAndExtendedAttributes() throws {
        try TemporaryFolder.with { folder in
          let path = folder.appendingPathComponent("tagged.realm").path
          let store = try StageStore(path)
          try store.commit()
          let names = [path, path + ".journal"]
          // A file system without such attributes returns ENOTSUP; any other refusal is a fault of this test.
          let refusals = names.map { Tag.put("mine", on: $0) }
          #expect(refusals.allSatisfy { $0 == nil || $0 == ENOTSUP }, "\(refusals)")
          // Only root may change owners.
          let isGiven = names.allSatisfy { chown($0, 12345, 23456) == 0 }
          try store.checkpoint()
          for (name, refusal) in zip(names, refusals) {
            let facts = try FileManager.default.attributesOfItem(atPath: name)
            if isGiven {
              #expect(facts[.ownerAccountID] as? Int == 12345, "\(name)")
              #expect(facts[.groupOwnerAccountID] as? Int == 23456, "\(name)")
            }
            if refusal == nil { #expect(Tag.text(of: name) == "mine", "\(name)") }
          }
          try store.file.close()
        }
      }
    #endif
  }

  #if os(Linux)
    /// An extended attribute, by system calls that glibc does not export to Swift. The casts are right because the
    /// manual gives the functions these types.
    private enum Tag {
      private typealias Setter =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
      private typealias Getter =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int

      private static let name = "user.tag"

      /// Gives a file the attribute; returns the system's error number if it fails.
      static func put(_ text: String, on path: String) -> Int32? {
        guard let function = dlsym(nil, "setxattr") else { return ENOTSUP }
        let bytes = Array(text.utf8)
        return unsafeBitCast(function, to: Setter.self)(path, name, bytes, bytes.count, 0) == 0 ? nil : errno
      }

      /// The value of a file's attribute; nil if it has none.
      static func text(of path: String) -> String? {
        guard let function = dlsym(nil, "getxattr") else { return nil }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafeBitCast(function, to: Getter.self)(path, name, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
      }
    }
  #endif
#endif
