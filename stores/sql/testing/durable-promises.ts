import {
  aCall,
  anEntry,
  approvedByPerson,
  aQuestion,
  DONE,
  EFFECT,
  fenceOf,
  LEASE_MS,
  UNKNOWN,
} from '@surehand/conformance'
import type { Stores } from '@surehand/core'
import type { Bucket, NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import { changeItem } from '../src/administration.ts'
import { toRecord } from '../src/audit/record-row.ts'
import { takeSample } from '../src/health.ts'
import { pruneAll } from '../src/maintain.ts'
import type { SqlStores } from '../src/sql-stores.ts'
import type { Place } from './each-store.ts'
import { runPromises } from './run-promises.ts'

const DAY_MS = 24 * 3_600_000
const KEY = new Uint8Array(32).fill(7)
const OTHER_KEY = new Uint8Array(32).fill(8)
const SECRET = 'tok_4242424242424242'

type Promises = Readonly<Record<string, (place: Place) => Promise<void>>>

const secretCall = () => aCall({ isSecret: true, input: `{"card":"${SECRET}"}` })

async function claim({ calls }: Stores, call: NewCall) {
  const claimed = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  return claimed.row
}

async function end(stores: Stores, call: NewCall) {
  return stores.calls.finish(fenceOf(await claim(stores, call)), DONE, anEntry(call))
}

/**
 * A value encrypted for another place, as a person with write access to the database would insert
 * it.
 */
async function putSealedForAnother(
  { database, calls }: SqlStores,
  from: string,
  id: string,
): Promise<void> {
  const [row] = await calls.query(`select value from admin_items where id = '${from}'`)
  const change = {
    tenant: 'acme',
    kind: 'credential',
    id,
    value: String(row?.value),
    expected: undefined,
  } as const
  await database.step(changeItem, {
    change,
    audit: toRecord(anEntry(aCall(), { phase: 'change' })),
  })
}

const secrets: Promises = {
  'what is marked secret is not in the database to be read, and comes back as it was': async (
    place,
  ) => {
    const stores = await place.open({ secretKeys: [KEY] })
    const [claimed, asked] = [secretCall(), { ...secretCall(), inputHash: 'b'.repeat(64) }]
    const row = await claim(stores, claimed)
    await stores.approvals.ask(aQuestion(asked), asked)
    await stores.calls.finish(
      fenceOf(row),
      {
        state: 'succeeded',
        answer: { kind: 'output', json: `{"card":"${SECRET}"}`, warnings: [] },
        isSecret: true,
      },
      anEntry(claimed),
    )
    const stored = await stores.calls.query('select input, answer from calls')
    expect(JSON.stringify(stored)).not.toContain(SECRET)
    expect(await stores.calls.get(asked.tenant, asked.callId)).toMatchObject({ input: asked.input })
    expect(await stores.calls.find(claimed)).toMatchObject({
      answer: { kind: 'output', json: `{"card":"${SECRET}"}` },
    })
    await stores.close()
  },
  'without a key a secret is not stored, and the call is told what is missing': async (place) => {
    const stores = await place.open()
    await expect(claim(stores, secretCall())).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      effect: 'none',
    })
    expect(await stores.calls.query('select call_id from calls')).toEqual([])
    await stores.close()
  },
  'late results and credentials are secrets too, and one row without its key holds up no sweep':
    async (place) => {
      const stores = await place.open({ secretKeys: [KEY] })
      const [lost, plain] = [secretCall(), aCall()]
      const fences = [fenceOf(await claim(stores, lost)), fenceOf(await claim(stores, plain))]
      await stores.calls.addEvidence(fences[0] as never, {
        fence: 1,
        what: 'late_result',
        text: SECRET,
        at: 0,
      })
      expect(
        (await stores.calls.evidence(lost.tenant, lost.callId)).map(({ text }) => text),
      ).toEqual([SECRET])
      const credential = {
        tenant: 'acme',
        kind: 'credential',
        id: 'shop',
        value: SECRET,
        expected: undefined,
      } as const
      expect(
        await stores.admin.change(credential, anEntry(lost, { phase: 'change' })),
      ).toMatchObject({ item: { value: SECRET } })
      expect(await stores.admin.list('acme', 'credential')).toMatchObject([{ value: SECRET }])
      const stored = await stores.calls.query(
        "select text as secret from evidence union all select value from admin_items where kind = 'credential'",
      )
      expect([stored.length, JSON.stringify(stored).includes(SECRET)]).toEqual([2, false])
      for (const fence of fences) await stores.calls.abandon(fence)
      await stores.close()
      const troubles: unknown[] = []
      const without = await place.open({ onTrouble: (error) => void troubles.push(error) })
      expect((await without.calls.abandoned(10)).map(({ callId }) => callId)).toEqual([
        plain.callId,
      ])
      expect(troubles).toMatchObject([{ code: 'TOOL_CONFIGURATION_ERROR' }])
      await expect(
        Promise.resolve(without.admin.change(credential, anEntry(lost))),
      ).rejects.toMatchObject({
        code: 'TOOL_CONFIGURATION_ERROR',
      })
      await without.close()
    },
  'a credential whose key is lost, or that was damaged, is named, and takes no other of its house along':
    async (place) => {
      const put = async (stores: SqlStores, id: string, expected?: number) =>
        stores.admin.change(
          { tenant: 'acme', kind: 'credential', id, value: SECRET, expected },
          anEntry(aCall(), { phase: 'change' }),
        )
      const before = await place.open({ secretKeys: [KEY] })
      await put(before, 'lost')
      await before.close()
      const after = await place.open({ secretKeys: [OTHER_KEY] })
      await put(after, 'whole')
      await putSealedForAnother(after, 'whole', 'damaged')
      const withName = (id: string, code: string) => ({
        id,
        value: '',
        unopened: { code, message: expect.stringContaining(`"${id}"`) },
      })
      expect(await after.admin.list('acme', 'credential')).toMatchObject([
        withName('damaged', 'TOOL_DATA_CORRUPTION'),
        withName('lost', 'TOOL_CONFIGURATION_ERROR'),
        { id: 'whole', value: SECRET },
      ])
      expect(await after.admin.get('acme', 'credential', 'lost')).toMatchObject({
        version: 1,
        unopened: { effect: 'none' },
      })
      expect(await put(after, 'lost')).toMatchObject({ kind: 'stale', item: { version: 1 } })
      expect(await put(after, 'lost', 1)).toMatchObject({
        kind: 'changed',
        item: { value: SECRET },
      })
      expect(await after.admin.get('acme', 'credential', 'lost')).not.toHaveProperty('unopened')
      await after.close()
    },
  'a changed key opens what the old one sealed while the old one is kept, and not after': async (
    place,
  ) => {
    const call = secretCall()
    const before = await place.open({ secretKeys: [KEY] })
    await claim(before, call)
    await before.close()
    const both = await place.open({ secretKeys: [OTHER_KEY, KEY] })
    expect(await both.calls.find(call)).toMatchObject({ input: call.input })
    await both.close()
    const after = await place.open({ secretKeys: [OTHER_KEY] })
    await expect(Promise.resolve(after.calls.find(call))).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
    await after.close()
  },
}

