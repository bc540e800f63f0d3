/// The elements of a list or a dictionary inside an any-value, as they were when it was read.
///
/// A copy, not the live collection: storing it deletes what its cell held before, which the collection may show.
final class NestedContents: _NestedContents {
  /// The elements.
  enum Elements {
    case list([AnyRealmValue])
    case dictionary([(String, AnyRealmValue)])
  }

  let elements: Elements

  init(_ elements: Elements) { self.elements = elements }

  var count: Int {
    switch elements {
    case .list(let values): values.count
    case .dictionary(let entries): entries.count
    }
  }

  var shown: Any {
    switch elements {
    case .list(let values): AnyRealmValue.fromArray(values)
    case .dictionary(let entries): AnyRealmValue.fromDictionary(Dictionary(entries) { _, last in last })
    }
  }

  var isList: Bool { if case .list = elements { true } else { false } }
}

extension _NestedContents {
  /// The elements. Only `AnyRealmValue` makes nested contents.
  var elements: NestedContents.Elements {
    guard let contents = self as? NestedContents else {
      fatalError("Nested contents were made by another type than AnyRealmValue.")
    }
    return contents.elements
  }
}
