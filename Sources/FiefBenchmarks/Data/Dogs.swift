/// The dogs of all workloads: dog `i` is named "dog<i>" and is `i % 20` years old.
enum Dogs {
  static func age(_ number: Int) -> Int { number % 20 }

  /// The names of `count` dogs.
  static func names(_ count: Int) -> [String] { (0..<count).map { "dog\($0)" } }

  /// The sum of the ages of `count` dogs.
  static func sumOfAges(_ count: Int) -> Int { (0..<count).reduce(0) { $0 + age($1) } }

  /// The number of dogs younger than `limit` among the first `count`.
  static func countYounger(than limit: Int, of count: Int) -> Int { (0..<count).count { age($0) < limit } }
}
