import { fakeClock } from '@surehand/conformance'
import type { EmulatorRoute } from '@surehand/testing'
import fc from 'fast-check'
import { routes as geminiRoutes } from '../src/discovery/emulators/gemini.ts'
import { routesWith as openAiRoutesWith } from '../src/discovery/emulators/openai.ts'
import { routes as placesRoutes } from '../src/discovery/emulators/places.ts'
import type { MarketEvent } from '../src/messages/market-event.ts'
import { readReply } from '../src/replies/read-reply.ts'
import { checkEnd, checkStep } from './check-conversation.ts'
import { fakeMessenger } from './fake-messenger.ts'
import { CLIENTS, type Happening, happening, POST, phoneOf, VENDOR_IDS } from './happenings.ts'
import { consent, conversation, request, vendor } from './market-rows.ts'
import {
  AGENT,
  MARKET_NOW,
  type MarketDatabase,
  type MarketWorld,
  openMarketDatabase,
  type SeedRow,
} from './market-world.ts'

const NODES = 4
const TURNS_A_TICK = 50
const TICK_MS = 50
const DAY_MS = 24 * 3_600_000

/** What happened in one conversation so far. */
export type Seen = {
  readonly nodes: readonly MarketWorld[]
  readonly events: MarketEvent[]
  /** What the search engines were sent, byte for byte. */
  readonly searched: readonly { readonly engine: string; readonly body: string }[]
  /** How many messages and calls had been checked. */
  sent: number
  calls: number
}

/** Four nodes over one database, on which conversations happen one after the other. */
export type ConversationMarket = {
  readonly run: (happenings: readonly Happening[]) => Promise<void>
  /** How often a model was asked about a reply so far. */
  readonly countModelCalls: () => number
  readonly close: () => Promise<void>
}

export const conversations = fc.array(happening, { minLength: 8, maxLength: 20 })

export async function openConversationMarket(): Promise<ConversationMarket> {
  const database = await openMarketDatabase()
  const searched: { engine: string; body: string }[] = []
  const nodes = await openNodes(database, searched)
  const [first] = nodes
  if (first === undefined) throw new Error('There is no node.')
  let count = 0
  let modelCalls = 0
  return {
    countModelCalls: () => modelCalls,
    async run(happenings) {
      count++
      const { clock, messenger } = first
      // Each conversation is a tenant of its own, two days after the one before.
      clock.set(MARKET_NOW + count * 2 * DAY_MS)
      for (const list of [messenger.faults, messenger.sent, messenger.calls, searched])
        list.length = 0
      const markets = nodes.map((node) => node.inTenant(`conversation-${count}`))
      await markets[0]?.seed(startingRows(clock.now()))
      const seen: Seen = { nodes: markets, events: [], searched, sent: 0, calls: 0 }
      for (const [step, one] of happenings.entries()) {
        await happen(seen, one, step)
        await checkStep(seen)
      }
      await checkEnd(seen)
      modelCalls += searched.filter(({ engine }) => engine === 'model').length
    },
    async close() {
      for (const node of nodes) await node.close()
      await database.close()
    },
  }
}

async function openNodes(
  database: MarketDatabase,
  searched: { engine: string; body: string }[],
): Promise<readonly MarketWorld[]> {
  const shared = {
    tenant: 'nodes',
    clock: fakeClock(MARKET_NOW),
    messenger: fakeMessenger(),
    fetch: fetchFromEngines(searched),
    settings: {
      CALLING_ENABLED: 'true',
      WHATSAPP_CALL_OFFER: 'v=0',
      MARKETPLACE_VENDORS_PER_REQUEST: '3',
      MARKETPLACE_REPLY_MODEL: 'openai:gpt-5.5',
      EXTERNAL_DISCOVERY_ENABLED: 'true',
      SOCIAL_DISCOVERY_ENABLED: 'true',
      MAPS_ENRICHMENT_ENABLED: 'true',
      OPENAI_API_KEY: 'sk-test',
      GEMINI_API_KEY: 'g-test',
      GOOGLE_MAPS_KEY: 'm-test',
    },
  }
  return Promise.all(Array.from({ length: NODES }, () => database.open(shared)))
}

/** The emulated engines without a socket between. */
function fetchFromEngines(searched: { engine: string; body: string }[]): typeof fetch {
  const openAiRoutes = openAiRoutesWith(answerAsOffline)
  const routes: readonly EmulatorRoute[] = [...openAiRoutes, ...geminiRoutes, ...placesRoutes]
  return async (input, init) => {
    const url = new URL(String(input))
    const route = routes.find(({ path }) => matches(path, url.pathname))
    const body = String(init?.body ?? '')
    const headers = new Headers(init?.headers)
    // The same engine resolves places for the orchestrator, which is no search of a post.
    const isPlace = headers.get('x-goog-fieldmask')?.includes('googleMapsUri') === false
    const isModel = body.includes('"json_schema"')
    const engine = isModel ? 'model' : isPlace ? 'resolve' : url.hostname
    searched.push({ engine, body: `${url} ${body}` })
    if (route === undefined) return new Response('', { status: 404 })
    const request = {
      ...{ method: 'POST', path: url.pathname, params: {}, query: url.searchParams, body },
      headers: Object.fromEntries(headers),
      bytes: Buffer.from(body),
      json: () => JSON.parse(body) as unknown,
    }
    const reply = route.handle(request, { effects: () => [] })
    return Response.json(reply.body, { status: reply.status ?? 200 })
  }
}

