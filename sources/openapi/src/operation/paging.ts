import { argumentNames } from './argument-names.ts'
import type { Parameter } from './parameters.ts'

const PAGING = new Set([
  'after',
  'before',
  'continue',
  'cursor',
  'ending_before',
  'limit',
  'next_cursor',
  'next_token',
  'nexttoken',
  'offset',
  'page',
  'page_size',
  'page_token',
  'pagesize',
  'pagetoken',
  'per_page',
  'perpage',
  'skip',
  'start',
  'starting_after',
  'top',
])

/** The arguments by which an answer comes in pages. */
export function pagingArguments(parameters: readonly Parameter[]): readonly string[] {
  const paging = parameters.filter(
    (one) => one.in === 'query' && PAGING.has(one.name.toLowerCase()),
  )
  if (paging.length === 0) return []
  const names = argumentNames(parameters, false)
  return paging.map((one) => names.get(one) ?? one.name)
}
