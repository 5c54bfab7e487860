import type { CallRow, NewCall } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { hmacSha256 } from '../call/canonical.ts'
import type { Maybe } from '../call/maybe.ts'
import type { Answer } from '../call/outcome.ts'
import { scopedKey } from '../call/scope.ts'
import { ToolError } from '../call/tool-error.ts'
import { holdsSecret } from '../define/redact.ts'
import { scopesOf } from '../permissions/access.ts'
import type { Claim, ClaimRequest } from '../ports/calls.ts'
import { definitionHash } from '../registry/describe.ts'
import { failureEntry } from './audit.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'
import { awaitStore, storeTooSlow } from './deadline.ts'
import { fenceOf } from './finish-call.ts'
import { answerHeldKey } from './idempotency.ts'
import { leaseAfter } from './leases.ts'

/**
 * Either this process holds the claim, or the row of an earlier call under the key is the answer.
 */
export type ClaimedCall = { readonly row: CallRow } | { readonly answer: Answer }

/**
 * Claims the ledger row of a call, so that no other process executes it. The caller holds it by
 * `leases.hold` while it works.
 */
export function claimCall(call: Call, context: LedgerContext): Maybe<ClaimedCall> {
  const claiming = context.stores.calls.claim(toClaimRequest(call, context))
  if (!(claiming instanceof Promise)) return toClaimedCall(claiming, call, context)
  return awaitStore(call, context, claiming, {
    late() {
      void releaseLate(claiming, call, context)
      return storeTooSlow(call)
    },
  }).then((claim) => toClaimedCall(claim, call, context))
}

function toClaimedCall(claim: Claim, call: Call, context: LedgerContext): Maybe<ClaimedCall> {
  switch (claim.kind) {
    case 'held':
      return answerHeldKey(claim.row, call, context).then((answer) => ({ answer }))
    case 'claimed':
    case 'recover':
      return { row: claim.row }
    default:
      throw toClaimError(call, claim)
  }
}

// The caller was answered: nothing is executed under a claim that comes after that. If the release
// is lost too, a sweep finds the claim.
async function releaseLate(
  claiming: Promise<Claim>,
  call: Call,
  context: LedgerContext,
): Promise<void> {
  try {
    const claim = await claiming
    if (claim.kind !== 'claimed') return
    const error = storeTooSlow(call)
    const entry = failureEntry(call, context, error, 'executed')
    await context.stores.calls.finish(fenceOf(claim.row), { state: 'released' }, entry)
  } catch {
    return
  }
}

export function toClaimRequest(call: Call, context: LedgerContext): ClaimRequest {
  const { resumes } = call
  // A claim that is taken over, and was not given up, counts a death.
  const deaths = resumes === undefined ? 0 : resumes.deaths + (resumes.leaseUntil ? 1 : 0)
  return {
    call: toNewCall(call, context),
    leaseMs: leaseAfter(deaths, context.leaseMs),
    at: context.leases.bootTime(),
    expired: resumes && { fence: resumes.fence, leaseUntil: resumes.leaseUntil },
    resumes: resumes !== undefined,
    guardMs: guardWindowMs(call),
    adminVersion: call.adminVersion,
    atMost: call.tool.contract.concurrency,
    approvalId: call.approved?.approval.id,
  }
}

/** Why a claim was refused, where the row of another call is not the answer. */
export function toClaimError(
  call: Call,
  claim: Exclude<Claim, { kind: 'held' | 'claimed' | 'recover' }>,
): ToolError {
  switch (claim.kind) {
    case 'duplicate':
      return possibleDuplicate(call, claim.row)
    case 'approval_lapsed':
      return new ToolError(
        'TOOL_APPROVAL_DENIED',
        `The approval of ${call.tool.id} expired before it was used.`,
        { suggestions: ['Call it again to request a new approval.'] },
      )
    case 'outdated':
      return administrationChanged(call)
    case 'busy':
      return tooManyJobs(call)
  }
}

/** The call as the ledger stores it. */
export function toNewCall(call: Call, context: LedgerContext): NewCall {
  const { caller, tool, key } = call
  return {
    tenant: caller.tenant,
    principal: caller.principal,
    toolId: tool.id,
    key,
    callId: call.id,
    keySource: call.keySource,
    toolVersion: tool.version,
    definitionHash: definitionHash(tool),
    inputHash: call.canonicalInput.hash,
    input: call.canonicalInput.text,
    providerKey: call.resumes?.providerKey ?? makeProviderKey(call, context),
    scopes: readScopes(call, context),
    irreversible: tool.contract.isWrite && !tool.contract.reversible,
    isSecret: holdsSecret(tool.input.shape) || holdsSecret(tool.output.shape),
    caller: withoutAddress(caller),
    surface: call.surface,
    requestId: call.requestId,
    parentId: call.parentId,
    notify: call.notify,
  }
}

