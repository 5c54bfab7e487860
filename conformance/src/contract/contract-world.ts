import type { Caller, Envelope, Runtime, Tool } from '@surehand/core'
import { toEnvelope } from '@surehand/core'
import { assert } from 'vitest'
import { type FakeClock, settle } from '../fake-clock.ts'
import { inProcessSurface } from '../in-process-surface.ts'
import type { SurfaceRequest } from '../surface.ts'
import { drive } from '../world/drive.ts'

/**
 * A runtime with the tool in it, a caller with the rights to call it, and control over clock and
 * providers.
 */
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
  /** From now on the tool's providers work again. */
  readonly heal: () => void
  /** Waits for running work; for stores and providers that take real time. */
  readonly pause?: () => Promise<void>
  readonly close: () => Promise<void>
}

export type OpenContractWorld = (tool: Tool) => Promise<ContractWorld>

/** Calls the tool, advancing the clock as far as pending timers need. */
export function callTool(
  world: ContractWorld,
  tool: Tool,
  request: Omit<SurfaceRequest, 'tool' | 'caller'> & { readonly caller?: Caller },
): Promise<Envelope> {
  return drive(
    inProcessSurface(world.runtime).call({ tool: tool.id, caller: world.caller, ...request }),
    world.clock,
    world.pause ?? settle,
  )
}

const MOST_ROUNDS = 10

/**
 * Calls the tool and sees it through: an approval is given, a question answered with what it is
 * filled in with, a job waited for.
 */
export async function seeThrough(
  world: ContractWorld,
  tool: Tool,
  request: Omit<SurfaceRequest, 'tool' | 'caller'>,
): Promise<Envelope> {
  const first = await callTool(world, tool, request)
  let now = first
  for (let round = 0; isOpen(now) && round < MOST_ROUNDS; round++) {
    if (now.metadata.pending !== undefined) await decide(world, tool, now, 'approve')
    if (now.metadata.asking !== undefined) await answer(world, now)
    if (now.metadata.job !== undefined || tool.work.kind === 'run') world.runtime.start()
    await world.clock.advance(60_000)
    const kept = await world.runtime.answer(world.caller, first.metadata.call_id)
    now = kept === undefined ? assert.fail('the call left no answer') : toEnvelope(kept)
  }
  return now
}

function isOpen({ metadata: { pending, asking, job } }: Envelope): boolean {
  return pending !== undefined || asking !== undefined || job !== undefined
}

// A question without a draft asks for approval.
async function answer(world: ContractWorld, asked: Envelope): Promise<void> {
  const { question_id: id, draft = true } =
    asked.metadata.asking ?? assert.fail('no question was put')
  const person: Caller = { ...world.caller, actor: 'user' }
  const { digest } = await world.runtime.questions.getFor(person, id)
  await drive(
    world.runtime.questions.answer(person, id, { answer: draft, digest }),
    world.clock,
    world.pause ?? settle,
  )
}

/** Decides as the kind of person that the tool's approval asks. */
export async function decide(
  world: ContractWorld,
  tool: Tool,
  asked: Envelope,
  verdict: 'approve' | 'deny',
): Promise<void> {
  const { approval_id: id } = asked.metadata.pending ?? assert.fail('no question was put')
  const person: Caller = { ...world.caller, actor: 'user' }
  const decider: Caller =
    tool.contract.approval?.kind === 'admin'
      ? { ...person, principal: 'the approver', roles: ['admin'] }
      : person
  const { digest } = await world.runtime.approvals.get(person.tenant, id)
  await drive(
    world.runtime.approvals.decide(decider, id, { verdict, digest }),
    world.clock,
    world.pause ?? settle,
  )
}
