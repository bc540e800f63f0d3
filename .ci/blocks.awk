# Takes the programs out of a page: awk -v folder=FOLDER -f .ci/blocks.awk PAGE. Makes FOLDER/N.swift, the N-th program,
# and FOLDER/N.expected, what it has to print.
#
# The blocks of Swift of a page are one program. What a program prints stands in the page in the same order: behind `//`
# on lines with `print(`, and in blocks of `text`. A comment in the line before a block changes what is done with it:
#
#     <!-- program -->   the block begins the next program of the page, which runs in the same folder
#     <!-- SwiftUI -->   the block is for Apple's module: blocks of one module form FOLDER/MODULE.swift, and do not run
#     <!-- Combine -->
#     <!-- Testing -->   tests: they form FOLDER/Testing.swift
#     <!-- not compiled -->
FNR == 1 { count = 1; mark = ""; kind = "" }
/^<!-- .* -->$/ { mark = substr($0, 6, length($0) - 9); next }
/^ *```/ && kind != "" { close(file); kind = ""; next }
/^ *```/ {
  kind = $1
  sub(/^```/, "", kind)
  if (kind == "") kind = "plain"
  if (mark == "program" && started) count++
  name = (mark == "" || mark == "program") ? count : mark
  file = folder "/" name ".swift"
  if (kind == "swift" && mark != "not compiled") {
    if (name == count) started = 1
    printf "#sourceLocation(file: \"%s\", line: %d)\n", FILENAME, FNR + 1 >> file
  }
  skipped = mark == "not compiled"
  mark = ""
  next
}
kind == "swift" && !skipped {
  print >> file
  if (name == count && match($0, /print\(.*\) +\/\/ /)) print substr($0, RSTART + RLENGTH) >> (folder "/" count ".expected")
}
kind == "text" && !skipped { print >> (folder "/" count ".expected") }
/[^ ]/ && kind == "" { mark = "" }
