import RealmSwift

/// The actor of the pages, whose realm is isolated to it, with the functions that the pages add.
actor RealmActor {
  // An implicitly-unwrapped optional is used here to let us pass `self` to
  // `Realm(actor:)` within `init`
  var realm: Realm!

  init() async throws {
    realm = try await Realm(configuration: .inMemory(objectTypes: [Todo.self]), actor: self)
  }

  var count: Int {
    realm.objects(Todo.self).count
  }

  func createTodo(name: String, owner: String, status: String) async throws {
    try await realm.asyncWrite {
      realm.create(
        Todo.self,
        value: [
          "_id": ObjectId.generate(),
          "name": name,
          "owner": owner,
          "status": status,
        ])
    }
  }

  func getObjectId(forTodoNamed name: String) async -> ObjectId {
    let todo = realm.objects(Todo.self).where {
      $0.name == name
    }.first!
    return todo._id
  }

  func deleteTodo(id: ObjectId) async throws {
    try await realm.asyncWrite {
      let todoToDelete = realm.object(ofType: Todo.self, forPrimaryKey: id)
      realm.delete(todoToDelete!)
    }
  }

  func close() {
    realm = nil
  }
}

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}
