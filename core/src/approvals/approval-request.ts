import { sha256 } from '../call/canonical.ts'
import type { NormalApproval } from '../define/normal.ts'
import { digestOf, redact } from '../define/redact.ts'
import { visibleJson, visibleText } from '../define/visible.ts'
import type { Call } from '../ledger/call.ts'
import type { NewApproval } from '../ports/approvals.ts'
import { definitionHash } from '../registry/describe.ts'

/** Everything the decider must see, and the digest that ties the decision to it. */
export function newApprovalRequest(
  call: Call,
  approval: NormalApproval,
  id: string,
  editedBy?: string,
): NewApproval {
  const shownInput = redact(call.tool.input.shape, call.input, digestOf)
  // The sentence is made from the redacted input, so that it cannot quote a secret.
  const asks = visibleText(approval.asks(shownInput))
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
