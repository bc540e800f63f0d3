import Fief
import FiefGraph
import RealmSwift
import Testing

private class Plain: Object {
  @Persisted var text = ""
  @Persisted var part: Piece?
}

private class Keyed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var part: Piece?
}

private class Piece: EmbeddedObject {
  @Persisted var text = ""
}

/// Another class with the properties of `Keyed`.
private class Twin: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var text = ""
  @Persisted var part: Piece?
}

private class Holder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var plain: Plain?
  @Persisted var keyed: Keyed?
  @Persisted var plains: List<Plain>
  @Persisted var keyeds: List<Keyed>
  @Persisted var part: Piece?
}

private class Sent: AsymmetricObject {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var text = ""
}

/// The decision table of create, row by row and policy by policy, at the root and below it.
@Suite struct DecisionTableTests {
  private static let classes: [ObjectBase.Type] = [
    Plain.self, Keyed.self, Twin.self, Holder.self, Piece.self, Sent.self,
  ]

  private func realm() throws -> Realm {
    let realm = try Realm(configuration: .inMemory(objectTypes: Self.classes))
    try realm.write {
      realm.create(Plain.self, value: ["text": "plain", "part": ["text": "p"]])
      realm.create(Keyed.self, value: ["id": 1, "text": "keyed", "part": ["text": "p"]])
      realm.create(Twin.self, value: ["id": 1, "text": "twin", "part": ["text": "p"]])
      realm.create(Holder.self, value: ["id": 1, "part": ["text": "held"]])
    }
    return realm
  }

  private func count(_ realm: Realm, _ type: ObjectBase.Type) -> Int {
    realm.graph.table(named: type.className())?.count ?? -1
  }

  /// The result for a value.
  private enum Outcome: Equatable {
    /// A new row.
    case made
    /// The row with the key shows the value.
    case updated
    /// The given instance itself.
    case same
    case refused(Realm.Error.Code)
  }

  private enum RootValue: CaseIterable {
    case dictionary, newKey, takenKey, array, unmanaged, unmanagedTaken, managed, otherClass, frozen, foreign
    case foreignTaken, deleted, null, number, embedded
  }

  private static let policies: [Realm.UpdatePolicy] = [.error, .modified, .all]

