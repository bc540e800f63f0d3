// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Combine
import Foundation

/// The outcome of a view: its text, its parts, and what a user can do with it.
@MainActor
public final class Node {
  public let kind: String
  public internal(set) var text: String
  public internal(set) var identifier: String?
  public internal(set) var children: [Node]
  /// The identity in a list.
  var id: AnyHashable?
  var tag: AnyHashable?
  /// The text that a suggestion enters into the search field.
  var completion: String?
  var press: (() -> Void)?
  var type: ((String) -> Void)?
  var choose: ((AnyHashable) -> Void)?
  var deleteRows: ((IndexSet) -> Void)?
  var moveRows: ((IndexSet, Int) -> Void)?

  init(_ kind: String, _ text: String = "", children: [Node] = []) {
    self.kind = kind
    self.text = text
    self.children = children
  }

  /// All nodes, this one first.
  public var all: [Node] { [self] + children.flatMap(\.all) }
}

/// The place of a view while it is evaluated.
@MainActor
public struct _Scope {
  let host: Stage
  var path: String
  var environment: EnvironmentValues

  func evaluate<Content: View>(_ view: Content, _ step: String) -> Node {
    var inner = self
    inner.path += "/\(step):\(Content.self)"
    inner.host.install(view, inner)
    if let primitive = view as? any _Primitive { return primitive._node(inner) }
    return inner.evaluate(view.body, "body")
  }
}

/// Shows a view: evaluates it, keeps its state, acts as a user, and evaluates it again when something changed.
@MainActor
public final class Stage {
  private let root: () -> any View
  private var environment: EnvironmentValues
  /// What belongs to places in the tree rather than to values: states and owned objects.
  private var kept: [String: AnyObject] = [:]
  private var observed: [AnyCancellable] = []
  private var isOutdated = false
  /// The number of evaluations of the whole tree.
  public private(set) var evaluations = 0
  public private(set) var tree: Node

  public init(environment: EnvironmentValues = EnvironmentValues(), _ root: @escaping () -> any View) {
    self.root = root
    self.environment = environment
    tree = Node("nothing")
    evaluate()
  }

  /// Evaluates the tree now.
  public func evaluate() {
    evaluations += 1
    isOutdated = false
    observed = []
    let scope = _Scope(host: self, path: "", environment: environment)
    tree = scope.evaluate(AnyView(root()), "root")
  }

  /// Waits until changes have been reported, and evaluates the tree if something that it shows has changed.
  public func settle() async {
    var quiet = 0
    while quiet < 3 {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
      quiet += 1
      if isOutdated {
        evaluate()
        quiet = 0
      }
    }
  }

  func outdate() { isOutdated = true }

  func keep<Kept: AnyObject>(_ path: String, _ make: () -> Kept) -> Kept {
    if let known = kept[path] as? Kept { return known }
    let made = make()
    kept[path] = made
    return made
  }

  func observe(_ object: some ObservableObject) {
    observed.append(object.objectWillChange.sink { [weak self] _ in MainActor.assumeIsolated { self?.outdate() } })
  }

  /// Connects the properties of a view with what is kept for its place.
  func install(_ view: Any, _ scope: _Scope) {
    for child in Mirror(reflecting: view).children {
      guard let property = child.value as? any DynamicProperty else { continue }
      var inner = scope
      inner.path += ".\(child.label ?? "")"
      (property as? any Installed)?.install(inner)
      install(property, inner)
      var copy = property
      copy.update()
    }
  }
}

/// A property that has something kept for it.
protocol Installed {
  @MainActor func install(_ scope: _Scope)
}

// MARK: - What a user does

extension Stage {
  /// All strings, in the order of the tree.
  public var texts: [String] { tree.all.filter { $0.kind == "text" }.map(\.text) }

  /// The nodes of a kind.
  public func nodes(_ kind: String) -> [Node] { tree.all.filter { $0.kind == kind } }

  /// The node of a kind with a text or an identifier. Traps without one.
  public func node(_ kind: String, _ name: String) -> Node {
    guard
      let node = nodes(kind).first(where: { node in
        node.text == name || node.identifier == name || node.all.contains { $0.kind == "text" && $0.text == name }
      })
    else { fatalError("No \(kind) '\(name)' is shown.") }
    return node
  }

  public func press(_ button: String) { node("button", button).press?() }
  public func type(_ text: String, into field: String) { node("field", field).type?(text) }
  public func content(of field: String) -> String { node("field", field).children.first?.text ?? "" }
  public func toggle(_ name: String) { node("toggle", name).press?() }
  public func choose(_ value: some Hashable, in picker: String) { node("picker", picker).choose?(AnyHashable(value)) }
  public func search(_ text: String) { nodes("search").first?.type?(text) }
  public func prompt() -> String? { nodes("prompt").first?.text }
  /// The strings that the search field offers.
  public var suggestions: [String] { nodes("suggestions").flatMap(\.all).compactMap(\.completion) }
  public func chooseSuggestion(_ text: String) {
    guard suggestions.contains(text) else { fatalError("No suggestion '\(text)' is shown.") }
    search(text)
  }
  public func swipeToDelete(row: Int, ofList list: Int = 0) { nodes("rows")[list].deleteRows?(IndexSet(integer: row)) }
  public func delete(rows: IndexSet, ofList list: Int = 0) { nodes("rows")[list].deleteRows?(rows) }
  public func move(rows: IndexSet, to target: Int, ofList list: Int = 0) { nodes("rows")[list].moveRows?(rows, target) }
}
