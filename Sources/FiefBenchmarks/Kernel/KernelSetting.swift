import FiefGraph

// Setting single cells, inside one transaction.

extension Workload {
  static let kernelSetting = [
    Workload("kernel_set_hot", "The age of one dog set 1000000 times in one transaction; one op is a set.") { run in
      let store = try KernelStore(dogs: run.n)
      let cell = store.tables.ageOfDog(run.n / 2)
      try run.time(fresh: { store }) { store in
        try store.write { transaction, tables in
          for number in 0..<1_000_000 { try transaction.set(Int64(number & 15), cell) }
        }
        return 1_000_000
      } check: { changed in
        try changed.checkAges(Dogs.sumOfAges(run.n) - Dogs.age(run.n / 2) + 999_999 & 15)
      }
    },
    Workload(
      "kernel_set_random",
      "The ages of 1000000 dogs chosen at random among N set in one transaction, the version before it being held; one "
        + "op is a set."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let numbers = Random.numbers(1_000_000, below: run.n, seed: 2)
      var ages = (0..<run.n).map(Dogs.age)
      for (turn, number) in numbers.enumerated() { ages[number] = turn & 63 }
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for (turn, number) in numbers.enumerated() {
            try transaction.set(Int64(turn & 63), tables.ageOfDog(number))
          }
        }
        return numbers.count
      } check: { changed in
        try changed.checkAges(ages.reduce(0, +))
        try store.checkAges(Dogs.sumOfAges(run.n))
      }
    },
    Workload(
      "kernel_savepoint",
      "A savepoint, the age of a random dog among N set, the savepoint restored; one op is all three."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let numbers = Random.numbers(100_000, below: run.n, seed: 3)
      try run.time(fresh: { store }) { changed in
        try changed.write { transaction, tables in
          for number in numbers {
            let savepoint = transaction.savepoint()
            try transaction.set(Int64(99), tables.ageOfDog(number))
            transaction.restore(savepoint)
          }
        }
        return numbers.count
      } check: { changed in
        try changed.checkAges(Dogs.sumOfAges(run.n))
      }
    },
  ]
}
