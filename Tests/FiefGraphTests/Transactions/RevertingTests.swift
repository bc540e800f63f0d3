import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Taking back a step, and leaving what came later. The step names Ann, gives her Rex, and makes Bello.
struct RevertingTests {
  private let kennel: Kennel
  private let ann: ObjectKey
  private let rex: ObjectLink
  private let bello: ObjectLink
  private let before: Graph
  private let after: Graph

  init() throws {
    kennel = try Kennel()
    (ann, rex) = (try kennel.person(), try kennel.newDog())
    before = kennel.graph
    try kennel.transaction.set(.string("Ann"), kennel.cell(ann, kennel.name))
    try kennel.transaction.set(.link(rex), kennel.cell(ann, kennel.dog))
    bello = try kennel.newDog("Bello")
    after = kennel.graph
  }

  private func revert(_ transaction: Transaction) throws { try transaction.revert(from: after, to: before) }

  /// Adds a table of cats, which know dogs, and a cat.
  private func addCats(_ transaction: Transaction, knowing dog: ObjectLink) throws -> Cell {
    let cats = try transaction.addTable("Cat")
    let friend = try transaction.addColumn(to: cats, "friend", .link(to: kennel.dogs))
    let cell = Cell(cats, try transaction.create(in: cats), friend)
    try transaction.set(.link(dog), cell)
    return cell
  }

  @Test func aStepIsTakenBack() throws {
    let reverted = try after.after(revert)
    #expect(reverted.value(kennel.cell(ann, kennel.name)) == .string(""))
    #expect(reverted.value(kennel.cell(ann, kennel.dog)) == .null && !reverted.contains(bello))
  }

  @Test func aTableThatCameLaterStaysAndDoesNotStandInTheWay() throws {
    var cell: Cell?
    let later = try after.after { cell = try addCats($0, knowing: rex) }
    let friend = try #require(cell)
    let reverted = try later.after(revert)
    #expect(reverted.value(kennel.cell(ann, kennel.name)) == .string("") && !reverted.contains(bello))
    #expect(reverted.value(friend) == .link(rex) && reverted.schema == later.schema)
    #expect(reverted.linkCount(to: rex, from: kennel.persons, kennel.dog) == 0)
    #expect(reverted.linkCount(to: rex, from: friend.table, friend.column) == 1)
    // The step back was made when the table was there, and is taken back itself.
    let again = try reverted.after { try $0.revert(from: reverted, to: later) }
    #expect(again.value(kennel.cell(ann, kennel.name)) == .string("Ann") && again.contains(bello))
  }

  @Test func aLinkFromATableThatCameLaterStandsInTheWay() throws {
    let transaction = Transaction(after)
    _ = try addCats(transaction, knowing: bello)
    expectRefusal(.conflict, transaction) { try revert(transaction) }
  }

  @Test func aChangedTableStandsInTheWay() throws {
    let changes: [(Transaction) throws -> Void] = [
      { _ = try $0.addColumn(to: kennel.dogs, "more", ColumnType(.int)) },
      { try $0.renameTable(kennel.dogs, to: "Hound") },
      {
        try $0.clear([kennel.addresses])
        for column in [kennel.home, kennel.homes, kennel.homeMap] { try $0.removeColumn(column, of: kennel.persons) }
      },
    ]
    for change in changes {
      let transaction = Transaction(after)
      try change(transaction)
      expectRefusal(.conflict, transaction) { try revert(transaction) }
      // A table that came later excuses nothing.
      _ = try transaction.addTable("Cat")
      expectRefusal(.conflict, transaction) { try revert(transaction) }
    }
  }

  @Test func aStepThatAddedATableStays() throws {
    let transaction = Transaction(after)
    _ = try transaction.addTable("Cat")
    let added = transaction.graph
    expectRefusal(.conflict, transaction) { try transaction.revert(from: added, to: after) }
  }
}
