import { fold, type Gazetteer, openGazetteer, type Town } from './gazetteer.ts'
import type { Place, PlacesPort } from './places-port.ts'

// a text whose words are no town by chance: "Nice" and "Reading" are words of every other sentence,
// more so where more words follow
const FEWEST_AT_THE_END = 15_000
const FEWEST_AT_THE_START = 250_000
const MOST_WORDS = 5

/**
 * Towns by what people call them, without asking anybody. Streets and venues it does not know: then
 * the town is told, and said to be no more.
 */
export function localPlaces(): PlacesPort {
  let opening: Promise<Gazetteer> | undefined
  return {
    async resolve({ query, regionCode }) {
      opening ??= openGazetteer()
      const gazetteer = await opening
      const found = townIn(query, regionCode, gazetteer)
      return found === undefined ? null : placeOf(found, gazetteer)
    },
  }
}

type Found = { readonly town: Town; readonly isWhole: boolean }

/**
 * The last part of an address that is a town counts: what stands before it is the street, what
 * stands behind it where the town is.
 */
export function townIn(
  query: string,
  regionCode: string | undefined,
  gazetteer: Gazetteer,
): Found | undefined {
  const parts = query
    .split(/[,;\n]|\s[-–—|@]\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const isArea = (part: string, index: number): boolean =>
    index > 0 && gazetteer.areas(fold(part)).length > 0
  const ways = [(part: string, index: number) => !isArea(part, index), isArea]
  for (const way of ways) {
    for (const [index, part] of [...parts.entries()].reverse()) {
      const found = way(part, index) ? townAt(parts, index, { regionCode, gazetteer }) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}

type Looking = { readonly regionCode: string | undefined; readonly gazetteer: Gazetteer }

function townAt(
  parts: readonly string[],
  index: number,
  { regionCode, gazetteer }: Looking,
): Found | undefined {
  const areas = parts.slice(index + 1).flatMap((part) => areasIn(part, gazetteer))
  const near = areas.length === 0 && regionCode !== undefined ? [regionCode] : areas
  for (const { name, fewest } of namesIn(parts[index] ?? '', parts.length === 1)) {
    const town = best(gazetteer.named(name), near)
    if (town !== undefined && town.population >= fewest)
      return { town, isWhole: index === 0 && fewest === 0 }
  }
  return undefined
}

/** How many must live there for the name to be taken for a town. */
type Name = { readonly name: string; readonly fewest: number }

/**
 * The part as a whole, without its postcode, then what stands at its end or its beginning, the
 * longest first.
 */
function namesIn(part: string, isAlone: boolean): readonly Name[] {
  const folded = fold(part)
  const plain = folded
    .replace(/\b[a-z]{0,2}-?\d[\d-]{2,}[a-z]{0,2}\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const words = plain.split(' ')
  const whole = [...new Set([folded, plain, expandAbbreviations(plain)])]
    .filter((name) => name !== '')
    .map((name) => ({ name, fewest: 0 }))
  if (words.length < 2 || words.length > (isAlone ? MOST_WORDS * 2 : MOST_WORDS)) return whole
  const ends = words
    .slice(1)
    .map((_, index) => ({ name: words.slice(index + 1).join(' '), fewest: FEWEST_AT_THE_END }))
  const starts = words.slice(0, -1).map((_, index) => ({
    name: words.slice(0, words.length - 1 - index).join(' '),
    fewest: FEWEST_AT_THE_START,
  }))
  return [...whole, ...ends, ...starts]
}

// Muenchen, Koeln: how umlauts are written without them
function expandAbbreviations(folded: string): string {
  return folded.replaceAll('ae', 'a').replaceAll('oe', 'o').replaceAll('ue', 'u')
}

function areasIn(part: string, gazetteer: Gazetteer): readonly string[] {
  const folded = fold(part)
  const words = folded.split(' ')
  return [folded, words[0] ?? '', words.at(-1) ?? ''].flatMap((name) => gazetteer.areas(name))
}

function best(towns: readonly Town[], near: readonly string[]): Town | undefined {
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

function placeOf({ town, isWhole }: Found, gazetteer: Gazetteer): Place {
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
