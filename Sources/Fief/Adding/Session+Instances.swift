import FiefGraph
import FiefSessions

// Instances for new rows. Their initialisers are code of the application, and may use the realm.

extension Session {
  /// Makes an instance of a class, for the defaults of a new row.
  ///
  /// - Throws: when its initialiser has given it an invalid value, or added it to a realm.
  func freshInstance(of type: ObjectBase.Type, _ name: @autoclosure () -> String, _ transaction: Transaction) throws
    -> ObjectBase
  {
    ShortCut.applicationRuns()
    let object = type.init()
    try checkIsFresh(object, name(), transaction)
    return object
  }

  /// Checks that application code has not given the instance of a new row an invalid value, or added it to a realm.
  @inline(__always)
  func checkIsFresh(_ object: ObjectBase, _ name: @autoclosure () -> String, _ transaction: Transaction) throws {
    if object.isManaged || object.flags.contains(.faulty) { try refuseInstance(object, name(), transaction) }
  }

  private func refuseInstance(_ object: ObjectBase, _ name: String, _ transaction: Transaction) throws {
    checkIsWriting(transaction, name)
    if let error = FaultyObjects.error(of: object) { throw error }
    throw Realm.Error(
      .invalidValue,
      "An initialiser or a conversion of class '\(name)' adds the new object to a realm, so that nothing can be "
        + "created by it: add objects where they are made.")
  }

  /// Creates the accessor of a row that an operation of the write has made or changed. The initialiser of the accessor
  /// is application code.
  func accessor(_ binding: ClassBinding, _ key: ObjectKey, within transaction: Transaction) -> ObjectBase {
    let object = accessor(binding, key)
    checkIsWriting(transaction, binding.model.name)
    return object
  }

  /// Traps when application code that ran within an operation has ended the write.
  func checkIsWriting(_ transaction: Transaction, _ name: String) {
    if self.transaction === transaction { return }
    fatalError(
      "The write transaction ended while an object of class '\(name)' was brought into it, by an initialiser or a "
        + "conversion of the application: end it afterwards.")
  }
}
