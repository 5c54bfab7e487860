import type { FactChange } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import { sha256 } from '../call/canonical.ts'
import type { ApprovalText } from '../define/contract.ts'
import type { NormalApproval } from '../define/normal.ts'
import { digestOf, redact } from '../define/redact.ts'
import { visibleJson, visibleText } from '../define/visible.ts'
import type { Call } from '../ledger/call.ts'
import type { LedgerContext } from '../ledger/context.ts'
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
  /** The titles of the runs that the call is a step of, the innermost first. */
  readonly partOf?: readonly string[]
}

const DEEPEST = 16

/** The titles of the runs that a call is a step of, the innermost first. */
export async function readPartOf(
  { tenant, parentId }: Pick<CallRow, 'tenant' | 'parentId'>,
  { stores, registryOf }: Pick<LedgerContext, 'stores' | 'registryOf'>,
): Promise<readonly string[]> {
  const titles: string[] = []
  let id = parentId
  while (id !== undefined && titles.length < DEEPEST) {
    const parent = await stores.calls.get(tenant, id)
    if (parent === undefined) break
    const { toolId, toolVersion } = parent
    titles.push(registryOf(tenant).find(`${toolId}@${toolVersion}`)?.title ?? toolId)
    id = parent.parentId
  }
  return titles
}

/** Everything the decider must see, and the digest that ties the decision to it. */
export function newApprovalRequest(
  call: Call,
  approval: NormalApproval,
  id: string,
  { facts, editedBy, changed, askedBefore, partOf = [] }: RequestOrigin,
): NewApproval {
  const shownInput = redact(call.tool.input.shape, call.input, digestOf)
  // The sentence is made from the redacted input, so that it cannot quote a secret.
  const text = approval.asks(shownInput, facts?.value)
  const words: ApprovalText = typeof text === 'string' ? { headline: text } : text
  const asks = visibleText(words.headline)
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
    ...(words.facts === undefined ? {} : { summary: visibleJson(words.facts) }),
    ...(words.consequence === undefined ? {} : { consequence: visibleText(words.consequence) }),
    ...(partOf.length === 0 ? {} : { part_of: partOf.map(visibleText) }),
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
