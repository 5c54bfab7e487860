import { ALL_BY_HOUR, ALL_TOOLS } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { OpenStores } from './opened.ts'
import { aCall, anEntry } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

const DAY_MS = 24 * 3_600_000

export const auditPromises: Promises = {
  'a record that must be durable before the answer is there when append returns, with all its fields':
    async ({ stores }) => {
      const { input, output, ...entry } = anEntry(aCall(), {
        error: 'é \u2028 "',
        code: 'TOOL_NOT_FOUND',
        success: false,
      })
      await stores.audit.append({ ...entry, input, output }, 'before-answer')
      expect(await stores.audit.list({ tenant: 'acme' })).toEqual([
        expect.objectContaining({
          ...entry,
          created_at: expect.any(Number),
          input_hash: input.hash,
          output_hash: output.hash,
        }),
      ])
    },
  'a record has the time of the store, whatever the clock of its node says': async ({
    stores,
    now,
  }) => {
    const call = aCall()
    await stores.audit.append(anEntry(call, { created_at: now() + DAY_MS }), 'before-answer')
    await stores.audit.append(anEntry(call, { created_at: now() - DAY_MS }), 'batched')
    const records = await stores.audit.list({ tenant: 'acme' })
    expect(records).toHaveLength(2)
    for (const { created_at } of records)
      expect(Math.abs(created_at - now())).toBeLessThan(DAY_MS / 24)
  },
  'a batched record is there within 100 ms': async ({ stores, advance }) => {
    await stores.audit.append(anEntry(aCall()), 'batched')
    await advance(100)
    expect(await stores.audit.list({ tenant: 'acme' })).toHaveLength(1)
  },
  'records come back in the order they were written, the newest where there are too many': async ({
    stores,
  }) => {
    const calls = Array.from({ length: 5 }, () => aCall())
    for (const call of calls) await stores.audit.append(anEntry(call), 'before-answer')
    expect((await stores.audit.list({ tenant: 'acme' })).map(({ call_id }) => call_id)).toEqual(
      calls.map(({ callId }) => callId),
    )
    expect(
      (await stores.audit.list({ tenant: 'acme', limit: 2 })).map(({ call_id }) => call_id),
    ).toEqual(calls.slice(-2).map(({ callId }) => callId))
    const [before] = await stores.audit.list({ tenant: 'acme', limit: 2 })
    const older = await stores.audit.list({ tenant: 'acme', limit: 2, ...(before && { before }) })
    expect(older.map(({ call_id }) => call_id)).toEqual(
      calls.slice(1, 3).map(({ callId }) => callId),
    )
  },
  'records are found by the requests of a domain': async ({ stores }) => {
    const [first, second, third, none] = [aCall(), aCall(), aCall(), aCall()]
    await stores.audit.append(anEntry(first, { request_id: 'req_1' }), 'before-answer')
    await stores.audit.append(anEntry(second, { request_id: 'req_2' }), 'before-answer')
    await stores.audit.append(anEntry(third, { request_id: 'req_3' }), 'before-answer')
    await stores.audit.append(anEntry(none, { request_id: none.callId }), 'before-answer')
    const found = await stores.audit.list({ tenant: 'acme', requestIds: ['req_3', 'req_1'] })
    expect(found.map(({ call_id: id }) => id)).toEqual([first.callId, third.callId])
    expect(await stores.audit.list({ tenant: 'globex', requestIds: ['req_1'] })).toEqual([])
  },
  'records are found by tenant, call and tool': async ({ stores }) => {
    const [mine, other, foreign] = [aCall(), aCall(), aCall({ tenant: 'globex' })]
    await stores.audit.append(anEntry(mine), 'before-answer')
    await stores.audit.append(anEntry(other, { tool_name: 'shelf.look' }), 'before-answer')
    await stores.audit.append(anEntry(foreign), 'before-answer')
    const listIds = async (filter: object) =>
      (await stores.audit.list({ tenant: 'acme', ...filter })).map(({ call_id }) => call_id)
    expect(await listIds({ callId: mine.callId })).toEqual([mine.callId])
    expect(await listIds({ toolName: 'shelf.look' })).toEqual([other.callId])
    expect(await listIds({ callId: foreign.callId })).toEqual([])
    expect(await listIds({})).toEqual([mine.callId, other.callId])
  },
  'records are found by person, phase, outcome and time': async ({ stores, now }) => {
    const [done, failed, decided] = [aCall(), aCall(), aCall()]
    await stores.audit.append(anEntry(done, { principal: 'bob' }), 'before-answer')
    await stores.audit.append(anEntry(failed, { outcome: 'failed' }), 'before-answer')
    await stores.audit.append(anEntry(decided, { phase: 'decision' }), 'before-answer')
    const listIds = async (filter: object) =>
      (await stores.audit.list({ tenant: 'acme', ...filter })).map(({ call_id }) => call_id)
    expect(await listIds({ principal: 'bob' })).toEqual([done.callId])
    expect(await listIds({ outcome: 'failed' })).toEqual([failed.callId])
    expect(await listIds({ phase: 'decision' })).toEqual([decided.callId])
    expect(await listIds({ principal: 'bob', outcome: 'failed' })).toEqual([])
    expect(await listIds({ since: now() - DAY_MS, until: now() + DAY_MS })).toHaveLength(3)
    expect(await listIds({ until: now() - DAY_MS })).toEqual([])
    expect(await listIds({ since: now() + DAY_MS })).toEqual([])
  },
  'figures count the answers of a tenant and of a tool, and none of another': async ({
    stores,
    now,
  }) => {
    const add = (more: object) => stores.audit.append(anEntry(aCall(), more), 'before-answer')
    await add({ duration_ms: 10, tool_name: 'shelf.look' })
    await add({ duration_ms: 1_000, code: 'TOOL_NOT_FOUND', outcome: 'failed' })
    await add({ tool_version: '', tool_name: 'an.invention', code: 'TOOL_NOT_FOUND' })
    await add({ phase: 'decision' })
    await add({ tenant: 'globex' })
    const figuresOf = async (tool: string) => {
      const filter = { tenant: 'acme', tool, since: now() - DAY_MS }
      const { slots, complete } = await stores.audit.figures(filter)
      const calls = slots.reduce((sum, slot) => sum + slot.calls, 0)
      return { complete, calls, failures: slots.reduce((sum, slot) => sum + slot.failures, 0) }
    }
    expect(await figuresOf(ALL_TOOLS)).toEqual({ complete: true, calls: 3, failures: 2 })
    expect(await figuresOf(ALL_BY_HOUR)).toEqual({ complete: true, calls: 3, failures: 2 })
    expect(await figuresOf('shelf.look')).toEqual({ complete: true, calls: 1, failures: 0 })
    // A name that the caller invented must not get a row of its own.
    expect(await figuresOf('an.invention')).toEqual({ complete: true, calls: 0, failures: 0 })
    const later = { tenant: 'acme', tool: ALL_TOOLS, since: now() + DAY_MS }
    expect((await stores.audit.figures(later)).slots).toEqual([])
  },
}

/** The promises of the audit's rows. (That they were not changed is the Merkle tree's promise.) */
export function auditSuite(name: string, open: OpenStores): void {
  registerSuite('audit', name, open, auditPromises)
}
