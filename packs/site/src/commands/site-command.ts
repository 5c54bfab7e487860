import { readFileSync, writeFileSync } from 'node:fs'
import type { PackCommand, PackCommandContext } from '@surehand/core/host'

const USAGE = [
  'surehand site inspect URL [--out FILE]   how ready a site is for agents, and a draft of its contract',
  'surehand site connect FILE               stores the reviewed contract',
  'surehand site key NAME                   creates a publishable key for the script tag',
  'surehand site revoke KEY                 revokes a publishable key and ends its sessions',
  'surehand site index                      reads the site into the search index now',
  'surehand site report [DAYS]              visits, orders, bookings, searches without an answer',
  'surehand site slots FILE                 publishes bookable slots (the input of site.publish_slots)',
  'surehand site transcript SESSION         what a visitor said, where transcripts are stored',
  'surehand site forget SESSION             erases what a visitor said, and their name',
  'surehand site stop | resume              the kill switch',
].join('\n')

/** `surehand site …`: for the owner of a site. */
export const siteCommand: PackCommand = {
  name: 'site',
  summary: 'connect a web site, and see what its agent does',
  usage: USAGE,
  async run(context) {
    const [verb, first, ...rest] = context.args
    switch (verb) {
      case 'inspect':
        return first === undefined ? printUsage(context) : inspect(context, first, rest)
      case 'connect':
        return first === undefined ? printUsage(context) : connect(context, first)
      case 'key':
        return first === undefined ? printUsage(context) : createKey(context, first)
      case 'revoke':
        return first === undefined
          ? printUsage(context)
          : callAndPrint(context, 'site.revoke_key', { key: first }, 'The key was revoked.')
      case 'index':
        return refreshIndex(context)
      case 'report':
        return report(context, first)
      case 'slots':
        return first === undefined ? printUsage(context) : publishSlots(context, first)
      case 'transcript':
        return first === undefined ? printUsage(context) : printTranscript(context, first)
      case 'forget':
        return first === undefined
          ? printUsage(context)
          : callAndPrint(context, 'site.erase_visitor', { sessionId: first }, 'It is erased.')
      case 'stop':
        return callAndPrint(context, 'site.stop', {}, 'The agent of the site is stopped.')
      case 'resume':
        return callAndPrint(context, 'site.resume', {}, 'The agent of the site works again.')
      default:
        return printUsage(context)
    }
  },
}

function printUsage({ stderr }: PackCommandContext): number {
  stderr.write(`${USAGE}\n`)
  return 64
}

async function callAndPrint(
  { call, stdout, printFailure }: PackCommandContext,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  done: string,
): Promise<number> {
  const answer = await call(tool, input)
  if (answer.status !== 'success') return printFailure(answer)
  stdout.write(`${done}\n`)
  return 0
}

type Inspection = {
  readonly score: number
  readonly points: readonly {
    readonly what: string
    readonly points: number
    readonly weight: number
    readonly found: string
    readonly fix?: string
  }[]
  readonly contract: object
  readonly actionsUrl?: string
}

