import { ToolError } from '@surehand/core'
import { z } from 'zod'

/** Where a page ended: the value it is in order by, and the id. */
export type Mark = { readonly key: string | number; readonly id: string }

const Form = z.tuple([
  z.enum(['due', 'created', 'completed']),
  z.union([z.string().max(40), z.number()]),
  z.string().max(100),
])

export function toCursor(sort: string, { key, id }: Mark): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')
}

/** A cursor of another order would skip or repeat tasks: it is refused. */
export function fromCursor(sort: string, cursor: string): Mark {
  const parsed = Form.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success && parsed.data[0] === sort) return { key: parsed.data[1], id: parsed.data[2] }
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The cursor is not one that a page of this list gave. Leave it out to begin again.',
    {
      details: {
        validation_errors: [
          { field: 'cursor', error: 'is not of this list', provided_value: cursor },
        ],
      },
    },
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not a cursor of ours: told by whoever parses it
  }
}
