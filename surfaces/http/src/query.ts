import { ToolError } from '@surehand/core'
import { parseJson } from '@surehand/core/host'
import type { z } from 'zod'
import type { Surface } from './options.ts'
import { readJsonText } from './read-body.ts'
import type { WireContext } from './wire.ts'

const MAX_BYTES = 1_048_576

/** A body that is no tool's input, held against its form. */
export async function bodyOf<T>(
  context: WireContext,
  surface: Surface,
  form: z.ZodType<T>,
): Promise<T> {
  return fitting(form, await jsonOf(context, surface))
}

/** A body as plain JSON; whoever takes it knows its form. */
export async function jsonOf(
  context: WireContext,
  surface: Surface,
  maxBytes = MAX_BYTES,
): Promise<unknown> {
  return parseJson(
    await readJsonText(context.get('visit'), { maxBytes, timeoutMs: surface.bodyTimeoutMs }),
    maxBytes,
  )
}

/** The query, held against its form; a name given twice is refused, since two readers would take two values. */
export function queryOf<T>(context: WireContext, form: z.ZodType<T>): T {
  const given = context.req.queries()
  const twice = Object.keys(given).find((name) => (given[name]?.length ?? 0) > 1)
  if (twice !== undefined)
    throw invalid([{ field: twice, error: 'is given twice', provided_value: null }])
  return fitting(
    form,
    Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value])),
  )
}

/** A value of its form; what is wrong with it is told field by field. */
export function fitting<T>(form: z.ZodType<T>, value: unknown): T {
  const result = form.safeParse(value)
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      error: message,
      provided_value: null,
    })),
  )
}

function invalid(
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

/** `If-Match: "3"`: the version that was looked at; without it, there is none yet. */
export function expectedVersion(context: WireContext): number | undefined {
  const given = context.req.header('if-match')
  if (given === undefined) return undefined
  const [, version] = /^"?(\d{1,15})"?$/.exec(given) ?? []
  if (version === undefined)
    throw invalid([
      {
        field: 'If-Match',
        error: 'is the version that was looked at, as in "3"',
        provided_value: null,
      },
    ])
  return Number(version)
}
