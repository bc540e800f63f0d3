import Kennel
import RealmSwift

/// Values as a Swift programmer writes them.
@MainActor
func useSigns() throws {
  let realm = try Realm(configuration: .inMemory())
  let sign = Sign()
  try realm.write {
    realm.add(sign)
    sign.area.width = 4
    sign.outline = .round(radius: 2)
    sign.link = URL(string: "https://example.org/a")
    sign.links.append(objectsIn: [URL(string: "https://example.org/b")!])
    sign.earlier = [Area(), Area(2, 2)]
    sign.labels = ["big", "new"]
    sign.readers = ["Ann": 3]
    sign.earlier += [Area(3, 3)]
    sign.labels.removeAll(where: { $0 == "new" })
    for width in 1...4 { realm.create(Sign.self, value: ["text": "\(width)"]).area = Area(Double(width), 1) }
  }
  let signs = realm.objects(Sign.self)
  try expect(signs.map(\.number) == Array(1...5), "keys that the realm hands out")
  try expect(sign.area == Area(4, 1) && sign.earlier == [Area(), Area(2, 2), Area(3, 3)], "structures")
  try expect(sign.labels == ["big"] && sign.readers == ["Ann": 3] && sign.link?.path == "/a", "collections")
  try expect(sign["home"] as? String == "<https://example.org>" && sign.home.host == "example.org", "the mapping")
  try expect(signs.where { $0.link == URL(string: "https://example.org/a") }.count == 1, "URLs in queries")
  try expect(signs.where { $0.link.persistableValue == "<https://example.org/a>" }.count == 1, "stored URLs")
  try expect(sign.links.first?.path == "/b" && sign.links.contains(sign.links[0]), "URLs in lists")
  try expect(signs.sorted(by: \.home).count == 5, "URLs in orders")
  try expect(signs.where { $0.area["width"] > 2.5 }.count == 3, "members in queries")
  try expect(signs.where { ["1", "2"].contains($0.text) && (1...3).contains($0.number) }.count == 2, "constants first")
  try expect(signs.first(where: { $0.text == "3" })?.number == 4, "the first of a condition")
  try expect(signs.average(of: \.number) == 3.0, "an average")
  try expect(signs.sorted(using: KeyPathComparator(\.number, order: .reverse)).first?.number == 5, "a comparator")
  try expect(sign.isContentEqual(to: sign.detached()), "contents")
  try realm.write {
    signs.set(\.text, to: "x")
    realm.delete(signs.where { $0.number > 4 })
  }
  try expect(signs.count == 4 && signs.allSatisfy { $0.text == "x" }, "all set")
  try realm.write { realm.deleteAll(Sign.self) }
}

/// A store of asynchronous code, from many tasks.
func useSignBoard() async throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: folder) }
  let board = try await SignBoard(.init(fileURL: folder.appendingPathComponent("signs.realm")))
  let first = try await board.add("first", Area(1, 1))
  let following = Task {
    for await count in board.count where count == 21 { return true }
    return false
  }
  try await withThrowingTaskGroup(of: Void.self) { group in
    for width in 0..<20 {
      group.addTask { _ = try await board.add("more", Area(Double(width), 1)) }
      group.addTask { _ = try await board.wide(than: 3).map(\.text) }
    }
    try await group.waitForAll()
  }
  try expect(await following.value, "values that follow the store")
  let wide = try await board.wide(than: 17)
  try expect(Set(wide.map(\.area.width)) == [18, 19] && first.text == "first", "frozen values")
  let cancelled = Task {
    withUnsafeCurrentTask { $0?.cancel() }
    return try await board.wide(than: 0).count
  }
  do {
    _ = try await cancelled.value
    throw Unexpected(what: "a cancelled read")
  } catch is CancellationError {}
  await board.store.close()
}
