/** Longer URLs are not followed: they are almost always generated without end. */
const MAX_URL_LENGTH = 2_000

// Parameters that identify a visit and not a page. With them, every link to a page looks new.
const VISIT_PARAMETER =
  /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid)$/i
const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^/;?#]*/gi
const UNRESERVED = /^[A-Za-z0-9\-._~]$/

/**
 * One spelling for all the URLs of a page: without fragment, session and tracking parameters, with
 * sorted parameters and normalized escapes. Undefined where it is no http(s) URL, has a password, or
 * is too long.
 */
export function canonicalUrl(href: string, base?: string): string | undefined {
  if (href.length > MAX_URL_LENGTH || !URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  url.pathname = normalizeEscapes(url.pathname.replace(PATH_SESSION, '').replace(/\/{2,}/g, '/'))
  url.search = normalizeQuery(url.search)
  return url.href.length > MAX_URL_LENGTH ? undefined : url.href
}

function normalizeQuery(search: string): string {
  const pairs = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !VISIT_PARAMETER.test(pair.split('=', 1)[0] ?? ''))
    .map(normalizeEscapes)
  return pairs.toSorted().join('&')
}

// RFC 3986, section 6.2.2: %7e and ~ are the same, %2f and / are not.
function normalizeEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return UNRESERVED.test(character) ? character : encoded.toUpperCase()
  })
}
