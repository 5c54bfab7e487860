import { ToolError } from '@surehand/core'
import { parseJson } from '@surehand/core/host'
import { readJsonText } from '@surehand/edge'
import type { z } from 'zod'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'

const MAX_BYTES = 1_048_576

/** The body of a request that does not call a tool, checked against its schema. */
export async function parseBody<T>(
  context: HttpContext,
  surface: Surface,
  schema: z.ZodType<T>,
): Promise<T> {
  return parseAs(schema, await readJson(context, surface))
}

/** The body as JSON; the code that receives it checks its shape. */
export async function readJson(
  context: HttpContext,
  surface: Surface,
  maxBytes = MAX_BYTES,
): Promise<unknown> {
  return parseJson(
    await readJsonText(context.get('request'), {
      maxBytes,
      timeoutMs: surface.bodyTimeoutMs,
      clock: surface.clock,
    }),
    maxBytes,
  )
}

/**
 * The query, checked against its schema. A repeated name is refused, because two parsers could take
 * different values.
 */
export function parseQuery<T>(context: HttpContext, schema: z.ZodType<T>): T {
  const given = context.req.queries()
  const repeated = Object.keys(given).find((name) => (given[name]?.length ?? 0) > 1)
  if (repeated !== undefined)
    throw invalid([{ field: repeated, error: 'is given more than once', provided_value: null }])
  return parseAs(
    schema,
    Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value])),
  )
}

/** The value as its schema parses it; throws TOOL_INVALID_INPUT with one problem for each field. */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      error: message,
      provided_value: null,
    })),
  )
}

/** TOOL_INVALID_INPUT, with one problem for each field. */
export function invalid(
  problems: readonly {
    readonly field: string
    readonly error: string
    readonly provided_value: null
  }[],
): ToolError {
  const message = problems
    .map(({ field, error }) => `${field || 'The request'}: ${error}.`)
    .join(' ')
  return new ToolError('TOOL_INVALID_INPUT', message, { details: { validation_errors: problems } })
}

/**
 * `If-Match: "3"`: the version that the client has read; without the header, the item must not
 * exist yet.
 */
export function expectedVersion(context: HttpContext): number | undefined {
  const given = context.req.header('if-match')
  if (given === undefined) return undefined
  const [, version] = /^"?(\d{1,15})"?$/.exec(given) ?? []
  if (version === undefined)
    throw invalid([
      {
        field: 'If-Match',
        error: 'must be the version that you have read, as in "3"',
        provided_value: null,
      },
    ])
  return Number(version)
}
