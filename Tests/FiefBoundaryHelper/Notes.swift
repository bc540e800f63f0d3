import Fief
import FiefInterposer

/// Adds a line to the record, between the calls.
func note(_ text: String) { fief_interposer_note(text) }

/// The name of an error's code.
func code(of error: any Error) -> String { (error as? Realm.Error).map { "\($0.code)" } ?? "\(type(of: error))" }
