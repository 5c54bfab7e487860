import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

// Every test file has a temporary directory of its own, for itself and the processes it starts. It
// is removed when the file is done: thousands of leftover folders made every listing of /tmp slow.
// The name is short because sockets are bound below it.
//
// Files that share a worker share its environment: the folder of a file that failed to load is not
// the parent of the next one's.
process.env.TEST_TMPDIR ??= tmpdir()
const parent = process.env.TEST_TMPDIR
const folder = mkdtempSync(join(parent, 'sht-'))
// Programs that switch to another account, such as PostgreSQL, must be able to enter their folders
// below it.
chmodSync(folder, 0o711)
process.env.TMPDIR = folder

// Registered before the file's own hooks, so that it runs after them: closing a server may still
// write files.
afterAll(() => {
  process.env.TMPDIR = parent
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})