/** A model that reads what the offline reader reads, and is sure of it. */
function answerAsOffline(question: string): string {
  const { reply } = JSON.parse(question) as { readonly reply: string }
  const { has_stock, price = null } = readReply(reply, {
    now: MARKET_NOW,
    timeZone: 'Africa/Kigali',
  })
  const more = { price_is: 'none', currency: 'none', availability: null, other: null }
  return JSON.stringify({ meaning: '', has_stock, price, ...more, agreement: 10 })
}

function matches(path: string, pathname: string): boolean {
  return path === pathname || pathname.startsWith(path.split('/:')[0] ?? path)
}

// The second client has a shortlist and was asked whether we may call.
function startingRows(now: number): readonly SeedRow[] {
  const shortlist = [
    {
      ...{ vendor_id: 'ven_1', vendor_name: 'One', vendor_phone: phoneOf('ven_1') },
      response_summary: 'yes',
    },
  ]
  const rows = [
    ...VENDOR_IDS.flatMap((id) => vendor(id, { last_inbound_at: null })),
    conversation('cnv_2', { phone: CLIENTS[1] }),
    request('req_2', {
      ...{ conversation_id: 'cnv_2', state: 'shortlist_ready' },
      shortlist: JSON.stringify(shortlist),
    }),
    consent('con_2', 'requested', { request_id: 'req_2' }),
  ]
  const later = now - MARKET_NOW
  return rows.map(({ table, row }) => ({
    table,
    row: Object.fromEntries(
      Object.entries(row).map(([column, value]) => [
        column,
        column.endsWith('_at') && typeof value === 'number' ? value + later : value,
      ]),
    ),
  }))
}

async function happen(seen: Seen, one: Happening, step: number): Promise<void> {
  const [world] = seen.nodes as readonly [MarketWorld]
  const { messenger, clock } = world
  const message = (from: string, text: string, quoted?: number): MarketEvent => ({
    ...{ kind: 'message', id: `in-${step}`, from, at: clock.now(), type: 'text', text },
    ...(quoted === undefined ? {} : { reply_to: `wamid.${quoted + 1}` }),
  })
  switch (one.kind) {
    case 'client':
      return receive(seen, message(CLIENTS[one.who] ?? '', one.text), one.nodes)
    case 'vendor': {
      const phone = phoneOf(VENDOR_IDS[one.who] ?? '')
      const last = messenger.sent.findLastIndex(({ to }) => to === phone)
      const quoted = one.quotes && last >= 0 ? last : undefined
      return receive(seen, message(phone, one.text, quoted), one.nodes)
    }
    case 'repeat': {
      const event = seen.events.at(-1 - one.back)
      return event === undefined ? undefined : receive(seen, event, one.nodes)
    }
    case 'state': {
      const index = messenger.sent.length - 1 - one.back
      const sent = messenger.sent[index]
      if (sent === undefined) return
      const { status } = one
      const about = { id: `wamid.${index + 1}`, at: clock.now(), callback: sent.callback }
      return receive(seen, { kind: 'status', status, ...about }, one.nodes)
    }
    case 'wait':
      clock.set(clock.now() + one.minutes * 60_000)
      await atOnce(seen, one.nodes, (node) => node.runDueWork().catch(() => undefined))
      return
    case 'fault':
      messenger.faults.push(one.fault)
      return
    case 'crash':
      world.dieAfter(one.after)
      return
    case 'agent':
    case 'call':
    case 'discover':
      await actAsAgent(seen, one)
  }
}

/** What an agent does, on one node or on several at once. */
async function actAsAgent(
  seen: Seen,
  one: Extract<Happening, { readonly kind: 'agent' | 'call' | 'discover' }>,
): Promise<void> {
  const [world] = seen.nodes as readonly [MarketWorld]
  const newest = async (table: string, column: string): Promise<string | undefined> => {
    const [row] = await world.query(
      `select id from ${table} where tenant = ? order by ${column} desc limit 1`,
      world.tenant,
    )
    return row === undefined ? undefined : String(row.id)
  }
  const ask = (tool: string, input: object, key?: string) =>
    atOnce(seen, one.nodes, (node) =>
      node.call(tool, input, { caller: AGENT, ...(key === undefined ? {} : { key }) }),
    )
  switch (one.kind) {
    case 'agent': {
      const id = await newest('mk_requests', 'created_at')
      if (id === undefined) return
      const vendorId = VENDOR_IDS[one.who]
      const input = { request_id: id, vendor_id: vendorId, message: one.text }
      await ask('marketplace.send_vendor_message', input)
      return
    }
    case 'call': {
      const id = await newest('mk_consents', 'requested_at')
      if (id !== undefined) await ask('marketplace.start_call', { consent_id: id }, one.key)
      return
    }
    case 'discover':
      await ask(`discovery.${one.tool}`, {
        ...{ post_id: POST, need: one.need },
        ...(one.tool === 'maps_places_items' ? {} : { engine: one.engine }),
      })
  }
}

async function atOnce<T>(
  { nodes }: Seen,
  count: number,
  act: (node: MarketWorld) => Promise<T>,
): Promise<readonly T[]> {
  const work = Promise.all(nodes.slice(0, count).map(act))
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  // A node that waits for the call of another one looks again after a while, by this clock.
  for (let turn = 1; !isOver; turn++) {
    await new Promise(setImmediate)
    if (turn % TURNS_A_TICK === 0) await nodes[0]?.clock.advance(TICK_MS)
  }
  return work
}

/** An event is handed on until it was acted on, as the job is; a planned crash is over after that. */
async function receive(seen: Seen, event: MarketEvent, nodes: number): Promise<void> {
  seen.events.push(event)
  await atOnce(seen, nodes, async (node) => {
    for (let drive = 0; drive < 4; drive++) {
      const isDone = await node.receive(event).then(
        () => true,
        () => false,
      )
      if (isDone) return
    }
    node.dieAfter(0)
  })
}
