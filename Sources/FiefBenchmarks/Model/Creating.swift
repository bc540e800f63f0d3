import Fief
import Foundation

// Adding objects to realms with `add` and `create`.

extension Workload {
  static let modelCreating = [
    Workload(
      "insert_dog_bulk", "N dogs through create(value:) in one write, their dictionaries made there. One op is a dog."
    ) {
      run in
      let names = Dogs.names(run.n)
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write {
          for index in names.indices { realm.create(Dog.self, value: dog(names[index], index)) }
        }
        return run.n
      } check: { realm in
        try realm.checkDogs(run.n)
      }
    },
    Workload("insert_dog_bulk.values", "The dictionaries of insert_dog_bulk alone, made and looked at. One op is one.")
    {
      run in
      let names = Dogs.names(run.n)
      try run.time {
        var count = 0
        for index in names.indices { count += held(dog(names[index], index)) }
        try expect(count, run.n * 2, as: "entries")
        return run.n
      }
    },
    Workload("insert_dog_add", "N dogs: Dog(), two properties set, add, in one write. One op is a dog.") { run in
      let names = Dogs.names(run.n)
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write {
          for index in names.indices {
            let dog = Dog()
            dog.name = names[index]
            dog.age = index % 20
            realm.add(dog)
          }
        }
        return run.n
      } check: { realm in
        try realm.checkDogs(run.n)
      }
    },
    Workload(
      "insert_person_pk_bulk",
      "N/10 persons with 8 scalars and an embedded address through create(value:) in one write. One op is a person."
    ) { run in
      let texts = PersonTexts(run.tenth)
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write {
          for index in 0..<run.tenth { realm.create(Person.self, value: texts.person(index)) }
        }
        return run.tenth
      } check: { realm in
        try realm.checkPersons(run.tenth)
      }
    },
    Workload("insert_person_pk_bulk.values", "The dictionaries of insert_person_pk_bulk alone. One op is one.") { run in
      let texts = PersonTexts(run.tenth)
      try run.time {
        var count = 0
        for index in 0..<run.tenth { count += held(texts.person(index)) }
        try expect(count, run.tenth * 8, as: "entries")
        return run.tenth
      }
    },
    Workload(
      "upsert_person_pk",
      "N/10 persons that are there, one property each by create(update: .modified) in one write. One op is one."
    ) { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addPersons(run.tenth)
      var turn = 0
      try run.time {
        turn += 1
        try realm.write {
          for index in 0..<run.tenth {
            realm.create(
              Person.self, value: ["id": index, "age": index % 90 + turn] as [String: Any], update: .modified)
          }
        }
        try expect(realm.objects(Person.self).count, run.tenth, as: "persons")
        try expect(realm.object(ofType: Person.self, forPrimaryKey: 7)?.age, 7 + turn, as: "the age of person 7")
        return run.tenth
      }
    },
    Workload("json_create", "N/10 persons from JSONSerialization output, in one write. One op is a person.") { run in
      let texts = PersonTexts(run.tenth)
      let json = try JSONSerialization.data(withJSONObject: (0..<run.tenth).map { texts.json($0) })
      guard let values = try JSONSerialization.jsonObject(with: json) as? [Any] else { return }
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write {
          for value in values { realm.create(Person.self, value: value) }
        }
        return run.tenth
      } check: { realm in
        try realm.checkPersons(run.tenth)
      }
    },
    Workload(
      "copy_across", "N/10 persons with dogs and address, by create(value:) into a second realm. One op is a person."
    ) {
      run in
      let source = try Realm.forBenchmark()
      let texts = PersonTexts(run.tenth)
      let persons = try source.write {
        (0..<run.tenth).map { index in
          var value = texts.person(index)
          value["dogs"] = [dog("a", index), dog("b", index)]
          return source.create(Person.self, value: value)
        }
      }
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write {
          for person in persons { realm.create(Person.self, value: person) }
        }
        return run.tenth
      } check: { realm in
        try realm.checkPersons(run.tenth)
        try expect(realm.objects(Dog.self).count, run.tenth * 2, as: "dogs")
      }
    },
    Workload(
      "copy_deep_chain", "One chain of N/10 linked objects by create(value:) into a second realm. One op is an object."
    ) {
      run in
      let source = try Realm.ofLinks()
      let first = try source.write { source.chain(run.tenth, isRing: false) }
      try run.time(fresh: Realm.ofLinks) { realm in
        try realm.write { realm.create(ChainLink.self, value: first) }
        return run.tenth
      } check: { realm in
        try expect(realm.objects(ChainLink.self).count, run.tenth, as: "links")
      }
    },
    Workload("copy_cyclic", "A ring of N/10 linked objects by copy(_:) into a second realm. One op is an object.") {
      run in
      let source = try Realm.ofLinks()
      let first = try source.write { source.chain(run.tenth, isRing: true) }
      try run.time(fresh: Realm.ofLinks) { realm in
        try realm.write { realm.copy(first) }
        return run.tenth
      } check: { realm in
        try expect(realm.objects(ChainLink.self).count, run.tenth, as: "links")
        try expect(realm.objects(ChainLink.self).filter { $0.next == nil }.count, 0, as: "ends")
      }
    },
    Workload("copy_flat", "N dogs of a list, by create(value:) of their owner into a second realm. One op is a dog.") {
      run in
      let source = try Realm.forBenchmark()
      let names = Dogs.names(run.n)
      let owner = try source.write {
        let owner = source.create(Person.self, value: ["id": 1])
        for index in names.indices { owner.dogs.append(source.create(Dog.self, value: dog(names[index], index))) }
        return owner
      }
      try run.time(fresh: Realm.forBenchmark) { realm in
        try realm.write { realm.create(Person.self, value: owner) }
        return run.n
      } check: { realm in
        try realm.checkDogs(run.n)
      }
    },
    Workload("upsert_person_pk.values", "The dictionaries of upsert_person_pk alone. One op is one.") { run in
      try run.time {
        var count = 0
        for index in 0..<run.tenth { count += held(["id": index, "age": index % 90 + 1] as [String: Any]) }
        try expect(count, run.tenth * 2, as: "entries")
        return run.tenth
      }
    },
  ]

  fileprivate static func dog(_ name: String, _ index: Int) -> [String: Any] { ["name": name, "age": index % 20] }

  /// Reads a dictionary as `create` would receive it, so that the dictionary has to be made.
  @inline(never)
  private static func held(_ value: Any) -> Int { (value as? [String: Any])?.count ?? 0 }
}