// A retry may come from another address, and nothing needs the first one later.
function withoutAddress(caller: Caller): Caller {
  if (caller.ip === undefined) return caller
  const { ip: _, ...stored } = caller
  return stored
}

const PROVIDER_KEY_DIGITS = 40

/**
 * The key that a provider deduplicates by. It is made from what identifies the call, so that a
 * ledger that lost the call sends the same key again, and neither another installation nor another
 * input ever does. Without an installation it is the id of the first call. Short, because some
 * providers accept no more than 45 characters.
 */
function makeProviderKey(
  { id, caller, tool, key, canonicalInput }: Call,
  { installation }: LedgerContext,
): string {
  // A local effect is sent to no provider.
  if (installation === undefined || tool.work.kind === 'transaction') return id
  const scope = scopedKey(caller.tenant, caller.principal, tool.id, key, canonicalInput.hash)
  return `key_${hmacSha256(installation, scope).slice(0, PROVIDER_KEY_DIGITS)}`
}

const NO_SCOPES: NewCall['scopes'] = {}

function readScopes(call: Call, context: LedgerContext): NewCall['scopes'] {
  const names = call.tool.contract.capabilityNames
  if (names.length === 0 || call.tool.contract.permissionCheck !== 'required') return NO_SCOPES
  return Object.fromEntries(scopesOf(call, context.scheme))
}

const DUPLICATE_WINDOW_MS = 10 * 60_000

/** Whether nothing but its input tells this write from an earlier one. */
export function comesWithoutKey(call: Call): boolean {
  return (
    call.tool.contract.isWrite &&
    call.keySource === 'fresh' &&
    call.repeat === 'refuse' &&
    call.resumes === undefined
  )
}

/**
 * How long the same input counts as a possible duplicate when an irreversible write comes without a
 * stable key. Undefined: duplicates are not looked for. The claim checks again, in the same
 * transaction.
 */
export function duplicateWindowMs(call: Call): number | undefined {
  return comesWithoutKey(call) && !call.tool.contract.reversible ? DUPLICATE_WINDOW_MS : undefined
}

/**
 * The same for the claim itself. A reversible write is compared only with calls whose outcome is
 * unknown, and a local effect has no such calls.
 */
export function guardWindowMs(call: Call): number | undefined {
  const mayBeUnknown = !call.tool.contract.reversible || call.tool.work.kind !== 'transaction'
  return comesWithoutKey(call) && mayBeUnknown ? DUPLICATE_WINDOW_MS : undefined
}

export function possibleDuplicate(
  call: Call,
  earlier: Pick<CallRow, 'callId' | 'state'>,
): ToolError {
  const why = call.tool.contract.reversible
    ? 'and it is not known whether that happened'
    : 'and it cannot be undone'
  const message = `${call.tool.id} was called with the same input a moment ago (${earlier.callId}, ${earlier.state}), ${why}.`
  return new ToolError('TOOL_POSSIBLE_DUPLICATE', message, {
    details: { earlier_call_id: earlier.callId, earlier_state: earlier.state },
    // The envelope says first how the answer of the earlier call is fetched on its surface.
    suggestions: ['If it is meant a second time, a person or the host has to confirm that.'],
  })
}

export const ADMINISTRATION_CHANGED = 'administration_changed'

/**
 * An administrator changed something after the call was authorized. The pipeline runs again; the
 * caller sees this only if that keeps happening.
 */
function administrationChanged(call: Call): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `The rules for ${call.tool.id} are being changed at the moment; nothing was done.`,
    {
      details: { source_code: ADMINISTRATION_CHANGED, retry_after_ms: 1_000 },
      effect: 'none',
    },
  )
}

const BUSY_RETRY_MS = 500

/** The contract's `concurrency` is reached: the job stays queued. */
function tooManyJobs(call: Call): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${call.tool.id} waits until one of its other jobs has finished.`,
    { effect: 'none', details: { retry_after_ms: BUSY_RETRY_MS } },
  )
}
