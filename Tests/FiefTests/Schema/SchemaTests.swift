import RealmSwift
import Testing

private class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var label: String?
  @Persisted var tags: List<String>
  @Persisted var kinds: MutableSet<Int>
  @Persisted var parts: Map<String, Item?>
  @Persisted(originProperty: "parts") var owners: LinkingObjects<Item>
  @Persisted var detail: Detail?
  @Persisted var any: AnyRealmValue
  override class func propertiesMapping() -> [String: String] { ["label": "label_text", "nothing": "none"] }
}

private class Detail: EmbeddedObject {
  @Persisted var text: String
}

private class Event: AsymmetricObject {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var kind = "start"
}

@Suite struct SchemaTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Item.self, Detail.self, Event.self]))
  }

  @Test func aSchemaNamesItsClasses() throws {
    let schema = try realm().schema
    #expect(Set(schema.objectSchema.map(\.className)) == ["Item", "Detail", "Event"])
    #expect(schema["Detail"]?.isEmbedded == true && schema["Item"]?.isEmbedded == false)
    #expect(schema["Event"]?.isAsymmetric == true && schema["Nothing"] == nil)
    #expect(schema["Item"]?.objectClass == Item.self)
    #expect(schema.description.contains("Item {") && schema.description.contains("Detail (embedded) {"))
  }

  @Test func aClassNamesItsProperties() throws {
    let item = try #require(try realm().schema["Item"])
    #expect(item.properties.map(\.name) == ["id", "label", "tags", "kinds", "parts", "detail", "any"])
    #expect(item.properties.map(\.type) == [.int, .string, .string, .int, .object, .object, .any])
    #expect(item.primaryKeyProperty?.name == "id" && item["id"]?.isIndexed == true)
    let label = try #require(item["label"])
    #expect(label.columnName == "label_text" && label.isOptional && label.isIndexed && label.objectClassName == nil)
    #expect(item["tags"]?.isArray == true && item["kinds"]?.isSet == true && item["parts"]?.isMap == true)
    #expect(item["parts"]?.objectClassName == "Item" && item["detail"]?.objectClassName == "Detail")
    #expect(item["detail"]?.isOptional == true && item["id"]?.isOptional == false && item["label_text"] == nil)
    #expect(label.description.contains("columnName = label_text;"))
  }

  @Test func propertiesAreEqualWhenAllThatTheyDeclareIs() throws {
    let (item, detail) = (try #require(try realm().schema["Item"]), try #require(try realm().schema["Detail"]))
    let again = try #require(try realm().schema["Item"])
    #expect(item == again && item.properties == again.properties && item != detail)
    #expect(item["id"] != item["label"] && Set(item.properties + again.properties).count == item.properties.count)
  }

  @Test func linkingObjectsAreComputedAndFoundByName() throws {
    let item = try #require(try realm().schema["Item"])
    #expect(item["owners"]?.type == .linkingObjects && item["owners"]?.isArray == true)
    #expect(item.description.contains("\t\tlinkOriginPropertyName = parts;\n"))
  }

  @Test func anAnyValueIsNotOptional() throws {
    let schema = try realm().schema
    #expect(schema["Item"]?["any"]?.isOptional == false && schema["Item"]?["detail"]?.isOptional == true)
  }

  @Test func aPropertyDescribesItselfAsRealmDoes() throws {
    let schema = try realm().schema
    #expect(
      schema["Item"]?["label"]?.description
        == "label {\n\ttype = string;\n\tcolumnName = label_text;\n\tindexed = YES;\n\tisPrimary = NO;\n\tarray = NO;\n"
        + "\tset = NO;\n\tdictionary = NO;\n\toptional = YES;\n}")
    #expect(
      schema["Item"]?["parts"]?.description.hasPrefix(
        "parts {\n\ttype = object;\n\tobjectClassName = Item;\n\tlinkOriginPropertyName = (null);\n") == true)
  }

  @Test func schemasAreComparedByWhatTheySay() throws {
    let (a, b) = (try realm().schema, try realm().schema)
    #expect(a == b && a["Item"] == b["Item"] && a["Item"] != a["Detail"] && a["Item"]?["id"] == b["Item"]?["id"])
    #expect(try Realm(configuration: .inMemory(objectTypes: [Detail.self])).schema != a)
  }

  @Test func schemasAreEqualInEveryOrderOfTheirClasses() throws {
    let (a, b) = (
      try Realm(configuration: .inMemory(objectTypes: [Item.self, Detail.self, Event.self])).schema,
      try Realm(configuration: .inMemory(objectTypes: [Event.self, Detail.self, Item.self])).schema
    )
    #expect(a == b && b == a && a["Nothing"] == nil)
    #expect(a.objectSchema.allSatisfy { a[$0.className] == $0 && b[$0.className] == $0 })
    #expect(a.description == b.description)
  }

  @Test func objectsKnowTheirSchemaBeforeTheyAreManaged() throws {
    let item = Item()
    #expect(
      item.objectSchema.className == "Item" && Detail().objectSchema.isEmbedded && Event().objectSchema.isAsymmetric)
    let realm = try realm()
    try realm.write { realm.add(item) }
    #expect(item.objectSchema == realm.schema["Item"])
  }

  @Test func classesSayTheirSchemaWithoutARealm() throws {
    #expect(try Item.sharedSchema() == realm().schema["Item"] && Detail.sharedSchema()?.isEmbedded == true)
    #expect(Event.sharedSchema()?.primaryKeyProperty?.name == "id")
    #expect(Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil)
  }

  @Test func asymmetricObjectsArePropertiesByName() {
    let event = Event()
    event["kind"] = "stop"
    #expect(event.kind == "stop" && event["kind"] as? String == "stop" && event.description.contains("kind = stop"))
    #expect(Event.className() == "Event")
  }

  @Test func kindsHaveTheOriginalsNumbers() {
    #expect(PropertyType.allCases.map(\.rawValue) == Array(0...12))
    #expect(PropertyType.int.rawValue == 0 && PropertyType.object.rawValue == 7 && PropertyType.UUID.rawValue == 12)
  }
}