  /// The value, and its string for `text`.
  private func value(_ kind: RootValue, keyed: Bool, in realm: Realm, other: Realm) throws -> (Any, String) {
    func fresh(_ id: Int, _ text: String) -> Any {
      keyed ? Keyed(value: ["id": id, "text": text]) : Plain(value: ["text": text])
    }
    func present(_ realm: Realm) throws -> Object {
      keyed ? try #require(realm.objects(Keyed.self).first) : try #require(realm.objects(Plain.self).first)
    }
    switch kind {
    case .dictionary: return (["text": "d"], "d")
    case .newKey: return (["id": 7, "text": "n"] as [String: Any], "n")
    case .takenKey: return (["id": 1, "text": "t"] as [String: Any], "t")
    case .array:
      let values: [Any] = keyed ? [8, "a"] : ["a"]
      return (values, "a")
    case .unmanaged: return (fresh(9, "u"), "u")
    case .unmanagedTaken: return (fresh(1, "u"), "u")
    case .managed: return (try present(realm), keyed ? "keyed" : "plain")
    case .otherClass: return (try #require(realm.objects(Twin.self).first), "twin")
    case .frozen: return (try present(realm).freeze(), keyed ? "keyed" : "plain")
    case .foreign:
      let value: [String: Any] = ["id": 12, "text": "f", "part": ["text": "fp"]]
      let type: Object.Type = keyed ? Keyed.self : Plain.self
      let object: Object = try other.write { other.create(type, value: value) }
      return (object, "f")
    case .foreignTaken: return (try present(other), keyed ? "keyed" : "plain")
    case .deleted:
      let type: Object.Type = keyed ? Keyed.self : Plain.self
      let object: Object = try other.write { other.create(type, value: ["id": 13]) }
      try other.write { other.delete(object) }
      return (object, "")
    case .null: return (NSNull(), "")
    case .number: return (5, "")
    case .embedded: return (Piece(value: ["text": "e"]), "")
    }
  }

  private func expected(_ kind: RootValue, keyed: Bool, _ policy: Realm.UpdatePolicy) -> Outcome {
    // A value that is not an object's is refused whatever the policy is; a policy needs a key.
    if !keyed && policy != .error { return .refused(.invalidValue) }
    switch kind {
    case .dictionary, .newKey, .array, .unmanaged, .foreign: return .made
    case .takenKey, .unmanagedTaken, .foreignTaken, .frozen, .otherClass:
      if !keyed { return .made }
      return policy == .error ? .refused(.duplicatePrimaryKey) : .updated
    case .managed: return !keyed ? .made : policy == .error ? .refused(.duplicatePrimaryKey) : .same
    case .deleted, .null, .number: return .refused(.invalidValue)
    // It is read by the names of properties, and lacks some of them.
    case .embedded: return .refused(.invalidValue)
    }
  }

  @Test(arguments: [false, true], policies)
  func aRootBecomesWhatTheTableSays(keyed: Bool, policy: Realm.UpdatePolicy) throws {
    for kind in RootValue.allCases {
      for way in ["create", "validating", "dynamic"] {
        let (realm, other) = (try self.realm(), try self.realm())
        let (value, text) = try value(kind, keyed: keyed, in: realm, other: other)
        let type: Object.Type = keyed ? Keyed.self : Plain.self
        let before = (count(realm, type), realm.graph)
        let expected = expected(kind, keyed: keyed, policy)
        var made: Object?
        var code: Realm.Error.Code?
        do {
          try realm.write {
            switch way {
            case "create": made = realm.create(type, value: value, update: policy)
            case "validating": made = try realm.create(type, validating: value, update: policy)
            default: made = realm.dynamicCreate(type.className(), value: value, update: policy)
            }
          }
        } catch let error as Realm.Error {
          code = error.code
        }
        let what: Comment = "\(kind) \(keyed ? "keyed" : "plain") \(policy) by \(way)"
        #expect(realm.graph.checkInvariants() == [], what)
        switch expected {
        case .refused(let expected):
          #expect(code == expected, what)
          #expect(realm.graph == before.1, what)
        case .made, .updated, .same:
          #expect(code == nil, what)
          #expect(count(realm, type) == before.0 + (expected == .made ? 1 : 0), what)
          #expect(made?["text"] as? String == text, what)
          #expect(made?.realm == realm, what)
          // The given object is unchanged.
          if let given = value as? Object {
            #expect((given === made) == (expected == .same && way != "dynamic"), what)
            if given.realm != realm { #expect(!given.isSameObject(as: made), what) }
          }
          if kind == .foreign || kind == .frozen || kind == .managed {
            // An embedded object is copied with its owner, always.
            let pieces = before.1.table(named: "Piece")?.count ?? 0
            #expect(count(realm, Piece.self) == pieces + (expected == .made ? 1 : 0), what)
          }
        }
      }
    }
  }

  @Test func classesThatCannotStandAloneAreRefusedByName() throws {
    let realm = try realm()
    for name in ["Piece", "Sent", "Nobody"] {
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { _ = realm.dynamicCreate(name, value: ["text": "x"]) }
      }
      #expect(error?.code == .invalidValue, "\(name)")
      #expect("\(error as Any)".contains(name))
    }
  }

  private enum Nested: CaseIterable {
    case managed, frozen, foreign, unmanaged, dictionary, array, otherClass
  }

  private func nested(_ kind: Nested, _ own: Object, _ foreign: Object, _ twin: Object, isKeyed: Bool) -> Any {
    let dictionary: [String: Any] = ["id": 1, "text": "n"]
    switch kind {
    case .managed: return own
    case .frozen: return own.freeze()
    case .foreign: return foreign
    case .unmanaged:
      if isKeyed { return Keyed(value: dictionary) }
      return Plain(value: dictionary)
    case .dictionary: return dictionary
    case .array:
      let values: [Any] = isKeyed ? [1, "n"] : ["n"]
      return values
    case .otherClass: return twin
    }
  }

  @Test(arguments: policies)
  func anObjectBelowTheRootBecomesWhatTheTableSays(policy: Realm.UpdatePolicy) throws {
    for kind in Nested.allCases {
      for name in ["keyed", "keyeds", "plain", "plains"] {
        let (realm, other) = (try self.realm(), try self.realm())
        let isKeyed = name.hasPrefix("keyed")
        let type: Object.Type = isKeyed ? Keyed.self : Plain.self
        let own: Object = isKeyed ? realm.objects(Keyed.self)[0] : realm.objects(Plain.self)[0]
        let foreign: Object = isKeyed ? other.objects(Keyed.self)[0] : other.objects(Plain.self)[0]
        let value = nested(kind, own, foreign, realm.objects(Twin.self)[0], isKeyed: isKeyed)
        let before = (count(realm, type), realm.graph)
        let what: Comment = "\(kind) at \(name), \(policy)"
        let given: [String: Any] = ["id": 2, name: name.hasSuffix("s") ? [value] : value]
        if isKeyed && policy == .error && kind != .managed {
          let error = #expect(throws: Realm.Error.self, what) {
            try realm.write { _ = realm.create(Holder.self, value: given, update: policy) }
          }
          #expect(error?.code == .duplicatePrimaryKey, what)
          #expect(realm.graph == before.1, what)
          continue
        }
        let holder = try realm.write { realm.create(Holder.self, value: given, update: policy) }
        let targets: [Object?] = [holder.keyed, holder.plain, holder.keyeds.first, holder.plains.first]
        let target = try #require(targets.compactMap { $0 }.first, what)
        #expect(target.isSameObject(as: own) == (kind == .managed || isKeyed), what)
        #expect(count(realm, type) == before.0 + (kind == .managed || isKeyed ? 0 : 1), what)
        let texts: [Nested: String] = [.otherClass: "twin", .unmanaged: "n", .dictionary: "n", .array: "n"]
        #expect(target["text"] as? String == texts[kind] ?? (isKeyed ? "keyed" : "plain"), what)
        #expect(realm.graph.checkInvariants() == [], what)
      }
    }
  }

