import type { Envelope } from '@surehand/core'
import type { PackCommand, PackCommandContext } from '@surehand/core/host'
import { z } from 'zod'
import { describeCounts } from '../own-data/delete-all-data.ts'
import { DataCounts } from '../own-data/travel-data-port.ts'

export const TRAVEL_USAGE = `surehand travel wish WORDS…
surehand travel plans
surehand travel show PLAN [--calendar | --page]
surehand travel share PLAN [--days DAYS]
surehand travel unshare SHARE
surehand travel bookings
surehand travel cancel REFERENCE
surehand travel remember WORDS…
surehand travel recall WORDS…
surehand travel forget MEMORY
surehand travel delete-all-data
  --json   prints the answer as JSON`

const EXIT_USAGE = 2

type Parsed = { readonly words: readonly string[]; readonly flags: ReadonlyMap<string, string> }
type Action = {
  readonly tool: string
  /** Undefined where the words do not fit. */
  readonly input: (parsed: Parsed) => Readonly<Record<string, unknown>> | undefined
  readonly print: (context: PackCommandContext, data: unknown) => void
}

const ACTIONS: Readonly<Record<string, Action>> = {
  wish: {
    tool: 'travel.planTrip',
    input: (parsed) => allWords('wish', parsed),
    print: ({ stdout }, data) => {
      const { status, planId, notes } = Trip.parse(data)
      stdout.write(`${status}: ${planId}\n${notes.map((note) => `  ${note}\n`).join('')}`)
    },
  },
  plans: {
    tool: 'travel.listTravelPlans',
    input: ({ words }) => (words.length === 0 ? { limit: 100 } : undefined),
    print: ({ printTable }, data) =>
      printTable(
        ['plan', 'title', 'from', 'to', 'status'],
        Plans.parse(data).plans.map(({ planId, title, startDate, endDate, status }) => [
          planId,
          title,
          startDate,
          endDate,
          status,
        ]),
      ),
  },
  show: {
    tool: 'travel.exportTravelPlan',
    input: (parsed) => {
      const one = oneWord('planId', parsed)
      const format = parsed.flags.has('page')
        ? 'html'
        : parsed.flags.has('calendar')
          ? 'icalendar'
          : 'markdown'
      return one === undefined ? undefined : { ...one, format }
    },
    print: ({ stdout }, data) => stdout.write(Content.parse(data).content),
  },
  share: {
    tool: 'travel.sharePlan',
    input: (parsed) => {
      const one = oneWord('planId', parsed)
      const days = parsed.flags.get('days')
      return one === undefined
        ? undefined
        : { ...one, ...(days === undefined ? {} : { days: Number(days) }) }
    },
    print: ({ stdout }, data) => {
      const { url, shareId, expiresAt } = Shared.parse(data)
      stdout.write(
        `${url}\nUntil ${expiresAt}. Revoke it with: surehand travel unshare ${shareId}\n`,
      )
    },
  },
  unshare: {
    tool: 'travel.unsharePlan',
    input: (parsed) => oneWord('shareId', parsed),
    print: ({ stdout }) => stdout.write('The link no longer works.\n'),
  },
  bookings: {
    tool: 'travel.listBookings',
    input: ({ words }) => (words.length === 0 ? { limit: 100 } : undefined),
    print: ({ printTable }, data) =>
      printTable(
        ['reference', 'stay', 'from', 'to', 'total', 'status'],
        Bookings.parse(data).bookings.map(
          ({ reference, name, checkin, checkout, total, status }) => [
            reference,
            name,
            checkin,
            checkout,
            `${total.amount} ${total.currency}`,
            status,
          ],
        ),
      ),
  },
  cancel: {
    tool: 'travel.cancelBooking',
    input: (parsed) => oneWord('reference', parsed),
    print: ({ stdout }) => stdout.write('The booking is cancelled.\n'),
  },
  remember: {
    tool: 'travel.addConversationMemory',
    input: (parsed) => allWords('content', parsed),
    print: ({ stdout }, data) => stdout.write(`Remembered as ${Named.parse(data).id}.\n`),
  },
  recall: {
    tool: 'travel.searchUserMemories',
    input: (parsed) => allWords('query', parsed),
    print: ({ printTable }, data) =>
      printTable(
        ['memory', 'what', 'since'],
        Memories.parse(data).map(({ id, content, createdAt }) => [
          id,
          content,
          createdAt.slice(0, 10),
        ]),
      ),
  },
  forget: {
    tool: 'travel.forgetMemory',
    input: (parsed) => oneWord('id', parsed),
    print: ({ stdout }) => stdout.write('Forgotten.\n'),
  },
  'delete-all-data': {
    tool: 'travel.deleteAllData',
    input: ({ words }) => (words.length === 0 ? {} : undefined),
    print: ({ stdout }, data) => {
      const { deleted, keptBookings } = Deleted.parse(data)
      stdout.write(`Deleted: ${describeCounts(deleted)}.\n`)
      if (keptBookings.length > 0)
        stdout.write(`Bookings that stay with their providers: ${keptBookings.join(', ')}\n`)
    },
  },
}

