// Plain JavaScript, as it is run.
const { lstatSync, readdirSync, rmdirSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const UNUSED_MS = 30 * 24 * 3_600_000

/** Takes compiled code away that no command has used for thirty days: of other versions of ours, of Node, of commands nobody runs. */
exports.tidyCode = (folder) => {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) tidy(folder)
}

// Answers how many entries there were. Each is what it is itself: behind a link begins what is somebody else's.
function tidy(folder) {
  const entries = entriesIn(folder)
  for (const entry of entries) {
    const path = join(folder, entry.name)
    try {
      if (entry.isFile()) removeUnused(path)
      // only what is empty goes, and not what was so before: another command may be about to write there
      else if (entry.isDirectory() && tidy(path) > 0) rmdirSync(path)
    } catch {
      // what does not go now is tried again another day
    }
  }
  return entries.length
}

function removeUnused(file) {
  if (Date.now() - lstatSync(file).mtimeMs >= UNUSED_MS) rmSync(file, { force: true })
}

function entriesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
