// Plain JavaScript, run as it is.
const { lstatSync, readdirSync, rmdirSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const UNUSED_MS = 30 * 24 * 3_600_000

/** Removes compiled code that no command has used for thirty days, such as that of older versions. */
exports.removeUnused = (folder) => {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) clean(folder)
}

// Returns how many entries there were. Links are not followed: they may lead to files of others.
function clean(folder) {
  const entries = entriesIn(folder)
  for (const entry of entries) {
    const path = join(folder, entry.name)
    try {
      if (entry.isFile()) removeIfUnused(path)
      // A folder that was empty before stays: another command may be about to write into it.
      else if (entry.isDirectory() && clean(path) > 0) rmdirSync(path)
    } catch {
      // What cannot be removed now is tried again another day.
    }
  }
  return entries.length
}

function removeIfUnused(file) {
  if (Date.now() - lstatSync(file).mtimeMs >= UNUSED_MS) rmSync(file, { force: true })
}

function entriesIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
