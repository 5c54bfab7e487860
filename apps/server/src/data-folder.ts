import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FOR_OTHERS = 0o077

/**
 * Creates the data folder if it is missing. Its files are readable by their owner alone, whatever
 * the mode of the folder: SQLite gives its log the mode of the database file.
 */
export function openDataFolder(folder: string, database?: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (database !== undefined) closeSync(openSync(database, 'a', 0o600))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile() && (statSync(path).mode & FOR_OTHERS) !== 0) closeToOthers(path)
  }
}

/** What is wrong with the mode of the data folder; undefined where only its owner may enter. */
export function describeOpenFolder(folder: string): string | undefined {
  const mode = statSync(folder).mode & 0o777
  if ((mode & FOR_OTHERS) === 0) return undefined
  const may = (mode & 0o022) === 0 ? 'list its files' : 'replace its files'
  return `Other users of this machine may ${may}: ${folder} has the mode ${mode.toString(8)}. To fix this, run "chmod 700 ${folder}".`
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch {
    // A file of another account stays as it is; opening it says so where it matters.
  }
}
