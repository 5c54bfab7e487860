import { expect } from 'vitest'
import {
  aNote,
  aRunQuestion,
  askQuestion,
  GIVEN,
  resumeRun,
  stateOf,
  VALUE,
  waitingFor,
} from './run-samples.ts'
import { aCall, anEntry, claimCall, fenceOf, LEASE_MS } from './samples.ts'
import type { Promises } from './suite.ts'

/** What runs ask, and what they are answered. */
export const questions: Promises = {
  'a question is stored with its entry, and is returned as it was asked': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const question = aRunQuestion(row)
    const entry = aNote({ path: question.path, what: 'ask', child: question.id })
    const { expiresMs, ...said } = question
    const stored = await runs.ask(fenceOf(row), question, entry)
    expect(stored).toEqual({
      ...said,
      state: 'open',
      answer: undefined,
      createdAt: expect.any(Number),
      expiresAt: (stored?.createdAt ?? 0) + expiresMs,
    })
    expect(await runs.question(row.tenant, question.id)).toEqual(stored)
    expect(await runs.question('globex', question.id)).toBeUndefined()
    expect(await runs.journal(row.tenant, row.callId)).toEqual([entry])
  },
  'a question asked again at the same path is the one that is stored': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const first = await askQuestion(opened, row)
    await runs.answer(first.tenant, first.id, GIVEN, anEntry(row))
    const again = aRunQuestion(row)
    expect(
      await runs.ask(
        fenceOf(row),
        again,
        aNote({ path: again.path, what: 'ask', child: again.id }),
      ),
    ).toMatchObject({
      id: first.id,
      state: 'answered',
      answer: { json: GIVEN.json },
    })
    expect(await runs.question(row.tenant, again.id)).toBeUndefined()
    expect(await runs.journal(row.tenant, row.callId)).toHaveLength(1)
  },
  'a driver that lost its claim or its lease asks no question': async (opened) => {
    const { runs } = opened.stores
    const call = aCall()
    const old = fenceOf(await claimCall(opened, call))
    const question = aRunQuestion(call)
    const ask = async () =>
      runs.ask(old, question, aNote({ path: question.path, what: 'ask', child: question.id }))
    await opened.advance(LEASE_MS)
    expect(await ask()).toBeUndefined()
    await resumeRun(opened, call)
    expect(await ask()).toBeUndefined()
    expect([
      await runs.question(call.tenant, question.id),
      await runs.journal(call.tenant, call.callId),
    ]).toEqual([undefined, []])
  },
  'of two simultaneous answers one counts, with a record, and the run is queued': async (
    opened,
  ) => {
    const { runs, audit } = opened.stores
    const row = await claimCall(opened, aCall())
    const question = await askQuestion(opened, row)
    await runs.park(fenceOf(row), waitingFor({ questions: [question.id] }))
    const answer = async (json: string) =>
      runs.answer(row.tenant, question.id, { ...GIVEN, json }, anEntry(row, { phase: 'decision' }))
    const both = await Promise.all([answer('1'), answer('2')])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['answered', 'closed'])
    const won = both[0]?.kind === 'answered' ? '1' : '2'
    const kept = { ...GIVEN, json: won, at: expect.any(Number) }
    for (const said of both)
      expect(said).toMatchObject({ question: { state: 'answered', answer: kept } })
    expect(await runs.question(row.tenant, question.id)).toMatchObject({
      state: 'answered',
      answer: kept,
    })
    expect(await audit.list({ tenant: row.tenant, callId: row.callId })).toHaveLength(1)
    expect(await stateOf(opened, row)).toBe('queued')
  },
  'an answer to a running run leaves it as it is': async (opened) => {
    const row = await claimCall(opened, aCall())
    const question = await askQuestion(opened, row)
    expect(
      (await opened.stores.runs.answer(row.tenant, question.id, GIVEN, anEntry(row))).kind,
    ).toBe('answered')
    expect(await opened.stores.calls.get(row.tenant, row.callId)).toMatchObject({
      state: 'claimed',
      fence: row.fence,
    })
  },
  'a question past its time reads as expired, and cannot be answered': async (opened) => {
    const { runs, audit } = opened.stores
    const row = await claimCall(opened, aCall())
    const question = await askQuestion(opened, row)
    await runs.park(fenceOf(row), waitingFor({ questions: [question.id] }))
    await opened.advance(question.expiresMs)
    expect(await runs.answer(row.tenant, question.id, GIVEN, anEntry(row))).toMatchObject({
      kind: 'closed',
      question: { state: 'expired', answer: undefined },
    })
    expect(await runs.question(row.tenant, question.id)).toMatchObject({ state: 'expired' })
    expect(
      (await runs.questions({ tenant: row.tenant, state: 'expired' })).map(({ id }) => id),
    ).toEqual([question.id])
    expect(await runs.questions({ tenant: row.tenant, state: 'open' })).toEqual([])
    expect([await stateOf(opened, row), await audit.list({ tenant: row.tenant })]).toEqual([
      'parked',
      [],
    ])
  },
  'a question that does not exist, or belongs to another tenant, is missing': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const question = await askQuestion(opened, row)
    expect(await runs.answer(row.tenant, 'ask_nobody', GIVEN, anEntry(row))).toEqual({
      kind: 'missing',
    })
    expect(await runs.answer('globex', question.id, GIVEN, anEntry(row))).toEqual({
      kind: 'missing',
    })
    expect(await runs.question(row.tenant, question.id)).toMatchObject({ state: 'open' })
  },
  'questions are listed newest first, by state, run and principal, up to a limit': async (
    opened,
  ) => {
    const { runs } = opened.stores
    const [one, two] = [await claimCall(opened, aCall()), await claimCall(opened, aCall())]
    const [first, second, third] = [
      await askQuestion(opened, one, { path: 'a' }),
      await askQuestion(opened, two),
      await askQuestion(opened, one, { path: 'b' }),
    ]
    await runs.answer(second.tenant, second.id, GIVEN, anEntry(two))
    const listIds = async (filter: object) =>
      (await runs.questions({ tenant: one.tenant, ...filter })).map(({ id }) => id)
    expect(await listIds({})).toEqual([third.id, second.id, first.id])
    expect(await listIds({ state: 'open' })).toEqual([third.id, first.id])
    expect(await listIds({ callId: two.callId })).toEqual([second.id])
    expect(await listIds({ callId: two.callId, state: 'open' })).toEqual([])
    expect(await listIds({ tenant: 'globex' })).toEqual([])
    expect(await listIds({ limit: 2 })).toEqual([third.id, second.id])
    expect(await listIds({ limit: 2, before: third.id })).toEqual([second.id, first.id])
    expect(await listIds({ before: 'qst_unknown' })).toEqual([])
    expect(await listIds({ principal: one.principal, limit: 1 })).toEqual([third.id])
    expect(await listIds({ principal: 'another principal' })).toEqual([])
  },
  'open questions are listed in pages by expiry': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const asked = [
      await askQuestion(opened, row, { path: 'a', expiresMs: 3_600_000 }),
      await askQuestion(opened, row, { path: 'b', expiresMs: 1_800_000 }),
      await askQuestion(opened, row, { path: 'c', expiresMs: 1_800_000 }),
    ]
    const wanted = { tenant: row.tenant, state: 'open' } as const
    const [first, ...none] = await runs.questions({
      ...wanted,
      expiringAfter: { at: 0, id: '' },
      limit: 1,
    })
    const place = { at: first?.expiresAt ?? 0, id: first?.id ?? '' }
    const rest = await runs.questions({ ...wanted, expiringAfter: place })
    expect([none, rest.at(-1)?.id]).toEqual([[], asked[0]?.id])
    expect([first, ...rest].map((question) => question?.id).toSorted()).toEqual(
      asked.map(({ id }) => id).toSorted(),
    )
  },
  'a finished run has no open questions; answered and expired ones stay as they are': async (
    opened,
  ) => {
    const { runs } = opened.stores
    const [row, other] = [await claimCall(opened, aCall()), await claimCall(opened, aCall())]
    const [open, answered, lapsed] = [
      await askQuestion(opened, row, { path: 'a' }),
      await askQuestion(opened, row, { path: 'b' }),
      await askQuestion(opened, row, { path: 'c', expiresMs: 1_000 }),
    ]
    const elsewhere = await askQuestion(opened, other)
    await runs.answer(row.tenant, answered.id, GIVEN, anEntry(row))
    await opened.advance(1_000)
    await runs.closeQuestions('globex', row.callId)
    expect(await runs.question(row.tenant, open.id)).toMatchObject({ state: 'open' })
    await runs.closeQuestions(row.tenant, row.callId)
    const states = await Promise.all(
      [open, answered, lapsed, elsewhere].map(
        async ({ id }) => (await runs.question(row.tenant, id))?.state,
      ),
    )
    expect(states).toEqual(['closed', 'answered', 'expired', 'open'])
    expect((await runs.answer(row.tenant, open.id, GIVEN, anEntry(row))).kind).toBe('closed')
  },
  'an answer relayed by a host is marked as such, and the journal stores it at its path': async (
    opened,
  ) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const question = await askQuestion(opened, row)
    const given = { ...GIVEN, credential: 'attested', host: 'workbench' } as const
    await runs.answer(row.tenant, question.id, given, anEntry(row))
    expect((await runs.question(row.tenant, question.id))?.answer).toEqual({
      ...given,
      at: expect.any(Number),
    })
    await runs.write(fenceOf(row), [
      aNote({ path: question.path, what: 'ask', child: 'other', answer: VALUE }),
    ])
    expect(await runs.journal(row.tenant, row.callId)).toMatchObject([
      { path: question.path, child: question.id, answer: VALUE },
    ])
  },
}
