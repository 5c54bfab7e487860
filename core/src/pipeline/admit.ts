import { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import {
  comesWithoutKey,
  duplicateWindowMs,
  possibleDuplicate,
  toNewCall,
} from '../ledger/claim-call.ts'
import { withDeadline } from '../ledger/deadline.ts'
import { conditionLimits } from '../permissions/access.ts'
import type { PipelineContext } from './context.ts'
import { passGates } from './gates.ts'
import { takeQuota } from './rate-limit.ts'
import { traceToCall } from './stray-errors.ts'

/**
 * The tool's own check, its gates, then rate limits and budgets, all or none. Never answers.
 * A resumed call was admitted before and uses no quota.
 */
export function admit(call: Call, context: PipelineContext): Promise<undefined> | undefined {
  if (call.resumes !== undefined) return undefined
  refuseDoubtful(call, context)
  if (needsChecks(call)) return withDeadline(call, context, checkAndTakeQuota(call, context))
  return hasQuota(call, context) ? takeQuota(call, context) : undefined
}

/** Whether `admit` has anything to do for this call. */
export function needsAdmission(call: Call, context: PipelineContext): boolean {
  return needsChecks(call) || hasQuota(call, context)
}

function needsChecks(call: Call): boolean {
  return (
    call.notify !== undefined ||
    call.tool.check !== undefined ||
    duplicateWindowMs(call) !== undefined ||
    call.tool.contract.gates.length > 0
  )
}

function hasQuota(call: Call, context: PipelineContext): boolean {
  const { limits, budgets } = call.tool.contract
  return limits.length > 0 || budgets.length > 0 || conditionLimits(call, context.scheme).length > 0
}

async function checkAndTakeQuota(call: Call, context: PipelineContext): Promise<undefined> {
  const { tool } = call
  if (call.notify !== undefined) await refuseUnknownWebhook(call, call.notify, context)
  await traceToCall(context, call.id, () =>
    tool.check?.({
      input: call.input,
      ports: context.providers.of(tool, call.caller.tenant),
      caller: call.caller,
      now: context.clock.now,
    }),
  )
  await refuseDuplicate(call, context)
  await passGates(call, context)
  await takeQuota(call, context)
}

// A notification that could never be sent is refused before anything is done.
async function refuseUnknownWebhook(
  call: Call,
  webhook: string,
  context: PipelineContext,
): Promise<void> {
  const { tool, caller } = call
  const hasRow = tool.contract.isWrite || tool.isDeferred || tool.work.kind === 'run'
  const found = context.administration.webhooksOf(caller.tenant)
  if (hasRow && found?.has(webhook)) return
  const item = hasRow
    ? await context.stores.admin.get(caller.tenant, 'webhook', webhook)
    : undefined
  if (item?.unopened !== undefined) throw item.unopened
  if (item !== undefined) {
    found?.add(webhook)
    return
  }
  const error = hasRow
    ? `does not exist in the tenant "${caller.tenant}"`
    : `cannot be notified: ${tool.id} answers at once, and its calls are not stored`
  throw new ToolError('TOOL_INVALID_FIELD_VALUE', `The webhook "${webhook}" ${error}.`, {
    details: { validation_errors: [{ field: 'notify', error, provided_value: webhook }] },
  })
}

function refuseDoubtful(call: Call, { doubts }: PipelineContext): void {
  const earlier = comesWithoutKey(call) ? doubts.find(call) : undefined
  if (earlier !== undefined)
    throw possibleDuplicate(call, { callId: earlier, state: 'effect_started' })
}

// Without a stable key, the same input a moment ago may be the same intention, sent twice.
async function refuseDuplicate(call: Call, context: PipelineContext): Promise<void> {
  const sinceMs = duplicateWindowMs(call)
  if (sinceMs === undefined) return
  const earlier = await context.stores.calls.recent(toNewCall(call, context), sinceMs)
  if (earlier !== undefined) throw possibleDuplicate(call, earlier)
}
