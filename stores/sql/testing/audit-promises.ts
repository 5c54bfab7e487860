import { aCall, anEntry, aQuestion, DONE, EFFECT, fenceOf, LEASE_MS } from '@surehand/conformance'
import {
  ALL_TOOLS,
  addFigures,
  type CallFigures,
  type CallTrace,
  type NewCall,
  percentile,
} from '@surehand/core/ports'
import { expect } from 'vitest'
import { createAuditKey, publicKeyOf } from '../src/audit/audit-key.ts'
import { exportAudit } from '../src/audit/export-audit.ts'
import { sampleEntry, sampleRecord } from '../src/audit/fixtures/sample-record.ts'
import { proveConsistency, verifyConsistency } from '../src/audit/prove-consistency.ts'
import { proveRecord, type RecordProof } from '../src/audit/prove-record.ts'
import { auditSequencer } from '../src/audit/sequencer.ts'
import { type SignedHead, signHead } from '../src/audit/signed-head.ts'
import { verifyAudit } from '../src/audit/verify-audit.ts'
import { verifyProof } from '../src/audit/verify-proof.ts'
import { verifyStored } from '../src/audit/verify-stored.ts'
import { takeSample } from '../src/health.ts'
import type { SqlStores } from '../src/sql-stores.ts'
import type { Place } from './each-store.ts'

/** The key with which the suites sign. */
export const auditKey = createAuditKey()
const key = auditKey

/** An app with its anchors. */
export function app() {
  const anchors: SignedHead[] = []
  const trust = { publicKeys: [publicKeyOf(key)], anchors }
  return {
    trust,
    sequencerOf: ({ database }: SqlStores, leaseMs = 5_000) =>
      auditSequencer(database, {
        key,
        leaseMs,
        batchSize: 150,
        anchors: [async (head) => void anchors.push(head)],
        onTrouble: (error) => {
          throw error
        },
      }),
    async verdicts({ database }: SqlStores, tenant = 'acme') {
      return [
        await verifyStored(database, tenant, trust),
        await verifyAudit(exportAudit(database, tenant), trust),
      ]
    },
  }
}

async function write({ audit }: SqlStores, from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number++)
    audit.append(sampleEntry(number), 'batched')
  await audit.flush()
}

function sampleTrace(number: number): CallTrace {
  const { call_id, tenant, principal, tool_name, outcome } = sampleRecord(number)
  return {
    ...{ call_id, tenant, principal, tool_name, outcome, key: `key-${number}` },
    input: JSON.stringify({ item: 'a lamp 100%_', note: `"quoted ${number}"` }),
    started_at: 1_768_464_000_000.5,
    duration_ms: 12.25,
    stages: [{ stage: 'perform', outcome: 'answered', at_ms: 0.5, duration_ms: 11 }],
    attempts: [{ at_ms: 1, duration_ms: 10, code: '', reason: '' }],
    requests: [{ port: 'shop', method: 'find', at_ms: 1, duration_ms: 9, code: '' }],
  }
}

async function perform({ calls }: SqlStores, call: NewCall): Promise<void> {
  const claimed = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  await calls.startEffect(
    fenceOf(claimed.row),
    EFFECT,
    anEntry(call, { phase: 'intent', error: 'é "\n' }),
  )
  await calls.finish(fenceOf(claimed.row), DONE, anEntry(call))
}

/** Heads of which each has one thing changed. */
function brokenProofs(proof: RecordProof): readonly RecordProof[] {
  const { record, path, head } = proof
  const reworded = { ...record, text: record.text.replace('"actor":"user"', '"actor":"root"') }
  return [
    { ...proof, record: reworded },
    { ...proof, record: { ...record, payload: { ...record.payload, principal: 'eve' } } },
    { ...proof, position: proof.position + 1 },
    { ...proof, path: [...path, '0'.repeat(64)] },
    { ...proof, head: { ...head, tenant: 'globex' } },
    { ...proof, head: { ...head, root: '0'.repeat(64) } },
    // Correctly signed, but different from the anchored one.
    { ...proof, head: signHead({ ...head, root: '0'.repeat(64) }, key) },
  ]
}

