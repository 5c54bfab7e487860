import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStores } from '@surehand/conformance'
import { openSqlite } from '../src/sql-stores.ts'
import { countWorkers } from './count-workers.ts'
import { GROUP_COMMIT } from './group-commit.ts'
import { openSqliteClock } from './sqlite-clock.ts'
import { suitePack } from './suite-pack.ts'

/** Empty stores in a file of their own, for one promise of a suite. */
export const openSqliteSuite: OpenStores = (ground) => open(ground, 'thread')

/** The same, writing on the calling thread. */
export const openSqliteSuiteHere: OpenStores = (ground) => open(ground, 'calling-thread')

async function open(
  { schema }: Parameters<OpenStores>[0],
  writer: 'thread' | 'calling-thread',
): ReturnType<OpenStores> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-sqlite-'))
  const file = join(folder, 'stores.db')
  const workers = countWorkers()
  const stores = workers.watched(
    await openSqlite({
      file,
      packs: [suitePack(schema)],
      time: 'shifted',
      writer,
      groupCommit: GROUP_COMMIT,
    }),
  )
  const clock = openSqliteClock(file, workers.count)
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
}
