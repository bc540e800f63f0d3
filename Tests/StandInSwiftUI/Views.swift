// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A text that is looked up for the user's language.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
  let text: String
  public init(_ value: String) { text = value }
  public init(stringLiteral value: String) { text = value }
}

public struct AnyView: View, _Primitive {
  private let content: any View
  public init(_ view: some View) { content = view }
  init(_ view: any View) { content = view }
  public func _node(_ scope: _Scope) -> Node { scope.evaluate(content, "any") }
}

public struct Text: View, _Primitive {
  let text: String
  public init(_ key: LocalizedStringKey) { text = key.text }
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { text = String(content) }
  public func _node(_ scope: _Scope) -> Node { Node("text", text) }
}

public struct Image: View, _Primitive {
  let name: String
  public init(systemName: String) { name = systemName }
  public func _node(_ scope: _Scope) -> Node { Node("image", name) }
}

public struct Spacer: View, _Primitive {
  public init() {}
  public func _node(_ scope: _Scope) -> Node { Node("space") }
}

/// A view that holds others.
struct Holder<Content: View>: View, _Primitive {
  let kind: String
  let content: Content
  public func _node(_ scope: _Scope) -> Node { Node(kind, children: [scope.evaluate(content, "content")]) }
}

public struct VStack<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: some View { Holder(kind: "column", content: content) }
}

public struct HStack<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: some View { Holder(kind: "row", content: content) }
}

public struct Form<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: some View { Holder(kind: "form", content: content) }
}

public struct List<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: some View { Holder(kind: "list", content: content) }
}

public struct NavigationView<Content: View>: View {
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public var body: some View { Holder(kind: "navigation", content: content) }
}

public struct NavigationStack<Content: View>: View {
  let content: Content
  public init(@ViewBuilder root: () -> Content) { content = root() }
  public var body: some View { Holder(kind: "navigation", content: content) }
}

public struct Section<Parent: View, Content: View>: View {
  let header: Parent
  let content: Content
  public init(header: Parent, @ViewBuilder content: () -> Content) {
    self.header = header
    self.content = content()
  }
  public var body: some View {
    Holder(kind: "section", content: TupleView<(Parent, Content)>(views: [header, content]))
  }
}

extension Section where Parent == EmptyView {
  public init(@ViewBuilder content: () -> Content) { self.init(header: EmptyView(), content: content) }
}

public struct Button<Label: View>: View, _Primitive {
  let action: () -> Void
  let label: Label
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }
  public func _node(_ scope: _Scope) -> Node {
    let node = Node("button", children: [scope.evaluate(label, "label")])
    node.press = action
    return node
  }
}

extension Button where Label == Text {
  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
}

public struct TextField: View, _Primitive {
  private let title: String
  private let read: () -> String
  private let write: (String) -> Void

  public init(_ title: LocalizedStringKey, text: Binding<String>) {
    self.title = title.text
    read = { text.wrappedValue }
    write = { text.wrappedValue = $0 }
  }

  public init<F: ParseableFormatStyle>(_ title: LocalizedStringKey, value: Binding<F.FormatInput>, format: F)
  where F.FormatOutput == String {
    self.title = title.text
    read = { format.format(value.wrappedValue) }
    write = { if let parsed = try? format.parseStrategy.parse($0) { value.wrappedValue = parsed } }
  }

  public init<F: ParseableFormatStyle>(_ title: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F)
  where F.FormatOutput == String {
    self.title = title.text
    read = { value.wrappedValue.map(format.format) ?? "" }
    write = { value.wrappedValue = try? format.parseStrategy.parse($0) }
  }

  public func _node(_ scope: _Scope) -> Node {
    let node = Node("field", title, children: [Node("content", read())])
    node.type = write
    return node
  }
}

public struct Toggle<Label: View>: View, _Primitive {
  let isOn: Binding<Bool>
  let label: Label
  public func _node(_ scope: _Scope) -> Node {
    let node = Node("toggle", children: [scope.evaluate(label, "label"), Node("state", "\(isOn.wrappedValue)")])
    node.press = { isOn.wrappedValue.toggle() }
    return node
  }
}

extension Toggle where Label == Text {
  public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
    self.isOn = isOn
    label = Text(title)
  }
}

public struct Picker<Value: Hashable, Content: View>: View, _Primitive {
  let title: String
  let selection: Binding<Value>
  let content: Content

  public init(_ title: LocalizedStringKey, selection: Binding<Value>, @ViewBuilder content: () -> Content) {
    self.title = title.text
    self.selection = selection
    self.content = content()
  }

  public func _node(_ scope: _Scope) -> Node {
    let choices = scope.evaluate(content, "content")
    let node = Node("picker", title, children: [choices])
    let chosen = AnyHashable(selection.wrappedValue)
    if let choice = choices.all.first(where: { $0.tag == chosen }) { node.children.append(Node("choice", choice.text)) }
    node.choose = { value in
      guard choices.all.contains(where: { $0.tag == value }), let value = value.base as? Value else { return }
      selection.wrappedValue = value
    }
    return node
  }
}

extension View {
  public func tag<V: Hashable>(_ tag: V) -> some View { Modified(content: self) { $0.tag = AnyHashable(tag) } }
}

public protocol DynamicViewContent: View {}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, _Primitive, DynamicViewContent {
  let data: Data
  let id: KeyPath<Data.Element, ID>
  let content: (Data.Element) -> Content

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.id = id
    self.content = content
  }

  public func _node(_ scope: _Scope) -> Node {
    var rows: [Node] = []
    for element in data {
      let identity = element[keyPath: id]
      let row = scope.evaluate(content(element), "\(identity)")
      row.id = AnyHashable(identity)
      rows.append(row)
    }
    if Set(rows.map(\.id)).count < rows.count { fatalError("Two rows of a list have one identity.") }
    return Node("rows", children: rows)
  }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data, id: \.id, content: content)
  }
}

/// Rows with a change to their node.
struct ModifiedRows<Content: DynamicViewContent>: View, _Primitive, DynamicViewContent {
  let content: Content
  let change: (Node) -> Void
  public func _node(_ scope: _Scope) -> Node {
    let node = scope.evaluate(content, "content")
    change(node)
    return node
  }
}

extension DynamicViewContent {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
    ModifiedRows(content: self) { $0.deleteRows = action }
  }

  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
    ModifiedRows(content: self) { $0.moveRows = action }
  }
}
