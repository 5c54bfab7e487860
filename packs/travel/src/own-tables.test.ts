import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@surehand/sql'
import { test } from 'vitest'
import { exerciseOwnTables } from '../testing/own-tables.ts'
import { travelPack } from './pack.ts'

test('memories and shared links are written by the writer thread of SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-travel-'))
  const stores = await openSqlite({
    packs: [travelPack],
    secretKeys: [new Uint8Array(32).fill(7)],
    file: join(folder, 'travel.db'),
    writer: 'thread',
  })
  try {
    await exerciseOwnTables(stores)
  } finally {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
