import type { Call } from '../call/call.ts'
import { APPROVAL_EXPIRES, stricterKind } from '../define/approval-kind.ts'
import { toMs } from '../define/duration.ts'
import type { NormalApproval } from '../define/normal.ts'
import { conditionApproval } from '../permissions/access.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'

/** Whose yes this call needs: the contract's, or the stricter one that a condition of the caller's rights asks for. */
export function approvalRule(call: Call, scheme: PermissionScheme): NormalApproval | undefined {
  const { approval } = call.tool.contract
  const own = approval?.when(call.input) ? approval : undefined
  const asked = conditionApproval(call, scheme)
  if (asked === undefined) return own
  return {
    kind: stricterKind(own?.kind, asked),
    asks: own?.asks ?? (() => `${call.tool.title}?`),
    expiresMs: own?.expiresMs ?? toMs(APPROVAL_EXPIRES),
    when: () => true,
  }
}
