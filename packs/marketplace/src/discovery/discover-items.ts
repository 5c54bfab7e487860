import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import { localPlaces, type PlacesPort } from '@surehand/places'
import { openVendorAccess } from '@surehand/vendors'
import type { Discovery, DiscoveryOrder, DiscoveryReceipt } from './discovery-port.ts'
import { type DiscoverySettings, readDiscoverySettings } from './discovery-settings.ts'
import { geminiAccess, openAiAccess } from './engines/engine-access.ts'
import { geminiSearch } from './engines/gemini-search.ts'
import { openAiSearch } from './engines/openai-search.ts'
import { placesSearch } from './engines/places-search.ts'
import type { EngineQuery, SearchEngine } from './engines/search-engine.ts'
import { type CleanItem, cleanItems, ExternalFeedItem, type FeedSource } from './feed-item.ts'
import type { settleDiscoveryCall } from './settle-call.ts'
import type { takeDiscoveryCall } from './take-call.ts'
import { writeQuery } from './write-query.ts'

type Given = Pick<PackGiven, 'call' | 'systemCaller' | 'query' | 'setting' | 'secret' | 'fetch'> & {
  /** An engine that has not answered by then has failed. The default leaves time for the other. */
  readonly engineTimeoutMs?: number
}

const ENGINE_TIMEOUT_MS = 25_000

/** Searches outside for what posts need: flags, budgets, engines, and what they found. */
export function discoverItems(given: Given): Discovery {
  const gazetteer = localPlaces()
  return {
    async search(order, signal) {
      const settings = readDiscoverySettings(given.setting)
      const closed = findClosedFlag(order, settings)
      if (closed !== undefined) return answerDisabled(closed)
      const engines = chooseEngines({ ...given, gazetteer }, settings, order)
      if (engines.length === 0)
        return order.kind === 'maps'
          ? answerDisabled('maps_key_missing')
          : { engine: 'none', feed_items: [], reason: 'engine_key_missing' }
      const query = writeQuery(order, settings.country)
      return searchInTurn(given, { order, query, settings, engines }, signal)
    },
  }
}

function findClosedFlag(
  { kind }: DiscoveryOrder,
  { externalEnabled, socialEnabled, mapsEnabled }: DiscoverySettings,
): string | undefined {
  if (kind === 'maps') return mapsEnabled ? undefined : 'maps_enrichment_disabled'
  if (!externalEnabled) return 'external_discovery_disabled'
  return kind === 'social' && !socialEnabled ? 'social_discovery_disabled' : undefined
}

function answerDisabled(reason: string): DiscoveryReceipt {
  return { engine: 'none', feed_items: [], disabled: true, reason }
}

/** The engines to ask, in order: with `auto` OpenAI, then Gemini, where their keys are set. */
function chooseEngines(
  given: Given & { readonly gazetteer: PlacesPort },
  { openAiModel, geminiModel }: DiscoverySettings,
  { kind, engine }: DiscoveryOrder,
): readonly SearchEngine[] {
  if (kind === 'maps') {
    const places = openVendorAccess(given, {
      secret: 'GOOGLE_MAPS_KEY',
      setting: 'GOOGLE_PLACES_URL',
      defaultUrl: 'https://places.googleapis.com',
    })
    return places === undefined ? [] : [placesSearch({ ...places, gazetteer: given.gazetteer })]
  }
  const openAi = openAiAccess(given)
  const gemini = geminiAccess(given)
  return [
    ...(openAi === undefined ? [] : [openAiSearch({ ...openAi, model: openAiModel })]),
    ...(gemini === undefined ? [] : [geminiSearch({ ...gemini, model: geminiModel })]),
  ].filter(({ name }) => engine === 'auto' || engine === name)
}

type Search = {
  readonly order: DiscoveryOrder
  readonly query: EngineQuery
  readonly settings: DiscoverySettings
  readonly engines: readonly SearchEngine[]
}

/** Asks the engines one after the other until one answers; each takes a call from the budget. */
async function searchInTurn(
  given: Given,
  { order, query, settings, engines }: Search,
  signal: AbortSignal,
): Promise<DiscoveryReceipt> {
  let failure: ToolError | undefined
  for (const engine of engines) {
    const step = { order, engine, ticket: `${order.idempotencyKey}:${engine.name}` }
    const taken = await takeCall(given, step, settings)
    switch (taken.state) {
      case 'exceeded':
        if (failure !== undefined) throw failure
        return answerDisabled('budget_exceeded')
      case 'interrupted':
        return { engine: engineNameOf(engine), feed_items: [], reason: 'search_interrupted' }
      case 'stored':
        return {
          engine: engineNameOf(engine),
          feed_items: await readStoredItems(given, order.tenant, taken.items),
        }
      case 'granted': {
        const found = await askEngine(
          { engine, query, timeoutMs: given.engineTimeoutMs ?? ENGINE_TIMEOUT_MS },
          signal,
        )
        if (!isToolError(found))
          return { engine: engineNameOf(engine), feed_items: await storeItems(given, step, found) }
        await settle(given, step, { outcome: 'failed', items: [] })
        failure = found
      }
    }
  }
  throw failure ?? new ToolError('TOOL_INTERNAL_ERROR', 'No engine was asked.')
}

type Step = {
  readonly order: DiscoveryOrder
  readonly engine: SearchEngine
  readonly ticket: string
}

