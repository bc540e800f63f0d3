import Fief
import Foundation

/// A guided tour of the things that an application does with a realm. It uses a temporary folder, which it removes at
/// the end.
///
///     step ── does something ──▶ line: what was done, and what is found in the realm afterwards
///                                      │
///                                      └─ compared with what the text claims: a false claim ends the tour
///
/// The output is identical in every run: it contains no times, no random keys and no paths.
final class Tour {
  /// The realm of the steps; nil before it is opened and after it is closed.
  private(set) var opened: Realm?
  private let folder: URL
  private var text = TourText()

  /// Runs the steps and prints their text.
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

  /// Closes the realm and removes the folder.
  private func leave() {
    opened = nil
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Interface of the steps

  /// The configuration of the tour's realm.
  var configuration: Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.appendingPathComponent("dogs.realm"),
      objectTypes: [Dog.self, Toy.self, Person.self, Address.self])
  }

  func open() throws { opened = try Realm(configuration: configuration) }

  /// Releases the realm. Its file closes when no other references to it remain.
  func close() { opened = nil }

  /// The realm, while it is open.
  var realm: Realm {
    get throws {
      guard let opened else { throw NotFound(what: "the realm") }
      return opened
    }
  }

  /// The dog with that name.
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

  /// Prints a line with an action and the value found after it, which must equal the claim.
  ///
  /// - Throws: `FalseClaim` when it does not.
  func show(_ deed: String, _ found: String, claim: String) throws {
    try text.show(deed, found, claim: claim)
  }

  /// Prints a line without a claim: an action and a remark.
  func line(_ deed: String, _ words: String = "") { text.line(deed, words) }
}

/// One step of the tour.
struct TourStep: Sendable {
  let title: String
  let body: @Sendable (Tour) throws -> Void
}

/// The realm does not contain the value that the tour claims.
struct FalseClaim: Error, CustomStringConvertible {
  let deed: String
  let found: String
  let claim: String

  var description: String { "After '\(deed)' the tour claims '\(claim)', and finds '\(found)'." }
}

/// An object of the tour does not exist.
struct NotFound: Error, CustomStringConvertible {
  let what: String

  var description: String { "The tour does not find \(what)." }
}
