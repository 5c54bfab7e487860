import { APPROVAL_EXPIRES, type ApprovalKind, stricterKind } from '../call/approval.ts'
import { ToolError } from '../call/tool-error.ts'
import { toMs } from '../define/duration.ts'
import type { NormalApproval, NormalLimit } from '../define/normal.ts'
import type { Tool } from '../define/tool.ts'

/** A tenant's rules for its tools. They can only tighten the contracts. */
export type TenantPolicy = {
  readonly version: number
  /** Only these tools are enabled; patterns may contain `*`. */
  readonly enabledTools?: readonly string[]
  readonly disabledTools?: readonly string[]
  /** Further limits, beside the contract's own. */
  readonly limits?: readonly {
    readonly tools: string
    readonly calls: number
    readonly windowMs: number
  }[]
  /** Tools that require approval in this tenant although their contract requires none. */
  readonly approvals?: readonly { readonly tools: string; readonly kind: ApprovalKind }[]
  readonly timeouts?: readonly { readonly tools: string; readonly maxMs: number }[]
  /** Hosts that may report that their user has approved. */
  readonly trustedHosts?: readonly string[]
  /** The caller may not approve their own call. */
  readonly separateApprover?: boolean
}

const tightened = new WeakMap<TenantPolicy, Map<Tool, Tool>>()

/** The tool as this tenant's policy allows it; the same object each time. */
export function tighten(tool: Tool, policy: TenantPolicy): Tool {
  refuseDisabled(tool, policy)
  const known = tightened.get(policy) ?? new Map<Tool, Tool>()
  tightened.set(policy, known)
  const earlier = known.get(tool)
  if (earlier !== undefined) return earlier
  const tighter = applyPolicy(tool, policy)
  known.set(tool, tighter)
  return tighter
}

function applyPolicy(tool: Tool, policy: TenantPolicy): Tool {
  const limits: readonly NormalLimit[] = (policy.limits ?? [])
    .filter((limit) => matches(limit.tools, tool.id))
    .map((limit) => ({ calls: limit.calls, windowMs: limit.windowMs, by: 'tenant' }))
  const approval = stricterApproval(tool, policy)
  const timeoutMs = Math.min(
    tool.contract.timeoutMs,
    ...(policy.timeouts ?? [])
      .filter((timeout) => matches(timeout.tools, tool.id))
      .map((timeout) => timeout.maxMs),
  )
  if (
    limits.length === 0 &&
    approval === tool.contract.approval &&
    timeoutMs === tool.contract.timeoutMs
  )
    return tool
  const contract = Object.freeze({
    ...tool.contract,
    limits: [...tool.contract.limits, ...limits],
    approval,
    timeoutMs,
  })
  // inherits from the tool: a copy would evaluate the lazy getters of a foreign tool
  return Object.freeze(Object.create(tool, { contract: { value: contract, enumerable: true } }))
}

// a policy that requires approval for a tool requires it for every input, also where the contract
// names only some
function stricterApproval(tool: Tool, policy: TenantPolicy): NormalApproval | undefined {
  const own = tool.contract.approval
  const added = (policy.approvals ?? [])
    .filter(({ tools }) => matches(tools, tool.id))
    .map(({ kind }) => kind)
  if (added.length === 0) return own
  return {
    kind: added.reduce(stricterKind, own?.kind ?? 'confirm'),
    asks: own?.asks ?? (() => `${tool.title}?`),
    expiresMs: own?.expiresMs ?? toMs(APPROVAL_EXPIRES),
    when: () => true,
    facts: own?.facts,
  }
}

/** Is the tool enabled for the tenant? */
export function isEnabled(tool: Tool, policy: TenantPolicy | undefined): boolean {
  if (policy === undefined) return true
  const allowed =
    policy.enabledTools === undefined ||
    policy.enabledTools.some((pattern) => matches(pattern, tool.id))
  return allowed && !(policy.disabledTools?.some((pattern) => matches(pattern, tool.id)) ?? false)
}

function refuseDisabled(tool: Tool, policy: TenantPolicy): void {
  if (isEnabled(tool, policy)) return
  throw new ToolError('TOOL_TEMPORARILY_DISABLED', `${tool.id} is switched off for this tenant.`, {
    details: { tool: tool.id },
  })
}

/** `*` stands for any run of characters. */
export function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*')
  if (parts.length === 1) return pattern === id
  const [head = '', ...rest] = parts
  const tail = rest.pop() ?? ''
  if (!id.startsWith(head) || !id.endsWith(tail) || id.length < head.length + tail.length)
    return false
  let at = head.length
  for (const part of rest) {
    const found = id.indexOf(part, at)
    if (found < 0 || found + part.length > id.length - tail.length) return false
    at = found + part.length
  }
  return true
}
