import Fief
import FiefDurability
import Foundation

/// A tour of a document that the user supplies: the description of a package.
///
///     swift package describe --type json | fief tour --json -
///
/// The tour reads the document into objects, queries and copies them, and writes them as JSON and reads them back. Then
/// it closes the file and opens it again. The values on the right come from a realm and are compared with the document.
struct PackageTour {
  private let description: PackageDescription

  /// Reads a file, or standard input for `-`, and runs the tour.
  static func run(_ file: String, _ terminal: Terminal) throws(Failure) -> ExitCode {
    let data = try data(of: file)
    let tour: PackageTour
    do throws(PackageDescription.Unreadable) {
      tour = PackageTour(description: try PackageDescription(data))
    } catch {
      throw Failure("'\(file)' is not what `swift package describe --type json` writes: \(error.problem).", .badData)
    }
    let (text, error) = Tour.walk(tour.steps, file: "package.realm", of: Package.classes) { claims in
      "What stands on the right was found in a realm: \(claims) claims checked against the document, all true."
    }
    switch error {
    case nil:
      terminal.say(text)
      return .done
    case Realm.Error.invalidValue?, Realm.Error.duplicatePrimaryKey?:
      // Says which part of the document cannot be converted to objects.
      var problem = "."
      do { _ = try Package(validating: tour.description.value) } catch { problem = ": \(error)" }
      throw Failure("'\(file)' cannot be kept as the description of a package\(problem)", .badData)
    case let error?: throw Failure("\(error)", .fault)
    }
  }

  private static func data(of file: String) throws(Failure) -> Data {
    if file == "-" { return (try? FileHandle.standardInput.readToEnd()) ?? Data() }
    guard FileManager.default.fileExists(atPath: file) else { throw Failure("There is no file '\(file)'.", .noFile) }
    if let data = try? DocumentFile.bytes(of: file) { return data }
    throw Failure("The file '\(file)' cannot be read.", .unreadable)
  }

  // MARK: Steps

  private var steps: [(title: String, body: (Tour) throws -> Void)] {
    [
      ("The document is read into objects, in one write", read), ("Questions are asked", ask),
      ("The package is copied to a second realm, and goes out as JSON", copy),
      ("The file is closed, checked, and opened again", reopen),
    ]
  }

  private func package(_ tour: Tour) throws -> Package {
    let package = try tour.realm.object(ofType: Package.self, forPrimaryKey: description.name)
    guard let package else { throw NotFound(what: "the package") }
    return package
  }

  private func read(_ tour: Tour) throws {
    try tour.open()
    let realm = try tour.realm
    // A target may occur as a name before its own description. The description then updates the target.
    let package = try realm.write { realm.create(Package.self, value: description.value, update: .modified) }
    let targets = description.targets
    let named = Set(targets.map(PackageDescription.name) + targets.flatMap(PackageDescription.dependencies))
      .union(description.products.flatMap { $0["targets"] as? [String] ?? [] })
    try tour.show("the package", package.name, claim: description.name)
    try tour.show(
      "its products", package.products.map(\.name).joined(separator: ", "),
      claim: description.products.map(PackageDescription.name).joined(separator: ", "))
    try tour.show(
      "its targets, and all that are named", "\(package.targets.count), \(realm.objects(Target.self).count)",
      claim: "\(targets.count), \(named.count)")
    try tour.show(
      "files of source, each owned by its target", "\(package.targets.reduce(0) { $0 + $1.sources.count })",
      claim: "\(targets.reduce(0) { $0 + PackageDescription.sources($1).count })")
    try tour.show(
      "links from target to target", "\(realm.objects(Target.self).reduce(0) { $0 + $1.dependencies.count })",
      claim: "\(targets.reduce(0) { $0 + PackageDescription.dependencies($1).count })")
  }

