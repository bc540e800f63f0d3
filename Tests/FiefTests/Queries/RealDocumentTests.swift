import FiefTestSupport
import RealmSwift
import Testing

// MARK: - The packages of a Debian machine

private enum Priority: String, PersistableEnum {
  case required, important, standard, optional, extra
}

private class Maintainer: Object {
  @Persisted(primaryKey: true) var address = ""
  @Persisted(originProperty: "maintainer") var packages: LinkingObjects<Package>
}

private class Dependency: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var version: String?
}

private class Package: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted(indexed: true) var name = ""
  @Persisted(indexed: true) var section: String?
  @Persisted var architecture = ""
  @Persisted var version = ""
  @Persisted var size: Int?
  @Persisted var priority: Priority?
  @Persisted var isEssential = false
  @Persisted(indexed: .fullText) var about = ""
  @Persisted var maintainer: Maintainer?
  @Persisted var dependencies: List<Dependency>
  @Persisted var tags: Map<String, String>

  override class func compoundIndexes() -> [CompoundIndex] { [CompoundIndex("architecture", "section")] }
}

/// A paragraph of the file, parsed independently.
private struct Paragraph {
  var fields: [String: String] = [:]

  subscript(_ field: String) -> String? { fields[field] }
  var id: String { "\(self["Package"] ?? ""):\(self["Architecture"] ?? "")" }
  var size: Int? { self["Installed-Size"].flatMap { Int($0) } }
  var about: String { self["Description"] ?? "" }
  /// The names of packages that it depends on, the first of each choice, and the required versions.
  var dependencies: [(name: String, version: String?)] {
    (self["Depends"] ?? "").split(separator: ",").compactMap { choice in
      guard let first = choice.split(separator: "|").first else { return nil }
      let parts = first.split(separator: "(", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = parts.first?.split(separator: ":").first else { return nil }
      return (String(name), parts.count > 1 ? parts[1].trimmingCharacters(in: [")"]) : nil)
    }
  }

  static func all(of text: String) -> [Paragraph] {
    text.components(separatedBy: "\n\n").compactMap { part in
      var paragraph = Paragraph()
      var last = ""
      for line in part.split(separator: "\n") {
        if line.hasPrefix(" ") {
          paragraph.fields[last, default: ""] += "\n" + line.dropFirst()
        } else if let colon = line.firstIndex(of: ":") {
          last = String(line[..<colon])
          paragraph.fields[last] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
      }
      return paragraph["Package"] == nil ? nil : paragraph
    }
  }
}

private let statusFile = "/var/lib/dpkg/status"

@Suite(.enabled(if: FileManager.default.isReadableFile(atPath: statusFile)))
struct DebianPackageTests {
  @Test func packagesAreFoundAsReadingTheFileFindsThem() throws {
    let paragraphs = Paragraph.all(of: try String(contentsOfFile: statusFile, encoding: .utf8))
    let realm = try Realm(
      configuration: .inMemory(objectTypes: [Package.self, Maintainer.self, Dependency.self]))
    try realm.write {
      for paragraph in paragraphs {
        let package = realm.create(
          Package.self,
          value: [
            "id": paragraph.id, "name": paragraph["Package"] as Any, "section": paragraph["Section"] as Any,
            "architecture": paragraph["Architecture"] ?? "", "version": paragraph["Version"] ?? "",
            "size": paragraph.size as Any, "priority": paragraph["Priority"].flatMap { Priority(rawValue: $0) } as Any,
            "isEssential": paragraph["Essential"] == "yes", "about": paragraph.about,
            "dependencies": paragraph.dependencies.map { ["name": $0.name, "version": $0.version as Any] },
          ], update: .modified)
        for field in ["Source", "Homepage", "Multi-Arch"] { package.tags[field] = paragraph[field] }
        if let address = paragraph["Maintainer"] {
          package.maintainer = realm.create(Maintainer.self, value: ["address": address], update: .modified)
        }
      }
    }
    let all = realm.objects(Package.self)
    #expect(all.count == paragraphs.count)

    func check(_ label: String, _ typed: Results<Package>, _ format: String, _ reading: (Paragraph) -> Bool) throws {
      let expected = paragraphs.filter(reading).map(\.id)
      #expect(Array(typed.map(\.id)) == expected, "\(label), typed")
      #expect(try Array(all.filter(parsing: format).map(\.id)) == expected, "\(label), as a format")
    }
    try check("section", all.where { $0.section == "libs" }, "section == 'libs'") { $0["Section"] == "libs" }
    try check("no size", all.where { $0.size == nil }, "size == nil") { $0.size == nil }
    try check(
      "size and name", all.where { $0.size > 1000 && $0.name.starts(with: "lib") },
      "size > 1000 AND name BEGINSWITH 'lib'"
    ) { $0.size ?? 0 > 1000 && $0["Package"]?.hasPrefix("lib") ?? false }
    try check(
      "either", all.where { $0.priority == .required || $0.isEssential }, "priority == 'required' OR isEssential == YES"
    ) { $0["Priority"] == "required" || $0["Essential"] == "yes" }
    try check(
      "not in", all.where { !$0.section.in(["libs", "devel", nil]) }, "NOT section IN {'libs', 'devel', NULL}"
    ) { !["libs", "devel", nil].contains($0["Section"]) }
    try check("like", all.where { $0.name.like("*-d?v") }, "name LIKE '*-d?v'") {
      let name = $0["Package"] ?? ""
      return name.count >= 4 && name.hasSuffix("v") && name.dropLast(2).hasSuffix("-d")
    }
    try check(
      "dependencies", all.where { $0.dependencies.name == "libc6" }, "ANY dependencies.name == 'libc6'"
    ) { $0.dependencies.contains { $0.name == "libc6" } }
    try check(
      "a dependency with a version",
      all.where { ($0.dependencies.name == "libc6" && $0.dependencies.version.starts(with: ">=")).count > 0 },
      "SUBQUERY(dependencies, $d, $d.name == 'libc6' AND $d.version BEGINSWITH '>=').@count > 0"
    ) { $0.dependencies.contains { $0.name == "libc6" && $0.version?.hasPrefix(">=") ?? false } }
    try check("many dependencies", all.where { $0.dependencies.count >= 8 }, "dependencies.@count >= 8") {
      $0.dependencies.count >= 8
    }
    try check(
      "homepage", all.where { $0.tags["Homepage"].contains("gnu.org", options: .caseInsensitive) },
      "tags['Homepage'] CONTAINS[c] 'GNU.org'"
    ) { $0["Homepage"]?.lowercased().contains("gnu.org") ?? false }
    try check(
      "maintainer", all.where { $0.maintainer.address.contains("Debian") }, "maintainer.address CONTAINS 'Debian'"
    ) { $0["Maintainer"]?.contains("Debian") ?? false }
    try check(
      "a compound index", all.where { $0.architecture == "all" && $0.section == "doc" },
      "architecture == 'all' AND section == 'doc'"
    ) { $0["Architecture"] == "all" && $0["Section"] == "doc" }
    // A simple split into words, which suffices for plain letters.
    func words(_ text: String) -> Set<Substring> {
      Set(text.lowercased().split { !($0.isLetter || $0.isNumber) })
    }
    try check(
      "words", all.where { $0.about.fullText("library -shared") }, "about TEXT 'library -shared'"
    ) { words($0.about).contains("library") && !words($0.about).contains("shared") }

    let sizes = paragraphs.compactMap(\.size)
    #expect(all.sum(of: \.size) == sizes.reduce(0, +))
    #expect(all.max(of: \.size) == sizes.max())
    let bySection = all.grouped(by: \.section)
    let sections = Dictionary(grouping: paragraphs) { $0["Section"] }
    #expect(
      bySection.map(\.key)
        == sections.keys.sorted { Array(($0 ?? "").utf8).lexicographicallyPrecedes(Array(($1 ?? "").utf8)) })
    for group in bySection {
      let members = sections[group.key] ?? []
      #expect(group.elements.map(\.id) == members.map(\.id))
      #expect(group.elements.sum(of: \.size) == members.compactMap(\.size).reduce(0, +))
    }
    let sectioned = all.sectioned(by: \.section, sortDescriptors: ["section", "name", "id"])
    #expect(sectioned.allKeys == bySection.map(\.key))
    #expect(sectioned.map { $0.count } == bySection.map(\.count))
    let busiest = realm.objects(Maintainer.self).sorted(byKeyPath: "packages.@count", ascending: false).first
    #expect(
      busiest?.packages.count
        == Dictionary(grouping: paragraphs) { $0["Maintainer"] }.filter { $0.key != nil }.map(\.value.count).max())
    let largest = all.sorted(by: [SortDescriptor(keyPath: "size", ascending: false), "id"]).limit(10)
    #expect(largest.map(\.size) == sizes.sorted(by: >).prefix(10).map { $0 })
  }
}

