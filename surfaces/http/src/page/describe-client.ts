// The first that matches: most browsers also name those that they descend from.
const BROWSERS = [
  ['Edge', 'Edg'],
  ['Opera', 'OPR/'],
  ['Samsung Internet', 'SamsungBrowser/'],
  ['Firefox', 'Firefox/'],
  ['Firefox', 'FxiOS/'],
  ['Chrome', 'CriOS/'],
  ['Chrome', 'Chrome/'],
  ['Safari', 'Safari/'],
  ['curl', 'curl/'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['ChromeOS', 'CrOS'],
  ['macOS', 'Mac OS X'],
  ['Linux', 'Linux'],
] as const

/**
 * The kind of client behind a `User-Agent` header, as in "Firefox on Linux". Only words from these
 * lists: what a client says of itself is neither stored nor shown.
 */
export function describeClient(userAgent = ''): string {
  const find = (names: readonly (readonly [string, string])[]): string | undefined =>
    names.find(([, mark]) => userAgent.includes(mark))?.[0]
  const [browser = 'Another client', system] = [find(BROWSERS), find(SYSTEMS)]
  return system === undefined ? browser : `${browser} on ${system}`
}
