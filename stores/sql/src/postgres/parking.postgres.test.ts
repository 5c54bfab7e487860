import { aCall, anEntry, DONE, fenceOf, LEASE_MS } from '@surehand/conformance'
import type { CallRow, NewCall } from '@surehand/core/ports'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import type { SqlStores } from '../sql-stores.ts'
import { openPostgres } from '../sql-stores.ts'

const PAIRS = 40

let stores: SqlStores
let other: pg.Client

beforeEach(async () => {
  const url = await createDatabase(inject('postgres'))
  stores = await openPostgres({ url })
  other = new pg.Client({ connectionString: url })
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await stores.close()
})

async function claimCall(call: NewCall): Promise<CallRow> {
  const claim = await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  return claim.row
}

async function runWithStep() {
  const run = await claimCall(aCall())
  return { run, step: await claimCall(aCall({ parentId: run.callId })) }
}

const park = (run: CallRow, step: CallRow) =>
  stores.runs.park(fenceOf(run), {
    calls: [step.callId],
    questions: [],
    wakeInMs: undefined,
    spentMs: 0,
    isStopHeard: false,
  })
const end = (step: CallRow) =>
  stores.calls.finish({ ...fenceOf(step), parentId: step.parentId }, DONE, anEntry(step))
const stateOf = async ({ tenant, callId }: CallRow) =>
  (await stores.calls.get(tenant, callId))?.state

async function waitsForLock(): Promise<void> {
  const waiting =
    "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await stores.calls.query(waiting))[0]?.n === 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

test('a step that ends while its run is being parked waits for it, and wakes it', async () => {
  const { run, step } = await runWithStep()
  await other.query('begin')
  await other.query("update calls set state = 'parked', lease_until = null where call_id = $1", [
    run.callId,
  ])
  const ending = end(step)
  await waitsForLock()
  await other.query('commit')
  expect([await ending, await stateOf(run)]).toEqual([true, 'queued'])
})

test('a run that is parked while its step ends waits for it, and stays awake', async () => {
  const { run, step } = await runWithStep()
  await other.query('begin')
  await other.query("update calls set state = 'succeeded', lease_until = null where call_id = $1", [
    step.callId,
  ])
  await other.query('select 1 from calls where call_id = $1 for update', [run.callId])
  const parking = park(run, step)
  await waitsForLock()
  await other.query('commit')
  expect([await parking, await stateOf(run)]).toEqual(['awake', 'claimed'])
})

test('a run that parks while its step ends is never left asleep', async () => {
  for (let pair = 0; pair < PAIRS; pair++) {
    const { run, step } = await runWithStep()
    const both = pair % 2 === 0 ? [park(run, step), end(step)] : [end(step), park(run, step)]
    const said = await Promise.all(both)
    expect([said.includes('parked') ? 'parked' : 'awake', await stateOf(run)]).toEqual(
      said.includes('parked') ? ['parked', 'queued'] : ['awake', 'claimed'],
    )
  }
})

test('a stop that comes while a run is being parked wakes it', async () => {
  const { run } = await runWithStep()
  await other.query('begin')
  await other.query("update calls set state = 'parked', lease_until = null where call_id = $1", [
    run.callId,
  ])
  const stopping = stores.runs.askToStop(run.tenant, run.callId)
  await waitsForLock()
  await other.query('commit')
  expect([await stopping, await stateOf(run)]).toEqual([true, 'queued'])
})

test('a run that is told something while it is cancelled is not cancelled', async () => {
  const call = aCall()
  await stores.calls.queue(call)
  await other.query('begin')
  await other.query('select 1 from calls where call_id = $1 for update', [call.callId])
  const cancelling = stores.calls.cancel(call.tenant, call.callId)
  await waitsForLock()
  await other.query(
    "insert into journal (tenant, call_id, path, what, tool, input_hash, child, is_write, is_secret) values ($1, $2, 'a', 'now', '', '', '', 0, 0)",
    [call.tenant, call.callId],
  )
  await other.query('commit')
  expect([await cancelling, (await stores.calls.get(call.tenant, call.callId))?.state]).toEqual([
    false,
    'queued',
  ])
})