  private func ask(_ tour: Tour) throws {
    let realm = try tour.realm
    let all = realm.objects(Target.self)
    let targets = description.targets
    for kind in Set(targets.compactMap { $0["type"] as? String }).sorted() {
      let ofKind = targets.filter { $0["type"] as? String == kind }.map(PackageDescription.name)
      try tour.show(
        "targets of type \(kind)",
        all.where { $0.kind == kind }.sorted(byKeyPath: "name").map(\.name).joined(separator: ", "),
        claim: ofKind.sorted().joined(separator: ", "))
    }
    try tour.show(
      "who stands on nothing (@count)", words(all.filter("dependencies.@count == 0").map(\.name)),
      claim: words(names(in: all).filter { name in !targets.contains { Self.leads($0, name) } }))
    let used = names(in: all).max { (description.users(of: $0).count, $1) < (description.users(of: $1).count, $0) }
    if let used, let target = realm.object(ofType: Target.self, forPrimaryKey: used) {
      try tour.show(
        "who stands on \(used) (inverse links)", words(target.users.map(\.name)),
        claim: words(description.users(of: used)))
      try tour.show(
        "products with \(used) (inverse links)", words(target.products.map(\.name)),
        claim: words(
          description.products.filter { ($0["targets"] as? [String] ?? []).contains(used) }
            .map(PackageDescription.name)))
    }
    let largest = all.map { $0 }.max { ($0.sources.count, $1.name) < ($1.sources.count, $0.name) }
    let expected = targets.max {
      (PackageDescription.sources($0).count, PackageDescription.name($1))
        < (PackageDescription.sources($1).count, PackageDescription.name($0))
    }
    try tour.show(
      "the target with the most files", largest.map { "\($0.name), \($0.sources.count.of("file"))" } ?? "none",
      claim: expected.map {
        "\(PackageDescription.name($0)), \(PackageDescription.sources($0).count.of("file"))"
      } ?? "none")
    let deepest = names(in: all).max { (description.needs(of: $0).count, $1) < (description.needs(of: $1).count, $0) }
    if let deepest, let target = realm.object(ofType: Target.self, forPrimaryKey: deepest) {
      try tour.show(
        "what \(deepest) needs, also through others", words(target.needs.map(\.name)),
        claim: words(description.needs(of: deepest)))
    }
  }

  private func names(in targets: Results<Target>) -> [String] { targets.map(\.name).sorted() }

  /// Whether a target of the document has that name and depends on others.
  private static func leads(_ target: [String: Any], _ name: String) -> Bool {
    PackageDescription.name(target) == name && !PackageDescription.dependencies(target).isEmpty
  }

  private func words(_ names: some Sequence<String>) -> String {
    let names = names.sorted()
    return names.isEmpty ? "nobody" : names.joined(separator: ", ")
  }

  private func copy(_ tour: Tour) throws {
    let package = try self.package(tour)
    let document = ObjectDocument(package)
    let other = try Realm(configuration: .inMemory(objectTypes: Package.classes))
    let copy = try other.write { other.copy(package) }
    try tour.show(
      "copied: \(package.name) and all that it reaches", Self.agreement(ObjectDocument(copy), document),
      claim: "equal")
    let json = try ObjectDocument(copy).json()
    let back = try ObjectDocument(json: json).object(as: Package.self)
    try tour.show(
      "as JSON and back, in no realm", Self.agreement(ObjectDocument(back), document), claim: "equal")
    let third = try Realm(configuration: .inMemory(objectTypes: Package.classes))
    try third.write { third.add(back) }
    try tour.show(
      "these objects, added to a third realm",
      "\(Self.agreement(ObjectDocument(back), document)), \(third.objects(Target.self).count) targets",
      claim: "equal, \(other.objects(Target.self).count) targets")
  }

  private func reopen(_ tour: Tour) throws {
    let before = ObjectDocument(try self.package(tour))
    tour.close()
    let report = try StoreFile.verify(tour.configuration.fileURL?.path ?? "")
    try tour.show("fief verify package.realm", report.isSound ? "sound" : "damaged", claim: "sound")
    try tour.open()
    let package = try? self.package(tour)
    try tour.show(
      "the package, read from the file", package.map { Self.agreement(ObjectDocument($0), before) } ?? "gone",
      claim: "equal")
  }

  private static func agreement(_ a: ObjectDocument, _ b: ObjectDocument) -> String { a == b ? "equal" : "different" }
}

extension Target {
  /// All targets that this target needs, directly or through others.
  fileprivate var needs: [Target] {
    var found: [String: Target] = [:]
    var waiting = Array(dependencies)
    while let next = waiting.popLast() {
      if found.updateValue(next, forKey: next.name) == nil { waiting += next.dependencies }
    }
    return Array(found.values)
  }
}
