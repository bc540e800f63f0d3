#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefTestSupport
  import Foundation

  /// A realm's files in a folder of their own, as an application leaves them: two dogs and a person, in two commits.
  final class TestRealm {
    let folder: TemporaryFolder
    var url: URL { folder.url.appendingPathComponent("dogs.realm") }
    var path: String { url.path }

    class Dog: Object {
      @Persisted var name = ""
    }
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var dogs: List<Dog>
    }

    var configuration: Realm.Configuration {
      Realm.Configuration(fileURL: url, schemaVersion: 3, objectTypes: [Dog.self, Person.self])
    }

    init() throws {
      folder = try TemporaryFolder()
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for name in ["Rex", "Fido"] {
          let dog = Dog()
          dog.name = name
          realm.add(dog)
        }
      }
      try realm.write {
        let person = Person()
        person.dogs.append(objectsIn: realm.objects(Dog.self))
        realm.add(person)
      }
    }

    /// Moves all commits into the snapshot.
    func compact() throws { try Realm(configuration: configuration).compact() }

    /// Flips the bits of one byte of the file with that suffix.
    func damage(_ ending: String = "", at position: (Int) -> Int) throws {
      let url = URL(fileURLWithPath: path + ending)
      var bytes = try Data(contentsOf: url)
      bytes[position(bytes.count)] ^= 0xff
      try bytes.write(to: url)
    }

    /// All files of the folder with their bytes.
    func contents() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url.appendingPathComponent($0))) })
    }
  }
#endif
