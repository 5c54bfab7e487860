import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type CustomRoute, html, page } from '@surehand/http'
import type { Log } from '../log/log.ts'

// Another process may be replacing the folder by its own build; that takes a moment.
const MOST_ATTEMPTS = 50
const PAUSE_MS = 100

/** Where the built console is, and how it is built where its sources are there. */
export type ConsolePlace = {
  readonly built: URL
  /** The sources, in a clone of the repository; undefined in an installed package. */
  readonly sources: URL | undefined
}

/** Beside the bundled command; in a clone beside the sources, for the bundle and for the sources. */
function findConsole(): ConsolePlace {
  const packed = new URL('./console/', import.meta.url)
  const sources = ['../../console/', '../../../console/']
    .map((path) => new URL(path, import.meta.url))
    .find((folder) => existsSync(new URL('build.ts', folder)))
  return existsSync(packed) || sources === undefined
    ? { built: packed, sources: undefined }
    : { built: new URL('dist/', sources), sources }
}

/**
 * Serves the console under `/console`. In a clone the first request has it built where it is missing
 * or older than its sources; until then an older one is served, or a page that says so.
 */
export function consoleRoutes(
  log: Pick<Log, 'error'>,
  place: ConsolePlace = findConsole(),
): readonly CustomRoute[] {
  const files = new Map<string, BuiltFile>()
  let state: 'unknown' | 'building' | 'settled' = 'unknown'

  // All at once: a page that was sent must find the files of its own build, also when another
  // process builds anew.
  const load = (): boolean => {
    const found = readBuilt(place.built)
    for (const [path, file] of found) files.set(path, file)
    return found.length > 0
  }

  async function loadNew(): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS && !load(); attempt++) await sleep(PAUSE_MS)
  }

  function refresh(): void {
    if (state !== 'unknown') return
    load()
    const { sources, built } = place
    state = sources !== undefined && isStale(sources, built) ? 'building' : 'settled'
    if (sources === undefined || state === 'settled') return
    buildConsole(sources)
      .then(loadNew)
      .catch((thrown: unknown) => log.error({ err: thrown }, 'the console could not be built'))
      .finally(() => {
        state = 'settled'
      })
  }

  async function handle({ request }: { readonly request: Request }): Promise<Response> {
    refresh()
    const { pathname } = new URL(request.url)
    const asset = ASSET.exec(pathname)?.[1]
    const encodings = request.headers.get('accept-encoding') ?? ''
    if (asset !== undefined) {
      const file = files.get(asset)
      return file === undefined
        ? new Response('This file is not part of the console any more. Load the page again.\n', {
            status: 404,
          })
        : respond(file, encodings, { 'cache-control': 'public, max-age=31536000, immutable' })
    }
    const index = files.get('index.html')
    if (index !== undefined) return respond(withPrefix(index, pathname), encodings, PAGE_HEADERS)
    return state === 'building' ? buildingPage(pathname) : missingPage(place)
  }

  return ['/console', '/console/*'].map((path) => ({ method: 'GET', path, auth: 'none', handle }))
}

// What the build names its files, and nothing else: no path leaves the folder.
const ASSET = /^\/console\/assets\/([\w-]+\.(?:js|css|svg))$/

const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

type BuiltFile = { readonly text: Buffer; readonly type: string; readonly packed: Buffer }

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The page and its assets, by their names; nothing where it is not built. */
function readBuilt(built: URL): readonly (readonly [name: string, file: BuiltFile])[] {
  const assets = new URL('assets/', built)
  try {
    const urls = readdirSync(assets).map((name) => new URL(name, assets))
    return [new URL('index.html', built), ...urls].map((url) => {
      const text = readFileSync(url)
      const type = TYPES[extname(url.pathname)] ?? ''
      return [basename(url.pathname), { text, type, packed: gzipSync(text) }]
    })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}

/**
 * The page refers to its files relative to its own address. One that is opened at a longer path, as
 * in `/console/calls/ID`, has to go up first; what a proxy puts before `/console` does not matter.
 */
function withPrefix({ text, type }: BuiltFile, pathname: string): BuiltFile {
  const below = pathname.slice('/console'.length)
  const prefix = below === '' ? './console/' : '../'.repeat(below.split('/').length - 2) || './'
  const placed = Buffer.from(text.toString().replaceAll('"./assets/', `"${prefix}assets/`))
  return { text: placed, type, packed: gzipSync(placed) }
}

function respond(
  { text, type, packed }: BuiltFile,
  encodings: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const isPacked = /\bgzip\b/.test(encodings)
  return new Response(new Uint8Array(isPacked ? packed : text), {
    headers: {
      ...headers,
      'content-type': type,
      vary: 'Accept-Encoding',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
  })
}

function buildingPage(pathname: string): Response {
  const icon = `${'../'.repeat(pathname.split('/').length - 2)}favicon.svg`
  const body = html`<main><h1>The console is being built</h1><p>This takes a few seconds. The page opens it by itself.</p></main>`
  return page(body, { title: 'The console is being built', status: 503, refreshSeconds: 1, icon })
}

function missingPage({ sources }: ConsolePlace): Response {
  const why =
    sources === undefined
      ? html`This installation came without it.`
      : html`It could not be built: <code>node apps/console/build.ts</code> says why.`
  const body = html`<main><h1>The console is not here</h1><p>${why} What waits for a decision is on <a href="/approvals">this page</a>.</p></main>`
  return page(body, { title: 'The console is not here', status: 503 })
}

// The libraries that the console bundles are few and small: its own sources decide.
const SOURCES = ['src/', 'index.html', 'build.ts', 'package.json']

function isStale(sources: URL, built: URL): boolean {
  const madeMs = statSync(new URL('index.html', built), { throwIfNoEntry: false })?.mtimeMs
  return madeMs === undefined || SOURCES.some((name) => isNewer(new URL(name, sources), madeMs))
}

function isNewer(path: URL, madeMs: number): boolean {
  const { mtimeMs } = statSync(path)
  if (mtimeMs > madeMs || !path.pathname.endsWith('/')) return mtimeMs > madeMs
  return readdirSync(path, { withFileTypes: true }).some((entry) =>
    isNewer(new URL(entry.isDirectory() ? `${entry.name}/` : entry.name, path), madeMs),
  )
}

// In a process of its own: bundling would hold up the requests of this one.
function buildConsole(sources: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = fileURLToPath(new URL('build.ts', sources))
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${script} ended with code ${code}.`)),
    )
  })
}