const forgetting: Promises = {
  'after thirty days what has ended is forgotten, and what cannot be undone says that it is gone':
    async (place) => {
      const stores = await place.open()
      const clock = await place.clock()
      const [plain, irreversible, unknown, queued, running] = [
        aCall(),
        aCall({ irreversible: true }),
        aCall(),
        aCall(),
        aCall(),
      ]
      await end(stores, plain)
      await end(stores, irreversible)
      await stores.calls.finish(fenceOf(await claim(stores, unknown)), UNKNOWN, anEntry(unknown))
      await stores.calls.queue(queued)
      await stores.calls.startEffect(
        fenceOf(await claim(stores, running)),
        EFFECT,
        anEntry(running, { phase: 'intent' }),
      )
      const states = async () =>
        Promise.all(
          [plain, irreversible, unknown, queued, running].map(
            async (call) => (await stores.calls.find(call))?.state,
          ),
        )
      await clock.advance(29 * DAY_MS)
      await pruneAll(stores.database)
      expect(await states()).toEqual([
        'succeeded',
        'succeeded',
        'unknown',
        'queued',
        'effect_started',
      ])
      await clock.advance(2 * DAY_MS)
      await pruneAll(stores.database)
      expect(await states()).toEqual([undefined, 'pruned', 'unknown', 'queued', 'effect_started'])
      expect(
        (
          await stores.calls.claim({
            call: aCall({ key: irreversible.key }),
            leaseMs: LEASE_MS,
            resumes: false,
          })
        ).kind,
      ).toBe('held')
      await clock.advance(3_650 * DAY_MS)
      await pruneAll(stores.database)
      expect(await states()).toEqual([undefined, 'pruned', 'unknown', 'queued', 'effect_started'])
      const [tombstone] = await stores.calls.query(
        "select input, answer, caller, scopes, provider_key, request_id from calls where state = 'pruned'",
      )
      expect(tombstone).toEqual({
        input: '',
        answer: null,
        caller: '{}',
        scopes: '{}',
        provider_key: '',
        request_id: '',
      })
      await clock.close()
      await stores.close()
    },
  'after a week the traces of calls are forgotten, and after a month what was counted': async (
    place,
  ) => {
    const stores = await place.open()
    const clock = await place.clock()
    const call = aCall()
    stores.traces.append({
      ...{ call_id: call.callId, tenant: 'acme', principal: 'ann', tool_name: 'shelf.look' },
      ...{ key: '', input: '{}', outcome: 'done', started_at: 0, duration_ms: 1 },
      ...{ stages: [], attempts: [], requests: [] },
    })
    await stores.traces.flush()
    await stores.database.step(takeSample, { dialect: stores.database.dialect })
    const countTraces = async () => (await stores.traces.list('acme', call.callId)).length
    const filter = { tenant: 'acme', since: 0, stepMs: 1e13, withSize: true }
    await clock.advance(6 * DAY_MS)
    await pruneAll(stores.database)
    expect(await countTraces()).toBe(1)
    await clock.advance(2 * DAY_MS)
    await pruneAll(stores.database)
    expect(await countTraces()).toBe(0)
    expect(await stores.samples(filter)).toHaveLength(1)
    await clock.advance(24 * DAY_MS)
    await pruneAll(stores.database)
    expect(await stores.samples(filter)).toEqual([])
    await clock.close()
    await stores.close()
  },
  'questions, evidence, answers of reads and values go when their time is over, and budgets stay':
    async (place) => {
      const stores = await place.open()
      const clock = await place.clock()
      const asked = aCall()
      await stores.approvals.ask(aQuestion(asked), asked)
      await stores.cache.set('a', '1', 1_000)
      await stores.values.set('acme', 'short', '1', 1_000)
      await stores.values.set('acme', 'long', '1')
      await stores.limits.take([{ key: 'b', max: 1, windowMs: undefined }])
      // The second one is rejected and leaves no more than the first.
      for (let index = 0; index < 2; index++)
        await stores.limits.take([{ key: 'w', max: 1, windowMs: 1_000 }])
      await stores.limits.take([
        { key: 'b', max: 1, windowMs: undefined },
        { key: 'never taken', max: 1, windowMs: 1_000 },
      ])
      await clock.advance(31 * DAY_MS)
      await pruneAll(stores.database)
      // A second time: the request's row was deleted first.
      await pruneAll(stores.database)
      const left = await stores.calls.query(
        `select (select count(*) from calls) as calls, (select count(*) from approvals) as approvals, (select count(*) from cache) as cache,
         (select count(*) from stored_values) as kept, (select count(*) from limits) as limits`,
      )
      expect(left).toEqual([{ calls: 0, approvals: 0, cache: 0, kept: 1, limits: 1 }])
      expect(await stores.limits.take([{ key: 'b', max: 1, windowMs: undefined }])).toMatchObject({
        ok: false,
      })
      await clock.close()
      await stores.close()
    },
}

