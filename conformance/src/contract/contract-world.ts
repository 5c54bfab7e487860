import type { Caller, Envelope, Runtime, Tool } from '@surehand/core'
import { toEnvelope } from '@surehand/core'
import { assert } from 'vitest'
import type { DoorRequest } from '../door.ts'
import { type FakeClock, settle } from '../fake-clock.ts'
import { inProcessDoor } from '../in-process-door.ts'
import { drive } from '../world/drive.ts'

/** A runtime with the tool in it, somebody who may call it, and hands on what is outside. */
export type ContractWorld = {
  readonly runtime: Runtime
  readonly clock: FakeClock
  readonly caller: Caller
  /** How much has been done outside so far: what an emulator logged, what a table holds. */
  readonly effects: () => number | Promise<number>
  /** From now on the tool's providers never answer. */
  readonly hang: () => void
  /** From now on the tool's providers fail. */
  readonly fail: () => void
  readonly close: () => Promise<void>
}

export type OpenContractWorld = (tool: Tool) => Promise<ContractWorld>

/** Calls the tool, letting time pass as far as somebody waits for it. */
export function callTool(
  world: ContractWorld,
  tool: Tool,
  request: Omit<DoorRequest, 'tool' | 'caller'> & { readonly caller?: Caller },
): Promise<Envelope> {
  return drive(inProcessDoor(world.runtime).call({ tool: tool.id, caller: world.caller, ...request }), world.clock, settle)
}

/** Calls the tool and sees it through: a question is answered with yes, a job is waited for. */
export async function seeThrough(world: ContractWorld, tool: Tool, request: Omit<DoorRequest, 'tool' | 'caller'>): Promise<Envelope> {
  const first = await callTool(world, tool, request)
  if (first.metadata.pending !== undefined) await decide(world, tool, first, 'approve')
  if (first.metadata.job !== undefined) world.runtime.start()
  if (first.metadata.pending === undefined && first.metadata.job === undefined) return first
  await world.clock.advance(60_000)
  const kept = await world.runtime.answer(world.caller, first.metadata.call_id)
  return kept === undefined ? assert.fail('the call left no answer') : toEnvelope(kept)
}

/** Decides as whoever the tool's kind of approval asks. */
export async function decide(world: ContractWorld, tool: Tool, asked: Envelope, verdict: 'approve' | 'deny'): Promise<void> {
  const { approval_id: id } = asked.metadata.pending ?? assert.fail('no question was put')
  const person: Caller = { ...world.caller, actor: 'user' }
  const decider: Caller = tool.contract.approval?.kind === 'admin' ? { ...person, principal: 'the approver', roles: ['admin'] } : person
  const { digest } = await world.runtime.approvals.get(person.tenant, id)
  await drive(world.runtime.approvals.decide(decider, id, { verdict, digest }), world.clock, settle)
}
