import { ToolError } from '@surehand/core'
import type { Filter } from '@surehand/documents'
import type { IndexedPage } from './providers/tenant-index.ts'

/** What the index stores of a page. Other fields, such as colour, are looked for in its words. */
const STORED = ['url', 'title', 'language', 'kind', 'productId', 'price'] as const
type Stored = (typeof STORED)[number]

export type PageTest = (page: IndexedPage, slot: number) => boolean

/**
 * A test whether a page meets every filter. `mentioning` returns the pages that have all words of a
 * text.
 */
export function filterPages(
  filters: readonly Filter[],
  mentioning: (text: string) => ReadonlySet<number>,
): PageTest {
  const tests = filters.map((filter) => toTest(filter, mentioning))
  return (page, slot) => tests.every((test) => test(page, slot))
}

function toTest(
  { field, op, value }: Filter,
  mentioning: (text: string) => ReadonlySet<number>,
): PageTest {
  if (isStored(field)) return (page) => meetsFilter(page[field], op, value)
  if (op === 'lt' || op === 'lte' || op === 'gt' || op === 'gte')
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `Pages cannot be compared by ${field}: the index stores ${STORED.join(', ')}. Leave this filter out.`,
      { effect: 'none', details: { field: 'filters' } },
    )
  const sets = [value].flat().map((one) => mentioning(String(one)))
  const isWanted = op !== 'ne' && op !== 'notIn'
  return (_, slot) => sets.some((set) => set.has(slot)) === isWanted
}

function isStored(field: string): field is Stored {
  return (STORED as readonly string[]).includes(field)
}

function meetsFilter(stored: IndexedPage[Stored], op: Filter['op'], value: Filter['value']) {
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
