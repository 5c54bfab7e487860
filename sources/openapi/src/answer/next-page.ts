import { isRecord } from '@surehand/core/internal'
import { own, ownText } from '../document/record.ts'
import type { Operation, ParameterPlan } from '../operation/operation.ts'

type Arguments = Readonly<Record<string, unknown>>

// Fields of an answer that hold a cursor, and the parameters that accept it.
const CURSORS: readonly {
  readonly at: readonly string[]
  readonly parameters: readonly string[]
}[] = [
  { at: ['response_metadata', 'next_cursor'], parameters: ['cursor'] },
  { at: ['metadata', 'continue'], parameters: ['continue'] },
  { at: ['nextPageToken'], parameters: ['pageToken', 'page_token'] },
  { at: ['next_page_token'], parameters: ['page_token', 'pageToken'] },
  { at: ['next_cursor'], parameters: ['cursor', 'next_cursor', 'after', 'start_cursor'] },
  { at: ['nextCursor'], parameters: ['cursor', 'after'] },
  { at: ['nextToken'], parameters: ['nextToken', 'next_token'] },
  { at: ['next_token'], parameters: ['next_token', 'pagination_token'] },
  { at: ['meta', 'next_token'], parameters: ['next_token', 'pagination_token'] },
  { at: ['meta', 'next_cursor'], parameters: ['cursor'] },
  { at: ['paging', 'cursors', 'after'], parameters: ['after'] },
  { at: ['next_page'], parameters: ['page'] },
]
const LINKS: readonly (readonly string[])[] = [
  ['next_page_uri'],
  ['next'],
  ['links', 'next'],
  ['_links', 'next', 'href'],
  ['meta', 'next_page_url'],
  ['paging', 'next'],
]

/** The arguments for the next page, if the answer refers to one. */
export function nextPage(
  { plan }: Operation,
  headers: Readonly<Record<string, string>>,
  data: unknown,
): Arguments | undefined {
  const query = plan.parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.scalar !== null,
  )
  if (query.length === 0) return undefined
  const link =
    parseLinkHeader(headers.link ?? '') ??
    LINKS.map((at) => memberAt(data, at)).find((found) => typeof found === 'string' && found !== '')
  return (
    (typeof link === 'string' ? fromLink(link, query) : undefined) ??
    fromCursor(data, query) ??
    fromLastItem(data, query)
  )
}

// RFC 8288. Parsed without one large pattern, which a hostile header could make run for long.
function parseLinkHeader(header: string): string | undefined {
  for (const part of header.slice(0, 8_192).split(/,\s*(?=<)/)) {
    const end = part.indexOf('>')
    if (
      part.startsWith('<') &&
      end > 0 &&
      /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?/i.test(part.slice(end, end + 200))
    )
      return part.slice(1, end)
  }
  return undefined
}

function fromLink(link: string, query: readonly ParameterPlan[]): Arguments | undefined {
  const url = URL.canParse(link, 'https://document.invalid')
    ? new URL(link, 'https://document.invalid')
    : undefined
  const found = query.flatMap((parameter) => {
    const text = url?.searchParams.get(parameter.name)
    return text === null || text === undefined
      ? []
      : [[parameter.argument, toArgument(text, parameter)] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function fromCursor(data: unknown, query: readonly ParameterPlan[]): Arguments | undefined {
  for (const { at, parameters } of CURSORS) {
    const cursor = memberAt(data, at)
    const parameter = query.find(({ name }) => parameters.includes(name))
    if (
      parameter !== undefined &&
      (typeof cursor === 'number' ||
        (typeof cursor === 'string' && cursor !== '' && cursor.length <= 4_096))
    )
      return { [parameter.argument]: toArgument(String(cursor), parameter) }
  }
  return undefined
}

function fromLastItem(data: unknown, query: readonly ParameterPlan[]): Arguments | undefined {
  const items = own(data, 'data')
  const after = query.find(({ name }) => name === 'starting_after')
  if (own(data, 'has_more') !== true || !Array.isArray(items) || after === undefined)
    return undefined
  const id = ownText(items.at(-1), 'id')
  return id === undefined ? undefined : { [after.argument]: id }
}

function memberAt(data: unknown, at: readonly string[]): unknown {
  let current = data
  for (const name of at) current = isRecord(current) ? own(current, name) : undefined
  return current
}

function toArgument(text: string, { scalar }: ParameterPlan): unknown {
  if (scalar === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return scalar === 'flag' ? text === 'true' : text
}
