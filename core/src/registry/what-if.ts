import { stricterKind } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { Tool } from '../define/tool.ts'
import { mayUse } from '../permissions/access.ts'
import { attributesOf, judgeRule } from '../permissions/attribute-rules.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { AuditRecord } from '../ports/audit.ts'
import { definitionHash } from './describe.ts'
import { isEnabled, matches, type TenantPolicy } from './policy.ts'

/** The rights of a principal before and after a change; undefined where there is no such principal. */
export type ChangedRights = {
  readonly before: Omit<Caller, 'actor'> | undefined
  readonly after: Omit<Caller, 'actor'> | undefined
}

/** A change that has not been made yet. */
export type ProposedChange = {
  readonly before: TenantPolicy | undefined
  readonly after: TenantPolicy | undefined
  readonly principals: ReadonlyMap<string, ChangedRights>
}

/** What a change would have made of a call; `unknown`: the audit does not hold what decides it. */
export type WhatIfVerdict =
  | 'unchanged'
  | 'refused'
  | 'allowed'
  | 'asked'
  | 'not_asked'
  | 'limited'
  | 'timed_out'
  | 'unknown'

export type JudgedCall = { readonly verdict: WhatIfVerdict; readonly reason: string }

export type WhatIfContext = {
  readonly find: (toolName: string) => Tool | undefined
  readonly scheme: PermissionScheme
}

// What these say was decided before the tool ran: a stricter rule would have changed nothing.
const REFUSALS: ReadonlySet<ToolErrorCode | ''> = new Set<ToolErrorCode | ''>([
  'TOOL_NOT_FOUND',
  'TOOL_INVALID_INPUT',
  'TOOL_MISSING_REQUIRED_FIELD',
  'TOOL_INVALID_FIELD_TYPE',
  'TOOL_INPUT_TOO_LARGE',
  'TOOL_TEMPORARILY_DISABLED',
  'TOOL_ROLE_NOT_AUTHORIZED',
  'TOOL_CAPABILITY_MISSING',
  'TOOL_INSUFFICIENT_PERMISSIONS',
  'TOOL_RESOURCE_ACCESS_DENIED',
  'TOOL_RATE_LIMIT_EXCEEDED',
  'TOOL_GATE_CLOSED',
  'TOOL_IDEMPOTENCY_CONFLICT',
  'TOOL_POSSIBLE_DUPLICATE',
  'TOOL_ALREADY_RUNNING',
  'TOOL_INVALID_FIELD_VALUE',
  'TOOL_DEPRECATED',
  'TOOL_KEY_EXPIRED',
])
const RIGHTS: ReadonlySet<string> = new Set([
  'TOOL_ROLE_NOT_AUTHORIZED',
  'TOOL_CAPABILITY_MISSING',
  'TOOL_INSUFFICIENT_PERMISSIONS',
  'TOOL_RESOURCE_ACCESS_DENIED',
])

const UNCHANGED: JudgedCall = { verdict: 'unchanged', reason: '' }
const unknown = (reason: string): JudgedCall => ({ verdict: 'unknown', reason })

/**
 * Judges calls by their first outcome record, in the order in which they were made: a limit counts
 * those before.
 */
export function createWhatIf(
  change: ProposedChange,
  context: WhatIfContext,
): (record: AuditRecord) => JudgedCall {
  const overLimit = countLimits(change)
  return (record) => {
    const tool = context.find(record.tool_name)
    if (tool === undefined)
      return record.code === 'TOOL_NOT_FOUND'
        ? UNCHANGED
        : unknown(`${record.tool_name} no longer exists.`)
    return (
      judgeSwitch(tool, record, change) ??
      judgeRights(tool, record, change.principals.get(record.principal), context.scheme) ??
      (REFUSALS.has(record.code) ? judgeFormerLimit(tool, record, change) : undefined) ??
      judgeApproval(tool, record, change) ??
      overLimit(tool, record) ??
      judgeTimeout(tool, record, change) ??
      UNCHANGED
    )
  }
}

type Judged = JudgedCall | undefined

function judgeSwitch(tool: Tool, { code }: AuditRecord, { before, after }: ProposedChange): Judged {
  const [was, is] = [isEnabled(tool, before), isEnabled(tool, after)]
  if (was && !is)
    return REFUSALS.has(code)
      ? UNCHANGED
      : { verdict: 'refused', reason: `${tool.id} would be switched off.` }
  if (!was && is && code === 'TOOL_TEMPORARILY_DISABLED')
    return { verdict: 'allowed', reason: `${tool.id} would be switched on.` }
  return undefined
}

