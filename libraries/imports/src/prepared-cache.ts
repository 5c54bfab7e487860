import { Buffer } from 'node:buffer'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { tidyFolder, touchUsed } from './tidy-folder.ts'

/** What documents were made into, on this machine's disk: by document, generator and settings. */
export type PreparedCache = {
  readonly get: (key: string) => Uint8Array | undefined
  readonly put: (key: string, prepared: Uint8Array) => void
  /** Takes away what no import has any more. */
  readonly tidy: () => void
}

/** Keeps nothing. */
export const noCache: PreparedCache = {
  get: () => undefined,
  put: () => undefined,
  tidy: () => undefined,
}

const SUM_BYTES = 4
const MOST_BYTES = 512 * 1_048_576

/** A file an entry; a folder that can't be written is a slower start and nothing more. */
export function diskCache(folder: string, mostBytes = MOST_BYTES): PreparedCache {
  const fileOf = (key: string): string => join(folder, key)
  const tidy = (): void => tidyFolder(folder, mostBytes)
  return {
    tidy,
    get(key) {
      try {
        const prepared = whole(readFileSync(fileOf(key)))
        touchUsed(fileOf(key))
        return prepared
      } catch {
        return undefined
      }
    },
    put(key, prepared) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        // whole or not at all: another process may read at the same moment
        const half = `${fileOf(key)}.${process.pid}`
        writeFileSync(half, Buffer.concat([sumOf(prepared), prepared]), { mode: 0o600 })
        renameSync(half, fileOf(key))
        // what a new document takes the place of grows old from now on
        tidy()
      } catch {
        return
      }
    },
  }
}

// what a disk damaged may still be read, and would be a tool that sends something else
function whole(file: Buffer): Uint8Array | undefined {
  const prepared = file.subarray(SUM_BYTES)
  return sumOf(prepared).equals(file.subarray(0, SUM_BYTES)) ? prepared : undefined
}

function sumOf(prepared: Uint8Array): Buffer {
  const sum = Buffer.alloc(SUM_BYTES)
  sum.writeUInt32LE(crc32(prepared))
  return sum
}
