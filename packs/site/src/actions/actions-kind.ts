import { type Port, type Tool, ToolError } from '@surehand/core'
import {
  type ForeignCall,
  type ForeignContract,
  type ForeignSource,
  foreignTool,
} from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import type { Fetching, SourceKind } from '@surehand/imports'
import { z } from 'zod'
import { ActionsFile, type SiteAction } from '../contract/site-action.ts'
import { visitorPermissions } from '../visitor-contract.ts'

const From = z.strictObject({ url: z.url({ protocol: /^https?$/ }) })
// The owner's own tools have the same namespace where the import is called "site".
const RESERVED =
  /^(?:connect|create_key|revoke_key|stop|resume|report|inspect|refresh_index|store_pages|record_event|open_session|end_session|reserve_spend|handoff)$/

export type ActionsKindParts = {
  readonly perform: PerformAction
  readonly fetchDocument: (url: string, fetching: Fetching) => Promise<string>
}

/**
 * Tools from a site's actions.json. As with every import, they are pinned when they are accepted,
 * and what changes afterwards is quarantined.
 */
export function actionsKind({ perform, fetchDocument }: ActionsKindParts): SourceKind {
  return {
    kind: 'actions',
    generator: '1',
    readSettings: (settings) => settings ?? {},
    readFrom: (from) => requireForm(From, from, 'The place of an actions file'),
    prepare(document, { name }) {
      const { taken, leftOut } = readActions(document)
      return {
        prepared: new TextEncoder().encode(JSON.stringify(taken)),
        report: {
          operations: taken.length + leftOut.length,
          taken: taken.map(({ id }) => `${name}.${id}`),
          leftOut,
          losses: [],
          tokens: Math.ceil(JSON.stringify(taken).length / 4),
        },
      }
    },
    open(prepared, { name, port, schemas }) {
      const actions = JSON.parse(new TextDecoder().decode(prepared)) as readonly SiteAction[]
      return {
        tools: actionTools(actions, { name, port, schemas }),
        source: actionSource(actions, name, perform),
      }
    },
    fetch: (from, fetching) => fetchDocument((from as z.output<typeof From>).url, fetching),
  }
}

/** The actions of a file, and those that cannot become tools with the reason. */
export function readActions(document: string): {
  readonly taken: readonly SiteAction[]
  readonly leftOut: readonly { readonly operation: string; readonly reason: string }[]
} {
  const { actions } = requireForm(ActionsFile, parseJson(document), 'The actions file')
  const seen = new Set<string>()
  const taken: SiteAction[] = []
  const leftOut: { operation: string; reason: string }[] = []
  for (const action of actions) {
    const folded = action.id.normalize('NFKC').toLowerCase()
    if (RESERVED.test(action.id))
      leftOut.push({ operation: action.id, reason: 'has the name of a tool for owners' })
    else if (seen.has(folded))
      leftOut.push({ operation: action.id, reason: 'has the name of another action' })
    else taken.push(action)
    seen.add(folded)
  }
  return { taken, leftOut }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function requireForm<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${what} is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  )
}

/** Performs an action in the visitor's page; the page executes a key once. */
export type PerformAction = (
  request: {
    readonly tenant: string
    readonly session: string
    readonly action: string
    readonly selector: string | undefined
    readonly params: Readonly<Record<string, string | number | boolean>>
    readonly idempotencyKey: string
  },
  signal: AbortSignal,
) => Promise<{ readonly url?: string | undefined }>

/** Where the tools of a site's actions are opened. */
export type ActionPlace = {
  /** The namespace: `site` gives `site.{action}`. */
  readonly name: string
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
}

/** One tool for each action of a site's actions.json. */
function actionTools(
  actions: readonly SiteAction[],
  { name, port, schemas }: ActionPlace,
): readonly Tool[] {
  return actions.map((action) =>
    foreignTool(
      {
        id: `${name}.${action.id}`,
        title: action.description.split(/[.:]/)[0]?.slice(0, 80) || action.id,
        description: action.description,
        category: 'site',
        input: inputSchema(action),
        output: {
          type: 'object',
          properties: { done: { const: true }, url: { type: 'string' } },
          required: ['done'],
        },
        contract: contractOf(action),
        port,
        by: isWrite(action) ? 'writeOnce' : 'read',
        examples: [],
        fingerprint: () => JSON.stringify([action.id, action.selector ?? null]),
      },
      schemas,
    ),
  )
}

function isWrite({ sideEffects }: SiteAction): boolean {
  return sideEffects.startsWith('writes.')
}

// Files write either a whole schema or the fields alone.
function inputSchema({ params }: SiteAction): JsonSchema {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  if (params.type === 'object') return { $schema, additionalProperties: false, ...params }
  return { $schema, type: 'object', properties: params, additionalProperties: false }
}

/** What the file says may add an approval, and never takes one away. */
function contractOf(action: SiteAction): ForeignContract {
  const { sideEffects, confirmRequired, description } = action
  const common = {
    auth: 'session',
    permissions: visitorPermissions,
    timeout: '12s',
    latencyBudget: '1s',
    limits: [{ calls: 60, per: '1m' }],
    unknownKeys: 'refuse',
  } as const
  if (sideEffects === 'none' || sideEffects === 'read-only-nav')
    return { ...common, effect: sideEffects, retries: 0 }
  const isFinal = sideEffects === 'writes.order' || sideEffects === 'writes.booking'
  const asks = isFinal || (confirmRequired ?? sideEffects === 'writes.content')
  return {
    ...common,
    effect: sideEffects,
    reversible: !isFinal,
    idempotency: 'caller',
    ...(asks
      ? { approval: { kind: 'consent', asks: () => `On this page: ${description}?` } as const }
      : {}),
  }
}

/** Performs the tools of a site's actions through the visitor's page. */
function actionSource(
  actions: readonly SiteAction[],
  name: string,
  perform: PerformAction,
): ForeignSource {
  const byTool = new Map(actions.map((action) => [`${name}.${action.id}`, action]))
  async function run(call: ForeignCall, signal: AbortSignal): Promise<unknown> {
    const action = byTool.get(call.tool)
    if (action === undefined)
      throw new ToolError('TOOL_NOT_FOUND', `The site no longer has the action ${call.tool}.`, {
        effect: 'none',
      })
    const { tenant, session, principal } = call.caller
    const { url } = await perform(
      {
        tenant,
        session: session ?? principal,
        action: action.id,
        selector: action.selector,
        params: plainParams(call.input),
        idempotencyKey: call.idempotencyKey,
      },
      signal,
    )
    return { done: true, ...(url === undefined ? {} : { url }) }
  }
  return { read: run, write: run, writeOnce: run }
}

// A page takes texts, numbers and truth values; lists and objects are written as JSON.
function plainParams(input: unknown): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    Object.entries((input ?? {}) as object).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? value
        : JSON.stringify(value),
    ]),
  )
}
