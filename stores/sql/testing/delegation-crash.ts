import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { aCall, anEntry, aQuestion } from '@surehand/conformance'
import { expect } from 'vitest'
import type { SqlStores } from '../src/sql-stores.ts'

/** A statement of the delegation's transaction at which the process is killed. */
export const MOMENTS = {
  'after the request was changed': { when: 'after update', table: 'approvals' },
  'before the audit record was written': { when: 'before insert', table: 'audit_records' },
  'after the audit record, before the commit': { when: 'after insert', table: 'audit_records' },
} as const
export type Moment = (typeof MOMENTS)[keyof typeof MOMENTS]

export type CrashPlace = {
  readonly kind: 'sqlite' | 'postgres'
  readonly address: string
  readonly open: () => Promise<SqlStores>
  /** From now on a process that comes to the moment hangs there, inside its transaction. */
  readonly hangAt: (moment: Moment) => Promise<{
    readonly isReached: () => Promise<boolean>
    readonly free: () => Promise<void>
  }>
}

const RUN = new URL('./delegating-process.ts', import.meta.url).pathname

/** A delegation whose process is killed at the moment is not there, and the next one is whole. */
export async function expectNothingLeft(place: CrashPlace, moment: Moment): Promise<void> {
  const { tenant, id } = await askApproval(place)
  const hanging = await place.hangAt(moment)
  const { child, heard } = startDelegating(place, tenant, id)
  await expect.poll(() => heard.join('')).toContain('open')
  await expect.poll(hanging.isReached).toBe(true)
  await kill(child)
  await hanging.free()
  expect(heard.join('')).not.toContain('delegated')
  const stores = await place.open()
  try {
    expect(await readDelegation(stores, tenant, id)).toEqual({ delegation: undefined, records: [] })
    const record = anEntry(aCall({ tenant }), { phase: 'decision', outcome: 'delegated' })
    await stores.approvals.delegate(tenant, id, { to: 'cem', by: 'ann' }, record)
    expect(await readDelegation(stores, tenant, id)).toMatchObject({
      delegation: { to: 'cem', by: 'ann' },
      records: [{ id: record.id }],
    })
  } finally {
    await stores.close()
  }
}

/** A delegation that was acknowledged before its process was killed is whole. */
export async function expectWhole(place: CrashPlace): Promise<void> {
  const { tenant, id } = await askApproval(place)
  const { child, heard } = startDelegating(place, tenant, id)
  await expect.poll(() => heard.join('')).toContain('delegated')
  await kill(child)
  const stores = await place.open()
  try {
    expect(await readDelegation(stores, tenant, id)).toMatchObject({
      delegation: { to: 'ben', by: 'ann' },
      records: [{ id: `aud_${id}` }],
    })
  } finally {
    await stores.close()
  }
}

async function askApproval({ open }: CrashPlace) {
  const stores = await open()
  const call = aCall()
  const question = aQuestion(call)
  await stores.approvals.ask(question, call)
  await stores.close()
  return { tenant: call.tenant, id: question.id }
}

async function readDelegation(stores: SqlStores, tenant: string, id: string) {
  const { delegation } = (await stores.approvals.get(tenant, id)) ?? {}
  return { delegation, records: await stores.audit.list({ tenant, outcome: 'delegated' }) }
}

function startDelegating({ kind, address }: CrashPlace, tenant: string, id: string) {
  const command = ['--no-warnings', RUN, kind, address, tenant, id]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const heard: string[] = []
  child.stdout.on('data', (chunk: Buffer) => heard.push(String(chunk)))
  return { child, heard }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}
