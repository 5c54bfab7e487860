import type { CallRow, OpenCall } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { type Answer, type Outcome, toOutcome } from '../call/outcome.ts'
import { type Page, type PageRequest, toPage } from '../call/page.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { isAdministrator, reachesTool } from '../permissions/credential.ts'
import { missingRights } from '../permissions/explain-permissions.ts'
import type { LedgerContext } from './context.ts'
import { deniedError, isDenied } from './denied-error.ts'
import {
  answerParkedRun,
  findPendingApproval,
  keyExpiredError,
  readStoredAnswer,
  refuseNarrowedScope,
  toUnknownError,
} from './idempotency.ts'
import { toPublicError } from './scrub.ts'

/** The answer of a stored call by its id. For a caller who may not see it, it does not exist. */
export async function fetchAnswer(
  caller: Caller,
  callId: string,
  context: LedgerContext,
): Promise<Outcome | undefined> {
  const row = await findVisibleCall(caller, callId, context)
  if (row === undefined) return undefined
  const tool = findTool(row, context)
  const facts = {
    callId,
    tool: row.toolId,
    command: tool?.command,
    title: tool?.title ?? row.toolId,
    category: tool?.category ?? 'custom',
    schemaVersion: row.toolVersion,
    permissionsUsed: tool?.contract.capabilityNames ?? [],
    durationMs: row.updatedAt - row.createdAt,
    validationMs: 0,
    notes: [],
  }
  try {
    if (tool !== undefined) refuseUnentitled(row, tool, caller, context)
    return toOutcome(facts, await answerByState(row, tool, context))
  } catch (thrown) {
    return toOutcome(facts, refuse(toPublicError(thrown, callId, context)))
  }
}

/**
 * The row of a call if the caller may see it: its own as far as its credential reaches, or as an
 * administrator in person any whose tool is known.
 */
export async function findVisibleCall(
  caller: Caller,
  callId: string,
  context: LedgerContext,
): Promise<CallRow | undefined> {
  const row = await context.stores.calls.get(caller.tenant, callId)
  if (row === undefined) return undefined
  if (row.principal === caller.principal)
    return reachesTool(caller, findTool(row, context)) ? row : undefined
  // An administrator's rights to the tool are checked before the answer is shown, which needs the
  // tool.
  return isAdministrator(caller) && findTool(row, context) !== undefined ? row : undefined
}

/**
 * Calls that wait, run or are unknown, the newest first: the caller's own, and for an administrator
 * in person everyone's.
 */
export async function openCalls(
  caller: Caller,
  { limit, after }: PageRequest,
  context: Pick<LedgerContext, 'stores' | 'registryOf'>,
): Promise<Page<OpenCall>> {
  const found = await context.stores.calls.open({
    tenant: caller.tenant,
    principal: isAdministrator(caller) ? undefined : caller.principal,
    limit: limit + 1,
    before: after,
  })
  const { items, next } = toPage(found, limit, ({ callId }) => callId)
  const { find } = context.registryOf(caller.tenant)
  const visible = items.filter(({ toolId, toolVersion }) =>
    reachesTool(caller, find(`${toolId}@${toolVersion}`)),
  )
  return { items: visible, next }
}

function findTool(row: CallRow, context: Pick<LedgerContext, 'registryOf'>): Tool | undefined {
  return context.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
}

function refuseUnentitled(row: CallRow, tool: Tool, caller: Caller, context: LedgerContext): void {
  const asked = { tool, caller, startedAt: context.clock.now() }
  const missing =
    tool.contract.permissionCheck === 'required' ? missingRights(asked, context.scheme) : undefined
  if (missing !== undefined)
    throw new ToolError(missing.code, missing.message, {
      details: missing.details,
      suggestions: missing.suggestions,
    })
  refuseNarrowedScope(row, asked, context)
}

async function answerByState(
  row: CallRow,
  tool: Tool | undefined,
  context: LedgerContext,
): Promise<Answer> {
  switch (row.state) {
    case 'succeeded':
    case 'failed':
      return readStoredAnswer(row, tool)
    case 'waiting':
      return (await findPendingApproval(row, context)) ?? answerDecided(row, tool, context)
    case 'queued':
    case 'claimed':
    case 'effect_started':
      return { status: 'accepted', jobId: row.callId }
    case 'parked':
      return answerParkedRun(row, context)
    case 'unknown':
      return refuse(toUnknownError(row))
    case 'pruned':
      return refuse(keyExpiredError(row))
    case 'released':
    case 'cancelled':
      if (row.answer !== undefined) return readStoredAnswer(row, undefined)
      return (
        (await findDenial(row, context)) ??
        refuseEnded(row, 'It ended before anything happened; its key is free.')
      )
  }
}

/** The request no longer waits: it was decided or edited since the row was read, or has expired. */
async function answerDecided(
  row: CallRow,
  tool: Tool | undefined,
  context: LedgerContext,
): Promise<Answer> {
  const now = await context.stores.calls.get(row.tenant, row.callId)
  return now === undefined || (now.state === row.state && now.approvalId === row.approvalId)
    ? refuseEnded(row, 'The approval request expired before anyone decided it.')
    : answerByState(now, tool, context)
}

async function findDenial(
  { tenant, approvalId }: CallRow,
  { stores }: LedgerContext,
): Promise<Answer | undefined> {
  if (approvalId === undefined) return undefined
  const approval = await stores.approvals.get(tenant, approvalId)
  return isDenied(approval) ? refuse(deniedError(approval)) : undefined
}

function refuse(error: ToolError): Answer {
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: true }
}

function refuseEnded(row: CallRow, why: string): Answer {
  return refuse(new ToolError('TOOL_CANCELLED', `${row.toolId} (${row.callId}): ${why}`))
}
