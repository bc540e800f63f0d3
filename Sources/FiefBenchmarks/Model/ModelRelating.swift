import Fief

// Links from both ends, long lists, and the deletion of linked objects.

extension Workload {
  static let modelRelating = [
    Workload(
      "backlink_hub", "N/10 persons link to one dog, then are unlinked in random order, in one write. One op is either."
    ) { run in
      let realm = try Realm.forBenchmark()
      let persons = try realm.addPersons(run.tenth)
      let dog = try realm.addDogs(["hub"])[0]
      let order = Random.order(run.tenth, seed: 7)
      try run.time {
        try realm.write {
          for person in persons { person.dog = dog }
          try expect(dog.owners.count, run.tenth, as: "owners of the hub")
          for number in order { persons[number].dog = nil }
        }
        try expect(dog.owners.count, 0, as: "owners of the hub afterwards")
        return 2 * run.tenth
      }
    },
    Workload("backlink_read", "How many owners each of 100000 dogs has. One op is a read.") { run in
      let realm = try Realm.forBenchmark()
      let count = min(100_000, run.n)
      let dogs = try realm.addDogs((0..<count).map { "dog\($0)" })
      let persons = try realm.addPersons(run.tenth)
      try realm.write { for (number, person) in persons.enumerated() { person.dog = dogs[number % count] } }
      try run.time {
        var sum = 0
        for dog in dogs { sum &+= dog.owners.count }
        try expect(sum, run.tenth, as: "owners of all dogs")
        return count
      }
    },
    Workload("list_insert_front", "20000 dogs inserted at the front of a list of N, in one write. One op is one.") {
      run in
      let extra = min(20_000, run.n)
      try run.time(fresh: {
        let kennel = try Kennel(dogs: run.n, persons: 1)
        try kennel.realm.write { kennel.persons[0].dogs.append(objectsIn: kennel.dogs) }
        return kennel
      }) { kennel in
        let list = kennel.persons[0].dogs
        try kennel.realm.write { for number in 0..<extra { list.insert(kennel.dogs[number], at: 0) } }
        return extra
      } check: { kennel in
        let list = kennel.persons[0].dogs
        try expect(list[0].name, kennel.dogs[extra - 1].name, as: "the first of the list")
        try expect(list.count, run.n + extra, as: "how long the list is")
      }
    },
    Workload("list_random_move", "20000 random moves in a list of N dogs, in one write. One op is one.") { run in
      let realm = try Realm.forBenchmark()
      let dogs = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      let person = try realm.addPersons(1)[0]
      try realm.write { person.dogs.append(objectsIn: dogs) }
      let list = person.dogs
      let positions = Random.numbers(40_000, below: run.n, seed: 7)
      try run.time {
        try realm.write {
          for turn in 0..<20_000 { list.move(from: positions[2 * turn], to: positions[2 * turn + 1]) }
        }
        try expect(list.count, run.n, as: "the length of the list")
        return 20_000
      }
    },
    Workload("delete_matching", "The dogs younger than 10 of N deleted in one write. One op is a deleted dog.") { run in
      let names = (0..<run.n).map { "dog\($0)" }
      try run.time(fresh: {
        let realm = try Realm.forBenchmark()
        _ = try realm.addDogs(names)
        return realm
      }) { realm in
        try realm.write { realm.delete(realm.objects(Dog.self).where { $0.age < 10 }) }
        return run.n - realm.objects(Dog.self).count
      } check: { realm in
        try expect(realm.objects(Dog.self).count, (0..<run.n).count { $0 % 20 >= 10 }, as: "dogs that are left")
      }
    },
    Workload("delete_cascade", "N/10 persons deleted, each with an embedded address. One op is a person.") { run in
      try run.time(fresh: {
        let realm = try Realm.forBenchmark()
        let persons = try realm.addPersons(run.tenth)
        try realm.write { for person in persons { person.address = Address() } }
        return realm
      }) { realm in
        try realm.write { realm.delete(realm.objects(Person.self)) }
        return run.tenth
      } check: { realm in
        try expect(realm.isEmpty, true, as: "whether nothing is left")
      }
    },
    Workload("freeze_thaw", "A realm frozen, one object read from it, and thawed, 100000 times. One op is a round.") {
      run in
      let realm = try Realm.forBenchmark()
      let dog = try realm.addDogs(["dog"])[0]
      try run.time {
        var length = 0
        for _ in 0..<100_000 {
          let frozen = realm.freeze()
          length += frozen.freeze(dog).name.utf8.count
          if frozen.thaw() != realm { throw WrongResult(description: "Thawing gave another realm.") }
        }
        try expect(length, 300_000, as: "bytes of the name")
        return 100_000
      }
    },
  ]
}
