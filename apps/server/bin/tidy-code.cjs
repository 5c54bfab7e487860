// Plain JavaScript, as it is run.
const { readdirSync, rmdirSync, rmSync, statSync } = require('node:fs')
const { dirname, join } = require('node:path')

const UNUSED_MS = 30 * 24 * 3_600_000

/** Takes compiled code away that no command has used for thirty days: of other versions of ours, of Node, of commands nobody runs. */
exports.tidyCode = (folder) => {
  for (const entry of entriesIn(folder)) {
    const path = join(entry.parentPath, entry.name)
    try {
      if (!entry.isFile() || Date.now() - statSync(path).mtimeMs < UNUSED_MS) continue
      rmSync(path, { force: true })
      // only what is empty goes; another command may be writing beside it
      for (let up = dirname(path); up !== folder; up = dirname(up)) rmdirSync(up)
    } catch {
      // what does not go now is tried again another day
    }
  }
}

function entriesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return []
  }
}
