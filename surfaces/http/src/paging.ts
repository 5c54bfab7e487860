import type { Pace } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { type Page, toPage } from '@surehand/core/ports'
import { pageSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { toBody } from './join-in-parts.ts'
import { invalid } from './parse-request.ts'
import type { Documented } from './route.ts'

// A page must not hold up other requests: 200 definitions of tools are about a megabyte of JSON.
const MOST = 200

/** The part of a query that every list takes. */
export const PAGE_FIELDS = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST)
    .default(100)
    .describe('At most so many items; a page may hold fewer.'),
  cursor: z
    .string()
    .max(1_000)
    .exactOptional()
    .describe('`next_cursor` of the page before. Without it, the list is read from its beginning.'),
}

export const PageQuery = z.strictObject(PAGE_FIELDS)

type PageQuery = z.output<typeof PageQuery>

/** A page of a list as clients receive it. */
export type PageView = {
  readonly items: readonly unknown[]
  readonly next_cursor: string | null
}

/** What a page of the list `command` begins after; throws for a cursor of another list. */
export function readPage(
  command: string,
  { limit, cursor }: PageQuery,
): { readonly limit: number; readonly after: string | undefined } {
  if (cursor === undefined) return { limit, after: undefined }
  const [list, ...after] = Buffer.from(cursor, 'base64url').toString().split('\n')
  if (list === command && after.length === 1) return { limit, after: after[0] }
  const error = 'is not a next_cursor of this list. Leave it out to begin anew'
  throw invalid([{ field: 'cursor', error, provided_value: null }])
}

export function pageView<T>(
  command: string,
  { items, next }: Page<T>,
  view: (item: T) => unknown = (item) => item,
): PageView {
  return { items: items.map(view), next_cursor: writeCursor(command, next) }
}

// Opaque to clients, so that another order can be chosen later.
function writeCursor(command: string, next: string | undefined): string | null {
  return next === undefined ? null : Buffer.from(`${command}\n${next}`).toString('base64url')
}

// No other text of an envelope begins with this character.
const ITEMS = '\u0000items'

/**
 * A page of items that are JSON already. Two hundred of them written at once would hold up other
 * requests.
 */
export class WrittenPage {
  readonly #items: readonly Buffer[]
  readonly #nextCursor: string | null
  readonly #pace: Pace

  constructor(items: readonly Buffer[], nextCursor: string | null, pace: Pace) {
    this.#items = items
    this.#nextCursor = nextCursor
    this.#pace = pace
  }

  toJSON(): object {
    return { items: ITEMS, next_cursor: this.#nextCursor }
  }

  /** The envelope with the items in the place that `toJSON` left for them. */
  insertItems(envelope: string): ReturnType<typeof toBody> {
    const place = JSON.stringify(ITEMS)
    const at = envelope.indexOf(place)
    const [before, after] = [envelope.slice(0, at), envelope.slice(at + place.length)]
    const separated = this.#items.flatMap((item, index) => (index === 0 ? item : [COMMA, item]))
    const pieces = [Buffer.from(`${before}[`), ...separated, Buffer.from(`]${after}`)]
    const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0)
    return toBody([pieces], length, this.#pace)
  }
}

const COMMA = Buffer.from(',')

/** The page with its items written one by one, each step of it at this pace. */
export async function writePage(
  { items, next_cursor }: PageView,
  pace: Pace,
): Promise<WrittenPage> {
  const written: Buffer[] = []
  for (const item of items) {
    await pace()
    written.push(item instanceof Buffer ? item : Buffer.from(JSON.stringify(item)))
  }
  return new WrittenPage(written, next_cursor, pace)
}

export function isPage(data: unknown): data is PageView {
  return isRecord(data) && Array.isArray(data.items) && data.next_cursor !== undefined
}

/** A page of a list that is in memory anyway, in the order of its names. */
export function pageOf<T>(
  all: readonly T[],
  { limit, after = '' }: { readonly limit: number; readonly after: string | undefined },
  nameOf: (item: T) => string,
): Page<T> {
  const left = all
    .filter((item) => nameOf(item) > after)
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  return toPage(left, limit, nameOf)
}

/** How the OpenAPI document describes a page of these items. */
export function pageReturned({ schema, example }: Documented): Documented {
  return {
    schema: () => pageSchema(schema()),
    example: { items: [example], next_cursor: null },
  }
}
