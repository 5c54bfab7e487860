import { type Caller, isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { TravelContext } from './travel-context.ts'

export type InternalCall = {
  readonly tool: string
  readonly context: TravelContext
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/**
 * Calls an internal tool of the pack for a person. The call belongs to the person, so it is erased
 * with them.
 */
export async function callInternal(
  call: PackGiven['call'],
  { tool, context, input, idempotencyKey, signal }: InternalCall,
): Promise<unknown> {
  const outcome = await call({
    tool,
    input,
    caller: internalCaller(context),
    surface: 'travel',
    whenRunning: 'wait',
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (outcome.status === 'done') return outcome.data
  if (outcome.status === 'failed' && isToolError(outcome.error)) throw outcome.error
  throw new ToolError('TOOL_INTERNAL_ERROR', `${tool} did not finish.`, { effect: 'possible' })
}

function internalCaller({ tenant, userId }: TravelContext): Caller {
  return {
    tenant,
    principal: userId,
    actor: 'system',
    roles: ['user'],
    capabilities: ['travel.operate'],
  }
}
