import { randomUUID } from 'node:crypto'
import { sha256 } from '@surehand/core/internal'
import type { CallRow, JournalEntry, NewCall, NewQuestion, Parking } from '@surehand/core/ports'
import type { OpenedStores } from './opened.ts'
import { aCall, claimCall, fenceOf, LEASE_MS } from './samples.ts'

export const VALUE = { kind: 'value', json: '{"z":1,"a":"é"}' } as const

/** A journal entry at one path; without an answer unless one is given. */
export function aNote(more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    path: 'pay',
    what: 'step',
    tool: 'orders.pay 1.0.0',
    inputHash: sha256('input'),
    child: `call_${randomUUID()}`,
    isWrite: true,
    isSecret: false,
    answer: undefined,
    undo: undefined,
    ...more,
  }
}

/** Something the run of this call wants to know. */
export function aRunQuestion(call: NewCall, more: Partial<NewQuestion> = {}): NewQuestion {
  const shown = '{"asks":"Which colour?"}'
  return {
    id: `ask_${randomUUID()}`,
    tenant: call.tenant,
    principal: call.principal,
    callId: call.callId,
    toolId: call.toolId,
    path: 'colour',
    asks: 'Which colour?',
    from: 'person',
    schema: '{"type":"string"}',
    draft: '"red"',
    shown,
    digest: sha256(shown),
    isSecret: false,
    expiresMs: 60_000,
    ...more,
  }
}

export const GIVEN = { json: '"blue"', by: 'root', credential: 'own', host: undefined } as const

export function waitingFor(more: Partial<Parking> = {}): Parking {
  return { calls: [], questions: [], wakeInMs: undefined, spentMs: 0, isStopHeard: false, ...more }
}

/** A run that waits for this. */
export async function parkRun(
  opened: OpenedStores,
  parking: Partial<Parking> = {},
  call: NewCall = aCall(),
): Promise<CallRow> {
  const row = await claimCall(opened, call)
  const said = await opened.stores.runs.park(fenceOf(row), waitingFor(parking))
  if (said !== 'parked') throw new Error(`expected it to be parked, got ${said}`)
  return row
}

/** A run that waits for a step that is claimed. */
export async function parkedWithStep(opened: OpenedStores, more: Partial<NewCall> = {}) {
  const run = await claimCall(opened, aCall())
  const step = await claimCall(opened, aCall({ keySource: 'step', parentId: run.callId, ...more }))
  await opened.stores.runs.park(fenceOf(run), waitingFor({ calls: [step.callId] }))
  return { run, step }
}

/** A question that the run asks. */
export async function askQuestion(
  opened: OpenedStores,
  row: CallRow,
  more: Partial<NewQuestion> = {},
): Promise<NewQuestion> {
  const question = aRunQuestion(row, more)
  const entry = aNote({
    path: question.path,
    what: 'ask',
    tool: '',
    child: question.id,
    isWrite: false,
  })
  await opened.stores.runs.ask(fenceOf(row), question, entry)
  return question
}

export async function stateOf(
  { stores }: OpenedStores,
  { tenant, callId }: Pick<NewCall, 'tenant' | 'callId'>,
) {
  return (await stores.calls.get(tenant, callId))?.state
}

/** Comes back to a call, as a job does. */
export async function resumeRun({ stores }: OpenedStores, call: NewCall, atMost?: number) {
  return stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, atMost })
}