async function inspect(
  { call, stdout, printTable, printFailure }: PackCommandContext,
  url: string,
  rest: readonly string[],
): Promise<number> {
  const answer = await call('site.inspect', { url })
  if (answer.status !== 'success') return printFailure(answer)
  const { score, points, contract, actionsUrl } = answer.data as Inspection
  stdout.write(`${url} is ready for agents to ${score} of 100 points.\n\n`)
  printTable(
    ['Points', 'What', 'Found'],
    points.map((point) => [`${point.points}/${point.weight}`, point.what, point.found]),
  )
  const fixes = points.filter(({ fix }) => fix !== undefined)
  if (fixes.length > 0) stdout.write('\nTo fix:\n')
  for (const { fix, weight, points: reached } of fixes)
    stdout.write(`- ${fix} (up to ${Math.round((weight - reached) * 10) / 10} points)\n`)
  const file = rest[rest.indexOf('--out') + 1]
  const name = rest.includes('--out') && file !== undefined ? file : 'site-contract.json'
  writeFileSync(name, `${JSON.stringify(contract, undefined, 2)}\n`)
  stdout.write(
    `\nThe draft of the contract is in ${name}. Review it, then store it with "surehand site connect ${name}".\n`,
  )
  if (actionsUrl !== undefined)
    stdout.write(`Its actions become tools with "surehand import actions site ${actionsUrl}".\n`)
  return 0
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function publishSlots(
  { call, stdout, stderr, printFailure }: PackCommandContext,
  file: string,
): Promise<number> {
  const input = readJsonFile(file)
  if (typeof input !== 'object' || input === null) {
    stderr.write(`${file} cannot be read as JSON. Nothing was published.\n`)
    return 66
  }
  const answer = await call('site.publish_slots', { ...input })
  if (answer.status !== 'success') return printFailure(answer)
  const { published, known } = answer.data as { published: number; known: number }
  stdout.write(`${published} slots were published, ${known} were known before.\n`)
  return 0
}

async function printTranscript(
  { call, stdout, printTable, printFailure }: PackCommandContext,
  sessionId: string,
): Promise<number> {
  const answer = await call('site.transcript', { sessionId })
  if (answer.status !== 'success') return printFailure(answer)
  const { turns } = answer.data as { turns: { at: string; said: string; answered: string }[] }
  if (turns.length === 0) stdout.write('No transcript is stored for this visit.\n')
  else
    printTable(
      ['When', 'Visitor', 'Agent'],
      turns.map(({ at, said, answered }) => [at, said, answered]),
    )
  return 0
}

async function connect(
  { call, stdout, stderr, printFailure }: PackCommandContext,
  file: string,
): Promise<number> {
  const contract = readJsonFile(file)
  if (contract === undefined) {
    stderr.write(`${file} cannot be read as JSON. Write it with "surehand site inspect URL".\n`)
    return 66
  }
  const answer = await call('site.connect', { contract })
  if (answer.status !== 'success') return printFailure(answer)
  const { name, origins } = answer.data as { name: string; origins: readonly string[] }
  stdout.write(
    `${name} (${origins.join(', ')}) is connected. Create a key with "surehand site key NAME".\n`,
  )
  const { openapi, graphql } = contract as { openapi?: string; graphql?: string }
  if (openapi !== undefined)
    stdout.write(`Its API becomes tools with "surehand import openapi shop ${openapi}".\n`)
  if (graphql !== undefined)
    stdout.write(`Its GraphQL becomes tools with "surehand import graphql shop ${graphql}".\n`)
  return 0
}

async function createKey(
  { call, stdout, printFailure }: PackCommandContext,
  name: string,
): Promise<number> {
  const answer = await call('site.create_key', { name })
  if (answer.status !== 'success') return printFailure(answer)
  const { key } = answer.data as { key: string }
  stdout.write(`${key}\nIt is not secret: put it into the script tag of the site.\n`)
  return 0
}

async function refreshIndex({ call, stdout, printFailure }: PackCommandContext): Promise<number> {
  const answer = await call('site.refresh_index', {})
  if (answer.status !== 'success') return printFailure(answer)
  const { read, unchanged, removed, forbidden, problems } = answer.data as {
    read: number
    unchanged: number
    removed: number
    forbidden: number
    problems: readonly string[]
  }
  stdout.write(
    `${read} pages read, ${unchanged} unchanged, ${removed} removed, ${forbidden} forbidden by robots.txt.\n`,
  )
  for (const problem of problems) stdout.write(`- ${problem}\n`)
  return embedPages({ call, stdout, printFailure })
}

async function embedPages({
  call,
  stdout,
  printFailure,
}: Pick<PackCommandContext, 'call' | 'stdout' | 'printFailure'>): Promise<number> {
  for (let embedded = 0, left = 1; left > 0; ) {
    const answer = await call('site.embed_pages', { maxPages: 200 })
    if (answer.status !== 'success') return printFailure(answer)
    const done = answer.data as { embedded: number; left: number }
    embedded += done.embedded
    left = done.embedded === 0 ? 0 : done.left
    if (done.embedded > 0) stdout.write(`${embedded} pages can be found by meaning.\n`)
  }
  return 0
}

type Report = {
  readonly isStopped: boolean
  readonly visits: number
  readonly orders: Counted
  readonly bookings: Counted
  readonly conversion: number
  readonly unansweredSearches: readonly { readonly text: string; readonly count: number }[]
  readonly handoffs: readonly { readonly at: string; readonly text: string }[]
}
type Counted = {
  readonly count: number
  readonly totals: readonly { readonly amount: number; readonly currency: string }[]
}

async function report(
  { call, stdout, printTable, printFailure }: PackCommandContext,
  days: string | undefined,
): Promise<number> {
  const answer = await call('site.report', days === undefined ? {} : { days: Number(days) })
  if (answer.status !== 'success') return printFailure(answer)
  const found = answer.data as Report
  const money = ({ totals }: Counted): string =>
    totals.map(({ amount, currency }) => `${(amount / 100).toFixed(2)} ${currency}`).join(', ')
  printTable(
    ['What', 'Count', 'Amount'],
    [
      ['Visits', found.visits, ''],
      ['Orders', found.orders.count, money(found.orders)],
      ['Bookings', found.bookings.count, money(found.bookings)],
      ['Conversion', `${Math.round(found.conversion * 100)} %`, ''],
    ],
  )
  if (found.isStopped)
    stdout.write('The agent is stopped. Let it work with "surehand site resume".\n')
  for (const { text, count } of found.unansweredSearches)
    stdout.write(`No answer (${count}): ${text}\n`)
  for (const { at, text } of found.handoffs) stdout.write(`Wanted a person (${at}): ${text}\n`)
  return 0
}
