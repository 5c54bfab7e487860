import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type ChaosVerdict, readJsonLines, seededRandom, startKilledNodes } from '@surehand/testing'
import type { NodeRecord } from './booking-node.ts'

export type BookingChaosOptions = {
  readonly folder: string
  /** A file for SQLite, or the URL of a PostgreSQL database. */
  readonly database: string
  readonly orders: number
  readonly nodes: number
  /** For how long processes are killed and faults are planned. */
  readonly seconds: number
  /** How long to wait after that until every order has ended. */
  readonly restSeconds: number
  readonly seed: string
  readonly say: (line: string) => void
}

const ROOT = join(import.meta.dirname, '../../../..')
const BOOKINGS = { method: 'POST', path: '/stays/bookings' }
const FAULTS = [
  { fault: { kind: 'reset', when: 'after' }, target: BOOKINGS },
  { fault: { kind: 'reset', when: 'before' }, target: BOOKINGS },
  { fault: { kind: '500', when: 'after' }, target: BOOKINGS },
  { fault: { kind: 'slow', delayMs: 2_000, when: 'after' }, target: BOOKINGS },
  { fault: { kind: 'malformed' }, target: BOOKINGS },
  { fault: { kind: '429', retryAfterSeconds: 1 }, target: BOOKINGS },
  { fault: { kind: '500' }, target: { path: '/stays/quotes' } },
  { fault: { kind: 'reset' }, target: { path: '/stays/search' } },
] as const

/**
 * Processes book stays at the emulator of Duffel while they are killed, answers are lost after the
 * booking, and prices change. Afterwards the vendor's log is compared with what was approved.
 */
export async function runBookingChaos(options: BookingChaosOptions): Promise<ChaosVerdict> {
  const { folder, nodes, seconds, restSeconds, seed, say } = options
  const random = seededRandom(seed)
  const vendor = await startVendor(folder)
  const running = startKilledNodes(nodes, (index) => spawnNode(index, vendor.url, options))
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until && countEnded(options) < options.orders) {
    await pause(random.whole(300, 1_500))
    const dice = random.whole(0, 9)
    if (dice < 3) running.killOne(random)
    else if (dice < 8) await vendor.plan({ ...random.pick(FAULTS), times: random.whole(1, 3) })
    else await vendor.setPrices(random.whole(90, 115) / 100)
  }
  await vendor.calmDown()
  say(`${countEnded(options)} of ${options.orders} orders have ended; waiting for the rest`)
  await running.stop(restSeconds * 1_000)
  vendor.stop()
  return judgeBookings(options, running.kills())
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}

export function spawnNode(
  index: number,
  duffel: string,
  {
    folder,
    database,
    orders,
    nodes,
  }: Pick<BookingChaosOptions, 'folder' | 'database' | 'orders' | 'nodes'>,
): ChildProcess {
  const parameters = {
    database,
    duffel,
    file: fileOf(folder, index),
    orders: String(orders),
    nodes: String(nodes),
    index: String(index),
  }
  const flags = Object.entries(parameters).map(([name, value]) => `--${name}=${value}`)
  return spawn(process.execPath, [join(import.meta.dirname, 'booking-node.ts'), ...flags], {
    // It ends when the connection to this process ends.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

export async function startVendor(folder: string) {
  const child = spawn(
    process.execPath,
    [
      join(ROOT, 'testing/src/emulator/main.ts'),
      join(import.meta.dirname, '../../src/stays/emulators/duffel.ts'),
      '--log',
      join(folder, 'duffel.jsonl'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  process.once('exit', () => child.kill())
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    url = `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`
    break
  }
  // On a connection of its own each time: a planned reset must not hit it.
  const send = (path: string, method: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: { connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined)
  return {
    url,
    plan: (fault: object) => send('/__control', 'POST', fault),
    setPrices: (factor: number) => send('/emulator/prices', 'POST', { factor }),
    calmDown: () => send('/__control', 'DELETE'),
    // At once: it may hold back an answer that no process waits for any more.
    stop: () => child.kill('SIGKILL'),
  }
}

function fileOf(folder: string, index: number): string {
  return join(folder, `node-${index}.jsonl`)
}

function readRecords({
  folder,
  nodes,
}: Pick<BookingChaosOptions, 'folder' | 'nodes'>): readonly NodeRecord[] {
  return Array.from({ length: nodes }, (_, index) => fileOf(folder, index)).flatMap(
    readJsonLines<NodeRecord>,
  )
}

function countEnded(options: BookingChaosOptions): number {
  return readRecords(options).filter(({ kind }) => kind === 'ended').length
}

type VendorEffect = {
  readonly kind: string
  readonly id: string
  readonly total?: string
  readonly quoteId?: string
  readonly payload?: { readonly metadata: { readonly surehand_reference: string } }
}

/** Compares the vendor's log with what the processes approved and were told. */
export function judgeBookings(
  options: Pick<BookingChaosOptions, 'folder' | 'nodes' | 'orders'>,
  kills: number,
): ChaosVerdict {
  const records = readRecords(options)
  const effects = readJsonLines<{ readonly effect: VendorEffect }>(
    join(options.folder, 'duffel.jsonl'),
  ).map(({ effect }) => effect)
  const totals = new Map(effects.map((one) => [one.id, one.total]))
  const bookings = Map.groupBy(
    effects.filter(({ kind }) => kind === 'booking'),
    ({ payload }) => payload?.metadata.surehand_reference ?? '',
  )
  const ended = records.flatMap((record) => (record.kind === 'ended' ? [record] : []))
  const booked = ended.filter(({ status }) => status === 'booked')
  const lastApproved = new Map(
    records.flatMap((one) => (one.kind === 'approved' ? [[one.order, one.total] as const] : [])),
  )
  const known = new Set(booked.map(({ reference }) => reference))
  return {
    figures: {
      orders: options.orders,
      booked: booked.length,
      'bookings at the vendor': bookings.size,
      'stays that were gone': ended.length - booked.length,
      'orders that have not ended': options.orders - ended.length,
      'processes killed': kills,
      'approvals given': records.filter(({ kind }) => kind === 'approved').length,
    },
    flaws: {
      'orders booked twice': [...bookings].flatMap(([reference, all]) =>
        all.length > 1 ? [`${reference}: ${all.map(({ id }) => id).join(', ')}`] : [],
      ),
      'booked at another price than the approved one': booked.flatMap(
        ({ order, reference = '' }) => {
          const total = totals.get(bookings.get(reference)?.[0]?.quoteId ?? '')
          const approved = lastApproved.get(order)
          return total === approved ? [] : [`order ${order}: ${total} instead of ${approved}`]
        },
      ),
      'booked by us and not at the vendor': booked.flatMap(({ order, reference = '' }) =>
        bookings.has(reference) ? [] : [`order ${order}: ${reference}`],
      ),
      'booked at the vendor and not by us': [...bookings.keys()].filter(
        (reference) => !known.has(reference),
      ),
    },
  }
}