// MARK: - The files of the toolchain

private class Folder: Object {
  @Persisted(primaryKey: true) var path = ""
  @Persisted var parent: Folder?
  @Persisted(originProperty: "folder") var files: LinkingObjects<File>
}

private class File: Object {
  @Persisted var name = ""
  @Persisted(indexed: true) var ending = ""
  @Persisted var size = 0
  @Persisted var folder: Folder?
}

/// The folder of the toolchain's own modules and headers, beside the compiler on the path.
private let toolchain: URL? = {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  for folder in folders {
    let compiler = URL(fileURLWithPath: "\(folder)/swiftc").resolvingSymlinksInPath()
    let modules = compiler.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib/swift")
    if FileManager.default.fileExists(atPath: modules.path) { return modules }
  }
  return nil
}()

@Suite(.enabled(if: toolchain != nil))
struct ToolchainFilesTests {
  private struct Entry {
    let folder: String
    let name: String
    let size: Int
    var ending: String { name.contains(".") ? String(name.split(separator: ".").last ?? "") : "" }
  }

  private func entries() throws -> [Entry] {
    let root = try #require(toolchain)
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }.sorted() ?? []
    return names.prefix(3000).compactMap { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: root.path + "/" + name)
      guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? NSNumber else {
        return nil
      }
      let parts = name.split(separator: "/")
      return Entry(folder: parts.dropLast().joined(separator: "/"), name: String(parts.last ?? ""), size: size.intValue)
    }
  }

  @Test func filesAreFoundAsAPlainListingFindsThem() throws {
    let entries = try entries()
    try #require(entries.count > 10)
    let realm = try Realm(configuration: .inMemory(objectTypes: [Folder.self, File.self]))
    try realm.write {
      for entry in entries {
        let folder = realm.create(Folder.self, value: ["path": entry.folder], update: .modified)
        realm.create(
          File.self, value: ["name": entry.name, "ending": entry.ending, "size": entry.size, "folder": folder])
      }
      for folder in realm.objects(Folder.self) {
        let above = folder.path.split(separator: "/").dropLast().joined(separator: "/")
        if !folder.path.isEmpty { folder.parent = realm.object(ofType: Folder.self, forPrimaryKey: above) }
      }
    }
    let files = realm.objects(File.self)
    func names(_ reading: (Entry) -> Bool) -> [String] { entries.filter(reading).map { "\($0.folder)/\($0.name)" } }
    func found(_ results: Results<File>) -> [String] { results.map { "\($0.folder?.path ?? "?")/\($0.name)" } }
    let limit = entries.map(\.size).sorted()[entries.count / 2]
    #expect(found(files.where { $0.ending == "swiftmodule" }) == names { $0.ending == "swiftmodule" })
    #expect(
      found(files.filter("ending == 'h' AND size >= %@", limit)) == names { $0.ending == "h" && $0.size >= limit })
    #expect(
      found(files.filter(#Predicate { $0.size < limit && $0.folder?.path == "linux" }))
        == names { $0.size < limit && $0.folder == "linux" })
    #expect(
      found(files.where { $0.folder.path.starts(with: "li") && $0.name.contains("swift", options: .caseInsensitive) })
        == names { $0.folder.hasPrefix("li") && $0.name.lowercased().contains("swift") })
    #expect(
      found(files.filter("NOT (ending IN {'h', 'swiftmodule', 'swiftdoc'}) AND size BETWEEN {1, %@}", limit))
        == names { !["h", "swiftmodule", "swiftdoc"].contains($0.ending) && (1...limit).contains($0.size) })
    let listing = Dictionary(grouping: entries, by: \.folder)
    #expect(
      Set(realm.objects(Folder.self).where { $0.files.size.sum > limit && $0.files.count > 2 }.map(\.path))
        == Set(listing.filter { $0.value.map(\.size).reduce(0, +) > limit && $0.value.count > 2 }.keys))
    #expect(
      Set(realm.objects(Folder.self).where { ($0.files.ending == "h" && $0.files.size > 100).count == 0 }.map(\.path))
        == Set(listing.filter { !$0.value.contains { $0.ending == "h" && $0.size > 100 } }.keys))
    for group in files.grouped(by: \.ending) {
      let members = entries.filter { $0.ending == group.key }
      #expect(group.count == members.count)
      #expect(group.elements.sum(of: \.size) == members.map(\.size).reduce(0, +))
    }
    let sorted = files.sorted(by: [
      SortDescriptor(keyPath: "size", ascending: false), SortDescriptor(keyPath: "folder.path"), "name",
    ])
    #expect(sorted.limit(20).map(\.size) == entries.map(\.size).sorted(by: >).prefix(20).map { $0 })
  }
}
