import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import type { NewCall } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { createLedger } from './ledger.ts'
import { memoryJobs, memoryStores } from './memory-stores.ts'
import { sweepPeriodically } from './sweep-periodically.ts'

const DAY = 24 * 3_600_000
const caller: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
}

function aCall(callId: string, more: Partial<NewCall> = {}): NewCall {
  const row = {
    toolVersion: '1.0.0',
    definitionHash: 'd',
    inputHash: 'i',
    input: '{}',
    providerKey: callId,
    scopes: {},
    irreversible: false,
    isSecret: false,
  }
  const by = { tenant: 'acme', principal: 'ann', caller, surface: 'test', requestId: callId }
  return {
    ...row,
    ...by,
    toolId: 'orders.place',
    key: callId,
    callId,
    keySource: 'caller',
    ...more,
  }
}

const entry: AuditEntry = {
  id: 'aud_1',
  phase: 'outcome',
  call_id: 'c',
  request_id: 'c',
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  surface: 'test',
  tool_name: 'orders.place',
  tool_version: '1.0.0',
  definition_hash: 'd',
  input: NOTHING_HASHED,
  output: NOTHING_HASHED,
  success: true,
  outcome: 'done',
  code: '',
  error: '',
  duration_ms: 1,
  source: 'executed',
  created_at: 0,
}

function world() {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  async function end(callId: string, state: 'succeeded' | 'unknown', more: Partial<NewCall> = {}) {
    const claim = await stores.calls.claim({
      call: aCall(callId, more),
      leaseMs: 1_000,
      resumes: false,
      guardMs: undefined,
    })
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    const answer = { kind: 'output', json: '1', warnings: [] } as const
    await stores.calls.finish(
      claim.row,
      state === 'succeeded' ? { state, answer, isSecret: false } : { state },
      entry,
    )
    return claim.row
  }
  /** Enough new rows for a sweep. */
  async function write() {
    for (let index = 0; index < 1_000; index++)
      await stores.calls.claim({
        call: aCall(`new_${clock.now()}_${index}`),
        leaseMs: 1_000,
        resumes: false,
        guardMs: undefined,
      })
  }
  const isStored = async (callId: string) => (await stores.calls.get('acme', callId)) !== undefined
  return { clock, stores, end, write, isStored }
}

describe('after thirty days', () => {
  test('finished calls are removed with their evidence; unknown, queued and running ones stay', async () => {
    const { clock, stores, end, write, isStored } = world()
    await end('unknown', 'unknown')
    await stores.calls.queue(aCall('queued'), undefined)
    await stores.calls.claim({
      call: aCall('claimed'),
      leaseMs: 1_000,
      resumes: false,
      guardMs: undefined,
    })
    const row = await end('done', 'succeeded')
    await stores.calls.addEvidence(row, { fence: 1, what: 'person', text: 'seen', at: 0 })
    clock.set(clock.now() + 31 * DAY)
    expect(await stores.calls.evidence('acme', 'done')).toHaveLength(1)
    await write()
    expect(await Promise.all(['unknown', 'queued', 'claimed', 'done'].map(isStored))).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(await stores.calls.evidence('acme', 'done')).toEqual([])
    expect(await stores.calls.find(aCall('done'))).toBeUndefined()
  })

  test('an irreversible call keeps its key for good, and nothing else', async () => {
    const { clock, stores, end, write } = world()
    await end('done', 'succeeded', { irreversible: true })
    clock.set(clock.now() + 31 * DAY)
    await write()
    await write()
    clock.set(clock.now() + 3_650 * DAY)
    await write()
    await write()
    const row = await stores.calls.find(aCall('done'))
    expect(row).toMatchObject({ state: 'pruned', input: '', scopes: {} })
    expect(row?.answer).toBeUndefined()
  })

  test('removing a call does not remove others with the same input', async () => {
    const { clock, stores, end, write } = world()
    await end('old', 'succeeded', { irreversible: true })
    clock.set(clock.now() + 61 * DAY)
    await end('young', 'succeeded', { irreversible: true })
    await write()
    expect((await stores.calls.recent(aCall('next', { irreversible: true }), DAY))?.callId).toBe(
      'young',
    )
  })

  test('expired approval requests are removed, and pending ones are not', async () => {
    const { clock, stores, write } = world()
    const question = {
      tenant: 'acme',
      principal: 'ann',
      toolId: 'orders.place',
      toolVersion: '1.0.0',
      definitionHash: 'd',
      inputHash: 'i',
    }
    const shown = {
      kind: 'confirm',
      reversible: true,
      asks: 'Place it?',
      shown: '{}',
      digest: 'x',
    } as const
    await stores.approvals.ask(
      { ...question, ...shown, id: 'short', callId: 'a', expiresMs: DAY },
      aCall('a'),
    )
    await stores.approvals.ask(
      { ...question, ...shown, id: 'long', callId: 'b', expiresMs: 100 * DAY },
      aCall('b'),
    )
    clock.set(clock.now() + 32 * DAY)
    await write()
    expect((await stores.approvals.list('acme')).map(({ id }) => id)).toEqual(['long'])
    expect(await stores.calls.get('acme', 'b')).toMatchObject({ state: 'waiting' })
  })
})

