import { newApprovalRequest, readPartOf } from '../approvals/approval-request.ts'
import { type Facts, listChanges, NOTHING_DONE } from '../approvals/facts.ts'
import type { FactChange } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { ApprovedFacts, Call } from '../ledger/call.ts'
import type { ClaimedCall } from '../ledger/claim-call.ts'
import {
  fenceOf,
  finishWithError,
  onClaimLost,
  toFailureEnding,
  toReleasedEnding,
} from '../ledger/finish-call.ts'
import { toCallError } from '../ledger/scrub.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import { definitionHash } from '../registry/describe.ts'
import { findApprovalRule } from './approve.ts'
import type { PipelineContext } from './context.ts'
import { readFacts } from './read-facts.ts'

// A price that changes faster than a person can approve it must not keep the person busy for ever.
const MOST_ASKED_AGAIN = 3

/**
 * Reads the facts of an approved call once more, just before its effect. Undefined: they are as
 * approved, or the call was approved without facts. Otherwise nothing is done: the person is asked
 * again, or the call fails because they cannot be.
 */
export async function refuseChangedFacts(
  call: Call,
  claim: () => ClaimedCall | Promise<ClaimedCall>,
  context: PipelineContext,
): Promise<Answer | undefined> {
  const { approved } = call
  const own = call.tool.contract.approval
  if (approved === undefined || own === undefined) return undefined
  // The contract's own rule, where the policy that demanded this approval is gone by now.
  const rule = findApprovalRule(call, context.scheme) ?? own
  if (approved.hash === undefined && rule.facts === undefined) return undefined
  let facts: Facts | undefined
  try {
    facts = await readFacts(call, own, context)
  } catch (thrown) {
    const error = toCallError(thrown, call, context)
    return whenClaimed(claim, (row) =>
      finishWithError(call, row, error, toReleasedEnding(call, row, error), context),
    )
  }
  if (facts === undefined || facts.hash === approved.hash) return undefined
  const difference = { approved, facts, rule }
  return whenClaimed(claim, (row) => askAgain(call, row, difference, context))
}

async function whenClaimed(
  claim: () => ClaimedCall | Promise<ClaimedCall>,
  finish: (row: CallRow) => Promise<Answer>,
): Promise<Answer> {
  const claimed = await claim()
  return 'answer' in claimed ? claimed.answer : finish(claimed.row)
}

type Difference = {
  readonly approved: ApprovedFacts
  readonly facts: Facts
  readonly rule: NormalApproval
}

/** Replaces the used-up approval of a claimed call by a new request that shows what has changed. */
async function askAgain(
  call: Call,
  row: CallRow,
  { approved, facts, rule }: Difference,
  context: PipelineContext,
): Promise<Answer> {
  const changed = listChanges(approved.facts, facts.visible)
  if (approved.askedBefore >= MOST_ASKED_AGAIN) {
    const error = keepsChangingError(call, changed)
    return finishWithError(call, row, error, toFailureEnding(row, error, 'released'), context)
  }
  const now = context.clock.now()
  const question = newApprovalRequest(call, rule, context.entropy.newId('appr', now), {
    facts,
    changed,
    askedBefore: approved.askedBefore + 1,
    partOf: await readPartOf(row, context),
  })
  const approval = await context.stores.approvals.askAgain(fenceOf(row), {
    question,
    replaces: approved.approval.id,
    audit: changedEntry(call, approved, { changed, askedAs: question.id }, context),
  })
  if (approval === undefined) return onClaimLost(call, row, undefined, context)
  return { status: 'pending', approval, callId: row.callId }
}

function keepsChangingError(call: Call, changed: readonly FactChange[]): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `What ${call.tool.id} would do has changed after each of its ${MOST_ASKED_AGAIN + 1} approvals: ${namePaths(changed)}. ${NOTHING_DONE}`,
    {
      effect: 'none',
      details: { source_code: 'facts_changed', changed },
      suggestions: ['Call it again later, when what it depends on has settled.'],
    },
  )
}

/** The audit entry of an approval that was used up without an effect. */
function changedEntry(
  call: Call,
  { approval }: ApprovedFacts,
  found: { readonly changed: readonly FactChange[]; readonly askedAs: string },
  context: PipelineContext,
): AuditEntry {
  const now = context.clock.now()
  return auditEntryBy(
    call.caller,
    { id: context.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: call.id,
      request_id: approval.id,
      surface: call.surface,
      tool_name: call.tool.id,
      tool_version: call.tool.version,
      definition_hash: definitionHash(call.tool),
      input: { hash: approval.inputHash, bytes: 0 },
      success: false,
      outcome: 'facts_changed',
      code: 'TOOL_APPROVAL_REQUIRED',
      error: `Changed since the approval: ${namePaths(found.changed)}. Asked again as ${found.askedAs}.`,
      duration_ms: now - approval.createdAt,
    },
  )
}

const MOST_NAMED = 5

// The values may be personal: records and messages name the places only.
function namePaths(changed: readonly FactChange[]): string {
  const paths = changed.map(({ path }) => (path === '' ? 'all of it' : path))
  const more = paths.length - MOST_NAMED
  return `${paths.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
