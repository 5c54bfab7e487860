import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeSuites } from '@surehand/conformance'
import { openSqliteClock } from '../testing/sqlite-clock.ts'
import { suitePack } from '../testing/suite-pack.ts'
import { openSqlite } from './open-sqlite.ts'

storeSuites('on SQLite', async ({ schema }) => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-sqlite-'))
  const file = join(folder, 'stores.db')
  const stores = await openSqlite({ file, packs: [suitePack(schema)], time: 'shifted' })
  const clock = openSqliteClock(file)
  return {
    stores,
    now: clock.now,
    advance: clock.advance,
    async close() {
      await clock.close()
      await stores.close()
      rmSync(folder, { recursive: true })
    },
  }
})
