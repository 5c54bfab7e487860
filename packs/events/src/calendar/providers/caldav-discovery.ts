import { ToolError } from '@surehand/core'
import { DAVNamespaceShort, type DAVResponse } from 'tsdav'
import { z } from 'zod'
import { type CaldavAccount, type DavRequest, PROVIDER, question } from './caldav-account.ts'
import { unreadable } from './exchange.ts'

/** A calendar that events can be put in. */
export type Collection = { readonly url: string; readonly name: string }

const NAMESPACES = { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' }
const { DAV, CALDAV } = DAVNamespaceShort

/** RFC 6764 and 4791: from the account to the principal, to its home, to the calendars there. */
export async function discover(
  account: CaldavAccount,
  request: Omit<DavRequest, 'url'>,
): Promise<readonly Collection[]> {
  const own = (url: string, properties: readonly string[]) =>
    propfind(account, { ...request, url }, properties)
  const [start] = await own(account.url, [`${DAV}:current-user-principal`])
  const principal = hrefIn(start, 'currentUserPrincipal', account.url) ?? account.url
  const [known] = await own(principal, [`${CALDAV}:calendar-home-set`])
  const home = hrefIn(known, 'calendarHomeSet', principal) ?? principal
  const properties = [
    `${DAV}:resourcetype`,
    `${DAV}:displayname`,
    `${CALDAV}:supported-calendar-component-set`,
  ]
  const children = await propfind(account, { ...request, url: home }, properties, '1')
  return children.flatMap((child) => collectionOf(child, home))
}

/** The calendar somebody means: their first one, or the one of that name or with that last part of its address. */
export function chosen(
  collections: readonly Collection[],
  calendarId: string,
): Collection | undefined {
  const named = collections.find(
    ({ url, name }) => name === calendarId || url === calendarId || lastPart(url) === calendarId,
  )
  return named ?? (calendarId === 'primary' ? collections[0] : undefined)
}

export function noCalendar(collections: readonly Collection[], calendarId: string): ToolError {
  const known = collections.map(({ name }) => name)
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `${PROVIDER} knows no calendar "${calendarId}".`,
    { details: { known }, effect: 'none' },
  )
}

type Properties = readonly string[]

function propfind(
  account: CaldavAccount,
  request: DavRequest,
  names: Properties,
  depth: '0' | '1' = '0',
): Promise<readonly DAVResponse[]> {
  const body = {
    'd:propfind': {
      _attributes: NAMESPACES,
      'd:prop': Object.fromEntries(names.map((name) => [name, {}])),
    },
  }
  return question(account, { ...request, method: 'PROPFIND', depth, body })
}

const Href = z.object({ href: z.string() })

function hrefIn(
  response: DAVResponse | undefined,
  property: string,
  base: string,
): string | undefined {
  const found = Href.safeParse(response?.props?.[property])
  return found.success ? addressOf(found.data.href, base) : undefined
}

const Component = z.object({ _attributes: z.object({ name: z.string() }) })
const Props = z.object({
  resourcetype: z.looseObject({ calendar: z.unknown().optional() }).optional(),
  displayname: z.unknown().optional(),
  // one component is an object, several are a list
  supportedCalendarComponentSet: z
    .object({ comp: z.union([Component, z.array(Component)]) })
    .optional(),
})

function collectionOf({ href, props }: DAVResponse, base: string): readonly Collection[] {
  const read = Props.safeParse(props ?? {})
  if (!read.success || href === undefined || read.data.resourcetype?.calendar === undefined)
    return []
  const components = [read.data.supportedCalendarComponentSet?.comp ?? []]
    .flat()
    .map(({ _attributes }) => _attributes.name)
  // without a word about it a calendar takes everything
  if (components.length > 0 && !components.includes('VEVENT')) return []
  const url = addressOf(href, base)
  const { displayname } = read.data
  const hasName = typeof displayname === 'string' || typeof displayname === 'number'
  return [{ url, name: hasName ? String(displayname) : lastPart(url) }]
}

function addressOf(href: string, base: string): string {
  try {
    return new URL(href, base).href
  } catch (cause) {
    throw unreadable(PROVIDER, cause)
  }
}

const lastPart = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '')
