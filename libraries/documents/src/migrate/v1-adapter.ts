import { type Caller, ToolError, type ToolErrorCode } from '@surehand/core'
import { guardJson } from '@surehand/core/host'
import { isPlainObject, toToolError } from '@surehand/core/internal'
import { z } from 'zod'
import type { Migration } from './define-migration.ts'
import type {
  MigrationWarning,
  ToolResponse,
  V1ToolCallAdapter,
  V1ToolRequest,
  V1ToolResponse,
  V2ToolRequest,
} from './documents.ts'
import { childOf } from './dot-path.ts'
import { deprecationError, type Plan, standingOf, toV1Data, toV2Input, warningOf } from './plan.ts'

export type V1AdapterOptions = {
  readonly migration: Migration
  /** Walks a v2 call down the line; the envelope is its answer. */
  readonly call: (request: V2ToolRequest, caller: Caller) => Promise<ToolResponse>
  readonly now: () => number
  /** Is handed a warning at level `log`, once an hour for each function. */
  readonly log?: (warning: MigrationWarning) => void
}

export type V1Adapter = Omit<V1ToolCallAdapter, 'adaptV1Call'> & {
  /** Without a caller, a rule that asks who calls refuses. */
  adaptV1Call(v1Request: V1ToolRequest, caller?: Caller): V2ToolRequest
  /** A v1 call from its arguments to its answer. It never throws: every trouble is an answer. */
  callV1(v1Request: V1ToolRequest, caller: Caller): Promise<V1ToolResponse>
}

const LOG_EVERY_MS = 3_600_000

/** Serves v1 calls with v2 tools, as the migration's settings and phases allow. */
export function createV1Adapter({ migration, call, now, log }: V1AdapterOptions): V1Adapter {
  const { plans, strategy } = migration
  const settings = strategy.compatibility_mode
  const loggedAt = new Map<string, number>()

  function logOnce(plan: Plan, nowMs: number): void {
    const last = loggedAt.get(plan.v1Tool)
    if (last !== undefined && nowMs - last < LOG_EVERY_MS) return
    loggedAt.set(plan.v1Tool, nowMs)
    log?.(warningOf(plan, settings, nowMs))
  }

  function adapt(
    plan: Plan,
    args: Record<string, unknown>,
    caller: Caller | undefined,
  ): V2ToolRequest {
    const nowMs = now()
    const standing = standingOf(plan, settings, nowMs)
    if (standing.kind === 'refused') throw deprecationError(standing)
    if (standing.kind === 'warned' && settings.v1_warning_level === 'log') logOnce(plan, nowMs)
    return {
      tool: plan.tool,
      input: toV2Input(plan, checkedArgs(args), { tool: plan.v1Tool, nowMs, caller }),
    }
  }

  function respond(plan: Plan | undefined, response: ToolResponse): V1ToolResponse {
    if (plan === undefined) return toV1Response(response, { inV1: (data) => data, warnings: [] })
    const nowMs = now()
    const isWarned =
      settings.v1_warning_level === 'user_facing' &&
      standingOf(plan, settings, nowMs).kind === 'warned'
    const warnings = isWarned ? [warningOf(plan, settings, nowMs).message] : []
    return toV1Response(response, { inV1: (data) => toV1Data(plan, data), warnings })
  }

  return {
    adaptV1Call: ({ tool, args }, caller) => adapt(planFor(plans, tool), args, caller),
    adaptV2Response: (response) => respond(byV2Tool(plans, response.command), response),
    generateMigrationWarning: (toolId) =>
      warningOf(
        plans.get(toolId) ?? byV2Tool(plans, toolId) ?? planFor(plans, toolId),
        settings,
        now(),
      ),
    async callV1({ tool, args }, caller) {
      try {
        const plan = planFor(plans, tool)
        return respond(plan, await call(adapt(plan, args, caller), caller))
      } catch (thrown) {
        return refusedV1(toToolError(thrown))
      }
    },
  }
}

function planFor(plans: Migration['plans'], v1Tool: string): Plan {
  const plan = plans.get(v1Tool)
  if (plan !== undefined) return plan
  throw new ToolError('TOOL_NOT_FOUND', `There is no v1 function "${v1Tool}".`, {
    details: { tool: v1Tool },
  })
}

function byV2Tool(plans: Migration['plans'], tool: string): Plan | undefined {
  return [...plans.values()].find((plan) => plan.tool === tool)
}

function checkedArgs(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null || !isPlainObject(args))
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      'A v1 call takes keyword arguments: args must be an object.',
    )
  // the v2 tool knows how large its input may be and says so itself
  guardJson(args, Number.POSITIVE_INFINITY)
  return args as Record<string, unknown>
}

type Telling = { readonly inV1: (data: unknown) => unknown; readonly warnings: readonly string[] }

