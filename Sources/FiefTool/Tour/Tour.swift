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
  /// The configuration of the tour's realm.
  let configuration: Realm.Configuration
  private var text = ""
  private var claims = 0
  private var steps = 0

  private init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  /// Runs the steps of an application's tour and prints their text.
  static func run(_ terminal: Terminal) -> ExitCode {
    let steps = TourStep.all.map { step in (title: step.title, body: { (tour: Tour) in try step.body(tour) }) }
    let (text, error) = walk(steps, file: "dogs.realm", of: [Dog.self, Toy.self, Person.self, Address.self]) { claims in
      "What stands on the right was read from the realm: \(claims) claims checked, all true."
    }
    terminal.say(text)
    guard let error else { return .done }
    terminal.complain("fief: \(error)")
    return .fault
  }

  /// Runs steps with a file in a temporary folder.
  ///
  /// - Parameters:
  ///   - file: the name of the realm's file.
  ///   - ending: returns the last sentence for a number of claims.
  /// - Returns: the text, up to the step that failed if there is one, and its error.
  static func walk(
    _ steps: [(title: String, body: (Tour) throws -> Void)], file: String, of classes: [ObjectBase.Type],
    ending: (Int) -> String
  ) -> (text: String, error: (any Error)?) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-tour-\(UUID().uuidString)")
    let tour = Tour(Realm.Configuration(fileURL: folder.appendingPathComponent(file), objectTypes: classes))
    defer {
      tour.close()
      try? FileManager.default.removeItem(at: folder)
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (title, body) in steps {
        tour.steps += 1
        tour.text += "\(tour.steps == 1 ? "" : "\n")\(tour.steps). \(title)\n"
        try body(tour)
      }
      return (tour.text + "\n" + ending(tour.claims), nil)
    } catch {
      return (tour.text, error)
    }
  }

  // MARK: Interface of the steps

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
    guard found == claim else { throw FalseClaim(deed: deed, found: found, claim: claim) }
    claims += 1
    line(deed, found)
  }

  /// Prints a line without a claim: an action and a remark.
  func line(_ deed: String, _ words: String) {
    if words.isEmpty { text += "   \(deed)\n" }
    for (number, line) in (words.isEmpty ? [] : words.lines(of: 52)).enumerated() {
      text += "   \((number == 0 ? deed : "").padded(to: 42))  \(line)\n"
    }
  }
}

/// One step of the tour.
struct TourStep: Sendable {
  let title: String
  let body: @Sendable (Tour) throws -> Void

  /// The steps of the tour, in order. Each uses the realm that the previous steps have filled.
  static let all: [TourStep] = [
    .declaring, .creating, .relating, .embedding, .collecting, .updating, .asking, .observing, .undoing, .refusing,
    .freezing, .deleting, .copying, .reopening,
  ]
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
