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
  private let folder: URL
  private var text = TourText()

  /// Reads a file, or standard input for `-`, and runs the tour.
  static func run(_ file: String, _ terminal: Terminal) -> ExitCode {
    let data: Data
    if file == "-" {
      data = (try? FileHandle.standardInput.readToEnd()) ?? Data()
    } else {
      guard FileManager.default.fileExists(atPath: file) else {
        terminal.complain("fief: There is no file '\(file)'.")
        return .noFile
      }
      guard let found = FileManager.default.contents(atPath: file) else {
        terminal.complain("fief: The file '\(file)' cannot be read.")
        return .unreadable
      }
      data = found
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fief-tour-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var tour = PackageTour(description: try PackageDescription(data), folder: folder)
      try tour.walk()
      terminal.say(tour.text.text)
      return .done
    } catch let error as PackageDescription.Unreadable {
      terminal.complain(
        "fief: '\(file)' is not what `swift package describe --type json` writes: \(error.problem).")
      return .badData
    } catch Realm.Error.invalidValue, Realm.Error.duplicatePrimaryKey {
      return refuse(data, at: file, terminal)
    } catch {
      terminal.complain("fief: \(error)")
      return .fault
    }
  }

  /// Prints which part of the document cannot be converted to objects.
  private static func refuse(_ data: Data, at file: String, _ terminal: Terminal) -> ExitCode {
    do {
      _ = try Package(validating: PackageDescription(data).value)
      terminal.complain("fief: '\(file)' cannot be kept as the description of a package.")
    } catch {
      terminal.complain("fief: '\(file)' cannot be kept as the description of a package: \(error)")
    }
    return .badData
  }

  private var configuration: Realm.Configuration {
    Realm.Configuration(fileURL: folder.appendingPathComponent("package.realm"), objectTypes: Package.classes)
  }

  private mutating func walk() throws {
    let before = try readAndAsk()
    try reopen(before)
    text.end(
      "What stands on the right was found in a realm: \(text.claims) claims checked against the document, all true.")
  }

  // MARK: Steps

  /// - Returns: the document of the package as stored in the file. The realm is closed on return.
  private mutating func readAndAsk() throws -> ObjectDocument {
    let realm = try Realm(configuration: configuration)
    text.step("The document is read into objects, in one write")
    // A target may occur as a name before its own description. The description then updates the target.
    let package = try realm.write { realm.create(Package.self, value: description.value, update: .modified) }
    try count(package, in: realm)
    text.step("Questions are asked")
    try ask(realm)
    text.step("The package is copied to a second realm, and goes out as JSON")
    let document = ObjectDocument(package)
    try copy(package, document)
    return document
  }

  private mutating func count(_ package: Package, in realm: Realm) throws {
    let targets = description.targets
    let named = Set(targets.map(PackageDescription.name) + targets.flatMap(PackageDescription.dependencies))
      .union(description.products.flatMap { $0["targets"] as? [String] ?? [] })
    try text.show("the package", package.name, claim: description.name)
    try text.show(
      "its products", package.products.map(\.name).joined(separator: ", "),
      claim: description.products.map(PackageDescription.name).joined(separator: ", "))
    try text.show(
      "its targets, and all that are named", "\(package.targets.count), \(realm.objects(Target.self).count)",
      claim: "\(targets.count), \(named.count)")
    try text.show(
      "files of source, each owned by its target", "\(package.targets.reduce(0) { $0 + $1.sources.count })",
      claim: "\(targets.reduce(0) { $0 + PackageDescription.sources($1).count })")
    try text.show(
      "links from target to target", "\(realm.objects(Target.self).reduce(0) { $0 + $1.dependencies.count })",
      claim: "\(targets.reduce(0) { $0 + PackageDescription.dependencies($1).count })")
  }

  private mutating func ask(_ realm: Realm) throws {
    let all = realm.objects(Target.self)
    let targets = description.targets
    for kind in Set(targets.compactMap { $0["type"] as? String }).sorted() {
      let ofKind = targets.filter { $0["type"] as? String == kind }.map(PackageDescription.name)
      try text.show(
        "targets of type \(kind)",
        all.where { $0.kind == kind }.sorted(byKeyPath: "name").map(\.name).joined(separator: ", "),
        claim: ofKind.sorted().joined(separator: ", "))
    }
    try text.show(
      "who stands on nothing (@count)", words(all.filter("dependencies.@count == 0").map(\.name)),
      claim: words(names(in: all).filter { name in !targets.contains { Self.leads($0, name) } }))
    let used = names(in: all).max { (description.users(of: $0).count, $1) < (description.users(of: $1).count, $0) }
    if let used, let target = realm.object(ofType: Target.self, forPrimaryKey: used) {
      try text.show(
        "who stands on \(used) (inverse links)", words(target.users.map(\.name)),
        claim: words(description.users(of: used)))
      try text.show(
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
    try text.show(
      "the target with the most files", largest.map { "\($0.name), \($0.sources.count.of("file"))" } ?? "none",
      claim: expected.map {
        "\(PackageDescription.name($0)), \(PackageDescription.sources($0).count.of("file"))"
      } ?? "none")
    let deepest = names(in: all).max { (description.needs(of: $0).count, $1) < (description.needs(of: $1).count, $0) }
    if let deepest, let target = realm.object(ofType: Target.self, forPrimaryKey: deepest) {
      try text.show(
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

  private mutating func copy(_ package: Package, _ document: ObjectDocument) throws {
    let other = try Realm(configuration: .inMemory(objectTypes: Package.classes))
    let copy = try other.write { other.copy(package) }
    try text.show(
      "copied: \(package.name) and all that it reaches", Self.agreement(ObjectDocument(copy), document),
      claim: "equal")
    let json = try ObjectDocument(copy).json()
    let back = try ObjectDocument(json: json).object(as: Package.self)
    try text.show(
      "as JSON and back, in no realm", Self.agreement(ObjectDocument(back), document), claim: "equal")
    let third = try Realm(configuration: .inMemory(objectTypes: Package.classes))
    try third.write { third.add(back) }
    try text.show(
      "these objects, added to a third realm",
      "\(Self.agreement(ObjectDocument(back), document)), \(third.objects(Target.self).count) targets",
      claim: "equal, \(other.objects(Target.self).count) targets")
  }

  private mutating func reopen(_ before: ObjectDocument) throws {
    text.step("The file is closed, checked, and opened again")
    let path = configuration.fileURL?.path ?? ""
    let report = try StoreFile.verify(path)
    try text.show("fief verify package.realm", report.isSound ? "sound" : "damaged", claim: "sound")
    let realm = try Realm(configuration: configuration)
    let package = realm.object(ofType: Package.self, forPrimaryKey: description.name)
    try text.show(
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
