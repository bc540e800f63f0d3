// FiefQueries: the predicate tree, the format-string parser, the planner, evaluation and sorting.
// What will stand here, and on what it may stand, is in README.md beside this file.
import FiefGraph
import FiefValues
