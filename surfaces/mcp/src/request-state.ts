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
  /** The question this state may answer, once. */
  asked: PendingQuestion.optional(),
  /** What the client answered in earlier rounds. */
  answers: z.record(z.string(), z.unknown()),
  /** How far its progress was told: the numbers rise over all rounds. */
  told: z.number(),
})

export type RequestState = z.infer<typeof Sealed>
export type StateContents = Pick<RequestState, 'asked' | 'answers'>
/** What was put to the person: an approval, or a question of a run as a form or by its page. */
export type PendingQuestion = z.infer<typeof PendingQuestion>

/** What a client carries to its next round; it can be read by anybody, changed by nobody, and serves this call alone. */
export function sealState(
  call: ToolsCall,
  carried: StateContents,
  surface: Surface,
): string | undefined {
  const { requestState, clock } = surface
  if (requestState === undefined) return undefined
  const told = call.progress?.lastReported() ?? NOTHING_REPORTED
  const state = {
    ...boundTo(call),
    id: randomUUID(),
    until: clock.now() + requestState.validForMs,
    told,
    ...carried,
  }
  const body = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${body}.${macOf(body, requestState.key)}`
}

/** The state a client brought back; refused when it is forged, late, or another call's. */
export function openState(call: ToolsCall, surface: Surface): RequestState | undefined {
  if (call.requestState === undefined) return undefined
  const { requestState, clock } = surface
  const [body = '', mac = '', ...rest] = call.requestState.split('.')
  // one answer for all of it: whoever forges a state learns nothing from the refusal
  if (requestState === undefined || rest.length > 0 || !isSame(mac, macOf(body, requestState.key)))
    throw refused()
  const state = Sealed.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  const { tenant, principal, tool, input } = boundTo(call)
  const isOwn =
    state.tenant === tenant &&
    state.principal === principal &&
    state.tool === tool &&
    state.input === input
  if (!isOwn || clock.now() >= state.until) throw refused()
  return state
}

// a yes is for this input alone: without its hash, a state from one order would approve another
function boundTo({ caller, name, sent }: ToolsCall): Pick<Caller, 'tenant' | 'principal'> & {
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

function refused(): Error {
  return invalid('The requestState is not valid for this call, or no more: call again without it.')
}
