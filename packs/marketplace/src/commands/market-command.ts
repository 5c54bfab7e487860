import { parseArgs } from 'node:util'
import type { Envelope } from '@surehand/core'
import type { PackCommand, PackCommandContext } from '@surehand/core/host'
import type { ListedConsent } from './list-consents.ts'
import type { ListedRequest } from './list-requests.ts'
import type { ListedVendor } from './list-vendors.ts'
import type { TimelineEntry } from './request-timeline.ts'

export const MARKET_USAGE = `surehand market requests [--state STATE]
surehand market request ID
surehand market vendors [--category CATEGORY] [--area AREA]
surehand market consent [--request ID] [--state STATE]
surehand market erase REQUEST_ID   the client of this request, with everything
  --json   prints the answer as JSON`

const EXIT_USAGE = 2

type Flags = Readonly<Record<string, string>>
type View = {
  readonly tool: string
  readonly input: (flags: Flags, words: readonly string[]) => Readonly<Record<string, unknown>>
  /** The flags it takes, besides --json. */
  readonly flags: readonly string[]
  /** How many words follow its name. */
  readonly words: number
  readonly print: (context: PackCommandContext, data: never) => void
}

const VIEWS: Readonly<Record<string, View>> = {
  requests: {
    tool: 'marketplace.list_requests',
    flags: ['state'],
    words: 0,
    input: ({ state }) => ({ ...(state === undefined ? {} : { state }) }),
    print: printRequests,
  },
  request: {
    tool: 'marketplace.request_timeline',
    flags: [],
    words: 1,
    input: (_, [id]) => ({ request_id: id }),
    print: printTimeline,
  },
  vendors: {
    tool: 'marketplace.list_vendors',
    flags: ['category', 'area'],
    words: 0,
    input: (flags) => ({ ...flags, limit: 500 }),
    print: printVendors,
  },
  consent: {
    tool: 'marketplace.list_consents',
    flags: ['request', 'state'],
    words: 0,
    input: ({ request, state }) => ({
      ...(request === undefined ? {} : { request_id: request }),
      ...(state === undefined ? {} : { state }),
    }),
    print: printConsents,
  },
  erase: {
    tool: 'marketplace.erase_client',
    flags: [],
    words: 1,
    input: (_, [id]) => ({ request_id: id }),
    print: printErased,
  },
}

/** `surehand market …`: what operators of a marketplace look at. */
export const marketCommand: PackCommand = {
  name: 'market',
  summary: 'requests, timelines, vendors and consents of the marketplace',
  usage: MARKET_USAGE,
  async run(context) {
    const [name = '', ...rest] = context.args
    const view = VIEWS[name]
    const parsed = view === undefined ? undefined : parseWords(view, rest)
    if (view === undefined || parsed === undefined) {
      context.stderr.write(`Usage:\n${MARKET_USAGE}\n`)
      return EXIT_USAGE
    }
    const envelope = await context.call(view.tool, view.input(parsed.flags, parsed.words))
    if (parsed.isJson) {
      context.stdout.write(`${JSON.stringify(envelope, undefined, 2)}\n`)
      return envelope.error === undefined ? 0 : 1
    }
    if (!isDone(envelope)) return context.printFailure(envelope)
    view.print(context, envelope.data as never)
    return 0
  },
}

function printErased(
  { stdout }: PackCommandContext,
  { requests, messages, pictures }: { requests: number; messages: number; pictures: number },
): void {
  stdout.write(
    `Erased: ${requests} requests, ${messages} messages, ${pictures} pictures. The ledger keeps the calls until they are pruned.\n`,
  )
}

function isDone({ error, data }: Envelope): boolean {
  return error === undefined && data !== null
}

type Parsed = { readonly flags: Flags; readonly words: readonly string[]; readonly isJson: boolean }

