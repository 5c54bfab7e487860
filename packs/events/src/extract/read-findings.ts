import { readWhen } from '@surehand/dates'
import { withLastTime } from './chat-times.ts'
import type { Price } from './draft.ts'
import { findPlaces } from './find-place.ts'
import { findPrices } from './find-price.ts'
import { findTitles } from './find-title.ts'
import { findLineRoles } from './line-roles.ts'
import { findNoise } from './noise.ts'
import { type PickedWhen, pickWhen } from './pick-when.ts'
import { collectPlaces, type PlaceCandidate } from './place-candidates.ts'
import { describePlaces } from './place-features.ts'
import { PLACE_WEIGHTS } from './place-weights.ts'
import type { FoundPlace } from './place-words.ts'
import { type Features, type Ranked, rank } from './rank.ts'
import { overlaps, type SourceText, type Span } from './source-text.ts'
import { collectTitles, type TitleCandidate } from './title-candidates.ts'
import { describeTitles } from './title-features.ts'
import type { Roles } from './title-sentences.ts'
import { TITLE_WEIGHTS } from './title-weights.ts'

export type ReadingOptions = Parameters<typeof readWhen>[1]

export type Findings = {
  readonly picked: PickedWhen | undefined
  readonly titles: readonly Ranked<TitleCandidate>[]
  /** One of them is that there is no place. */
  readonly places: readonly Ranked<PlaceCandidate>[]
  readonly price: { readonly price: Price; readonly confidence: number } | undefined
}

/** What is found before titles and places are ranked. */
export type Prepared = {
  readonly source: SourceText
  readonly roles: Roles
  readonly taken: readonly Span[]
  readonly picked: PickedWhen | undefined
  readonly price: Findings['price']
  readonly places: readonly FoundPlace[]
}

/** Reads date, price, titles and places; the weights of the ranking are fitted by fit-ranker.ts. */
export function readFindings(source: SourceText, options: ReadingOptions, today: string): Findings {
  const prepared = prepare(source, options, today)
  const titles = rank(titleOptions(prepared), TITLE_WEIGHTS)
  const places = rank(placeOptions(prepared, titles[0]?.value), PLACE_WEIGHTS)
  return { picked: prepared.picked, titles, places, price: prepared.price }
}

export function prepare(source: SourceText, options: ReadingOptions, today: string): Prepared {
  const whens = readWhen(source.text, options)
  const prices = findPrices(source)
  const taken = [...whens.flatMap(({ spans }) => spans), ...prices, ...findNoise(source)]
  const named = findTitles(source, { taken }).filter(({ isWhole }) => isWhole)
  return {
    source,
    roles: findLineRoles(source),
    taken,
    picked: withLastTime(pickWhen(whens, source, today), source, options),
    price: prices[0],
    places: findPlaces(source, [...taken, ...named]),
  }
}

type Described<T> = readonly { readonly value: T; readonly features: Features }[]

export function titleOptions(prepared: Prepared): Described<TitleCandidate> {
  const { source, roles, taken, picked, places } = prepared
  const when = picked?.when.spans ?? []
  const strong = confidentPlaces(places, source, taken)
  const candidates = collectTitles(source, { taken, places: strong, when }, roles)
  return describeTitles(candidates, { source, roles, taken, when, places })
}

export function placeOptions(
  { source, roles, taken, picked, places }: Prepared,
  title: TitleCandidate | undefined,
): Described<PlaceCandidate> {
  const when = picked?.when.spans ?? []
  const candidates = collectPlaces(source, { places, taken })
  return describePlaces(candidates, { source, roles, taken, when, title })
}

/** The places whose words cannot be part of a title. */
function confidentPlaces(
  places: readonly FoundPlace[],
  source: SourceText,
  taken: readonly Span[],
): readonly FoundPlace[] {
  const strong = places.filter(
    ({ confidence, manner }, index) =>
      confidence >= 0.8 || (index === 0 && manner === 'words' && confidence >= 0.5),
  )
  if (source.lines.length < 3) return strong
  // "Jazz im Park" in large letters is a title although it names a place.
  const [headline] = findTitles(source, {
    taken,
    places: strong.filter(({ manner }) => manner !== 'words'),
  })
  return strong.filter(
    (place) => place.manner !== 'words' || headline === undefined || !overlaps(place, headline),
  )
}
