import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Penguin: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var plumage = ""
  @Persisted var age = 0
}

private struct Refusal: Error {}

@Suite("Encrypted files of a realm for asynchronous code")
struct RealmStoreEncryptionTests {
  private static let words = ["Bartholomew", "Iridescent", "Penguin", "plumage"]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    cipher: (any FileCipher)? = InsecureStandInCipher(), _ change: (inout Realm.Configuration) -> Void = { _ in }
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("penguins.realm"), objectTypes: [Penguin.self])
    configuration.cipher = cipher
    change(&configuration)
    return configuration
  }

  /// All files with their bytes.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let url = folder.url.appendingPathComponent(name)
      if let bytes = try? Data(contentsOf: url) { files[name] = bytes }
    }
    return files
  }

  private func add(_ name: String, age: Int = 0, to store: RealmStore) async throws {
    try await store.write { realm in
      realm.create(Penguin.self, value: ["name": name, "plumage": "Iridescent feathers", "age": age])
    }
  }

  /// Opens, writes and closes a store.
  private func write(_ name: String, _ configuration: Realm.Configuration) async throws {
    let store = try await RealmStore(configuration: configuration)
    try await add(name, to: store)
    await store.close()
  }

  /// Uses a realm of this thread.
  private func deleteAll(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.deleteAll() }
  }

  private func names(_ store: RealmStore) async throws -> [String] {
    try await store.read { realm in realm.objects(Penguin.self).map(\.name).sorted() }
  }

  @Test(arguments: [Realm.Configuration.History.none, .versions(100)])
  func `it is written, read, closed and opened again, and no file shows a word`(
    _ history: Realm.Configuration.History
  ) async throws {
    let configuration = configuration { $0.history = history }
    let store = try await RealmStore(configuration: configuration)
    try await add("Bartholomew", to: store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await add("Bartholomew \(number)", age: number, to: store) }
        group.addTask { _ = try await names(store) }
      }
      try await group.waitForAll()
    }
    await #expect(throws: Refusal.self) {
      try await store.write { realm in
        realm.create(Penguin.self, value: ["name": "Bartholomew the last"])
        throw Refusal()
      }
    }
    let frozen = try await store.read { realm in Frozen(realm.objects(Penguin.self).where { $0.age > 17 }) }
    #expect(Set(frozen.map(\.plumage)) == ["Iridescent feathers"] && frozen.count == 2)
    try await store.write { realm in realm.delete(realm.objects(Penguin.self).where { $0.age > 17 }) }
    let open = try files()
    await store.close()

    let again = try await RealmStore(configuration: configuration)
    #expect(try await names(again).count == 19)
    try await again.write { realm in realm.objects(Penguin.self).set(\.age, to: 3) }
    #expect(try await again.read { realm in realm.objects(Penguin.self).sum(of: \.age) } == 57)
    await again.close()
    let closed = try files()
    #expect(closed.count >= 2)
    for (name, bytes) in Array(open) + Array(closed) {
      for word in Self.words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)") }
    }
    #expect(try Realm.verify(fileURL: #require(configuration.fileURL), cipher: configuration.cipher).isSound)
  }

  @Test func `its sequences follow commits of other realms with the key`() async throws {
    let store = try await RealmStore(configuration: configuration())
    var names = store.values { realm in realm.objects(Penguin.self).map(\.name).sorted() }.makeAsyncIterator()
    var changes = store.changes.makeAsyncIterator()
    #expect(await names.next() == [])
    try await add("Bartholomew", to: store)
    #expect(await names.next() == ["Bartholomew"])
    #expect(await changes.next() != nil)
    let other = try await RealmStore(configuration: store.configuration)
    try await add("Waddles", to: other)
    #expect(await names.next() == ["Bartholomew", "Waddles"])
    try deleteAll(configuration())
    #expect(await names.next() == [])
    await other.close()
    await store.close()
    #expect(await names.next() == nil)
  }

  @Test func `a wrong or a missing key is an error of its own and changes nothing`() async throws {
    try await write("Bartholomew", configuration())
    let before = try files()
    for cipher in [nil, InsecureStandInCipher(key: 8)] as [(any FileCipher)?] {
      for isReadOnly in [false, true] {
        let wrong = configuration(cipher: cipher) { $0.readOnly = isReadOnly }
        let error = await #expect(throws: Realm.Error.self) { try await RealmStore(configuration: wrong) }
        #expect(error?.code == .wrongKey)
      }
    }
    #expect(try files() == before)
    do {
      _ = try await RealmStore(configuration: configuration(cipher: nil))
      Issue.record("A file was opened without its key.")
    } catch Realm.Error.wrongKey {}
    // Beside a store that is open with the key, too.
    let store = try await RealmStore(configuration: configuration())
    let error = await #expect(throws: Realm.Error.self) {
      try await RealmStore(configuration: configuration(cipher: InsecureStandInCipher(key: 8)))
    }
    #expect(error?.code == .wrongKey)
    #expect(try await names(store) == ["Bartholomew"])
    await store.close()
  }

  @Test func `a plain file is refused with a key, and stays plain`() async throws {
    try await write("Bartholomew", configuration(cipher: nil))
    let error = await #expect(throws: Realm.Error.self) { try await RealmStore(configuration: configuration()) }
    #expect(error?.code == .wrongKey)
    let store = try await RealmStore(configuration: configuration(cipher: nil))
    #expect(try await names(store) == ["Bartholomew"])
    await store.close()
  }

  @Test func `a copy has another key, and is opened with that alone`() async throws {
    let store = try await RealmStore(configuration: configuration())
    try await add("Bartholomew", to: store)
    let copy = folder.url.appendingPathComponent("copy.realm")
    try await store.read { realm in try realm.writeCopy(toFile: copy, cipher: InsecureStandInCipher(key: 9)) }
    await store.close()
    let old = configuration { $0.fileURL = copy }
    let error = await #expect(throws: Realm.Error.self) { try await RealmStore(configuration: old) }
    #expect(error?.code == .wrongKey)
    let new = try await RealmStore(
      configuration: configuration(cipher: InsecureStandInCipher(key: 9)) { $0.fileURL = copy })
    #expect(try await names(new) == ["Bartholomew"])
    await new.close()
  }

  @Test func `damage is refused as damage and not as a wrong key`() async throws {
    try await write("Bartholomew", configuration())
    let sound = try files()
    let path = try #require(configuration().fileURL).path
    for suffix in ["", ".journal"] {
      let url = URL(fileURLWithPath: path + suffix)
      var bytes = try #require(sound[url.lastPathComponent])
      bytes[bytes.count - 20] ^= 1
      try bytes.write(to: url)
      let error = await #expect(throws: Realm.Error.self) { try await RealmStore(configuration: configuration()) }
      #expect(error?.code == .damaged, "\(suffix)")
      try sound[url.lastPathComponent]?.write(to: url)
    }
    let store = try await RealmStore(configuration: configuration())
    #expect(try await names(store) == ["Bartholomew"])
    await store.close()
  }
}
