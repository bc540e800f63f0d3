import Fief
import Foundation

/// A guided run of what an application does with a realm, on a file in a folder of its own that is gone afterwards.
///
///     step ── does something ──▶ line: what was done, and what is found in the realm afterwards
///                                      │
///                                      └─ compared with what the text claims: a false claim ends the tour
///
/// It says the same in every run: no times, no random keys, no paths.
final class Tour {
  /// The realm that the steps work on; nil before it is opened and after it is closed.
  private(set) var opened: Realm?
  private let folder: URL
  private var text = TourText()

  /// Walks through the steps, and shows their text.
  static func run(_ steps: [TourStep], _ terminal: Terminal) -> ExitCode {
    var said = ""
    do {
      let tour = try Tour()
      defer {
        said = tour.text.text
        tour.leave()
      }
      for step in steps {
        tour.text.step(step.title)
        try step.body(tour)
      }
      tour.text.end("What stands on the right was read from the realm: \(tour.text.claims) claims checked, all true.")
    } catch {
      terminal.say(said)
      terminal.complain("fief: \(error)")
      return .fault
    }
    terminal.say(said)
    return .done
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-tour-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Closes and removes everything.
  private func leave() {
    opened = nil
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: What steps do

  /// What the tour's realm is opened with.
  var configuration: Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent("dogs.realm"),
      objectTypes: [Dog.self, Toy.self, Person.self, Address.self])
  }

  func open() throws { opened = try Realm(configuration: configuration) }

  /// Lets go of the realm; its file closes when nothing else of it is held.
  func close() { opened = nil }

  /// The realm, between opening and closing.
  var realm: Realm {
    get throws {
      guard let opened else { throw NotFound(what: "the realm") }
      return opened
    }
  }

  /// The dog of that name.
  func dog(_ name: String) throws -> Dog {
    guard let dog = try realm.objects(Dog.self).first(where: { $0.name == name }) else { throw NotFound(what: name) }
    return dog
  }

  /// The person with that primary key.
  func person(_ id: Int) throws -> Person {
    guard let person = try realm.object(ofType: Person.self, forPrimaryKey: id) else {
      throw NotFound(what: "person \(id)")
    }
    return person
  }

  /// A line: what was done, and what is found now, which must be what is claimed.
  ///
  /// - Throws: `FalseClaim` when it is not.
  func show(_ deed: String, _ found: String, claim: String) throws {
    try text.show(deed, found, claim: claim)
  }

  /// A line without a claim of its own: a deed, and what is to be said beside it.
  func line(_ deed: String, _ words: String = "") { text.line(deed, words) }
}

/// One step of the tour.
struct TourStep: Sendable {
  let title: String
  let body: @Sendable (Tour) throws -> Void
}

/// The realm is not what the tour says of it.
struct FalseClaim: Error, CustomStringConvertible {
  let deed: String
  let found: String
  let claim: String

  var description: String { "After '\(deed)' the tour claims '\(claim)', and finds '\(found)'." }
}

/// Something that the tour made is gone.
struct NotFound: Error, CustomStringConvertible {
  let what: String

  var description: String { "The tour does not find \(what)." }
}
