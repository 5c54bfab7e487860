import { Buffer } from 'node:buffer'
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from '@surehand/core/worker-entry'

/**
 * Notices that the database file was deleted, replaced or overwritten while it is open. SQLite would
 * go on writing into a file that no path leads to any more, or mix its write-ahead log with an older
 * copy. While the file is open, its number cannot be given to another one, so device and number
 * identify it; what was copied over it has an older generation.
 */
export class FileGuard {
  readonly #files: readonly string[]
  #known: readonly (string | undefined)[] = []
  #written = ''
  #generation = 0
  #isReplaced = false

  /**
   * With its log only where a connection has written: the last one to be closed removes the log, as
   * the end of a writer's thread does.
   */
  constructor(file: string, log: 'with log' | 'without log') {
    this.#files = log === 'with log' ? [file, `${file}-wal`] : [file]
  }

  /** What the last look found; it costs nothing. */
  get wasReplaced(): boolean {
    return this.#isReplaced
  }

  /** Once replaced, a file stays so: only a restart opens the new one. */
  isReplaced(): boolean {
    if (this.#isReplaced) return true
    const found = this.#files.map((file) => statSync(file, { throwIfNoEntry: false }))
    // Not created yet.
    if (found[0] === undefined && this.#known.length === 0) return false
    const names = found.map((stats) => stats && `${stats.dev}:${stats.ino}`)
    // The write-ahead log is created by the first write.
    const isSame = names.every((name, index) => name === (this.#known[index] ?? name))
    this.#isReplaced = !isSame || found[0] === undefined || this.#isOverwritten(found[0])
    if (!this.#isReplaced) this.#known = names
    return this.#isReplaced
  }

  // A checkpoint writes into the file too, and never brings back an older generation.
  #isOverwritten({ mtimeMs, size }: Stats): boolean {
    const written = `${mtimeMs}:${size}`
    if (written === this.#written) return false
    const generation = readGeneration(this.#files[0] ?? '')
    if (generation < this.#generation) return true
    this.#written = written
    this.#generation = generation
    return false
  }
}

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const USER_VERSION_AT = 60

/** From the file itself, not through SQLite, which has a cache and a log; 0 where there is none. */
function readGeneration(file: string): number {
  const header = Buffer.alloc(HEADER_BYTES)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(opened)
  }
  const isDatabase = header.subarray(0, MAGIC.length).toString('latin1') === MAGIC
  return isDatabase ? header.readInt32BE(USER_VERSION_AT) : 0
}

// Every increment writes one more page. A copy that is younger than this looks like the file itself.
const NEW_GENERATION_MS = 1_000

/**
 * Returns a function that counts the generation of the file up, at most once a second, inside the
 * transaction that is open. The next checkpoint brings it into the file's header.
 */
export function generationCounter(database: DatabaseSync): () => void {
  const read = database.prepare('PRAGMA user_version')
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = performance.now()
    if (nowMs - lastMs < NEW_GENERATION_MS) return
    lastMs = nowMs
    database.exec(`PRAGMA user_version = ${Number(read.get()?.user_version) + 1}`)
  }
}

export function replacedError(effect?: 'none'): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    'The database file was deleted, replaced or overwritten while this server was running, so nothing more is written. An administrator must restore the file and restart the server.',
    {
      details: { source_code: 'database_replaced' },
      ...(effect === undefined ? {} : { effect }),
    },
  )
}
