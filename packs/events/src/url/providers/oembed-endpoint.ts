import type { OEmbedProvider } from './oembed-list.ts'

/** Where a site tells about its pages, by the public list of providers; undefined where it has no such place. */
export function oEmbedEndpoint(
  url: string,
  providers: readonly OEmbedProvider[],
): string | undefined {
  for (const { endpoints } of providers) {
    for (const endpoint of endpoints) {
      if (endpoint.schemes?.some((scheme) => fits(url, scheme))) return addressOf(endpoint.url, url)
    }
  }
  return undefined
}

function addressOf(endpoint: string, url: string): string | undefined {
  // `{format}` is part of some addresses
  const address = URL.parse(endpoint.replace('{format}', 'json'))
  if (address === null || address.protocol !== 'https:') return undefined
  address.searchParams.set('url', url)
  address.searchParams.set('format', 'json')
  return address.href
}

/** `*` stands for anything; piece by piece, so that no pattern can be made to run for ever. */
function fits(url: string, scheme: string): boolean {
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