const restarts: Promises = {
  'questions, claims, limits and budgets survive a restart of everything': async (place) => {
    const [asked, queued] = [aCall(), aCall({ inputHash: 'b'.repeat(64) })]
    const question = aQuestion(asked, { expiresMs: DAY_MS })
    const buckets: readonly Bucket[] = [
      { key: 'hour', max: 2, windowMs: 3_600_000 },
      { key: 'budget', max: 5, windowMs: undefined },
    ]
    const before = await place.open()
    await before.approvals.ask(question, asked)
    await before.calls.queue(queued)
    for (let index = 0; index < 2; index++) await before.limits.take(buckets)
    await before.close()
    const after = await place.open()
    expect(await after.limits.take(buckets)).toMatchObject({ ok: false, bucket: { key: 'hour' } })
    expect(await after.approvals.list('acme', 'pending')).toHaveLength(1)
    expect(
      (
        await after.approvals.decide(
          'acme',
          question.id,
          approvedByPerson,
          anEntry(asked, { phase: 'decision' }),
        )
      ).kind,
    ).toBe('decided')
    const woken = new Set<string>()
    const stop = after.jobs.work(async ({ callId }) => void woken.add(callId))
    const clock = await place.clock()
    await clock.advance(1_000)
    await stop()
    expect(woken).toEqual(new Set([asked.callId, queued.callId]))
    await clock.close()
    await after.close()
  },
}

