import { Buffer } from 'node:buffer'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** Prepared documents on this machine's disk, keyed by document, generator and settings. */
export type PreparedCache = {
  readonly get: (key: string) => Uint8Array | undefined
  readonly put: (key: string, prepared: Uint8Array) => void
  /** Deletes files that have not been used for a long time. */
  readonly cleanUp: () => void
}

/** Stores nothing. */
export const noCache: PreparedCache = {
  get: () => undefined,
  put: () => undefined,
  cleanUp: () => undefined,
}

const SUM_BYTES = 4
const MOST_BYTES = 512 * 1_048_576

/**
 * One file per entry. If the folder cannot be written, starts are slower and nothing else changes.
 */
export function diskCache(folder: string, mostBytes = MOST_BYTES): PreparedCache {
  const fileOf = (key: string): string => join(folder, key)
  const cleanUp = (): void => removeUnused(folder, mostBytes)
  return {
    cleanUp,
    get(key) {
      try {
        const prepared = verifyChecksum(readFileSync(fileOf(key)))
        markUsed(fileOf(key))
        return prepared
      } catch {
        return undefined
      }
    },
    put(key, prepared) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // Renamed when complete: another process may read at the same moment.
        const half = `${fileOf(key)}.${process.pid}`
        writeFileSync(half, Buffer.concat([checksumOf(prepared), prepared]), { mode: 0o600 })
        renameSync(half, fileOf(key))
        // Each new document is an occasion to delete old ones.
        cleanUp()
      } catch {
        return
      }
    },
  }
}

// A damaged file may still decode, and its tools would send something else.
function verifyChecksum(file: Buffer): Uint8Array | undefined {
  const prepared = file.subarray(SUM_BYTES)
  return checksumOf(prepared).equals(file.subarray(0, SUM_BYTES)) ? prepared : undefined
}

function checksumOf(prepared: Uint8Array): Buffer {
  const sum = Buffer.alloc(SUM_BYTES)
  sum.writeUInt32LE(crc32(prepared))
  return sum
}

const HOUR_MS = 3_600_000
/** Files that were not used for this long belong to documents that were replaced or deleted. */
const UNUSED_MS = 30 * 24 * HOUR_MS

/** A cache file, complete or half written. Other files in the folder are never touched. */
const CACHE_FILE = /^[0-9a-f]{64}(\.\d+)?$/

type CacheFile = { readonly file: string; readonly bytes: number; readonly unusedMs: number }

/**
 * Deletes files that were not used for thirty days, then the least recently used until the rest
 * fits. Files that were used within the hour stay, because another process may be reading them. A
 * file that cannot be deleted is left for the next time.
 */
function removeUnused(folder: string, mostBytes: number): void {
  const kept = listCacheFiles(folder).sort((one, other) => one.unusedMs - other.unusedMs)
  let bytes = 0
  for (const one of kept) {
    bytes += one.bytes
    if (one.unusedMs > UNUSED_MS || (bytes > mostBytes && one.unusedMs > HOUR_MS))
      removeFile(one.file)
  }
}

/** Updates the file's time at most once an hour, because a start opens many files. */
function markUsed(file: string): void {
  try {
    if (unusedMsOf(statSync(file).mtimeMs) > HOUR_MS) utimesSync(file, new Date(), new Date())
  } catch {
    // In a read-only folder nothing is deleted either.
  }
}

function listCacheFiles(folder: string): CacheFile[] {
  try {
    return readdirSync(folder).flatMap((name) =>
      CACHE_FILE.test(name) ? statCacheFile(join(folder, name)) : [],
    )
  } catch {
    return []
  }
}

function statCacheFile(file: string): CacheFile[] {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? [{ file, bytes: stats.size, unusedMs: unusedMsOf(stats.mtimeMs) }] : []
}

function unusedMsOf(usedAt: number): number {
  return Date.now() - usedAt
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    return
  }
}
