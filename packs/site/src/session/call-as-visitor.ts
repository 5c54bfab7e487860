import { type Envelope, toEnvelope } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { recordConversion } from './record-conversion.ts'
import type { Visitor } from './visitor.ts'

export type VisitorCall = {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** Names the intended effect, where the caller knows one: a turn and its step. */
  readonly key?: string | undefined
  readonly signal?: AbortSignal
  /** The request of the domain that the call belongs to: the turn. */
  readonly turn?: string | undefined
}

type CallServices = Pick<PackServices, 'call' | 'systemCaller'>

/** Calls a tool as the visitor's agent. Every path of a visitor to a tool goes through here. */
export async function callAsVisitor(
  services: CallServices,
  visitor: Visitor,
  { tool, input, key, signal, turn }: VisitorCall,
): Promise<Envelope> {
  const outcome = await services.call({
    tool,
    input,
    caller: visitor.agent,
    surface: 'site',
    // A key in the input would be the model's own invention.
    writtenBy: 'model',
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(signal === undefined ? {} : { signal }),
    ...(turn === undefined ? {} : { requestId: turn }),
  })
  const envelope = toEnvelope(outcome)
  await recordConversion(services, visitor, envelope)
  return envelope
}
