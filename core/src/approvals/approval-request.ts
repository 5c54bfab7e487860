import type { FactChange } from '../call/approval.ts'
import { sha256 } from '../call/canonical.ts'
import type { NormalApproval } from '../define/normal.ts'
import { digestOf, redact } from '../define/redact.ts'
import { visibleJson, visibleText } from '../define/visible.ts'
import type { Call } from '../ledger/call.ts'
import type { NewApproval } from '../ports/approvals.ts'
import { definitionHash } from '../registry/describe.ts'
import type { Facts } from './facts.ts'

/** What a request shows beside the input, and why it is not the first one of its call. */
export type RequestOrigin = {
  readonly facts?: Facts | undefined
  readonly editedBy?: string
  /** Since the approval before it. */
  readonly changed?: readonly FactChange[]
  /** How many approvals of this call were used up because the facts had changed. */
  readonly askedBefore?: number
}

/** Everything the decider must see, and the digest that ties the decision to it. */
export function newApprovalRequest(
  call: Call,
  approval: NormalApproval,
  id: string,
  { facts, editedBy, changed, askedBefore }: RequestOrigin,
): NewApproval {
  const shownInput = redact(call.tool.input.shape, call.input, digestOf)
  // The sentence is made from the redacted input, so that it cannot quote a secret.
  const asks = visibleText(approval.asks(shownInput, facts?.value))
  const shown = JSON.stringify({
    tool: call.tool.id,
    title: visibleText(call.tool.title),
    version: call.tool.version,
    kind: approval.kind,
    reversible: call.tool.contract.reversible,
    effect: call.tool.contract.effect,
    asked_by: visibleText(call.caller.principal),
    actor: call.caller.actor,
    ...(editedBy === undefined ? {} : { edited_by: visibleText(editedBy) }),
    asks,
    input: visibleJson(shownInput),
    ...(facts === undefined ? {} : { facts: facts.visible, facts_hash: facts.hash }),
    ...(changed === undefined ? {} : { changed }),
    ...(askedBefore === undefined ? {} : { asked_before: askedBefore }),
  })
  return {
    id,
    tenant: call.caller.tenant,
    principal: call.caller.principal,
    toolId: call.tool.id,
    toolVersion: call.tool.version,
    definitionHash: definitionHash(call.tool),
    inputHash: call.canonicalInput.hash,
    callId: call.id,
    kind: approval.kind,
    reversible: call.tool.contract.reversible,
    asks,
    shown,
    digest: sha256(shown),
    expiresMs: approval.expiresMs,
    ...(editedBy === undefined ? {} : { editedBy }),
  }
}
