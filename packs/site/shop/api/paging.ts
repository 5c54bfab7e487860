import { z } from 'zod'
import { Refusal } from '../refusal.ts'

export const Limit = z.coerce.number().int().min(1).max(100).default(24)
export const Cursor = z.string().max(200).optional()

/** One page of a list; the cursor is the number of items before it. */
export function pageOf<T>(
  items: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly items: readonly T[]; readonly nextCursor?: string } {
  const start = cursor === undefined ? 0 : decodeCursor(cursor)
  const end = start + limit
  return {
    items: items.slice(start, end),
    ...(end < items.length && { nextCursor: encodeCursor(end) }),
  }
}

export function encodeCursor(position: number): string {
  return Buffer.from(`c${position}`).toString('base64url')
}

export function decodeCursor(cursor: string): number {
  const position = /^c(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (position === undefined)
    throw new Refusal(
      'invalid_request',
      'This cursor is not one of ours. Begin with the first page.',
    )
  return Number(position)
}
