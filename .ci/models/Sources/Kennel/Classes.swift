// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import RealmSwift

public class Dog: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) public var id: ObjectId
  @Persisted(indexed: true) public var name = ""
  @Persisted(indexed: .fullText) public var story = ""
  @Persisted public var age = 0
  @Persisted public var sex: Sex = .female
  @Persisted public var coat: Coat?
  @Persisted public var chip: Chip
  @Persisted public var fur: Fur?
  @Persisted public var direction: Direction?
  @Persisted public var home: Address?
  @Persisted public var spot: Point
  @Persisted(originProperty: "dogs") public var owners: LinkingObjects<Person>
}

public class Address: EmbeddedObject {
  @Persisted public var city = ""
  @Persisted public var place: PointObject?
  @Persisted(originProperty: "home") public var dogs: LinkingObjects<Dog>
}

public class Person: Object {
  @Persisted(primaryKey: true) public var id: UUID
  @Persisted public var name: String?
  @Persisted public var favourite: Dog?
  @Persisted public var dogs: List<Dog>
  @Persisted public var known: MutableSet<Dog>
  @Persisted public var byName: Map<String, Dog?>
  @Persisted public var addresses: List<Address>
  @Persisted public var addressesByName: Map<String, Address?>

  override public class func indexedProperties() -> [String] { ["name"] }
}

public class Visit: AsymmetricObject {
  @Persisted(primaryKey: true) public var id: ObjectId
  @Persisted public var place = ""
}

/// Every type of a single value.
open class Scalars: Object {
  @Persisted public var bool = false
  @Persisted public var int = 0
  @Persisted public var int8: Int8 = 0
  @Persisted public var int16: Int16 = 0
  @Persisted public var int32: Int32 = 0
  @Persisted public var int64: Int64 = 0
  @Persisted public var float: Float = 0
  @Persisted public var double = 0.0
  @Persisted public var string = ""
  @Persisted public var data = Data()
  @Persisted public var date = Date()
  @Persisted public var decimal: Decimal128 = 0
  @Persisted public var objectId: ObjectId
  @Persisted public var uuid: UUID
  @Persisted public var any: AnyRealmValue
  @Persisted public var sex: Sex = .female
  @Persisted public var size: Size = .small
  @Persisted public var grade8: Grade8 = .low
  @Persisted public var grade16: Grade16 = .low
  @Persisted public var grade32: Grade32 = .low
  @Persisted public var grade64: Grade64 = .low
  @Persisted public var share: Share = .half
  @Persisted public var weight: Weight = .light
  @Persisted public var nickname: Nickname
}

/// The same types as optionals.
public class Optionals: Object {
  @Persisted public var bool: Bool?
  @Persisted public var int: Int?
  @Persisted public var int8: Int8?
  @Persisted public var int16: Int16?
  @Persisted public var int32: Int32?
  @Persisted public var int64: Int64?
  @Persisted public var float: Float?
  @Persisted public var double: Double?
  @Persisted public var string: String?
  @Persisted public var data: Data?
  @Persisted public var date: Date?
  @Persisted public var decimal: Decimal128?
  @Persisted public var objectId: ObjectId?
  @Persisted public var uuid: UUID?
  @Persisted public var sex: Sex?
  @Persisted public var size: Size?
  @Persisted public var weight: Weight?
  @Persisted public var chip: Chip?
  @Persisted public var nickname: Nickname?
  @Persisted public var point: Point?
}

/// Collections of scalars, enums and custom types.
public class Collections: Object {
  @Persisted public var bools: List<Bool>
  @Persisted public var strings: List<String>
  @Persisted public var optionals: List<Int?>
  @Persisted public var anys: List<AnyRealmValue>
  @Persisted public var sexes: List<Sex>
  @Persisted public var sizes: List<Size?>
  @Persisted public var chips: List<Chip>
  @Persisted public var points: List<Point>
  @Persisted public var dates: MutableSet<Date>
  @Persisted public var sexSet: MutableSet<Sex>
  @Persisted public var chipSet: MutableSet<Chip?>
  @Persisted public var numbers: Map<String, Double>
  @Persisted public var texts: Map<String, String?>
  @Persisted public var sexMap: Map<String, Sex>
  @Persisted public var directions: Map<String, Direction?>
}

/// The declarations of before `@Persisted`.
public class Older: Object {
  public let dogs = List<Dog>()
  public let names = MutableSet<String>()
  public let sexes = List<Sex>()
  public let numbers = Map<String, Int>()
  public let age = RealmProperty<Int?>()
  public let size = RealmProperty<Size?>()
  public let any = RealmProperty<AnyRealmValue>()
  public let owners = LinkingObjects(fromType: Keeper.self, property: "older")
}

public class Keeper: Object {
  @Persisted public var older: List<Older>
}

/// A class that is written as JSON and read from it.
public class Note: Object, Codable {
  @Persisted public var text: String
  @Persisted public var coat: Coat?
  @Persisted public var words: List<String>
  @Persisted public var counts: Map<String, Int>
}

public class DogName: Projection<Dog> {
  @Projected(\Dog.name) public var name
  @Projected(\Dog.sex) public var sex
  @Projected(\Dog.home?.city) public var city
  @Projected(\Dog.owners) public var owners
}

public class PersonNames: Projection<Person> {
  @Projected(\Person.name) public var name
  @Projected(\Person.dogs.projectTo.name) public var dogNames: ProjectedCollection<String>
}
