import { ToolError } from '@surehand/core'
import { z } from 'zod'

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined }

const Mark = z.tuple([z.string(), z.string()])

/**
 * One page of a list whose order is told by a key and, where keys are the same, the id.
 * The cursor is the last item that was shown: what comes or goes meanwhile makes nobody see an item twice.
 */
export function cutPage<T extends { readonly id: string }>(
  sorted: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  keyOf: (item: T) => string,
): Page<T> {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const from =
    after === undefined ? 0 : sorted.findIndex((item) => isAfter([keyOf(item), item.id], after))
  const items = from < 0 ? [] : sorted.slice(from, from + limit)
  const last = items.at(-1)
  const isMore = last !== undefined && from + limit < sorted.length
  return { items, nextCursor: isMore ? writeCursor([keyOf(last), last.id]) : undefined }
}

/** In the order that pages are cut by. */
export function sortByKey<T extends { readonly id: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  return items
    .map((item) => ({ item, mark: [keyOf(item), item.id] as const }))
    .sort((one, other) => (isAfter(one.mark, other.mark) ? 1 : -1))
    .map(({ item }) => item)
}

type Position = readonly [string, string]

function isAfter([key, id]: Position, [otherKey, otherId]: Position): boolean {
  return key === otherKey ? id > otherId : key > otherKey
}

function writeCursor(mark: Position): string {
  return Buffer.from(JSON.stringify(mark)).toString('base64url')
}

function readCursor(cursor: string): Position {
  try {
    return Mark.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch (cause) {
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'This is no cursor of this list: use next_cursor as the page before gave it, or leave it out.',
      {
        details: {
          validation_errors: [
            { field: 'cursor', error: 'is no cursor of this list', provided_value: cursor },
          ],
        },
        cause,
      },
    )
  }
}
