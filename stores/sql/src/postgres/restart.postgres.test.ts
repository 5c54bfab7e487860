import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCluster } from '../../testing/start-cluster.ts'
import { enqueueJob } from '../jobs.ts'
import { defineStep } from '../step.ts'
import { addItem, aRun, ITEMS, itemNames } from './fixtures/items.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

const add = defineStep('test.add', { mode: 'durable', statements: 'one' }, (sql, name: string) =>
  sql.run('insert into items (name) values (?)', name),
)

async function waitForRefusal(error: { readonly code: string }): Promise<void> {
  expect(error.code).toBe('TOOL_STORAGE_ERROR')
  await pause(10)
}

test('what was acknowledged is there after the server was stopped at once and came back, and the same sessions go on', async () => {
  const cluster = await startCluster()
  try {
    const database = await openPostgresDatabase({
      url: await cluster.createDatabase(),
      packs: [ITEMS],
    })
    const woken: string[] = []
    const stopWork = database.work(async ({ callId }) => void woken.push(callId))
    const acknowledged: string[] = []
    let isOver = false
    const writer = async (who: number) => {
      for (let index = 0; !isOver; index++) {
        const name = `${who}-${index}`
        await database.step(add, name).then(() => acknowledged.push(name), waitForRefusal)
      }
    }
    const effects = async () => {
      while (!isOver) {
        const run = aRun(addItem)
        await database
          .transact(run)
          .then(() => acknowledged.push(run.claim.call.callId), waitForRefusal)
      }
    }
    const working = Promise.all([writer(1), writer(2), effects(), effects()])
    for (let round = 0; round < 3; round++) {
      const before = acknowledged.length
      while (acknowledged.length < before + 50) await pause(10)
      await cluster.stopImmediately()
      await cluster.restart()
    }
    isOver = true
    await working
    const there = new Set(await itemNames(database))
    expect(acknowledged.filter((name) => !there.has(name))).toEqual([])
    await database.step(enqueueJob, { job: { tenant: 'acme', callId: 'after' }, delayMs: 0 })
    while (woken.length === 0) await pause(20)
    expect(woken).toEqual(['after'])
    await stopWork()
    await database.close()
  } finally {
    await cluster.stop()
  }
})
