import {
  aCall,
  aNote,
  anEntry,
  approvedByPerson,
  aQuestion,
  aRunQuestion,
  DONE,
  fenceOf,
  GIVEN,
  LEASE_MS,
} from '@surehand/conformance'
import type { CallRow, NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import { createAuditKey } from '../src/audit/audit-key.ts'
import { pruneAll } from '../src/maintain.ts'
import type { SqlStores } from '../src/sql-stores.ts'
import type { Place } from './each-store.ts'

const DAY_MS = 24 * 3_600_000
const KEY = new Uint8Array(32).fill(7)
const SECRET = 'tok_4242424242424242'
const SECRET_JSON = `{"card":"${SECRET}"}`
const COUNTS = `select (select count(*) from journal) as journal, (select count(*) from questions) as questions,
  (select count(*) from progress) as progress`

/** A run that has an answer in its journal, asks a question and has reported progress. */
async function running(
  stores: SqlStores,
  call: NewCall,
  more: { readonly isSecret?: boolean } = {},
) {
  const claim = await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  const fence = fenceOf(claim.row)
  const question = aRunQuestion(call, { draft: SECRET_JSON, shown: SECRET_JSON, ...more })
  const answer = {
    kind: 'error',
    code: 'TOOL_CANCELLED',
    message: SECRET,
    details: SECRET_JSON,
    data: SECRET_JSON,
  } as const
  const notes = [
    aNote({
      path: 'a',
      answer: { kind: 'value', json: SECRET_JSON },
      undo: { tool: 't', json: SECRET_JSON },
      ...more,
    }),
    aNote({ path: 'b', answer, ...more }),
  ]
  await stores.runs.write(fence, notes)
  await stores.runs.ask(
    fence,
    question,
    aNote({ path: question.path, what: 'ask', child: question.id }),
  )
  await stores.runs.setProgress(fence, SECRET_JSON)
  return { row: claim.row, question, notes }
}

const finish = (stores: SqlStores, row: CallRow) =>
  stores.calls.finish(fenceOf(row), DONE, anEntry(row))

/** What runs write, on stores that outlive a process. */
export const runPromises: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  'what a run was told and asked in secret is not in the database to be read, and comes back as it was':
    async (place) => {
      const stores = await place.open({ secretKeys: [KEY] })
      const { row, question, notes } = await running(stores, aCall(), { isSecret: true })
      const { tenant, callId } = row
      const given = { ...GIVEN, json: SECRET_JSON }
      expect(await stores.runs.answer(tenant, question.id, given, anEntry(row))).toMatchObject({
        question: { answer: given, draft: SECRET_JSON },
      })
      const stored = await stores.calls.query(
        `select answer as a, undo as b, '' as c from journal union all select draft, shown, answer from questions
       union all select json, '', '' from progress`,
      )
      expect([stored.length, JSON.stringify(stored).includes(SECRET)]).toEqual([5, false])
      expect((await stores.runs.journal(tenant, callId)).slice(0, 2)).toEqual(notes)
      expect(await stores.runs.question(tenant, question.id)).toMatchObject({
        draft: SECRET_JSON,
        shown: SECRET_JSON,
        answer: given,
      })
      expect(await stores.runs.questions({ tenant })).toMatchObject([{ shown: SECRET_JSON }])
      expect(await stores.runs.progress(tenant, callId)).toEqual({ number: 1, json: SECRET_JSON })
      await stores.close()
      const without = await place.open()
      await expect(Promise.resolve(without.runs.journal(tenant, callId))).rejects.toMatchObject({
        code: 'TOOL_CONFIGURATION_ERROR',
      })
      await without.close()
    },
  'what a run was told goes with its call after thirty days, and a parked run stays, however old':
    async (place) => {
      const stores = await place.open()
      const clock = await place.clock()
      const [done, gone, waiting] = [
        await running(stores, aCall()),
        await running(stores, aCall({ irreversible: true })),
        await running(stores, aCall()),
      ]
      await finish(stores, done.row)
      await finish(stores, gone.row)
      await stores.runs.park(fenceOf(waiting.row), {
        calls: [],
        questions: [],
        wakeInMs: undefined,
        spentMs: 0,
        isStopHeard: false,
      })
      await pruneAll(stores.database)
      expect(await stores.calls.query(COUNTS)).toEqual([{ journal: 9, questions: 3, progress: 3 }])
      await clock.advance(100 * DAY_MS)
      await pruneAll(stores.database)
      expect(await stores.calls.query(COUNTS)).toEqual([{ journal: 3, questions: 1, progress: 1 }])
      expect(await stores.calls.find(waiting.row)).toMatchObject({ state: 'parked' })
      await clock.close()
      await stores.close()
    },
  'the data of an erased person is removed from their runs, and their name from their answers to others':
    async (place) => {
      const stores = await place.open()
      const [own, underWay] = [
        await running(stores, aCall({ principal: 'ben' })),
        await running(stores, aCall({ principal: 'ben' })),
      ]
      const others = await running(stores, aCall())
      await finish(stores, own.row)
      await stores.runs.answer(
        'acme',
        others.question.id,
        { ...GIVEN, by: 'ben' },
        anEntry(others.row),
      )
      const order = {
        tenant: 'acme',
        principal: 'ben',
        by: 'root',
        actor: 'user',
        id: 'aud_erasure',
      }
      expect(await stores.erase(order, createAuditKey())).toMatchObject({
        calls: 1,
        approvals: 2,
        underWay: [underWay.row.callId],
      })
      expect(await stores.calls.query(COUNTS)).toEqual([{ journal: 6, questions: 2, progress: 2 }])
      expect(await stores.runs.question('acme', others.question.id)).toMatchObject({
        answer: { ...GIVEN, by: '' },
      })
      await stores.close()
    },
  'an approved call whose wake-up was lost with its worker is continued by another one at once':
    async (place) => {
      const [dead, alive] = [await place.open(), await place.open()]
      const call = aCall()
      const question = aQuestion(call, { expiresMs: DAY_MS })
      await dead.approvals.ask(question, call)
      const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
      const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
      const stopDead = dead.jobs.work(() => {
        take()
        return isOver
      })
      const record = anEntry(call, { phase: 'decision' })
      await alive.approvals.decide('acme', question.id, approvedByPerson, record)
      await isTaken
      const { promise: isWoken, resolve: wake } = Promise.withResolvers<string>()
      const stop = alive.jobs.work(async ({ callId }) => wake(callId))
      expect(await isWoken).toBe(call.callId)
      end()
      await Promise.all([stop(), stopDead()])
      await Promise.all([dead.close(), alive.close()])
    },
}
