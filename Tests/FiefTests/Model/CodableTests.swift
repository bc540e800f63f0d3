import Foundation
import RealmSwift
import Testing

private enum State: String, PersistableEnum, Codable { case open, closed }

private class Company: Object, Codable {
  @Persisted var name: String
}

private class Street: EmbeddedObject, Codable {
  @Persisted var name: String
  @Persisted var number: Int?
}

private class Invoice: Object, Codable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var customer: String
  @Persisted var memo: String?
  @Persisted var total: Decimal128
  @Persisted var due: Date
  @Persisted var paid = false
  @Persisted var seller: Company?
  @Persisted var lines: List<Company>
  @Persisted var tags: MutableSet<String>
  @Persisted var extras: Map<String, Int>
  @Persisted var address: Street?
  @Persisted var state: State
}

private class Ticket: Object, Codable {
  @Persisted var seat: String
  @Persisted(originProperty: "tickets") var shows: LinkingObjects<Show>
  enum CodingKeys: String, CodingKey { case seat = "seat_number" }
}

private class Show: Object {
  @Persisted var tickets: List<Ticket>
}

private class Node: Object, Codable {
  @Persisted var next: Node?

  convenience init(_ next: Node) {
    self.init()
    self.next = next
  }
}

/// Nothing but one test makes objects of it: the first one that is hashed was decoded.
private class Badge: Object, Codable {
  @Persisted(primaryKey: true) var number: Int
}

/// As `Badge`; its key is missing in what is decoded.
private class Tag: Object, Codable {
  @Persisted(primaryKey: true) var text: String?
}

@Suite struct CodableTests {
  private static let json = """
    {"id": "0123456789abcdef01234567", "customer": "Ann", "total": "12.50", "due": "1970-01-01T00:00:05Z", "paid": true,
     "seller": {"name": "Acme"}, "lines": [{"name": "a"}, {"name": "b"}], "tags": ["x"], "extras": {"k": 1},
     "address": {"name": "High"}, "state": "closed"}
    """

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  private func invoice() throws -> Invoice { try decoder().decode(Invoice.self, from: Data(Self.json.utf8)) }

  @Test func objectsAreDecodedByTheirDeclarations() throws {
    let invoice = try invoice()
    #expect(invoice.id == ObjectId("0123456789abcdef01234567") && invoice.customer == "Ann" && invoice.memo == nil)
    #expect(invoice.total == 12.5 && invoice.due == Date(timeIntervalSince1970: 5) && invoice.paid)
    #expect(invoice.seller?.name == "Acme" && invoice.lines.map(\.name) == ["a", "b"])
    #expect(invoice.tags.contains("x") && invoice.extras["k"] == 1)
    #expect(invoice.address?.name == "High" && invoice.address?.number == nil && invoice.state == .closed)
  }

  @Test func encodedValuesAreDecodedAlike() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(invoice())
    let again = try encoder.encode(decoder().decode(Invoice.self, from: data))
    #expect(data == again)
    #expect(String(decoding: data, as: UTF8.self).contains(#""due":"1970-01-01T00:00:05Z""#))
  }

  @Test func defaultsAreEncoded() throws {
    let company = Company()
    #expect(String(decoding: try JSONEncoder().encode(company), as: UTF8.self) == #"{"name":""}"#)
  }

  @Test func decodedObjectsAreAdded() throws {
    let realm = try Realm(
      configuration: .inMemory(objectTypes: [Company.self, Street.self, Invoice.self]))
    let invoice = try invoice()
    try realm.write { realm.add(invoice) }
    #expect(realm.object(ofType: Invoice.self, forPrimaryKey: invoice.id)?.seller?.name == "Acme")
  }

  @Test func aManagedObjectIsEncodedAsAnUnmanagedOneIs() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Company.self, Street.self, Invoice.self]))
    let invoice = try invoice()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let before = try encoder.encode(invoice)
    try realm.write { realm.add(invoice) }
    #expect(try encoder.encode(invoice) == before)
    #expect(try encoder.encode(realm.objects(Invoice.self)) == Data("[".utf8) + before + Data("]".utf8))
    #expect(try encoder.encode(invoice.freeze()) == before)
  }

  @Test(arguments: [false, true]) func aCircleOfObjectsIsNotEncoded(isManaged: Bool) async throws {
    // On a thread with the stack that threads of a program have by default.
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let thread = Thread {
        done.resume(
          with: Result {
            let realm = try Realm(configuration: .inMemory(objectTypes: [Node.self]))
            let node = Node()
            node.next = Node()
            node.next?.next = node
            realm.beginWrite()
            if isManaged { realm.add(node) }
            let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(node) }
            #expect("\(error as Any)".contains("link to each other in a circle"))
            node.next = nil
            realm.cancelWrite()
            let last = Node()
            let first = (0..<95).reduce(last) { next, _ in Node(next) }
            #expect(try JSONEncoder().encode(first).count > 95 * 8)
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test func missingKeysAndNullsOfRequiredPropertiesAreErrors() {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Company.self, from: Data("{}".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Company.self, from: Data(#"{"name": null}"#.utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Company.self, from: Data(#"{"name": 1}"#.utf8)) }
  }

  @Test func nullsOfOptionalPropertiesAreNil() throws {
    let street = try JSONDecoder().decode(Street.self, from: Data(#"{"name": "x", "number": null}"#.utf8))
    #expect(street.number == nil)
  }

  @Test func keysOfOnesOwnLeaveLinkingObjectsOut() throws {
    let ticket = try JSONDecoder().decode(Ticket.self, from: Data(#"{"seat_number": "12"}"#.utf8))
    #expect(ticket.seat == "12" && ticket.shows.isEmpty)
    #expect(String(decoding: try JSONEncoder().encode(ticket), as: UTF8.self) == #"{"seat_number":"12"}"#)
  }

  @Test func decodedObjectsAreHashedByTheirKeys() throws {
    let badges = try JSONDecoder().decode([Badge].self, from: Data(#"[{"number": 1}, {"number": 2}]"#.utf8))
    let tag = try JSONDecoder().decode(Tag.self, from: Data("{}".utf8))
    let hashes = badges.map(\.hash) + [tag.hash]
    let realm = try Realm(configuration: .inMemory(objectTypes: [Badge.self, Tag.self]))
    try realm.write {
      realm.add(badges)
      realm.add(tag)
    }
    #expect(badges.map(\.hash) + [tag.hash] == hashes)
    #expect(Badge(value: ["number": 2]).hash == hashes[1] && Badge(value: ["number": 3]).hash != hashes[1])
  }
}