/// The data of persons, so that no string is made while the clock runs.
private struct PersonTexts {
  let names: [String]
  let cities: [String]
  let created = Date(timeIntervalSince1970: 1_700_000_000)

  init(_ count: Int) {
    names = (0..<count).map { "person\($0)" }
    cities = (0..<1000).map { "city\($0)" }
  }

  func person(_ index: Int) -> [String: Any] {
    [
      "id": index, "name": names[index], "age": index % 90, "score": Double(index) / 2, "active": index % 2 == 0,
      "city": cities[index % 1000], "created": created,
      "address": ["street": "Main Street", "city": cities[index % 1000]],
    ]
  }

  func json(_ index: Int) -> [String: Any] {
    var value = person(index)
    value["created"] = nil
    return value
  }
}

/// A link of a chain.
final class ChainLink: Object {
  @Persisted var number: Int
  @Persisted var next: ChainLink?
}

extension Realm {
  static func ofLinks() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [ChainLink.self])) }

  /// A chain of objects, each of which links to the next. In a ring, the last object links to the first.
  fileprivate func chain(_ count: Int, isRing: Bool) -> ChainLink {
    let links = (0..<count).map { create(ChainLink.self, value: ["number": $0]) }
    for index in 1..<count { links[index - 1].next = links[index] }
    if isRing { links[count - 1].next = links[0] }
    return links[0]
  }

  fileprivate func checkDogs(_ count: Int) throws {
    let dogs = objects(Dog.self)
    try expect(dogs.count, count, as: "dogs")
    try expect(dogs.reduce(0) { $0 + $1.age }, Dogs.sumOfAges(count), as: "sum of ages")
    try expect(dogs[count - 1].name, "dog\(count - 1)", as: "the name of the last dog")
  }

  fileprivate func checkPersons(_ count: Int) throws {
    try expect(objects(Person.self).count, count, as: "persons")
    let last = object(ofType: Person.self, forPrimaryKey: count - 1)
    try expect(last?.age, (count - 1) % 90, as: "the age of the last person")
    try expect(last?.address?.city, "city\((count - 1) % 1000)", as: "the city of the last person")
  }
}
