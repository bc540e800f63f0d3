#if canImport(SwiftUI)
  public import Fief
  public import SwiftUI

  extension View {
    /// Adds a search field that narrows results to the objects whose property contains its text.
    ///
    ///     struct DogsListView: View {
    ///       @ObservedResults(Dog.self) var dogs
    ///       @State var text = ""
    ///       var body: some View {
    ///         List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///           .searchable(text: $text, collection: $dogs, keyPath: \.name)
    ///       }
    ///     }
    ///
    /// - Parameters:
    ///   - text: the text of the field; empty for all objects.
    ///   - collection: the results of the view.
    ///   - keyPath: the property that has to contain the text.
    ///   - placement: the place of the field.
    ///   - prompt: the text of the empty field.
    public func searchable<T: Object>(
      text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is looked up by a key, that narrows results.
    public func searchable<T: Object>(
      text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is a string, that narrows results.
    public func searchable<T: Object, S: StringProtocol>(
      text: Binding<String>, collection: ObservedResults<T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field that narrows sections to the objects whose property contains its text.
    ///
    /// - Parameters:
    ///   - text: the text of the field; empty for all objects.
    ///   - collection: the sections of the view.
    ///   - keyPath: the property that has to contain the text.
    ///   - placement: the place of the field.
    ///   - prompt: the text of the empty field.
    public func searchable<Key: Hashable, T: Object>(
      text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is looked up by a key, that narrows sections.
    public func searchable<Key: Hashable, T: Object>(
      text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is a string, that narrows sections.
    public func searchable<Key: Hashable, T: Object, S: StringProtocol>(
      text: Binding<String>, collection: ObservedSectionedResults<Key, T>, keyPath: KeyPath<T, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }
  }
#endif
