import { memoryStores, type Stores, ToolError } from '@surehand/core'
import type { AuditEntry, CallRow } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { fakeClock } from '../fake-clock.ts'
import { adminPromises } from './admin-suite.ts'
import { approvalPromises } from './approval-suite.ts'
import { auditPromises } from './audit-suite.ts'
import { cachePromises } from './cache-suite.ts'
import { jobPromises } from './job-suite.ts'
import { ledgerPromises } from './ledger-suite.ts'
import { limitPromises } from './limit-suite.ts'
import { runPromises } from './run-suite.ts'
import type { Promises } from './suite.ts'
import { addThenDawdle, SUITE_SCHEMA } from './suite-transactions.ts'
import { transactionPromises } from './transaction-suite.ts'
import { valuePromises } from './value-suite.ts'

type Broken = { readonly promises: Promises; readonly change: (stores: Stores) => Partial<Stores> }

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(() => resolve(value)))

/** Stores as they are written on a bad day, and the suite that must see it. */
const BROKEN: Readonly<Record<string, Broken>> = {
  'a ledger that reads and then writes': {
    promises: ledgerPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        async claim(request) {
          const found = await calls.find(request.call)
          await later(undefined)
          return found === undefined || request.resumes
            ? { kind: 'claimed', row: (await calls.claim(request)) as never as CallRow }
            : { kind: 'held', row: found }
        },
      },
    }),
  },
  'a ledger that looks for the same wish and then claims': {
    promises: ledgerPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        async claim(request) {
          const earlier =
            request.guardMs === undefined
              ? undefined
              : await calls.recent(request.call, request.guardMs)
          await later(undefined)
          return earlier === undefined
            ? calls.claim({ ...request, guardMs: undefined })
            : { kind: 'duplicate', row: earlier }
        },
      },
    }),
  },
  'a database that commits what it told as timed out': {
    promises: transactionPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        transact: (run) => {
          const late = new ToolError('TOOL_EXECUTION_TIMEOUT', 'Late.', { effect: 'none' })
          if (run.name !== addThenDawdle.name) return calls.transact(run)
          return Promise.race([
            calls.transact({ ...run, timeoutMs: 1e9 }),
            new Promise<never>((_, reject) => setTimeout(() => reject(late), 10)),
          ])
        },
      },
    }),
  },
  'a ledger that claims what was judged by old rules': {
    promises: adminPromises,
    change: ({ calls }) => ({
      calls: { ...calls, claim: (request) => calls.claim({ ...request, adminVersion: undefined }) },
    }),
  },
  'an administration where the last word counts': {
    promises: adminPromises,
    change: ({ admin }) => ({
      admin: {
        ...admin,
        async change(change, entry) {
          const now = await admin.get(change.tenant, change.kind, change.id)
          return admin.change({ ...change, expected: now?.version }, entry)
        },
      },
    }),
  },
  'a ledger without fences': {
    promises: ledgerPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        async finish(fence, ending, entry) {
          const row = await calls.get(fence.tenant, fence.callId)
          return calls.finish({ ...fence, fence: row?.fence ?? 0 }, ending, entry)
        },
      },
    }),
  },
  'a ledger that begins effects under expired leases': {
    promises: ledgerPromises,
    change: ({ calls }) => ({ calls: { ...calls, startEffect: () => true } }),
  },
  'a database that keeps what a failed function wrote': {
    promises: transactionPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        transact: (run) =>
          calls.transact({ ...run, apply: (tx, args) => run.apply(tx, args).catch(() => null) }),
      },
    }),
  },
  'an approval store where the last decision wins': {
    promises: approvalPromises,
    change: ({ approvals }) => ({
      approvals: {
        ...approvals,
        async decide(tenant, id, decision, entry) {
          const decided = await approvals.decide(tenant, id, decision, entry)
          return decided.kind === 'closed'
            ? { kind: 'decided', approval: decided.approval }
            : decided
        },
      },
    }),
  },
  'an approval store that asks again for a process that has lost its claim': {
    promises: approvalPromises,
    change: ({ approvals, calls }) => ({
      approvals: {
        ...approvals,
        async askAgain(fence, asked) {
          const row = await calls.get(fence.tenant, fence.callId)
          return approvals.askAgain({ ...fence, fence: row?.fence ?? fence.fence }, asked)
        },
      },
    }),
  },
  'a ledger that runs a transaction under any approval': {
    promises: approvalPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        transact: (run) =>
          calls.transact({ ...run, claim: { ...run.claim, approvalId: undefined } }),
      },
    }),
  },
  'an approval store that forgets denials': {
    promises: approvalPromises,
    change: ({ approvals }) => ({
      approvals: {
        ...approvals,
        async ask(question, call) {
          const asked = await approvals.ask(question, call)
          return asked.kind === 'denied' ? { kind: 'asked', approval: asked.approval } : asked
        },
      },
    }),
  },
  'a ledger that wakes no worker': {
    promises: ledgerPromises,
    change: ({ calls }) => ({
      calls: {
        ...calls,
        async finish(fence, ending, entry) {
          const step = await calls.get(fence.tenant, fence.callId)
          const run =
            step?.parentId === undefined ? undefined : await calls.get(fence.tenant, step.parentId)
          return run?.state === 'parked' ? true : calls.finish(fence, ending, entry)
        },
      },
    }),
  },
  'a ledger that lets in as many jobs as come': {
    promises: ledgerPromises,
    change: ({ calls }) => ({
      calls: { ...calls, claim: (request) => calls.claim({ ...request, atMost: undefined }) },
    }),
  },
  'a run that sleeps though what it waits for has ended': {
    promises: runPromises,
    change: ({ runs }) => ({
      runs: {
        ...runs,
        park: (fence, parking) => runs.park(fence, { ...parking, calls: [], questions: [] }),
      },
    }),
  },
  'a journal that loses repeated entries': {
    promises: runPromises,
    change: ({ runs }) => ({
      runs: { ...runs, write: (fence, entries) => runs.write(fence, entries.slice(0, 1)) },
    }),
  },
  'a question that two people answer': {
    promises: runPromises,
    change: ({ runs }) => ({
      runs: {
        ...runs,
        async answer(tenant, id, given, entry) {
          const said = await runs.answer(tenant, id, given, entry)
          return said.kind === 'closed' ? { kind: 'answered', question: said.question } : said
        },
      },
    }),
  },
  'a queue that loses jobs without a waiting worker': {
    promises: jobPromises,
    change: ({ jobs }) => {
      const state = { isWorking: false }
      return {
        jobs: {
          enqueue: (job, delayMs) => (state.isWorking ? jobs.enqueue(job, delayMs) : undefined),
          work(worker) {
            state.isWorking = true
            return jobs.work(worker)
          },
        },
      }
    },
  },
  'a limiter that takes one bucket after the other': {
    promises: limitPromises,
    change: ({ limits }) => ({
      limits: {
        async take(buckets) {
          for (const bucket of buckets) {
            const taken = await limits.take([bucket])
            if (!taken.ok) return taken
          }
          return { ok: true }
        },
      },
    }),
  },
  'a cache that gives old answers': {
    promises: cachePromises,
    change: ({ cache }) => ({
      cache: { ...cache, set: (key, value) => cache.set(key, value, 1e12) },
    }),
  },
  'an audit that shows one tenant to another': {
    promises: auditPromises,
    change: ({ audit }) => ({
      audit: {
        append: (entry: AuditEntry, durability) =>
          audit.append({ ...entry, tenant: 'acme' }, durability),
        list: (filter) => audit.list({ ...filter, tenant: 'acme' }),
        figures: (filter) => audit.figures({ ...filter, tenant: 'acme' }),
      },
    }),
  },
  'values that join tenant and key': {
    promises: valuePromises,
    change: ({ values }) => ({
      values: {
        get: (tenant, key) => values.get('', `${tenant}:${key}`),
        set: (tenant, key, value, ttlMs) => values.set('', `${tenant}:${key}`, value, ttlMs),
        delete: (tenant, key) => values.delete('', `${tenant}:${key}`),
        replace: (tenant, key, change) => values.replace('', `${tenant}:${key}`, change),
        list: (tenant, prefix) => values.list('', `${tenant}:${prefix}`),
      },
    }),
  },
}

for (const [name, { promises, change }] of Object.entries(BROKEN)) {
  test(`the suites see ${name}`, async () => {
    const broken: string[] = []
    for (const [sentence, run] of Object.entries(promises)) {
      const clock = fakeClock()
      const stores = memoryStores({ clock, schema: SUITE_SCHEMA })
      const opened = {
        stores: { ...stores, ...change(stores) },
        now: clock.now,
        advance: clock.advance,
        close: async () => undefined,
      }
      await run(opened).catch(() => broken.push(sentence))
    }
    expect(broken).not.toEqual([])
  })
}
