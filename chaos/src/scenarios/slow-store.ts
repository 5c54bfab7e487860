import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { callUntilAnswered, toCallRequest } from '../clients/call-until-answered.ts'
import { planSimpleCall } from '../clients/planned-call.ts'
import type { StoreLocation } from '../node/messages.ts'
import { RECOVERY_KINDS } from '../pack/recovery-kind.ts'
import { judge } from '../report/verdict.ts'
import type { Scenario } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'
import { startStableNodes } from './stable-nodes.ts'

/**
 * The store is held by another program until every call that came meanwhile was answered: each is
 * answered at its deadline, and when the store is free again, each is done once.
 */
export const slowStore: Scenario = async (context) => {
  const { pool, ledger, client, location } = await startStableNodes(context, 1)
  const release = await holdStore(location)
  const calls = RECOVERY_KINDS.flatMap((kind, index) =>
    (['plain', 'approval', 'job', 'limited'] as const).map((manner, number) => {
      const item = `slow-${kind}-${manner}`
      return planSimpleCall(10 * index + number, { kind, manner, item, key: `key-${item}` })
    }),
  )
  const replies = calls.map(async (call) => {
    const node = await pool.pickNode()
    return node.send({ ...toCallRequest(call, context.random), whenRunning: 'answer' }, MAX_WAIT_MS)
  })
  // The store is held until they have their answers, however long that takes on this machine.
  const answered = await Promise.race([
    Promise.all(replies),
    pause(MAX_WAIT_MS, undefined, { ref: false }),
  ])
  await release()
  const broken = answered === undefined ? ['calls were not answered while the store was held'] : []
  const cases = await Promise.all(
    calls.map(async (call) => {
      const final = await callUntilAnswered(call, client)
      if (final.end !== 'done') broken.push(`${call.key}: ended as ${final.end}`)
      return { call, final, repeated: [] }
    }),
  )
  await waitUntilSettled(ledger)
  const verdict = await judge(cases, ledger, context.vendor)
  await pool.close()
  return { figures: { calls: calls.length }, verdict, broken }
}

/** Holds the lock that every write needs; the returned function lets it go. */
async function holdStore(location: StoreLocation): Promise<() => Promise<void>> {
  if (location.kind === 'sqlite') {
    const database = new DatabaseSync(location.file, { timeout: MAX_WAIT_MS })
    database.exec('begin immediate')
    return async () => {
      database.exec('rollback')
      database.close()
    }
  }
  const session = new Client({ connectionString: location.url })
  await session.connect()
  await session.query('begin; lock table calls, approvals, limits, audit_records in exclusive mode')
  return async () => {
    await session.query('rollback')
    await session.end()
  }
}
