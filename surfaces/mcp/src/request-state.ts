import { Buffer } from 'node:buffer'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Caller } from '@surehand/core'
import { hashJson } from '@surehand/core/internal'
import { z } from 'zod'
import type { Surface } from './options.ts'
import { NOTHING_REPORTED } from './progress.ts'
import { invalid, type ToolsCall } from './request.ts'

const PendingQuestion = z.object({
  kind: z.enum(['approval', 'form', 'page']),
  id: z.string(),
  callId: z.string(),
  digest: z.string(),
})
const Sealed = z.object({
  id: z.string(),
  tenant: z.string(),
  principal: z.string(),
  tool: z.string(),
  input: z.string(),
  until: z.number(),
  /** The question that this state may answer, once. */
  asked: PendingQuestion.optional(),
  /** What the client answered in earlier rounds. */
  answers: z.record(z.string(), z.unknown()),
  /** The last reported progress: the value increases over all rounds. */
  reported: z.number(),
})

export type RequestState = z.infer<typeof Sealed>
export type StateContents = Pick<RequestState, 'asked' | 'answers'>
/**
 * The question to the user: an approval request, or a question of a run as a form or on its page.
 */
export type PendingQuestion = z.infer<typeof PendingQuestion>

/**
 * The state that a client sends back in its next round: signed, not encrypted, and bound to this
 * call.
 */
export function sealState(
  call: ToolsCall,
  contents: StateContents,
  surface: Surface,
): string | undefined {
  const { requestState, clock } = surface
  if (requestState === undefined) return undefined
  const reported = call.progress?.lastReported() ?? NOTHING_REPORTED
  const state = {
    ...bindingOf(call),
    id: randomUUID(),
    until: clock.now() + requestState.validForMs,
    reported,
    ...contents,
  }
  const body = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${body}.${macOf(body, requestState.key)}`
}

/**
 * The state that a client has sent back; throws where it is forged, expired, or of another call.
 */
export function openState(call: ToolsCall, surface: Surface): RequestState | undefined {
  if (call.requestState === undefined) return undefined
  const { requestState, clock } = surface
  const [body = '', mac = '', ...rest] = call.requestState.split('.')
  // One message for every reason: a client that forges a state learns nothing from the refusal.
  if (requestState === undefined || rest.length > 0 || !isSame(mac, macOf(body, requestState.key)))
    throw invalidState()
  const state = Sealed.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  const { tenant, principal, tool, input } = bindingOf(call)
  const isOwn =
    state.tenant === tenant &&
    state.principal === principal &&
    state.tool === tool &&
    state.input === input
  if (!isOwn || clock.now() >= state.until) throw invalidState()
  return state
}

// An approval is for this input only: without its hash, the state of one order would approve
// another.
function bindingOf({ caller, name, sent }: ToolsCall): Pick<Caller, 'tenant' | 'principal'> & {
  readonly tool: string
  readonly input: string
} {
  return { tenant: caller.tenant, principal: caller.principal, tool: name, input: hashJson(sent) }
}

function macOf(body: string, key: string): string {
  return createHmac('sha256', key).update(body).digest('base64url')
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function invalidState(): Error {
  return invalid(
    'The requestState is not valid for this call, or has expired. Call again without it.',
  )
}
