import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum First {
  class Ticket: PastClass {
    @Persisted(primaryKey: .increasing) var id: Int
    @Persisted var text = ""
  }
  static let types: [ObjectBase.Type] = [Ticket.self]
}

private enum Second {
  class Ticket: PastClass {
    @Persisted(primaryKey: .increasing) var id: Int
    @Persisted var title = "none"
    @Persisted var parts: List<Ticket>
  }
  static let types: [ObjectBase.Type] = [Ticket.self]
}

private enum HandedOut {
  class Ticket: PastClass {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
  }
  static let types: [ObjectBase.Type] = [Ticket.self]
}

/// Keys that the realm hands out, of objects that a migration creates.
@Suite struct HandedOutKeyTests {
  private let file: Changing

  init() throws { file = try Changing() }

  @Test func objectsThatABlockCreatesGetKeysWhenItHasEnded() throws {
    try file.make(First.types) { realm in
      for text in ["a", "b", "c"] { realm.create(First.Ticket.self, value: ["text": text]) }
      realm.create(First.Ticket.self, value: ["id": 5, "text": "own"])
    }
    let configuration = file.configuration(Second.types, 1) { migration, _ in
      migration.renameProperty(onType: "Ticket", from: "text", to: "title")
      let made = migration.create(
        "Ticket", value: ["title": "d", "parts": [["title": "e"], ["id": 20]]] as [String: Any])
      #expect(made["id"] as? Int == 0)
      migration.create("Ticket", value: ["id": 0])
    }
    let report = try Realm.rehearseMigration(configuration: configuration)
    #expect(report.failure == nil && report.duplicates.isEmpty)
    let realm = try Realm(configuration: configuration)
    let tickets = realm.objects(Second.Ticket.self)
    #expect(tickets.map(\.id) == [1, 2, 3, 5, 6, 7, 20, 8])
    #expect(tickets.map(\.title) == ["a", "b", "c", "own", "d", "e", "none", "none"])
    #expect(tickets[4].parts.map(\.id) == [7, 20])
    #expect(try realm.write { realm.create(Second.Ticket.self).id } == 9)
    #expect(try file.problems() == [])
  }

  @Test func objectsOfTheFileKeepTheirKeys() throws {
    try file.make(HandedOut.types) { realm in
      for id in [0, 7] { realm.create(HandedOut.Ticket.self, value: ["id": id]) }
    }
    let realm = try file.open(First.types, 1) { migration, _ in migration.create("Ticket") }
    #expect(realm.objects(First.Ticket.self).map(\.id) == [0, 7, 3])
  }
}
