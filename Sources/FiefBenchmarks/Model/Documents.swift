import Fief
import Foundation

extension Workload {
  /// Graphs as JSON.
  static let modelDocuments = [
    Workload("json_document_read", "A JSON document of N/100 persons with dogs: text to document. One op is a KB.") {
      run in
      let json = try personsDocument(run)
      try run.time(fresh: { nil as ObjectDocument? }) {
        $0 = try ObjectDocument(json: json)
        return json.count / 1024
      } check: {
        try expect($0?.dictionary.count ?? 0, 3, as: "members")
      }
    },
    Workload("json_document_write", "The same document: document to text. One op is a KB.") { run in
      let json = try personsDocument(run)
      let document = try ObjectDocument(json: json)
      try run.time {
        let written = try document.json()
        try expect(written.count, json.count, as: "bytes")
        return json.count / 1024
      }
    },
  ]

  /// The JSON of a document: one megabyte for a million rows.
  private static func personsDocument(_ run: Run) throws -> Data {
    let persons = (0..<run.n / 100).map(person)
    let document: [String: Any] = ["$class": "Person", "count": persons.count, "persons": persons]
    return try ObjectDocument(document).json()
  }

  private static func person(_ index: Int) -> [String: Any] {
    let dog: [String: Any] = ["name": "dog\(index)", "age": index % 20]
    let score = Double(index) / 8 + 0.1
    return ["id": index, "name": "person\(index)", "score": score, "active": index % 2 == 0, "dogs": [dog]]
  }
}
