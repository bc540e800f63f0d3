import FiefTestSupport
import RealmSwift
import Testing

private class Product: Object {
  @Persisted var price = 0
  @Persisted var weight: Double?
  @Persisted var cost: Decimal128

  convenience init(_ price: Int, weight: Double? = nil, cost: Decimal128 = 0) {
    self.init()
    (self.price, self.weight, self.cost) = (price, weight, cost)
  }
}

private class Item: Object {
  @Persisted var product: Product?

  convenience init(_ product: Product?) {
    self.init()
    self.product = product
  }
}

private class Order: Object {
  @Persisted var id = 0
  @Persisted var items: List<Item>
  @Persisted var named: Map<String, Item?>

  convenience init(_ id: Int, _ items: [Item]) {
    self.init()
    self.id = id
    self.items.append(objectsIn: items)
    for (number, item) in items.enumerated() { named["k\(number)"] = item }
  }
}

/// Aggregates of values behind links of a collection's elements. There are often more elements than objects.
@Suite struct AggregatingThroughLinksTests {
  /// A store with some orders, which are asked before as objects outside it.
  private func expect(_ orders: [Order], _ questions: [(format: String, value: Any?, ids: [Int])]) throws {
    let outside = List<Order>()
    outside.append(objectsIn: orders)
    for (format, value, ids) in questions {
      #expect(outside.index(matching: format, value) == outside.firstIndex { ids.contains($0.id) }, "\(format)")
    }
    let realm = try Realm(configuration: .inMemory(objectTypes: [Order.self, Item.self, Product.self]))
    try realm.write { realm.add(orders) }
    for (format, value, ids) in questions {
      #expect(Array(realm.objects(Order.self).filter(format, value).map(\.id)) == ids, "\(format) \(value ?? "nil")")
    }
  }

  @Test func anElementCountsAsOftenAsTheCollectionHasIt() throws {
    let item = Item(Product(1, weight: 0.1, cost: "0.1"))
    // Twenty additions of 0.1 are not 20 * 0.1.
    let weight = (0..<20).reduce(0.0) { sum, _ in sum + 0.1 }
    try expect(
      [Order(0, Array(repeating: item, count: 20)), Order(1, [item])],
      [
        ("items.@sum.product.price == %@", 20, [0]), ("items.@sum.product.price == %@", 1, [1]),
        ("items.@sum.product.weight == %@", weight, [0]), ("items.@sum.product.cost == %@", Decimal128("2"), [0]),
        ("named.@sum.product.price == %@", 20, [0]), ("items.@max.product.price == %@", 1, [0, 1]),
      ])
  }

  @Test func anAverageIsThatOfAllElements() throws {
    let (cheap, dear, none) = (Item(Product(1)), Item(Product(5)), Item(nil))
    let items = Array(repeating: cheap, count: 30) + Array(repeating: dear, count: 10) + [none, none]
    try expect(
      [Order(0, items), Order(1, [cheap, dear]), Order(2, [none])],
      [
        ("items.@avg.product.price == %@", 2, [0]), ("items.@avg.product.price == %@", 3, [1]),
        ("items.@avg.product.price == %@", nil, [2]), ("named.@avg.product.price == %@", 2, [0]),
      ])
  }

  @Test func aSumBeyondAnIntegerIsExact() throws {
    let items = Array(repeating: Item(Product(.max)), count: 20)
    try expect([Order(0, items)], [("items.@sum.product.price == %@", Decimal128(value: Int.max) * 20, [0])])
  }

  @Test func typedConditionsAndOrdersCountTheSame() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Order.self, Item.self, Product.self]))
    let (one, five) = (Item(Product(1)), Item(Product(5)))
    let orders = [Order(0, Array(repeating: one, count: 20)), Order(1, Array(repeating: five, count: 3))]
    try realm.write { realm.add(orders) }
    let all = realm.objects(Order.self)
    #expect(all.where { $0.items.product.price.sum == 20 }.map(\.id) == [0])
    #expect(all.where { $0.items.product.price.sum == 15 }.map(\.id) == [1])
    #expect(all.sorted(byKeyPath: "items.@sum.product.price").map(\.id) == [1, 0])
    #expect(all[0].items.sum(ofProperty: "product.price") as Int == 20)
  }

  @Test func everyAggregateIsThatOfAPlainLoop() throws {
    try Seeds.run(count: 20) { _, random throws in
      let products = (0..<3).map { _ in
        Product(
          random.bool(0.1) ? .max : random.below(9), weight: random.bool(0.3) ? nil : Double(random.below(9)) / 10,
          cost: Decimal128(value: random.below(99)) / 10)
      }
      let items = (0..<(1 + random.below(9))).map { _ in Item(random.bool(0.2) ? nil : random.element(of: products)) }
      let order = Order(0, (0..<random.below(150)).map { _ in random.element(of: items) })
      let bought = order.items.compactMap { $0.product }.map { $0 }
      let (prices, weights, costs) = (bought.map(\.price), bought.compactMap(\.weight), bought.map(\.cost))
      let price = prices.reduce(Decimal128()) { $0 + Decimal128(value: $1) }
      let (weight, cost) = (weights.reduce(0, +), costs.reduce(Decimal128(), +))
      try expect(
        [order],
        [
          ("items.@sum.product.price == %@", price, [0]), ("items.@sum.product.weight == %@", weight, [0]),
          ("items.@sum.product.cost == %@", cost, [0]), ("items.@min.product.price == %@", prices.min(), [0]),
          ("items.@max.product.weight == %@", weights.max(), [0]),
          ("items.@avg.product.weight == %@", weights.isEmpty ? nil : weight / Double(weights.count), [0]),
          ("items.@avg.product.cost == %@", costs.isEmpty ? nil : cost / Decimal128(value: costs.count), [0]),
        ])
    }
  }
}
