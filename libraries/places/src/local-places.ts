import { fold, type Gazetteer, openGazetteer, type Town } from './gazetteer.ts'
import type { Place, PlacesPort } from './places-port.ts'

// The population that a town needs if its name is only the end or the start of a longer text. Words
// such as "Nice" and "Reading" are also towns, and at the start of a text they are rarely meant so.
const MIN_POPULATION_AT_END = 15_000
const MIN_POPULATION_AT_START = 250_000
const MAX_WORDS = 5

/**
 * Finds towns by name in a gazetteer, offline. It knows no streets and venues: for those it returns
 * the town, with the precision 'town'.
 */
export function localPlaces(): PlacesPort {
  let opening: Promise<Gazetteer> | undefined
  return {
    async resolve({ query, regionCode }) {
      opening ??= openGazetteer()
      const gazetteer = await opening
      const found = findTown(query, regionCode, gazetteer)
      return found === undefined ? null : toPlace(found, gazetteer)
    },
  }
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
  const parts = query
    .split(/[,;\n]|\s[-–—|@]\s/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
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
