// swift-format-ignore-file
// The classes of odd.realm, as 'fief schema --swift' has written them. They open the file as it is:
//
//     let configuration = Realm.Configuration(fileURL: url, schemaVersion: 7)

import RealmSwift

class __script______: Object {
  @Persisted var x: MutableSet<String>
  @Persisted var y: Decimal128?
  @Persisted(originProperty: "map") var mapOfclassObject: LinkingObjects<classObject>

  override class func _realmObjectName() -> String? { "</script>\"'& 🐕" }
}

class DataObject: Object {
  @Persisted(primaryKey: true) var `class`: String?
  @Persisted var `default`: Bool
  @Persisted var init_: Int
  @Persisted var self_: Double
  @Persisted var Type_: Float?
  @Persisted var description_: String
  @Persisted var realm_: String
  @Persisted var hash_: Data
  @Persisted var name: Date
  @Persisted var _name_: String?
  @Persisted var `in`: AnyRealmValue
  @Persisted(indexed: true) var a_b_: Int
  @Persisted(indexed: .unique) var a_b: Int
  @Persisted var _1st: UUID
  @Persisted var 日本: ObjectId
  @Persisted var e_: Decimal128
  @Persisted var _____unnamed: List<Int?>
  @Persisted(indexed: .fullText) var text: String
  @Persisted var ___unnamed: Map<String, Bool>
  @Persisted(originProperty: "one") var oneOfclassObject: LinkingObjects<classObject>
  @Persisted(originProperty: "set") var setOfclassObject: LinkingObjects<classObject>

  override class func _realmObjectName() -> String? { "Data" }
  override class func propertiesMapping() -> [String: String] {
    [
      "init_": "init",
      "self_": "self",
      "Type_": "Type",
      "description_": "description",
      "realm_": "realm",
      "hash_": "hash",
      "_name_": "_name",
      "a_b_": "a b",
      "_1st": "1st",
      "e_": "e\u{301}",
      "_____unnamed": "🐕 \"'\\",
      "___unnamed": "...",
    ]
  }
  override class func compoundIndexes() -> [CompoundIndex] {
    [
      CompoundIndex("a_b_", "name"),
      CompoundIndex("_1st", "日本", unique: true),
    ]
  }
}

class Data_: Object {
  @Persisted(primaryKey: true) var n: Int?
}

class Part: EmbeddedObject {
  @Persisted var parts: List<Part>
  @Persisted var named: Map<String, Part?>
  @Persisted var data: Data?
  @Persisted var link: DataObject?
}

class classObject: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted(deleteRule: .deny) var one: DataObject?
  @Persisted(deleteRule: .cascade) var many: List<classObject>
  @Persisted var set: MutableSet<DataObject>
  @Persisted var map: Map<String, __script______?>
  @Persisted var oneOfclass: Int
  @Persisted var part: Part?
  @Persisted(originProperty: "many") var manyOfclassObject: LinkingObjects<classObject>

  override class func _realmObjectName() -> String? { "class" }
}
