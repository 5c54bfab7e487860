import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus } from '@surehand/core/host'
import { asServiceError, type Fetch } from '@surehand/vendors'
import type { Page, PagesPort } from '../pages-port.ts'
import { type Facts, limitFacts } from './limit-facts.ts'
import { readPage } from './read-page.ts'

export type WebPagesOptions = {
  /** Goes through egress, which refuses private addresses. */
  readonly fetchFor: (tenant: string) => Fetch
}

const MAX_CHARACTERS = 3_000_000
const MAX_EMBED_CHARACTERS = 500_000
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i

/** Reads web pages through egress: oEmbed and the metadata of the page. It runs no scripts. */
export function webPages({ fetchFor }: WebPagesOptions): PagesPort {
  return {
    async expand({ tenant, url }, signal) {
      const fetch = fetchFor(tenant)
      const endpoint = oEmbedEndpoint(url, await loadOEmbedProviders())
      const [oEmbed, page] = await Promise.all([
        endpoint === undefined ? undefined : fetchOEmbed(fetch, endpoint, signal),
        fetchPage(fetch, url, signal)
          .catch(asServiceError)
          .catch(refusedHost)
          .catch((thrown: unknown) => toFailure(thrown)),
      ])
      if ('page' in page) return withEmbed(page.page, oEmbed)
      if (oEmbed === undefined) throw page.thrown
      return withEmbed({ url, jsonLd: [], html: '' }, oEmbed)
    },
  }
}

// A host that egress refuses cannot be read, like one that is down: the link stays as it is.
function refusedHost(thrown: unknown): never {
  throw isToolError(thrown) && thrown.code === 'TOOL_RESOURCE_ACCESS_DENIED'
    ? new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', thrown.message, {
        effect: 'none',
        cause: thrown,
      })
    : thrown
}

type Read = { readonly page: Page }

async function fetchPage(fetch: Fetch, url: string, signal: AbortSignal): Promise<Read> {
  const response = await fetch(url, {
    headers: { accept: 'text/html,application/xhtml+xml' },
    signal,
  })
  const host = new URL(url).host
  if (!response.ok)
    throw fromProviderStatus(
      response.status,
      `${host} answered with the status ${response.status}.`,
    )
  const type = response.headers.get('content-type') ?? ''
  if (!HTML.test(type))
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${host} sent "${type.slice(0, 80)}" instead of a page.`,
    )
  const html = decodeText(new Uint8Array(await response.arrayBuffer()), type).slice(
    0,
    MAX_CHARACTERS,
  )
  return { page: await readPage(html, response.url === '' ? url : response.url) }
}

/** Decodes with the charset of the response, else of the page, else UTF-8. */
function decodeText(bytes: Uint8Array, type: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048))
  const named =
    /charset=["']?([\w-]+)/i.exec(type)?.[1] ??
    /<meta[^>]{0,200}?charset=["']?([\w-]+)/i.exec(head)?.[1] ??
    'utf-8'
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

// A failure of oEmbed is ignored: the page itself is read as well.
async function fetchOEmbed(
  fetch: Fetch,
  endpoint: string,
  signal: AbortSignal,
): Promise<Facts | undefined> {
  try {
    const response = await fetch(endpoint, { headers: { accept: 'application/json' }, signal })
    const text = response.ok ? await response.text() : ''
    return text === '' || text.length > MAX_EMBED_CHARACTERS
      ? undefined
      : limitFacts(JSON.parse(text))
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return undefined
  }
}

function toFailure(thrown: unknown): { readonly thrown: unknown } {
  return { thrown: isToolError(thrown) ? thrown : fromNetworkFailure(thrown, 'The page') }
}

function withEmbed(page: Page, oEmbed: Facts | undefined): Page {
  if (oEmbed === undefined) return page
  const title = page.title ?? textIn(oEmbed, 'title')
  const imageUrl = page.imageUrl ?? textIn(oEmbed, 'thumbnail_url')
  const siteName = page.siteName ?? textIn(oEmbed, 'provider_name')
  return {
    ...page,
    ...(title === undefined ? {} : { title }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(siteName === undefined ? {} : { siteName }),
    oEmbed,
  }
}

function textIn(facts: Facts, name: string): string | undefined {
  const value = facts[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export type OEmbedProvider = {
  readonly provider_name: string
  readonly endpoints: readonly { readonly schemes?: readonly string[]; readonly url: string }[]
}

/** The public list of oEmbed providers, loaded on first use. */
export async function loadOEmbedProviders(): Promise<readonly OEmbedProvider[]> {
  const { default: list } = await import('oembed-providers/providers.json', {
    with: { type: 'json' },
  })
  // The cast: the package has no types for its list.
  return list as readonly OEmbedProvider[]
}

/** The oEmbed request for a page, by the public list of providers; undefined if it is not listed. */
export function oEmbedEndpoint(
  url: string,
  providers: readonly OEmbedProvider[],
): string | undefined {
  for (const { endpoints } of providers) {
    for (const endpoint of endpoints) {
      if (endpoint.schemes?.some((scheme) => matchesScheme(url, scheme)))
        return endpointUrl(endpoint.url, url)
    }
  }
  return undefined
}

function endpointUrl(endpoint: string, url: string): string | undefined {
  // Some endpoints contain `{format}`.
  const address = URL.parse(endpoint.replace('{format}', 'json'))
  if (address === null || address.protocol !== 'https:') return undefined
  address.searchParams.set('url', url)
  address.searchParams.set('format', 'json')
  return address.href
}

/** Matches `*` without a regular expression, so that no scheme can cause backtracking. */
function matchesScheme(url: string, scheme: string): boolean {
  const [first = '', ...rest] = scheme.split('*')
  if (!url.startsWith(first)) return false
  let from = first.length
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1
    if (isLast && piece !== '') return url.length - piece.length >= from && url.endsWith(piece)
    const at = url.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return rest.length > 0 || url === scheme
}