function parseWords(view: View, given: readonly string[]): Parsed | undefined {
  const options = Object.fromEntries(view.flags.map((name) => [name, { type: 'string' }] as const))
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' } },
    })
    const { json, ...flags } = values
    return positionals.length === view.words
      ? { flags: flags as Flags, words: positionals, isJson: json === true }
      : undefined
  } catch {
    return undefined
  }
}

function printRequests(
  { printTable, stdout }: PackCommandContext,
  { requests }: { readonly requests: readonly ListedRequest[] },
): void {
  if (requests.length === 0) {
    stdout.write('There are no requests.\n')
    return
  }
  printTable(
    ['REQUEST', 'STATE', 'NEED', 'CLIENT', 'ASKED', 'REPLIES', 'SHORTLIST', 'SINCE'],
    requests.map((one) => [
      one.request_id,
      one.state,
      one.need,
      `${one.client} ${one.phone}`.trim(),
      one.vendors_asked,
      one.replies,
      one.shortlisted,
      minuteOf(one.state_since),
    ]),
  )
}

type Timeline = {
  readonly request_id: string
  readonly state: string
  readonly need: string | null
  readonly client: string
  readonly phone: string
  readonly entries: readonly TimelineEntry[]
  readonly costs: {
    readonly billable_messages: Readonly<Record<string, number>>
    readonly free_messages: number
    readonly calls_seconds: number
    readonly pictures_read: number
  }
}

function printTimeline({ printTable, stdout }: PackCommandContext, timeline: Timeline): void {
  const { request_id: id, state, need, client, phone, entries, costs } = timeline
  printTable(
    ['REQUEST', 'STATE', 'NEED', 'CLIENT'],
    [[id, state, need, `${client} ${phone}`.trim()]],
  )
  stdout.write('\n')
  printTable(
    ['TIME', 'KIND', 'WHO', 'WHAT', 'TEXT'],
    entries.map(({ at, kind, who, what, text }) => [secondOf(at), kind, who, what, text]),
  )
  stdout.write('\n')
  const billable = Object.entries(costs.billable_messages)
    .map(([category, count]) => `${count} ${category}`)
    .join(', ')
  printTable(
    ['BILLABLE MESSAGES', 'FREE MESSAGES', 'SECONDS OF CALLS', 'PICTURES READ'],
    [[billable || '0', costs.free_messages, costs.calls_seconds, costs.pictures_read]],
  )
}

function printVendors(
  { printTable, stdout }: PackCommandContext,
  { vendors }: { readonly vendors: readonly ListedVendor[] },
): void {
  if (vendors.length === 0) {
    stdout.write('There are no such vendors.\n')
    return
  }
  printTable(
    ['VENDOR', 'NAME', 'PHONE', 'SELLS', 'AREA', 'RATING', 'LANGUAGE', 'ASKED', 'REPLIED', 'STATE'],
    vendors.map((one) => [
      one.vendor_id,
      one.name,
      one.phone,
      one.categories.join(', '),
      one.area,
      one.rating,
      one.language,
      one.asked,
      one.replied,
      one.opted_out ? 'opted out' : one.active ? 'active' : 'inactive',
    ]),
  )
}

function printConsents(
  { printTable, stdout }: PackCommandContext,
  { consents }: { readonly consents: readonly ListedConsent[] },
): void {
  if (consents.length === 0) {
    stdout.write('There are no such consents.\n')
    return
  }
  printTable(
    ['CONSENT', 'REQUEST', 'CLIENT', 'SCOPE', 'STATE', 'UNTIL', 'CALLS', 'REASON'],
    consents.map((one) => [
      one.consent_id,
      one.request_id,
      `${one.client} ${one.phone}`.trim(),
      one.scope,
      one.state,
      one.expires_at === null ? '' : minuteOf(one.expires_at),
      one.calls,
      one.reason,
    ]),
  )
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

function secondOf(time: string): string {
  return time.slice(0, 19).replace('T', ' ')
}
