import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type ChaosVerdict, readJsonLines, seededRandom, startKilledNodes } from '@surehand/testing'
import { type LaunchedShop, launchShop } from '../../shop/launch-shop.ts'
import { shopSession } from '../../src/providers/send-to-shop.ts'
import type { NodeRecord } from './checkout-node.ts'

export type CheckoutChaosOptions = {
  readonly folder: string
  /** A file of SQLite, or the URL of a PostgreSQL database. */
  readonly database: string
  readonly visitors: number
  readonly nodes: number
  /** For how long processes are killed. */
  readonly seconds: number
  /** How long to wait after that until every visitor has an order. */
  readonly restSeconds: number
  readonly seed: string
  readonly say: (line: string) => void
}

/**
 * Visitors check out at the demo shop while our processes and the shop are killed, answers of the
 * shop are lost, orders are sent twice at once and carts change after the approval was asked.
 * Afterwards the shop's own database is compared with what was approved and answered.
 */
export async function runCheckoutChaos(options: CheckoutChaosOptions): Promise<ChaosVerdict> {
  const { folder, visitors, nodes, seconds, restSeconds, seed, say } = options
  const random = seededRandom(seed)
  const shop = await openShop(folder)
  const running = startKilledNodes(nodes, (index) =>
    spawnCheckoutNode(index, { ...options, shop: shop.url, faults: 10 }),
  )
  const until = Date.now() + seconds * 1_000
  let shopKills = 0
  // By what was done, not by time: on a slow machine as many orders meet a kill as on a fast one.
  let nextKill = 0
  while (Date.now() < until && countEnded(options) < visitors) {
    await pause(200)
    if (countEnded(options) < nextKill) continue
    const isShop = random.is(0.25)
    if (isShop) await shop.killAndRestart()
    else if (!running.killOne(random)) continue
    shopKills += isShop ? 1 : 0
    nextKill = countEnded(options) + random.whole(2, 8)
  }
  say(`${countEnded(options)} of ${visitors} visitors have their answer; waiting for the rest`)
  await running.stop(restSeconds * 1_000)
  await shop.stop()
  const { figures, flaws } = judgeCheckouts(options)
  const kills = { 'processes killed': running.kills(), 'times the shop was killed': shopKills }
  return { figures: { ...figures, ...kills }, flaws }
}

/** The demo shop in a process of its own, with stock for everyone. */
export async function openShop(folder: string) {
  let shop: LaunchedShop = await launchShop({ folder })
  const database = new DatabaseSync(shopFile(folder))
  database.exec('pragma busy_timeout = 5000; update stock set pieces = 1000000')
  database.close()
  const { port } = shop
  return {
    url: shop.url,
    stop: () => shop.stop(),
    async killAndRestart(): Promise<void> {
      await shop.kill()
      shop = await launchShop({ folder, port })
    },
  }
}

type NodeOptions = Pick<CheckoutChaosOptions, 'folder' | 'database' | 'visitors' | 'nodes'> & {
  readonly shop: string
  readonly faults?: number
  readonly hang?: boolean
}

export function spawnCheckoutNode(index: number, options: NodeOptions): ChildProcess {
  const { folder, database, visitors, nodes, shop, faults = 0, hang = false } = options
  const file = nodeFile(folder, index)
  const parameters = { database, shop, file, visitors, nodes, index, faults }
  const flags = Object.entries(parameters).map(([name, value]) => `--${name}=${value}`)
  const program = join(import.meta.dirname, 'checkout-node.ts')
  return spawn(process.execPath, [program, ...flags, ...(hang ? ['--hang'] : [])], {
    // A process that is started again and again need not compile the same files each time.
    env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...process.env },
    // It ends when the connection to this process ends.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** The session of a visitor, as the processes of the run open it. */
function sessionOf(visitor: number): { readonly tenant: string; readonly session: string } {
  return { tenant: 'shop', session: `ses_${visitor}` }
}

function nodeFile(folder: string, index: number): string {
  return join(folder, `node-${index}.jsonl`)
}

function shopFile(folder: string): string {
  return join(folder, 'shop.sqlite')
}

type Judged = Pick<CheckoutChaosOptions, 'folder' | 'nodes' | 'visitors'>

export function readNodeRecords({ folder, nodes }: Omit<Judged, 'visitors'>): NodeRecord[] {
  return Array.from({ length: nodes }, (_, index) => nodeFile(folder, index)).flatMap(
    readJsonLines<NodeRecord>,
  )
}

function countEnded(options: Judged): number {
  const records = readNodeRecords(options)
  return records.filter(({ kind }) => kind === 'ended' || kind === 'unknown').length
}

type ShopOrder = { readonly id: string; readonly session: string; readonly total: number }

function readShop(folder: string) {
  const database = new DatabaseSync(shopFile(folder), { readOnly: true })
  const rows = database
    .prepare('select order_id, totals, session from orders join carts using (cart_id)')
    .all()
  const answers = database.prepare('select body from answers where body like \'%"orderId"%\'').all()
  database.close()
  const orders = rows.map(
    (row): ShopOrder => ({
      id: String(row.order_id),
      session: String(row.session),
      total: (JSON.parse(String(row.totals)) as { total: { amount: number } }).total.amount,
    }),
  )
  const keyed = answers.map((row) => (JSON.parse(String(row.body)) as { orderId: string }).orderId)
  return { orders, keyed }
}

/** Compares the shop's database with what the processes approved and were answered. */
export function judgeCheckouts(options: Judged): ChaosVerdict {
  const records = readNodeRecords(options)
  const { orders, keyed } = readShop(options.folder)
  const known = new Map(orders.map((order) => [order.id, order]))
  const ended = records.flatMap((one) => (one.kind === 'ended' ? [one] : []))
  const approved = records.flatMap((one) => (one.kind === 'approved' ? [one] : []))
  const lastApproved = new Map(approved.map(({ visitor, total }) => [visitor, total]))
  const ours = new Set(ended.map(({ order }) => order))
  const unknown = records.flatMap((one) => (one.kind === 'unknown' ? [one.visitor] : []))
  // A person has to look whether these have an order; they must not have two either.
  const open = new Set(unknown.map((visitor) => shopSession(sessionOf(visitor))))
  return {
    figures: {
      visitors: options.visitors,
      'orders at the shop': orders.length,
      'visitors without an answer': options.visitors - ended.length - unknown.length,
      'left to a person, because two processes died with the call': unknown.length,
      'approvals given': approved.length,
    },
    flaws: {
      'visitors with two orders': listRepeated(orders.map(({ session }) => session)),
      // The shop would have refused it, but our runtime must not even try.
      'orders that were sent again under another key': listRepeated(keyed),
      'orders at another total than the approved one': ended.flatMap(({ visitor, order }) => {
        const total = known.get(order)?.total
        const wanted = lastApproved.get(visitor)
        return total === wanted ? [] : [`visitor ${visitor}: ${total} instead of ${wanted}`]
      }),
      'answered with an order that the shop does not know': [...ours].filter(
        (order) => !known.has(order),
      ),
      'orders at the shop that were not answered': orders.flatMap(({ id, session }) =>
        ours.has(id) || open.has(session) ? [] : [id],
      ),
      'repetitions with another answer': records.flatMap((one) =>
        one.kind === 'differs' ? [`visitor ${one.visitor}: ${one.text}`] : [],
      ),
    },
  }
}

function listRepeated(names: readonly string[]): readonly string[] {
  return [...Map.groupBy(names, (name) => name)].flatMap(([name, all]) =>
    all.length > 1 ? [`${name}: ${all.length}`] : [],
  )
}
