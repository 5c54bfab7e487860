import { ToolError } from '@surehand/core'
import { z } from 'zod'

const Place = z.tuple([z.string(), z.string()])

/** Where a page ended: the sorting key and the id of its last row. */
export function cursorAfter(key: string, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url')
}

export function readCursor(cursor: string): readonly [key: string, id: string] {
  const place = Place.safeParse(parsed(cursor))
  if (place.success) return place.data
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The cursor is not one that a page gave: leave it out to begin at the first page.',
    {
      details: {
        validation_errors: [
          { field: 'cursor', error: 'is not one that a page gave', provided_value: cursor },
        ],
      },
    },
  )
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined // told by the caller
  }
}
