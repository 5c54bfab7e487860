import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What documents were made into, on this machine's disk: by document, generator and settings. */
export type PreparedCache = {
  readonly get: (key: string) => Uint8Array | undefined
  readonly put: (key: string, prepared: Uint8Array) => void
}

/** Keeps nothing. */
export const noCache: PreparedCache = { get: () => undefined, put: () => undefined }

/** A file an entry; a folder that can't be written is a slower start and nothing more. */
export function diskCache(folder: string): PreparedCache {
  const fileOf = (key: string): string => join(folder, key)
  return {
    get(key) {
      try {
        return readFileSync(fileOf(key))
      } catch {
        return undefined
      }
    },
    put(key, prepared) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // whole or not at all: another process may read at the same moment
        const half = `${fileOf(key)}.${process.pid}`
        writeFileSync(half, prepared, { mode: 0o600 })
        renameSync(half, fileOf(key))
      } catch {
        return
      }
    },
  }
}
