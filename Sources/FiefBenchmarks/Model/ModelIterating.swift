import Fief

// Iterating over collections of objects and values.

extension Workload {
  static let modelIterating = [
    Workload("scan_read_int", "All N dogs gone over ten times, reading the age. One op is a dog.") { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      let dogs = realm.objects(Dog.self)
      try run.time {
        var sum = 0
        for _ in 0..<10 { for dog in dogs { sum &+= dog.age } }
        try expect(sum, 10 * (0..<run.n).reduce(0) { $0 + $1 % 20 }, as: "sum of ages")
        return 10 * run.n
      }
    },
    Workload("index_read_int", "All N dogs by position, reading the age. One op is a dog.") { run in
      let realm = try Realm.forBenchmark()
      _ = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      let dogs = realm.objects(Dog.self)
      try run.time {
        var sum = 0
        for index in 0..<dogs.count { sum &+= dogs[index].age }
        try expect(sum, (0..<run.n).reduce(0) { $0 + $1 % 20 }, as: "sum of ages")
        return run.n
      }
    },
    Workload("list_read", "A list of N dogs gone over, reading the age. One op is a dog.") { run in
      let realm = try Realm.forBenchmark()
      let dogs = try realm.addDogs((0..<run.n).map { "dog\($0)" })
      let person = try realm.addPersons(1)[0]
      try realm.write { person.dogs.append(objectsIn: dogs) }
      let list = person.dogs
      try run.time {
        var sum = 0
        for dog in list { sum &+= dog.age }
        try expect(sum, (0..<run.n).reduce(0) { $0 + $1 % 20 }, as: "sum of ages")
        return run.n
      }
    },
    Workload("list_append", "N dogs appended to a list one by one, in one write. One op is one.") { run in
      // Each measurement uses new objects. In a second round each dog would have two links, which is more work.
      try run.time(fresh: { try Kennel(dogs: run.n, persons: 1) }) { kennel in
        let list = kennel.persons[0].dogs
        try kennel.realm.write { for dog in kennel.dogs { list.append(dog) } }
        return run.n
      } check: { kennel in
        let list = kennel.persons[0].dogs
        try expect(list.count, run.n, as: "how long the list is")
        try expect(list[run.n / 2].name, kennel.dogs[run.n / 2].name, as: "the dog in the middle")
      }
    },
  ]
}