/** The promises of the audit tree on every database. */
export const auditPromises: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  'four nodes that write and sequence at once give every record one place, and all of it verifies':
    async (place) => {
      const { sequencerOf, verdicts } = app()
      const nodes = await Promise.all([0, 1, 2, 3].map(() => place.open()))
      await Promise.all(
        nodes.map(async (node, index) => {
          const sequencer = sequencerOf(node, 1)
          for (let round = 0; round < 6; round++) {
            await write(node, index * 1_000 + round * 100, 90)
            await sequencer.pass()
          }
          await sequencer.stop()
        }),
      )
      const [last] = nodes as [SqlStores]
      await sequencerOf(last).stop()
      for (const verdict of await verdicts(last))
        expect(verdict).toMatchObject({
          kind: 'intact',
          size: 4 * 6 * 90,
          anchoredSize: 4 * 6 * 90,
        })
      for (const node of nodes) await node.close()
    },
  'records of writes, with their intents, verify': async (place) => {
    const stores = await place.open()
    const { sequencerOf, verdicts } = app()
    for (let count = 0; count < 3; count++) await perform(stores, aCall())
    await sequencerOf(stores).stop()
    for (const verdict of await verdicts(stores))
      expect(verdict).toMatchObject({ kind: 'intact', size: 6, anchoredSize: 6 })
    await stores.close()
  },
  'a tenant is held by one node until its lease has run out': async (place) => {
    const [first, second, clock] = [await place.open(), await place.open(), await place.clock()]
    const { sequencerOf } = app()
    const [dead, alive] = [sequencerOf(first), sequencerOf(second)]
    await write(first, 0, 3)
    expect(await dead.pass()).toBe(3)
    // Batched, SQLite would place them at once.
    for (const number of [3, 4]) await first.audit.append(sampleEntry(number), 'before-answer')
    expect(await alive.pass()).toBe(0)
    await clock.advance(5_001)
    expect(await alive.pass()).toBe(2)
    for (const opened of [clock, first, second]) await opened.close()
  },
  'an erased person is gone from calls, questions and audit; their keys do nothing again; the tree verifies':
    async (place) => {
      const stores = await place.open()
      const { sequencerOf, verdicts } = app()
      const [done, waiting] = [aCall(), aCall()]
      await perform(stores, done)
      await stores.approvals.ask(aQuestion(waiting), waiting)
      await write(stores, 0, 4)
      await sequencerOf(stores).stop()
      const request = {
        tenant: done.tenant,
        principal: done.principal,
        by: 'root',
        actor: 'user',
        id: 'aud_erasure',
      }
      const erased = await stores.erase(request, key)
      expect(erased).toMatchObject({
        tombstone: 'aud_erasure',
        calls: 1,
        approvals: 0,
        underWay: [waiting.callId],
      })
      expect(erased.records).toBeGreaterThanOrEqual(2)
      expect(await stores.calls.find(done)).toMatchObject({
        state: 'pruned',
        input: '',
        inputHash: '',
        answer: undefined,
      })
      expect(
        await stores.calls.claim({ call: done, leaseMs: LEASE_MS, resumes: false }),
      ).toMatchObject({ kind: 'held' })
      expect(await stores.audit.list({ tenant: done.tenant, callId: done.callId })).toMatchObject([
        { principal: '', input_hash: '', error: '' },
        { principal: '', input_hash: '', error: '' },
      ])
      await sequencerOf(stores).stop()
      for (const verdict of await verdicts(stores))
        expect(verdict).toMatchObject({ kind: 'intact', size: 7, anchoredSize: 7, erasures: 1 })
      expect(await stores.erase({ ...request, id: 'aud_again' }, key)).toMatchObject({
        tombstone: undefined,
      })
      await stores.close()
    },
  'calls are emptied by the requests they belong to, when they have ended; their keys stay or go':
    async (place) => {
      const stores = await place.open()
      const [done, event, open, other] = [
        aCall({ requestId: 'req_1', key: 'request:req_1:hash:1' }),
        aCall({ requestId: 'message/1', key: 'message/1' }),
        aCall({ requestId: 'req_1' }),
        aCall({ requestId: 'req_2' }),
      ]
      for (const call of [done, event, other]) await perform(stores, call)
      const claimed = await stores.calls.claim({ call: open, leaseMs: LEASE_MS, resumes: false })
      if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
      const order = { tenant: done.tenant, requestIds: ['req_1', 'req_0'] }
      expect(await stores.eraseRequests({ ...order, keys: 'forget' })).toEqual({
        erased: 1,
        underWay: [open.callId],
      })
      expect(
        await stores.eraseRequests({ ...order, requestIds: ['message/1'], keys: 'keep' }),
      ).toEqual({ erased: 1, underWay: [] })
      const empty = { state: 'pruned', input: '', inputHash: '', answer: undefined }
      expect(await stores.calls.get(done.tenant, done.callId)).toMatchObject({
        ...empty,
        key: done.callId,
      })
      expect(await stores.calls.find(event)).toMatchObject(empty)
      expect(await stores.calls.find(other)).toMatchObject({ state: 'succeeded' })
      await stores.calls.finish(fenceOf(claimed.row), DONE, anEntry(open))
      expect(await stores.eraseRequests({ ...order, keys: 'forget' })).toEqual({
        erased: 1,
        underWay: [],
      })
      await stores.close()
    },
  'who decided and who bore witness is forgotten on the rows of others, also where it is encrypted; what they decided is not':
    async (place) => {
      const stores = await place.open({ secretKeys: [new Uint8Array(32).fill(7)] })
      const call = aCall()
      const question = aQuestion(call)
      await stores.approvals.ask(question, call)
      const decision = {
        verdict: 'deny',
        by: 'bo%"ss',
        credential: 'own',
        host: undefined,
        reason: 'I say no.',
      } as const
      await stores.approvals.decide(
        call.tenant,
        question.id,
        decision,
        anEntry(call, { phase: 'decision', principal: decision.by }),
      )
      const said = {
        fence: 0,
        what: 'person',
        text: JSON.stringify({ by: decision.by, text: 'I looked.' }),
        at: 1,
      } as const
      await stores.calls.addEvidence({ tenant: call.tenant, callId: call.callId, fence: 0 }, said)
      const request = {
        tenant: call.tenant,
        principal: decision.by,
        by: 'root',
        actor: 'user',
        id: 'aud_erasure',
      }
      expect(await stores.erase(request, key)).toMatchObject({
        records: 1,
        approvals: 1,
        evidence: 1,
        underWay: [],
        kept: [],
      })
      expect(await stores.approvals.get(call.tenant, question.id)).toMatchObject({
        asks: question.asks,
        decision: { verdict: 'deny', by: '', credential: 'own', reason: undefined },
      })
      expect(await stores.calls.evidence(call.tenant, call.callId)).toMatchObject([
        { text: '{"by":"","text":""}' },
      ])
      await stores.close()
    },
  'one record is proven under a signed head, by nothing but that record; and a head grew out of an older one':
    async (place) => {
      const stores = await place.open()
      const { sequencerOf, trust } = app()
      const { database } = stores
      const sizes = [1, 7, 150, 163]
      for (const [index, size] of sizes.entries()) {
        const from = sizes[index - 1] ?? 0
        await write(stores, from, size - from)
        await sequencerOf(stores).stop()
      }
      for (const number of [0, 3, 6, 7, 149, 162]) {
        const proof: RecordProof = JSON.parse(
          JSON.stringify(await proveRecord(database, 'acme', sampleRecord(number).id)),
        )
        expect(verifyProof(proof, trust)).toEqual({
          kind: 'proven',
          tenant: 'acme',
          position: number,
          isAnchored: true,
          isErased: false,
        })
        for (const broken of brokenProofs(proof))
          expect(verifyProof(broken, trust)).toMatchObject({ kind: 'broken' })
        expect(
          verifyProof(proof, { publicKeys: [publicKeyOf(createAuditKey())], anchors: [] }),
        ).toMatchObject({ kind: 'broken' })
      }
      for (const [from, to] of [
        [1, 7],
        [7, 163],
        [1, 163],
        [150, 163],
        [163, 163],
      ] as const) {
        const proof = await proveConsistency(database, 'acme', { from, to })
        expect(verifyConsistency(proof, trust)).toEqual({
          kind: 'proven',
          tenant: 'acme',
          from,
          to,
        })
        const other = signHead({ ...proof.first, root: '0'.repeat(64) }, key)
        expect(
          verifyConsistency({ ...proof, first: other }, { ...trust, anchors: [] }),
        ).toMatchObject({ kind: 'broken' })
      }
      await expect(proveRecord(database, 'acme', 'aud_nobody')).rejects.toMatchObject({
        code: 'TOOL_RESOURCE_NOT_FOUND',
      })
      await expect(proveConsistency(database, 'acme', { from: 1, to: 8 })).rejects.toMatchObject({
        code: 'TOOL_RESOURCE_NOT_FOUND',
      })
      await stores.close()
    },
  'a proof of an erased record says so, and shows nobody': async (place) => {
    const stores = await place.open()
    const { sequencerOf, trust } = app()
    await write(stores, 0, 5)
    await sequencerOf(stores).stop()
    await stores.erase(
      { tenant: 'acme', principal: 'ben', by: 'root', actor: 'user', id: 'aud_erasure' },
      key,
    )
    const proof = await proveRecord(stores.database, 'acme', sampleRecord(3).id)
    expect(verifyProof(proof, trust)).toMatchObject({ kind: 'proven', position: 3, isErased: true })
    expect(proof.record.payload).toMatchObject({ principal: '', input_hash: '', salt: '' })
    const dressed = {
      ...proof,
      record: { ...proof.record, payload: { ...proof.record.payload, principal: 'eve' } },
    }
    expect(verifyProof(dressed, trust)).toMatchObject({ kind: 'broken' })
    await stores.close()
  },
  'erasing while others write and sequence leaves a tree that verifies': async (place) => {
    const [one, two] = [await place.open(), await place.open()]
    const { sequencerOf, verdicts } = app()
    const working = Promise.all([
      (async () => {
        for (let round = 0; round < 8; round++) await write(one, round * 100, 40)
      })(),
      (async () => {
        const sequencer = sequencerOf(two, 1)
        for (let round = 0; round < 12; round++) await sequencer.pass()
        await sequencer.stop()
      })(),
    ])
    for (let round = 0; round < 5; round++)
      await one.erase(
        { tenant: 'acme', principal: 'ben', by: 'root', actor: 'user', id: `aud_erase_${round}` },
        key,
      )
    await working
    await sequencerOf(one).stop()
    for (const verdict of await verdicts(two)) expect(verdict).toMatchObject({ kind: 'intact' })
    for (const opened of [one, two]) await opened.close()
  },
  'figures count every record once, before and after it has its place': async (place) => {
    const stores = await place.open()
    const { sequencerOf } = app()
    const figures = async () => {
      const { slots } = await stores.audit.figures({ tenant: 'acme', tool: ALL_TOOLS, since: 0 })
      const [first, ...others] = slots
      return others.reduce((sum, slot) => addFigures(sum, slot), first as CallFigures)
    }
    await write(stores, 0, 40)
    const before = await figures()
    expect(before).toMatchObject({
      calls: 40,
      failures: 10,
      outcomes: { done: 30, failed: 10 },
      codes: { TOOL_NOT_FOUND: 10 },
    })
    const sequencer = sequencerOf(stores)
    await sequencer.pass()
    expect({ ...(await figures()), at: 0 }).toEqual({ ...before, at: 0 })
    await write(stores, 100, 10)
    expect((await figures()).calls).toBe(50)
    await sequencer.stop()
    expect((await figures()).calls).toBe(50)
    // The 20th of 40 took 20.25 ms; bins are right to a tenth.
    expect(Math.abs((percentile(before, 0.5) ?? 0) - 20.25)).toBeLessThan(2.1)
    await stores.close()
  },
  'traces are found by call, key and text, and go with their person': async (place) => {
    const stores = await place.open()
    for (const number of [1, 2, 3]) {
      await stores.audit.append(sampleEntry(number), 'before-answer')
      stores.traces.append(sampleTrace(number))
    }
    const listIds = async (filter: object) =>
      (await stores.audit.list({ tenant: 'acme', ...filter })).map(({ call_id }) => call_id)
    const [first, second, third] = [1, 2, 3].map((number) => sampleRecord(number).call_id)
    expect(await stores.traces.list('acme', String(second))).toEqual([sampleTrace(2)])
    expect(await stores.traces.list('globex', String(second))).toEqual([])
    expect(await listIds({ key: 'key-2' })).toEqual([second])
    expect(await listIds({ key: '' })).toEqual([])
    expect(await listIds({ text: 'LAMP 100%_' })).toEqual([first, second, third])
    expect(await listIds({ text: '"quoted 3"' })).toEqual([third])
    expect(await listIds({ text: 'amp%number' })).toEqual([])
    expect(await listIds({ text: 'quoted', principal: 'ben' })).toEqual([third])
    const newest = { text: 'quoted', limit: 2 }
    expect(await listIds(newest)).toEqual([second, third])
    // Found another way where more calls have the word than are looked up by their ids.
    for (let pass = 0; pass < 600; pass++) stores.traces.append(sampleTrace(4))
    expect(await stores.traces.list('acme', sampleRecord(4).call_id)).toHaveLength(600)
    expect(await listIds(newest)).toEqual([second, third])
    // The third is of Ben.
    await stores.erase(
      { tenant: 'acme', principal: 'ben', by: 'root', actor: 'user', id: 'aud_erasure' },
      key,
    )
    expect(await stores.traces.list('acme', String(third))).toEqual([])
    expect(await stores.traces.list('acme', String(first))).toHaveLength(1)
    expect(await listIds({ text: 'quoted' })).toEqual([first, second])
    await stores.close()
  },
  'what waits is counted while maintenance runs, and the size is shown where it is asked for':
    async (place) => {
      const stores = await place.open()
      await stores.calls.queue(aCall())
      await write(stores, 0, 3)
      const { dialect } = stores.database
      await stores.database.step(takeSample, { dialect })
      // Of several nodes, the first sample of a time is kept.
      await stores.database.step(takeSample, { dialect })
      // One step for all times: the samples may be of two.
      const filter = { tenant: 'acme', since: 0, stepMs: 1e13 }
      expect(await stores.samples({ ...filter, withSize: true })).toEqual([
        {
          at: 0,
          queued: 1,
          parked: 0,
          running: 0,
          expired: 0,
          unknown: 0,
          unsequenced: 3,
          lag_ms: expect.any(Number),
          store_bytes: expect.any(Number),
        },
      ])
      const [own] = await stores.samples({ ...filter, withSize: false })
      expect(own).toMatchObject({ unsequenced: 3, store_bytes: 0 })
      expect(await stores.samples({ ...filter, tenant: 'globex', withSize: false })).toEqual([])
      await stores.close()
    },
  'records are found in all windows of a long audit': async (place) => {
    const stores = await place.open()
    await stores.audit.append(sampleEntry(0, { principal: 'cleo' }), 'before-answer')
    for (let from = 1; from < 8_500; from += 1_000) await write(stores, from, 1_000)
    expect(await stores.audit.list({ tenant: 'acme', principal: 'cleo' })).toHaveLength(1)
    const failed = { tenant: 'acme', outcome: 'failed', limit: 1_200 }
    const some = await stores.audit.list(failed)
    expect(some).toHaveLength(1_200)
    const [before] = some
    const older = await stores.audit.list({ ...failed, ...(before && { before }) })
    expect(new Set([...older, ...some].map(({ id }) => id)).size).toBe(2_251)
    await stores.close()
  },
}
