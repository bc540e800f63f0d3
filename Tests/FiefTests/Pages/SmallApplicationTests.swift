import FiefTestSupport
import Foundation
import Observation
import RealmSwift
import Testing

// A small application as its author would write it: an actor that stores, a model of the main actor for a view, and a
// task for each request.

private enum OrderState: String, PersistableEnum { case open, shipped }

private class Customer: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name: String
  @Persisted var orders: List<Order>
}

private class Order: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var item = ""
  @Persisted var count = 1
  @Persisted(indexed: true) var state = OrderState.open
  @Persisted(originProperty: "orders") var customers: LinkingObjects<Customer>
}

/// The message of a client.
private struct OrderRequest: Sendable {
  let customer: String
  let item: String
  let count: Int
}

private enum OrderError: Swift.Error, Equatable { case nothingOrdered, unknownOrder }

/// Takes and ships orders.
private actor OrderStore {
  private var realm: Realm!

  init(configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func take(_ request: OrderRequest) async throws -> ObjectId {
    try await realm.asyncWrite {
      let customer = realm.create(Customer.self, value: ["name": request.customer], update: .modified)
      let order = Order()
      order.item = request.item
      order.count = request.count
      customer.orders.append(order)
      if order.count < 1 { throw OrderError.nothingOrdered }
      return order.id
    }
  }

  func ship(_ id: ObjectId) async throws {
    try await realm.asyncWrite {
      guard let order = realm.object(ofType: Order.self, forPrimaryKey: id) else { throw OrderError.unknownOrder }
      order.state = .shipped
    }
  }

  /// The number of open pieces for each item.
  func stock() -> [String: Int] {
    realm.objects(Order.self).where { $0.state == .open }.reduce(into: [:]) { $0[$1.item, default: 0] += $1.count }
  }

  func close() { realm = nil }
}

/// The content of a view.
@MainActor
@Observable
private final class OrderList {
  struct Row: Equatable, Identifiable {
    let id: ObjectId
    let text: String
  }

  private(set) var rows: [Row] = []
  private(set) var updates = 0
  @ObservationIgnored private let realm: Realm
  @ObservationIgnored private var watching: Task<Void, Never>?

  init(configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration)
    let open = realm.objects(Order.self).where { $0.state == .open }.sorted(byKeyPath: "item")
    watching = Task { [weak self] in
      for await change in open.changes {
        switch change {
        case .initial(let orders), .update(let orders, _, _, _): self?.show(orders)
        case .error(let error): print(error)
        }
      }
    }
  }

  private func show(_ orders: Results<Order>) {
    rows = orders.map { Row(id: $0.id, text: "\($0.count) \($0.item) for \($0.customers.first?.name ?? "nobody")") }
    updates += 1
  }

  /// A button of the view.
  func double(_ row: Row) throws {
    guard let order = realm.object(ofType: Order.self, forPrimaryKey: row.id) else { return }
    try realm.write { order.count *= 2 }
  }

  func stop() async {
    watching?.cancel()
    await watching?.value
  }
}

@Suite("A small application: an actor that stores, a model of the main actor, a task for each request")
struct SmallApplicationTests {
  private func configuration(in folder: TemporaryFolder) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("orders.realm"), objectTypes: [Customer.self, Order.self])
  }

  @Test @MainActor func `requests are stored together, and the model shows the result`() async throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(in: folder)
    let store = try await OrderStore(configuration: configuration)
    let list = try await OrderList(configuration: configuration)

    let requests = (1...40).map { OrderRequest(customer: "customer \($0 % 4)", item: "item \($0 % 5)", count: $0 % 8) }
    var taken: [ObjectId] = []
    await withTaskGroup(of: Result<ObjectId, any Swift.Error>.self) { group in
      for request in requests {
        group.addTask {
          do { return .success(try await store.take(request)) } catch { return .failure(error) }
        }
      }
      for await result in group {
        switch result {
        case .success(let id): taken.append(id)
        case .failure(let error): #expect(error as? OrderError == .nothingOrdered)
        }
      }
    }
    #expect(taken.count == 35 && Set(taken).count == 35)
    #expect(await eventually { list.rows.count == 35 })
    #expect(
      list.rows.map { $0.text.split(separator: " ")[2] } == list.rows.map { $0.text.split(separator: " ")[2] }.sorted())
    let all = requests.reduce(into: [:]) { $0[$1.item, default: 0] += $1.count }
    #expect(await store.stock() == all)

    // One view waits for the model, and is told once.
    var told = 0
    withObservationTracking {
      _ = list.rows
    } onChange: {
      MainActor.assumeIsolated { told += 1 }
    }
    let first = try #require(list.rows.first)
    try list.double(first)
    #expect(await eventually { list.rows.first?.text != first.text })
    #expect(told == 1)

    for id in taken { Task { try await store.ship(id) } }
    #expect(await eventually { list.rows.isEmpty })
    #expect(list.updates <= 35 + 40 + 2)
    await #expect(throws: OrderError.unknownOrder) { try await store.ship(ObjectId.generate()) }
    await list.stop()
    await store.close()
  }

  @Test @MainActor func `what was acknowledged is there after closing and opening`() async throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(in: folder)
    var store: OrderStore? = try await OrderStore(configuration: configuration)
    let id = try #require(await store?.take(OrderRequest(customer: "Ann", item: "tea", count: 3)))
    await store?.close()
    store = nil
    let again = try await OrderStore(configuration: configuration)
    #expect(await again.stock() == ["tea": 3])
    try await again.ship(id)
    #expect(await again.stock() == [:])
    await again.close()
    withExtendedLifetime(folder) {}
  }
}
