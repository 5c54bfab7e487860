import type { ParameterPlan } from './operation.ts'

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
export function pagingArguments(parameters: readonly ParameterPlan[]): readonly string[] {
  return parameters.filter((one) => one.in === 'query' && PAGING.has(one.name.toLowerCase())).map(({ argument }) => argument)
}
