import { lstatSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const HOUR_MS = 3_600_000
/** What nobody has used for so long belongs to a document that was replaced or forgotten. */
const UNUSED_MS = 30 * 24 * HOUR_MS

/** A hash, as the workshop names what it keeps, or one that a process had begun to write: everything else in the folder is somebody else's. */
const OURS = /^[0-9a-f]{64}(\.\d+)?$/

type Kept = { readonly file: string; readonly bytes: number; readonly unusedMs: number }

/**
 * Takes away what was not used for thirty days, then the longest unused until the rest fits. What was used within the hour stays: another
 * node on the same folder may be at it. A file that does not go is left for the next time.
 */
export function tidyFolder(folder: string, mostBytes: number): void {
  const kept = keptIn(folder).sort((one, other) => one.unusedMs - other.unusedMs)
  let bytes = 0
  for (const one of kept) {
    bytes += one.bytes
    if (one.unusedMs > UNUSED_MS || (bytes > mostBytes && one.unusedMs > HOUR_MS)) remove(one.file)
  }
}

/** Somebody uses it. Not written down more than once an hour: a start opens many. */
export function touchUsed(file: string): void {
  try {
    if (unusedMsOf(statSync(file).mtimeMs) > HOUR_MS) utimesSync(file, new Date(), new Date())
  } catch {
    // of a folder that can only be read nobody takes anything away either
  }
}

function keptIn(folder: string): Kept[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      OURS.test(name) ? keptAt(join(folder, name)) : [],
    )
  } catch {
    return []
  }
}

function keptAt(file: string): Kept[] {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? [{ file, bytes: stats.size, unusedMs: unusedMsOf(stats.mtimeMs) }] : []
}

function unusedMsOf(usedAt: number): number {
  return Date.now() - usedAt
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    return
  }
}
