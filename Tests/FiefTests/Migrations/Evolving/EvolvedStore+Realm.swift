import Fief
import FiefTestSupport
import Foundation

extension EvolvedStore {
  /// A realm in memory with what the file must hold. No migration has made it.
  func realm() throws -> Realm {
    var configuration = Realm.Configuration.inMemory()
    var schema = tables.mapValues(\.declaration)
    // Contents have no rules, and a class that is not declared may keep a rule for one that is embedded by now.
    for (name, declared) in schema {
      for property in declared.properties.keys { schema[name]?.properties[property]?.cascades = false }
    }
    configuration.dynamicSchema = schema.dynamic
    let realm = try Realm(configuration: configuration)
    try realm.write {
      var objects: [Int: DynamicObject] = [:]
      for name in names where !isEmbedded(name) {
        for number in self.objects(name) {
          var value: [String: Any] = [:]
          for (property, declared) in schema[name]?.ordered ?? [] where declared.kind != .link {
            value[property] = tables[name]?.rows[number]?[property]?.value { _ in nil } ?? NSNull()
          }
          objects[number] = realm.dynamicCreate(name, value: value)
        }
      }
      for name in names where !isEmbedded(name) {
        for number in self.objects(name) {
          for (property, declared) in schema[name]?.ordered ?? [] where declared.kind == .link {
            objects[number]?[property] = value(name, number, property) { objects[$0] }
          }
        }
      }
    }
    return realm
  }

  /// A property's value, in which embedded objects are dictionaries.
  private func value(_ name: String, _ number: Int, _ property: String, _ object: (Int) -> Any?) -> Any? {
    let table = tables[name]
    let target = table?.declaration.properties[property]?.target
    return table?.rows[number]?[property]?.value { link in
      guard let target, isEmbedded(target) else { return object(link) }
      var part: [String: Any] = [:]
      for (property, _) in tables[target]?.declaration.ordered ?? [] {
        part[property] = value(target, link, property, object) ?? NSNull()
      }
      return part
    }
  }

  // MARK: Writing

  /// Draws some operations, and carries them out in a realm as well.
  mutating func write(_ choices: inout some Choices, to realm: Realm) throws {
    let count = 3 + choices.below(8)
    let names = names.filter { declared.contains($0) && !isEmbedded($0) }
    if names.isEmpty { return }
    try realm.write {
      var objects: [Int: DynamicObject] = [:]
      for name in names {
        for object in realm.dynamicObjects(name) {
          guard let number = object[EvolvedClass.tag] as? Int else { continue }
          objects[number] = object
        }
      }
      for _ in 0..<count {
        let name = names[choices.below(names.count)]
        let numbers = self.objects(name)
        switch numbers.isEmpty ? 0 : choices.below(8) {
        case 1, 2: set(&choices, name, numbers[choices.below(numbers.count)], objects)
        case 3:
          let number = numbers[choices.below(numbers.count)]
          delete(number, name)
          if let object = objects[number] { realm.delete(object) }
        default:
          let before = self
          let made = draw(&choices, name, schema) { before.objects($0) }
          var next = self
          next.add(made)
          if !next.repetitions.isEmpty { continue }
          self = next
          objects[made.number] = realm.dynamicCreate(name, value: made.value(schema) { objects[$0] })
        }
      }
    }
  }

  private mutating func set(
    _ choices: inout some Choices, _ name: String, _ number: Int, _ objects: [Int: DynamicObject]
  ) {
    guard let table = tables[name] else { return }
    let declared = table.declaration
    let properties = declared.ordered.filter { $0.name != EvolvedClass.tag && $0.name != declared.key }
    guard !properties.isEmpty else { return }
    let (property, declaration) = properties[choices.below(properties.count)]
    var made = EvolvedObject(className: name, number: number)
    let before = self
    made.values[property] = draw(&choices, declaration, schema, 0, &made.parts) { before.objects($0) }
    var next = self
    next.set(made.values[property] ?? .null, name, number, property)
    for part in made.parts { next.add(part) }
    if !next.repetitions.isEmpty { return }
    self = next
    let value = made.value(schema) { objects[$0] }[property]
    objects[number]?[property] = value is NSNull ? nil : value
  }
}
