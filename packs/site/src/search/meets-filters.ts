import type { Filter } from '@surehand/documents'

type Page = {
  readonly url: string
  readonly title: string
  readonly body: string
  readonly language: string
  readonly kind: string
  readonly productId: string | undefined
  readonly price: number | undefined
}

/**
 * Whether a page meets every filter. Of fields that the index does not store, such as colour, the
 * words are looked for in the page.
 */
export function meetsFilters(page: Page, filters: readonly Filter[]): boolean {
  return filters.every((filter) => meetsFilter(page, filter))
}

const STORED = new Set(['url', 'title', 'language', 'kind', 'productId', 'price'])

function meetsFilter(page: Page, { field, op, value }: Filter): boolean {
  if (!STORED.has(field)) return mentions(page, op, value)
  const stored = page[field as keyof Page]
  switch (op) {
    case 'eq':
      return stored === value
    case 'ne':
      return stored !== value
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return stored !== undefined && compare(stored, op, value)
    case 'in':
      return Array.isArray(value) && value.includes(stored as never)
    case 'notIn':
      return Array.isArray(value) && !value.includes(stored as never)
    case 'contains':
      return String(stored ?? '')
        .toLowerCase()
        .includes(String(value).toLowerCase())
    case 'prefix':
      return String(stored ?? '')
        .toLowerCase()
        .startsWith(String(value).toLowerCase())
  }
}

function compare(
  stored: string | number,
  op: 'lt' | 'lte' | 'gt' | 'gte',
  value: unknown,
): boolean {
  if (typeof stored !== typeof value) return false
  const order = stored < (value as typeof stored) ? -1 : stored > (value as typeof stored) ? 1 : 0
  switch (op) {
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
  }
}

function mentions({ title, body }: Page, op: Filter['op'], value: Filter['value']): boolean {
  const text = `${title}\n${body}`.toLowerCase()
  const has = [value].flat().some((one) => text.includes(String(one).toLowerCase()))
  return op === 'ne' || op === 'notIn' ? !has : has
}
