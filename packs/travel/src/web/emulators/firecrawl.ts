import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

/**
 * Firecrawl v2 with the site lisbon.example of seven pages. A crawl reads two pages with every
 * question about its state, and sends them in parts of four.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/v2/search', handle: requireToken(search) },
  { method: 'POST', path: '/v2/scrape', handle: requireToken(scrape) },
  { method: 'POST', path: '/v2/crawl', handle: requireToken(startCrawl) },
  { method: 'GET', path: '/v2/crawl/:id', handle: requireToken(crawlStatus) },
  { method: 'GET', path: '/v2/crawl/:id/errors', handle: requireToken(crawlErrors) },
  { method: 'DELETE', path: '/v2/crawl/:id', handle: requireToken(cancelCrawl) },
]

const PAGES = [
  ['/', 'Lisbon', 'Lisbon lies on the Tagus.'],
  ['/trams', 'Trams', 'Tram 28 climbs to the castle.'],
  ['/viewpoints', 'Viewpoints', 'Quiet viewpoints: Graça and Santa Catarina.'],
  ['/museums', 'Museums', 'The tile museum is in a convent.'],
  ['/food', 'Food', 'Custard tarts are eaten warm.'],
  ['/beaches', 'Beaches', 'The train to Cascais takes forty minutes.'],
  ['/fado', 'Fado', 'Fado is sung in the old town.'],
] as const
const SITE = 'https://lisbon.example'
const PART = 4

type Handle = EmulatorRoute['handle']

function requireToken(handle: Handle): Handle {
  return (request, log) =>
    /^Bearer .+/.test(request.headers.authorization ?? '')
      ? handle(request, log)
      : { status: 401, body: { success: false, error: 'Unauthorized: Token missing' } }
}

function refuse(status: number, error: string): EmulatorReply {
  return { status, body: { success: false, error } }
}

function search(request: EmulatorRequest): EmulatorReply {
  const { query, limit = 5 } = request.json() as { query?: string; limit?: number }
  if (query === undefined || query === '') return refuse(400, 'Bad Request')
  const words = query.toLowerCase().split(/\W+/)
  const found = PAGES.filter(([, title, text]) =>
    words.some((word) => word.length > 3 && `${title} ${text}`.toLowerCase().includes(word)),
  )
  const web = found.slice(0, limit).map(([path, title, text], index) => ({
    url: `${SITE}${path}`,
    title,
    description: text,
    position: index + 1,
  }))
  return { body: { success: true, data: { web }, creditsUsed: 2, id: 'search-1' } }
}

function document(path: string): object | undefined {
  const page = PAGES.find(([one]) => one === path)
  if (page === undefined) return undefined
  const [, title, text] = page
  return {
    markdown: `# ${title}\n\n${text}`,
    links: PAGES.map(([one]) => `${SITE}${one}`),
    metadata: {
      title,
      description: text,
      language: 'en',
      sourceURL: `${SITE}${path}`,
      url: `${SITE}${path}`,
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      proxyUsed: 'basic',
      cacheState: 'miss',
    },
  }
}

function scrape(request: EmulatorRequest): EmulatorReply {
  const { url = '' } = request.json() as { url?: string }
  if (!URL.canParse(url)) return refuse(400, 'Invalid URL')
  const { pathname } = new URL(url)
  const data = document(pathname)
  return data === undefined
    ? {
        body: {
          success: true,
          data: { markdown: '', metadata: { sourceURL: url, statusCode: 404 } },
        },
      }
    : { body: { success: true, data } }
}

type CrawlEffect =
  | { readonly kind: 'crawl'; readonly id: string; readonly limit: number }
  | { readonly kind: 'asked' | 'cancelled'; readonly id: string }

function effectsOf(log: EffectLog): readonly CrawlEffect[] {
  return log.effects().map(({ effect }) => effect as CrawlEffect)
}

function startCrawl(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const { url = '', limit = 10_000 } = request.json() as { url?: string; limit?: number }
  if (!URL.canParse(url)) return refuse(400, 'Invalid URL')
  const number = effectsOf(log).filter(({ kind }) => kind === 'crawl').length + 1
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return {
    body: { success: true, id, url: `https://api.firecrawl.dev/v2/crawl/${id}` },
    effect: { kind: 'crawl', id, limit },
  }
}

function findCrawl(request: EmulatorRequest, log: EffectLog) {
  const own = effectsOf(log).filter(({ id }) => id === request.params.id)
  const crawl = own.find((one) => one.kind === 'crawl')
  if (crawl?.kind !== 'crawl') return undefined
  const asked = own.filter(({ kind }) => kind === 'asked').length
  const isCancelled = own.some(({ kind }) => kind === 'cancelled')
  const total = Math.min(crawl.limit, PAGES.length)
  return { ...crawl, total, completed: Math.min(total, asked * 2), isCancelled }
}

function crawlStatus(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const crawl = findCrawl(request, log)
  if (crawl === undefined) return refuse(404, 'Job not found')
  const { id, total, completed, isCancelled } = crawl
  const skip = Number(request.query.get('skip') ?? 0)
  const data = PAGES.slice(skip, Math.min(completed, skip + PART)).map(([path]) => document(path))
  const hasMore = completed > skip + PART
  const running = completed < total ? 'scraping' : 'completed'
  const next = `http://${request.headers.host}/v2/crawl/${id}?skip=${skip + PART}`
  return {
    body: {
      success: true,
      status: isCancelled ? 'cancelled' : running,
      total,
      completed,
      creditsUsed: completed,
      expiresAt: '2026-11-17T00:00:00.000Z',
      ...(hasMore || running === 'scraping' ? { next } : {}),
      data,
    },
    ...(request.query.has('skip') ? {} : { effect: { kind: 'asked', id } }),
  }
}

function crawlErrors(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  return findCrawl(request, log) === undefined
    ? refuse(404, 'Job not found')
    : { body: { errors: [], robotsBlocked: [`${SITE}/private`] } }
}

function cancelCrawl(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const crawl = findCrawl(request, log)
  return crawl === undefined
    ? refuse(404, 'Job not found')
    : { body: { status: 'cancelled' }, effect: { kind: 'cancelled', id: crawl.id } }
}