test('a dropped claim leaves no entry in the index of inputs', () => {
  const clock = fakeClock()
  const ledger = createLedger(clock)
  const started = {
    fence: 1,
    leaseUntil: 1,
    leaseBoot: undefined,
    deaths: 0,
    approvalId: undefined,
    effect: undefined,
    answer: undefined,
    isToStop: false,
    spentMs: 0,
    createdAt: 0,
    updatedAt: 0,
    readAt: 0,
  }
  const row = ledger.put({ ...aCall('a', { irreversible: true }), ...started, state: 'claimed' })
  ledger.drop(row, undefined)
  expect([ledger.sameInput(row), ledger.byKey(row), [...ledger.rows()]]).toEqual([
    [],
    undefined,
    [],
  ])
})

test('a sweep waits for as many writes as it left entries', () => {
  const sweeps: number[] = []
  let writes = 0
  const written = sweepPeriodically(() => {
    sweeps.push(writes)
    return 5_000
  })
  while (writes < 12_000) {
    writes++
    written()
  }
  expect(sweeps).toEqual([1_000, 6_000, 11_000])
})

describe('jobs', () => {
  test('of one call wait as one job', async () => {
    const clock = fakeClock()
    const jobs = memoryJobs(clock)
    for (let index = 0; index < 5; index++) await jobs.enqueue({ tenant: 'acme', callId: 'a' }, 0)
    await jobs.enqueue({ tenant: 'acme', callId: 'b' }, 0)
    await clock.advance(1)
    const woken: string[] = []
    jobs.work(async ({ callId }) => void woken.push(callId))
    expect(woken).toEqual(['a', 'b'])
  })

  test('that fail in the worker are retried every five seconds, ten times in all', async () => {
    const clock = fakeClock()
    const jobs = memoryJobs(clock)
    const tries: number[] = []
    const startedAt = clock.now()
    jobs.work(async () => {
      tries.push(clock.now() - startedAt)
      throw new Error('broken')
    })
    await jobs.enqueue({ tenant: 'acme', callId: 'a' }, 0)
    await clock.advance(DAY)
    expect(tries).toEqual(Array.from({ length: 10 }, (_, index) => index * 5_000))
  })

  test('that were to be retried wait for the next worker, and hold no timer', async () => {
    const clock = fakeClock()
    const jobs = memoryJobs(clock)
    const stop = jobs.work(async () => Promise.reject(new Error('broken')))
    await jobs.enqueue({ tenant: 'acme', callId: 'a' }, 0)
    await clock.advance(1)
    await stop()
    expect(clock.nextDue()).toBeUndefined()
    const woken: string[] = []
    jobs.work(async ({ callId }) => void woken.push(callId))
    expect(woken).toEqual(['a'])
  })
})

describe('limits and values', () => {
  test('a removed window allows as many calls as an empty one, and one in use is kept', async () => {
    const clock = fakeClock()
    const { limits } = memoryStores({ clock })
    const bucket = (key: string, windowMs = 60_000) => ({ key, max: 1, windowMs })
    await limits.take([bucket('old')])
    await limits.take([bucket('long', DAY)])
    clock.set(clock.now() + 60_000)
    for (let index = 0; index < 2_000; index++) await limits.take([bucket(`other ${index}`)])
    expect([
      (await limits.take([bucket('old')])).ok,
      (await limits.take([bucket('long', DAY)])).ok,
    ]).toEqual([true, false])
  })

  test('values that have not expired are kept by a sweep', async () => {
    const clock = fakeClock()
    const { values } = memoryStores({ clock })
    await values.set('acme', 'kept', '1')
    for (let index = 0; index < 2_500; index++) await values.set('acme', `short ${index}`, '1', 1)
    expect(await values.get('acme', 'kept')).toBe('1')
  })
})
