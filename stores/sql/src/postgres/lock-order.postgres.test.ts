import { aCall, anEntry, approvedByPerson, aQuestion } from '@surehand/conformance'
import pg from 'pg'
import { beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import type { SqlStores } from '../sql-stores.ts'
import { openPostgres } from '../sql-stores.ts'

const PAIRS = 60

let url: string
let stores: SqlStores

beforeEach(async () => {
  url = await createDatabase(inject('postgres'))
  stores = await openPostgres({ url })
})

/** How many deadlocks the server has resolved; exact once its sessions are closed. */
async function deadlocks(): Promise<number> {
  await stores.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const open =
    "select count(*)::int as open from pg_stat_activity where datname = current_database() and application_name like 'surehand-%'"
  while ((await client.query(open)).rows[0]?.open > 0);
  const { rows } = await client.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.deadlocks)
}

async function question(inputHash: string) {
  const call = aCall({ inputHash })
  const asked = aQuestion(call)
  await stores.approvals.ask(asked, call)
  return { call, id: asked.id }
}

test('a cancellation, a decision, a change and a claim of one call never wait for each other in a circle', async () => {
  const states = new Set<unknown>()
  for (let pair = 0; pair < PAIRS; pair++) {
    const { call, id } = await question(`input ${pair}`)
    const edited = { ...call, inputHash: `edited ${pair}` }
    await Promise.all([
      stores.calls.cancel(call.tenant, call.callId),
      pair % 2 === 0
        ? stores.approvals.decide(
            call.tenant,
            id,
            approvedByPerson,
            anEntry(call, { phase: 'decision' }),
          )
        : stores.approvals.replace(call.tenant, id, {
            question: aQuestion(edited),
            call: edited,
            audit: anEntry(call, { phase: 'decision' }),
          }),
      stores.calls.claim({ call, leaseMs: 30_000, resumes: true }),
    ])
    states.add((await stores.calls.get(call.tenant, call.callId))?.state)
  }
  expect([await deadlocks(), states.has('cancelled')]).toEqual([0, true])
})

test('an approval request of a running call reads as closed though the call holds its row', async () => {
  const { call, id } = await question('input')
  await stores.approvals.decide(
    call.tenant,
    id,
    approvedByPerson,
    anEntry(call, { phase: 'decision' }),
  )
  const runner = new pg.Client({ connectionString: url })
  await runner.connect()
  await runner.query('begin')
  await runner.query('select 1 from calls for update')
  expect(
    (
      await stores.approvals.decide(
        call.tenant,
        id,
        approvedByPerson,
        anEntry(call, { phase: 'decision' }),
      )
    ).kind,
  ).toBe('closed')
  await runner.query('rollback')
  await runner.end()
  await stores.close()
})