/** `surehand travel …`: wishes, plans, bookings and memories of the person. */
export const travelCommand: PackCommand = {
  name: 'travel',
  summary: 'wishes, plans, bookings and memories of a traveller',
  usage: TRAVEL_USAGE,
  async run(context) {
    const [name = '', ...rest] = context.args
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    const parsed = parseWords(rest)
    const input = parsed === undefined ? undefined : action?.input(parsed)
    if (action === undefined || parsed === undefined || input === undefined) {
      context.stderr.write(`Usage:\n${TRAVEL_USAGE}\n`)
      return EXIT_USAGE
    }
    const envelope = await context.call(action.tool, input)
    if (parsed.flags.has('json')) {
      context.stdout.write(`${JSON.stringify(envelope, undefined, 2)}\n`)
      return envelope.error === undefined ? 0 : 1
    }
    if (!isDone(envelope)) return context.printFailure(envelope)
    action.print(context, envelope.data)
    return 0
  },
}

const Trip = z.object({ status: z.string(), planId: z.string(), notes: z.array(z.string()) })
const Plans = z.object({
  plans: z.array(
    z.object({
      planId: z.string(),
      title: z.string(),
      startDate: z.string(),
      endDate: z.string(),
      status: z.string(),
    }),
  ),
})
const Content = z.object({ content: z.string() })
const Shared = z.object({ url: z.string(), shareId: z.string(), expiresAt: z.string() })
const Bookings = z.object({
  bookings: z.array(
    z.object({
      reference: z.string(),
      name: z.string(),
      checkin: z.string(),
      checkout: z.string(),
      total: z.object({ amount: z.string(), currency: z.string() }),
      status: z.string(),
    }),
  ),
})
const Deleted = z.object({ deleted: DataCounts, keptBookings: z.array(z.string()) })
const Named = z.object({ id: z.string() })
const Memories = z.array(z.object({ id: z.string(), content: z.string(), createdAt: z.string() }))

function isDone({ status, metadata: { job, pending, asking } }: Envelope): boolean {
  return status === 'success' && job === undefined && pending === undefined && asking === undefined
}

const WITH_VALUE = new Set(['days'])
const SWITCHES = new Set(['json', 'calendar', 'page'])

function parseWords(args: readonly string[]): Parsed | undefined {
  const words: string[] = []
  const flags = new Map<string, string>()
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (!word.startsWith('--')) words.push(word)
    else if (SWITCHES.has(word.slice(2))) flags.set(word.slice(2), '')
    else if (WITH_VALUE.has(word.slice(2)) && args[index + 1] !== undefined)
      flags.set(word.slice(2), args[++index] ?? '')
    else return undefined
  }
  return { words, flags }
}

function oneWord(field: string, { words }: Parsed): Record<string, unknown> | undefined {
  return words.length === 1 ? { [field]: words[0] } : undefined
}

function allWords(field: string, { words }: Parsed): Record<string, unknown> | undefined {
  return words.length === 0 ? undefined : { [field]: words.join(' ') }
}