  @Test(arguments: policies) func embeddedObjectsAreCopiedWhereverTheyComeFrom(policy: Realm.UpdatePolicy) throws {
    let (realm, other) = (try self.realm(), try self.realm())
    let own = try #require(realm.objects(Keyed.self).first?.part)
    let sources: [Any] = [
      own, own.freeze(), try #require(other.objects(Keyed.self).first?.part), Piece(value: ["text": "p"]),
      ["text": "p"],
    ]
    for (index, source) in sources.enumerated() {
      let before = count(realm, Piece.self)
      let holder = try realm.write {
        realm.create(Holder.self, value: ["id": 20 + index, "part": source], update: policy)
      }
      #expect(holder.part?.text == "p")
      #expect(count(realm, Piece.self) == before + 1)
      #expect(!own.isInvalidated)
      #expect(realm.graph.checkInvariants() == [])
    }
  }

  @Test func addAndAssignmentsTakeWhatIsUnmanagedAndLinkWhatIsTheirs() throws {
    let (realm, other) = (try self.realm(), try self.realm())
    let holder = try #require(realm.objects(Holder.self).first)
    let own = try #require(realm.objects(Keyed.self).first)
    let foreign = try #require(other.objects(Keyed.self).first)
    // Objects of the realm in a graph are linked, and not changed.
    try realm.write {
      let new = Holder(value: ["id": 5, "keyed": own, "keyeds": [own, Keyed(value: ["id": 6])]])
      realm.add(new)
      #expect(new.keyed?.isSameObject(as: own) ?? false)
      #expect(new.keyeds.count == 2)
    }
    #expect(count(realm, Keyed.self) == 2)
    // Every way refuses an object of another realm, with advice.
    let ways: [(String, (Object) -> Void)] = [
      ("add", { _ in realm.add(Holder(value: ["id": 9, "keyed": foreign])) }),
      ("assignment", { _ in holder.keyed = foreign }), ("append", { _ in holder.keyeds.append(foreign) }),
      ("insert", { _ in holder.keyeds.insert(foreign, at: 0) }),
      ("frozen", { _ in holder.keyed = own.freeze() }),
      ("deep", { _ in holder.keyeds.append(objectsIn: [own, foreign]) }),
      ("by name", { _ in holder["keyed"] = foreign }),
    ]
    for (name, way) in ways {
      let before = realm.graph
      let error = #expect(throws: Realm.Error.self, "\(name)") { try realm.write { way(holder) } }
      #expect(error?.code == .objectManagedByAnotherRealm, "\(name)")
      #expect(
        "\(error as Any)".contains(
          "Object is already managed by another Realm. Use create instead to copy it into this Realm."), "\(name)")
      #expect(realm.graph == before, "\(name)")
    }
    // Every way but an update refuses a key that is taken.
    for way in [
      { holder.keyed = Keyed(value: ["id": 1]) }, { holder.keyeds.append(Keyed(value: ["id": 1])) },
      { realm.add(Keyed(value: ["id": 1])) },
    ] {
      let error = #expect(throws: Realm.Error.self) { try realm.write { way() } }
      #expect(error?.code == .duplicatePrimaryKey)
    }
  }
}
