import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

// Every test file has a temporary directory of its own, for itself and the processes it starts, and it goes when the file is done:
// thousands of folders that nobody removed made every listing of /tmp slow. The name is short: sockets are bound below it.
const before = process.env.TMPDIR
const folder = mkdtempSync(join(tmpdir(), 'sht-'))
// programs that become somebody else, such as PostgreSQL, must find the way to their own folders below it
chmodSync(folder, 0o711)
process.env.TMPDIR = folder

// registered before any of the file's own, so that it runs after them: what they close may still write
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})