type Question = {
  readonly engine: SearchEngine
  readonly query: EngineQuery
  readonly timeoutMs: number
}

/** What the engine found, or why it failed. An abort by the caller is thrown. */
async function askEngine(
  { engine, query, timeoutMs }: Question,
  signal: AbortSignal,
): Promise<readonly CleanItem[] | ToolError> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const found = await engine.search(query, AbortSignal.any([signal, late]))
    return cleanItems(found, query.maxResults)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    if (late.aborted) return searchFailed(engine, `it did not answer in ${timeoutMs / 1000} s`)
    if (!isToolError(thrown)) throw thrown
    return thrown.code === 'TOOL_RATE_LIMIT_EXCEEDED'
      ? new ToolError(thrown.code, thrown.message, {
          effect: 'none',
          cause: thrown,
          details: thrown.details ?? {},
        })
      : searchFailed(engine, 'it answered with an error', thrown)
  }
}

function searchFailed({ name }: SearchEngine, why: string, cause?: ToolError): ToolError {
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `The search with ${name} failed: ${why}. It counts against the budget of the post.`,
    { effect: 'none', ...(cause !== undefined && { cause, details: cause.details ?? {} }) },
  )
}

function takeCall(
  given: Given,
  { order, engine, ticket }: Step,
  { searchCalls, mapsCalls }: DiscoverySettings,
): Promise<TakeOutput> {
  const maps = order.kind === 'maps'
  const input: TakeInput = {
    post_id: order.postId,
    budget: maps ? 'maps' : 'search',
    engine: engine.name,
    max: maps ? mapsCalls : searchCalls,
    ticket,
  }
  return runInternal<TakeOutput>(given, { order, tool: 'discovery.take_call', input })
}

/** Of a place only its id and address on Google Maps may be stored. */
async function storeItems(
  given: Given,
  step: Step,
  found: readonly CleanItem[],
): Promise<readonly ExternalFeedItem[]> {
  const isPlace = step.order.kind === 'maps'
  const items = found.map(({ url, place_id, ...content }) => ({
    url,
    ...(place_id !== undefined && { place_id }),
    ...(isPlace ? {} : withoutUndefined(content)),
  }))
  const { ids } = await settle(given, step, { outcome: 'stored', items })
  return found.map(({ place_id: _, ...item }, index) => ({
    feed_item_id: ids[index] ?? '',
    source: sourceOf(step),
    ...withoutUndefined(item),
  }))
}

function settle(
  given: Given,
  step: Step,
  { outcome, items }: Pick<SettleInput, 'outcome' | 'items'>,
): Promise<{ readonly ids: readonly string[] }> {
  const { order, ticket } = step
  const input = { post_id: order.postId, ticket, outcome, source: sourceOf(step), items }
  return runInternal(given, { order, tool: 'discovery.settle_call', input })
}

type TakeInput = NonNullable<(typeof takeDiscoveryCall)['types']>['input']
type TakeOutput = NonNullable<(typeof takeDiscoveryCall)['types']>['output']
type SettleInput = NonNullable<(typeof settleDiscoveryCall)['types']>['input']

type Internal = { readonly order: DiscoveryOrder; readonly tool: string; readonly input: unknown }

// Without a key: these tools recognize a repeat by the ticket that is stored.
async function runInternal<T>(given: Given, { order, tool, input }: Internal): Promise<T> {
  const outcome = await given.call({
    tool,
    input,
    caller: given.systemCaller(order.tenant),
    surface: 'marketplace',
    repeat: 'meant',
    requestId: order.postId,
  })
  if (outcome.status === 'done') return outcome.data as T
  throw outcome.status === 'failed'
    ? outcome.error
    : new ToolError('TOOL_ALREADY_RUNNING', `${tool} is not finished yet.`)
}

function sourceOf({ order, engine }: Step): FeedSource {
  if (order.kind === 'maps') return 'maps_places'
  if (order.kind === 'social') return 'social'
  return engine.name === 'openai' ? 'openai_web_search' : 'gemini_google_grounding'
}

function engineNameOf({ name }: SearchEngine): DiscoveryReceipt['engine'] {
  return name === 'places' ? 'none' : name
}

function withoutUndefined<T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Types are erased here: optional fields that are undefined are left out.
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== undefined),
  ) as never
}

/** The stored items with these ids, in their order. */
async function readStoredItems(
  { query }: Pick<PackGiven, 'query'>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly ExternalFeedItem[]> {
  if (ids.length === 0) return []
  const marks = ids.map(() => '?').join(', ')
  const rows = await query(
    `select * from external_feed_items where tenant = ? and feed_item_id in (${marks})`,
    [tenant, ...ids],
  )
  const byId = new Map(rows.map((row) => [String(row.feed_item_id), row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [toFeedItem(row)]
  })
}

// The name of a place is not stored; it is seen behind the link.
function toFeedItem(row: Row): ExternalFeedItem {
  const { feed_item_id, source, url, title, snippet, phone, location_text, confidence } = row
  return ExternalFeedItem.parse({
    feed_item_id,
    source,
    url,
    title: title ?? 'A place on Google Maps',
    ...(snippet !== null && { snippet }),
    ...(phone !== null && { phone }),
    ...(location_text !== null && { location_text }),
    ...(confidence !== null && { confidence }),
  })
}