/** A v2 answer as v1 gave it: whether it worked, a sentence for a person, and the data. */
function toV1Response(response: ToolResponse, telling: Telling): V1ToolResponse {
  const warnings = [...(response.metadata.warnings ?? []), ...telling.warnings]
  if (response.status === 'success') {
    return {
      success: true,
      message: sentences(successOf(response), warnings),
      data: dataOf(response, telling),
    }
  }
  const message = response.error?.message ?? `${response.metadata.tool_info.name} did not work`
  return {
    success: false,
    message: sentences(message, warnings),
    data: dataOf(response, telling) ?? response.error?.details ?? null,
  }
}

/** The answer to a v1 call that never became a v2 call. */
function refusedV1(error: ToolError): V1ToolResponse {
  return { success: false, message: error.message, data: error.details ?? null }
}

function successOf({ data, metadata }: ToolResponse): string {
  if (metadata.job !== undefined) return `${metadata.tool_info.name} has begun and is not done yet`
  const own = childOf(data, 'message')
  return typeof own === 'string' && own.trim() !== '' ? own : `${metadata.tool_info.name}: done`
}

function dataOf({ data, metadata }: ToolResponse, { inV1 }: Telling): unknown {
  const { call_id, job, pending } = metadata
  // v1 knew no waiting: where to ask later is all there is to give
  if (job !== undefined) return { call_id, job }
  return pending === undefined ? inV1(data) : { call_id, pending }
}

function sentences(first: string, warnings: readonly string[]): string {
  return [first, ...warnings.map((warning) => `Warning: ${warning}`)]
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ')
}

/** What a v1 function gives back: whether it worked, a sentence, and the data. */
export type V1Answer<D = unknown> = readonly [ok: boolean, message: string, data: D | null]

/** A function as v1 has them: keyword arguments in, a triple out. */
export type V1Function<A = Record<string, unknown>, D = unknown> = (
  args: A,
) => V1Answer<D> | Promise<V1Answer<D>>

const Triple = z.tuple([z.boolean(), z.string(), z.unknown()])

/**
 * A v1 function as the `execute` of a v2 tool: true gives the data, false fails with the code its
 * message speaks of.
 */
export function fromV1Function<A, D>(
  run: V1Function<A, D>,
): (execution: { readonly input: A }) => Promise<D> {
  return async ({ input }) => {
    const answer = Triple.safeParse(await run(input))
    if (!answer.success)
      throw new ToolError(
        'TOOL_INVALID_OUTPUT',
        'The v1 function gave back no (ok, message, data).',
      )
    const [ok, message, data] = answer.data
    if (ok) return data as D // the tool's output schema checks it next
    const code = codeOf(message)
    throw new ToolError(
      code,
      message === '' ? 'The v1 function did not work and does not say why.' : message,
      {
        ...(data === null || data === undefined ? {} : { details: { v1_data: data } }),
        // the function ended and refused: without this, a write would be left with an unknown
        // outcome
        ...(code === 'TOOL_INTERNAL_ERROR' ? { effect: 'refused' } : {}),
      },
    )
  }
}

/** A v2 tool as v1 code calls it: keyword arguments in, a triple out. */
export function toV1Function(
  adapter: Pick<V1Adapter, 'callV1'>,
  tool: string,
  caller: Caller,
): V1Function {
  return async (args) => {
    const { success, message, data } = await adapter.callV1({ tool, args }, caller)
    return [success, message, data]
  }
}

const SPOKEN: readonly (readonly [ToolErrorCode, RegExp])[] = [
  [
    'TOOL_RESOURCE_NOT_FOUND',
    /\bnot found\b|\b(?:does not|doesn't|do not|don't) exist\b|\bno such\b/,
  ],
  ['TOOL_RESOURCE_ALREADY_EXISTS', /\balready exists?\b|\bduplicate\b/],
  ['TOOL_INVALID_INPUT', /\binvalid\b|\bmust be\b|\brequired\b/],
  [
    'TOOL_INSUFFICIENT_PERMISSIONS',
    /\bpermissions?\b|\bnot allowed\b|\bdenied\b|\bunauthori[sz]ed\b/,
  ],
  ['TOOL_CONFIGURATION_ERROR', /\bnot initiali[sz]ed\b|\buninitiali[sz]ed\b|\bnot configured\b/],
]
// a habit may be called "Duplicate keys": names in quotes say nothing about the trouble
const QUOTED = /(?<=^|[\s(:])(?:'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”|‘[^’]*’)(?=$|[\s).,;:!?])/g

/**
 * The code a v1 message speaks of; the first that it mentions, for "permission required" is about
 * permission.
 */
export function codeOf(message: string): ToolErrorCode {
  const text = message.toLowerCase().replace(QUOTED, '')
  let first: { readonly code: ToolErrorCode; readonly at: number } = {
    code: 'TOOL_INTERNAL_ERROR',
    at: text.length,
  }
  for (const [code, words] of SPOKEN) {
    const at = text.search(words)
    if (at >= 0 && at < first.at) first = { code, at }
  }
  return first.code
}
