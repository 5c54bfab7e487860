import { ToolError } from '@surehand/core'
import { z } from 'zod'

type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | undefined }

const Mark = z.tuple([z.string(), z.string()])

/**
 * Cuts one page of a list that is ordered by a key and then by id. The cursor is the last item of
 * the page, so that no item appears twice when others are added or removed meanwhile.
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

/** Sorts in the order of the pages. */
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
      'The cursor is not valid for this list. Send next_cursor as it was returned, or leave it out to start at the first page.',
      {
        details: {
          validation_errors: [
            { field: 'cursor', error: 'is not a cursor of this list', provided_value: cursor },
          ],
        },
        cause,
      },
    )
  }
}
