import type { Call } from '../call/call.ts'
import type { ApprovalKind } from '../define/contract.ts'
import type { NormalApproval } from '../define/normal.ts'
import { conditionApproval } from '../permissions/access.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'

const STRICTNESS: readonly ApprovalKind[] = ['confirm', 'consent', 'admin']
const CONDITION_EXPIRES_MS = 15 * 60_000

/** Whose yes this call needs: the contract's, or the stricter one that a condition of the caller's rights asks for. */
export function approvalRule(call: Call, scheme: PermissionScheme): NormalApproval | undefined {
  const { approval } = call.tool.contract
  const own = approval?.when(call.input) ? approval : undefined
  const asked = conditionApproval(call, scheme)
  if (asked === undefined) return own
  const kind = own !== undefined && STRICTNESS.indexOf(own.kind) > STRICTNESS.indexOf(asked) ? own.kind : asked
  return { kind, asks: own?.asks ?? (() => `${call.tool.title}?`), expiresMs: own?.expiresMs ?? CONDITION_EXPIRES_MS, when: () => true }
}