const NODES = 4

const nodes: Promises = {
  'over four nodes no sliding window ever holds more than its limit': async (place) => {
    const stores = await Promise.all(Array.from({ length: NODES }, () => place.open()))
    const [max, windowMs, untilMs] = [20, 400, Date.now() + 2_500]
    const taken: { readonly from: number; readonly to: number }[] = []
    async function hammer(node: Stores): Promise<void> {
      while (Date.now() < untilMs) {
        const from = Date.now()
        const { ok } = await node.limits.take([
          { key: 'a', max, windowMs },
          { key: 'b', max: 10 * max, windowMs },
        ])
        if (ok) taken.push({ from, to: Date.now() })
      }
    }
    await Promise.all([...stores, ...stores].map(hammer))
    // Each was counted somewhere between `from` and `to`: one that lies completely inside a window
    // is in it whatever the moment was.
    const fullest = Math.max(
      ...taken.map(
        (first) =>
          taken.filter((one) => one.from >= first.from && one.to < first.from + windowMs).length,
      ),
    )
    expect(fullest).toBeLessThanOrEqual(max)
    expect(taken.length).toBeGreaterThanOrEqual(2 * max)
    await Promise.all(stores.map((node) => node.close()))
  },
  'over four nodes steady load gets at least 0.95 of its limit': async (place) => {
    const stores = await Promise.all(Array.from({ length: NODES }, () => place.open()))
    const clock = await place.clock()
    const windowMs = 2_000
    const bucket: Bucket = { key: 'a', max: 20, windowMs }
    const startedAt = clock.now()
    let passed = 0
    for (let afterMs = 0; afterMs < 4 * windowMs; afterMs += 50) {
      await clock.stopAt(startedAt + afterMs)
      const tried = await Promise.all(stores.map((node) => node.limits.take([bucket])))
      passed += tried.filter(({ ok }) => ok).length
    }
    expect(passed).toBeGreaterThanOrEqual(0.95 * 4 * 20)
    await clock.close()
    await Promise.all(stores.map((node) => node.close()))
  },
  'over four nodes one of many gets a key, one decides a question, and one settles what nobody knew':
    async (place) => {
      const stores = await Promise.all(Array.from({ length: NODES }, () => place.open()))
      const each = <T>(ask: (node: Stores) => T | Promise<T>) =>
        Promise.all([...stores, ...stores].map(async (node) => ask(node)))
      const call = aCall()
      const claims = await each((node) =>
        node.calls.claim({
          call: { ...aCall(), key: call.key },
          leaseMs: LEASE_MS,
          resumes: false,
        }),
      )
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
      const asked = aCall({ inputHash: 'b'.repeat(64) })
      const question = aQuestion(asked)
      const [first] = stores
      await first?.approvals.ask(question, asked)
      const decisions = await each((node) =>
        node.approvals.decide(
          'acme',
          question.id,
          approvedByPerson,
          anEntry(asked, { phase: 'decision' }),
        ),
      )
      expect(decisions.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
      const yeses = await each((node) =>
        node.calls.claim({ call: asked, leaseMs: LEASE_MS, resumes: true }),
      )
      expect(yeses.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
      const lost = aCall()
      await first?.calls.finish(fenceOf(await claim(first, lost)), UNKNOWN, anEntry(lost))
      const settled = await each((node) =>
        node.calls.resolve('acme', lost.callId, DONE, anEntry(lost, { phase: 'decision' })),
      )
      expect(settled.filter(Boolean)).toHaveLength(1)
      await Promise.all(stores.map((node) => node.close()))
    },
}

/** The promises of stores that outlive a process; each promise gets a database of its own. */
export const durablePromises: Promises = {
  ...secrets,
  ...forgetting,
  ...restarts,
  ...nodes,
  ...runPromises,
}