function judgeRights(
  tool: Tool,
  record: AuditRecord,
  rights: ChangedRights | undefined,
  scheme: PermissionScheme,
): Judged {
  if (rights === undefined) return undefined
  const wasRefused = RIGHTS.has(record.code)
  if (REFUSALS.has(record.code) && !wasRefused) return undefined
  if (rights.after === undefined)
    return wasRefused
      ? UNCHANGED
      : { verdict: 'refused', reason: `${record.principal} would be disabled.` }
  if (tool.contract.permissionCheck !== 'required') return undefined
  if (record.definition_hash !== '' && record.definition_hash !== definitionHash(tool))
    return unknown(`${tool.id} has been changed since, and other rights may have been needed.`)
  // The actor of a record is one of the three: core has written it.
  const actor = record.actor as Caller['actor']
  const startedAt = record.created_at - record.duration_ms
  const mayWith = (caller: Omit<Caller, 'actor'> | undefined): boolean =>
    caller !== undefined && mayUse({ tool, caller: { ...caller, actor }, startedAt }, scheme)
  if (!mayWith(rights.after)) {
    if (wasRefused) return UNCHANGED
    return mayWith(rights.before)
      ? { verdict: 'refused', reason: `${record.principal} would lack a right to ${tool.id}.` }
      : unknown(`${record.principal} had the right by other means than these, as by a token.`)
  }
  const query = { tool, caller: { ...rights.after, actor }, startedAt }
  const { when } = tool.contract
  if (when !== undefined && judgeRule(when, attributesOf(query)) === undefined)
    return unknown(`Who may call ${tool.id} depends on the input, which is not kept.`)
  if (!wasRefused) return undefined
  // A token may be limited to fewer capabilities than its principal has, and the audit names none.
  return unknown(`${record.principal} might no longer lack the right: it depends on the token.`)
}

function judgeFormerLimit(tool: Tool, { code }: AuditRecord, change: ProposedChange): JudgedCall {
  const isLifted =
    code === 'TOOL_RATE_LIMIT_EXCEEDED' &&
    limitsFor(tool, change.before).some((limit) => !hasLimit(tool, change.after, limit))
  return isLifted ? unknown('It was over a limit; which one is not kept.') : UNCHANGED
}

function judgeApproval(tool: Tool, record: AuditRecord, { before, after }: ProposedChange): Judged {
  const [was, is] = [approvalFor(tool, before), approvalFor(tool, after)]
  if (was === is) return undefined
  if (is !== undefined && was === undefined)
    // A policy asks for every input; a contract may ask for some.
    return record.outcome === 'pending'
      ? undefined
      : { verdict: 'asked', reason: `${tool.id} would need an approval (${is}).` }
  if (is !== undefined) return undefined
  return tool.contract.approval === undefined
    ? { verdict: 'not_asked', reason: `${tool.id} would need no approval any more.` }
    : unknown(`Whether ${tool.id} asks depends on the input, which is not kept.`)
}

function approvalFor(tool: Tool, policy: TenantPolicy | undefined) {
  const [first, ...more] = (policy?.approvals ?? [])
    .filter(({ tools }) => matches(tools, tool.id))
    .map(({ kind }) => kind)
  return first === undefined ? undefined : more.reduce(stricterKind, first)
}

type Limit = { readonly calls: number; readonly windowMs: number }

function limitsFor(tool: Tool, policy: TenantPolicy | undefined): readonly Limit[] {
  return (policy?.limits ?? []).filter(({ tools }) => matches(tools, tool.id))
}

function hasLimit(tool: Tool, policy: TenantPolicy | undefined, wanted: Limit): boolean {
  return limitsFor(tool, policy).some(
    ({ calls, windowMs }) => calls === wanted.calls && windowMs === wanted.windowMs,
  )
}

/** Counts calls as they were made; those that it refuses are not counted. */
function countLimits(change: ProposedChange): (tool: Tool, record: AuditRecord) => Judged {
  const counted = new Map<string, number[]>()
  return (tool, record) => {
    // An answer from the cache or of an earlier call takes nothing.
    if (record.source === 'cached' || record.source === 'replayed') return undefined
    const added = limitsFor(tool, change.after).filter(
      (limit) => !hasLimit(tool, change.before, limit),
    )
    const startedAt = record.created_at - record.duration_ms
    const windows = added.map((limit) => {
      const key = `${tool.id} ${limit.calls} ${limit.windowMs}`
      const times = (counted.get(key) ?? []).filter((at) => at > startedAt - limit.windowMs)
      counted.set(key, times)
      return { limit, times }
    })
    const full = windows.find(({ limit, times }) => times.length >= limit.calls)
    if (full !== undefined)
      return {
        verdict: 'limited',
        reason: `${tool.id} would be over ${full.limit.calls} calls in ${full.limit.windowMs / 1_000} s.`,
      }
    for (const { times } of windows) times.push(startedAt)
    return undefined
  }
}

function judgeTimeout(
  tool: Tool,
  { duration_ms: ms, source }: AuditRecord,
  { before, after }: ProposedChange,
): Judged {
  const [was, is] = [longestMs(tool, before), longestMs(tool, after)]
  if (is >= was || ms <= is || source === 'cached' || source === 'replayed') return undefined
  // Of several attempts only the sum is kept.
  if (tool.contract.retries > 0 || tool.work.kind === 'run')
    return unknown(`${tool.id} may have taken several attempts, each within ${is} ms.`)
  return { verdict: 'timed_out', reason: `${tool.id} took longer than ${is} ms.` }
}

function longestMs(tool: Tool, policy: TenantPolicy | undefined): number {
  return Math.min(
    tool.contract.timeoutMs,
    ...(policy?.timeouts ?? [])
      .filter(({ tools }) => matches(tools, tool.id))
      .map(({ maxMs }) => maxMs),
  )
}
