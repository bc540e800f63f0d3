import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Holder: Object {
  @Persisted var any: AnyRealmValue
}

private class Secret: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var price: Decimal128 = 2.5
  @Persisted var friend: Secret?
  @Persisted var friends: List<Secret>
  @Persisted var numbers: MutableSet<Int>
  @Persisted var extra: AnyRealmValue
}

/// Rows of classes that are in the file and not in the realm's configuration.
@Suite struct UnknownClassTests {
  private func withFile(_ body: (Realm) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let file = folder.appendingPathComponent("a.realm")
      do {
        let realm = try Realm(configuration: .init(fileURL: file, objectTypes: [Holder.self, Secret.self]))
        let (holder, secret) = (Holder(), Secret())
        secret.id = 7
        secret.name = "x"
        secret.friends.append(secret)
        secret.numbers.insert(4)
        holder.any = .object(secret)
        try realm.write { realm.add(holder) }
      }
      try body(Realm(configuration: .init(fileURL: file, objectTypes: [Holder.self])))
    }
  }

  @Test func theirRowsAreReadByNames() throws {
    try withFile { realm in
      #expect(realm.schema["Secret"] == nil)
      let secret = try #require(realm.dynamicObject(ofType: "Secret", forPrimaryKey: 7))
      #expect(secret.name as? String == "x" && secret.price as? Decimal128 == 2.5 && secret.friend == nil)
      #expect((secret.friends as? List<DynamicObject>)?.first?.id as? Int == 7)
      #expect((secret.numbers as? MutableSet<Int>)?.contains(4) == true && secret.extra == nil)
      #expect(secret.objectSchema.className == "Secret" && secret.objectSchema.primaryKeyProperty?.name == "id")
      #expect(secret.description.contains("name = x;"))
      let held = try #require(realm.objects(Holder.self).first?.any)
      #expect(held.object(Secret.self) == nil && held.dynamicObject == secret)
    }
  }

  @Test func theirRowsAreChangedByNames() throws {
    try withFile { realm in
      let secret = try #require(realm.dynamicObjects("Secret").first)
      try realm.write {
        secret.name = nil
        secret.price = 3
        secret.friend = secret
        secret.numbers = [5, 6]
        secret.extra = ["k": 1]
      }
      #expect(secret.name == nil && secret.price as? Decimal128 == 3)
      #expect((secret.friend as? DynamicObject)?.isSameObject(as: secret) == true)
      #expect((secret.numbers as? MutableSet<Int>)?.count == 2)
      #expect((secret.extra as? Map<String, AnyRealmValue>)?["k"] == .int(1))
      #expect(throws: Realm.Error(.invalidValue)) { try realm.write { secret.price = "dear" } }
      #expect(throws: Realm.Error(.invalidValue)) { try realm.write { secret.friend = Holder() } }
      #expect(throws: Realm.Error(.invalidValue)) { try realm.write { secret.id = 8 } }
      #expect(secret.id as? Int == 7)
    }
  }
}
