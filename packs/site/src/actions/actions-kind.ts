import { ToolError } from '@surehand/core'
import type { Fetching, SourceKind } from '@surehand/imports'
import { z } from 'zod'
import { ActionsFile, type SiteAction } from '../contract/site-action.ts'
import { actionSource, actionTools, type PerformAction } from './action-tools.ts'

export type { PerformAction } from './action-tools.ts'

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
