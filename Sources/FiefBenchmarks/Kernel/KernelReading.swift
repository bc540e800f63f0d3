import FiefGraph

// Reading single cells.

extension Workload {
  static let kernelReading = [
    Workload("kernel_read_row", "The ages of 1000000 dogs chosen at random among N; one op is a read.") { run in
      let store = try KernelStore(dogs: run.n)
      let numbers = Random.numbers(1_000_000, below: run.n, seed: 1)
      let known = numbers.reduce(0) { $0 + Dogs.age($1) }
      try run.time {
        try expect(sumOfAges(store, numbers), known, as: "sum")
        return numbers.count
      }
    },
    Workload(
      "kernel_read_row_hot", "The ages of eight neighbouring dogs, in turn, 10000000 reads; one op is a read."
    ) { run in
      let store = try KernelStore(dogs: run.n)
      let first = run.n / 2
      let known = (first..<first + 8).reduce(0) { $0 + Dogs.age($1) }
      try run.time {
        for _ in 0..<10 {
          let sum = sumOfNeighbours(store, first: opaque(first), rounds: 125_000)
          try expect(sum, known * 125_000, as: "sum")
        }
        return 10_000_000
      }
    },
  ]

  @inline(never)
  private static func sumOfAges(_ store: KernelStore, _ numbers: [Int]) -> Int {
    let (table, leaf) = store.agesOfDogs
    var sum: Int64 = 0
    for number in numbers { sum &+= table.load(Int64.self, ObjectKey(Int64(number)), leaf: leaf) ?? 0 }
    return Int(sum)
  }

  @inline(never)
  private static func sumOfNeighbours(_ store: KernelStore, first: Int, rounds: Int) -> Int {
    let (table, leaf) = store.agesOfDogs
    var sum: Int64 = 0
    for _ in 0..<rounds {
      for number in first..<first + 8 { sum &+= table.load(Int64.self, ObjectKey(Int64(number)), leaf: leaf) ?? 0 }
    }
    return Int(sum)
  }
}
