import {
  DIMENSION,
  findColours,
  findModels,
  groupMeasures,
  isRequestWord,
  type RequestTerms,
} from './request-terms.ts'

/**
 * Whether a part of a reply is about what was asked for, in its size, about what it is called, about
 * another thing or size, or does not say.
 */
export type About = 'asked' | 'named' | 'other' | 'none'

const OTHER_KIND =
  /\b(?:generic|generique|(?<!(?:per|par) )cop(?:y|ie)|copies|chinese|chinois\w*|similar|equivalente?|substitute|alternative|another|other (?:brand|type|model|kind|one)s?|different|autre (?:marque|modele|type)|une autre|indi|ubundi bwoko|nyingine|tofauti|fake|kopi|imitation)\b/
const GENUINE = /\b(?:originale?s?|genuine|authentique)\b/
const DEMONSTRATIVE =
  /\b(?:the|le|la|les|icya|iya|uwa|uw'|ya|za|cya|wa|izo|non|pas|not|no|en|only|seulement) (?:ibiro )?(\d{1,4}(?:[./x]\d+)?)(?![\d.,]*\d| ?(?:k\d*|f|frw|rwf|francs?|mille)\b|[a-z]| (?:left|remaining|pieces|pcs|tabs|caps|boxes|bags|trays|units|restante?s?|[a-z]+s (?:left|remaining)))|(?<=^ ?)(\d{1,4}) (?=[a-z])|(?<= )(\d{1,4}) (?=(?:at|@|ni|is|kuri) ?$)/g

/** What a part of a folded reply is about. */
export function findAbout(part: string, terms: RequestTerms): About {
  const asked = { size: false, other: false }
  compareSizes(groupMeasures(part), terms.measures, asked)
  compareSizes(findModels(part), terms.models, asked)
  const colours = findColours(part)
  const wanted = terms.measures.get('colour')
  if (wanted !== undefined && colours.size > 0 && wanted.isDisjointFrom(colours)) return 'other'
  const dimensions = [...terms.numbers].filter((number) => /[/x-]/.test(number))
  for (const [figure] of part.matchAll(DIMENSION))
    if (terms.numbers.has(figure)) asked.size = true
    else if (dimensions.length > 0 && /[/x-]/.test(figure)) asked.other = true
  for (const [, named, first, headed] of part.matchAll(DEMONSTRATIVE)) {
    const number = named ?? first ?? headed ?? ''
    if (terms.numbers.has(number)) asked.size = true
    else if (first === undefined && !terms.figures.has(Number(number)) && isLikeSize(number, terms))
      asked.other = true
  }
  if (asked.size && !asked.other) return 'asked'
  const kind = OTHER_KIND.exec(part)?.[0]
  if (asked.other && !asked.size) return 'other'
  if (
    kind !== undefined &&
    !GENUINE.test(part) &&
    !kind.split(' ').some((word) => isRequestWord(word, terms))
  )
    return 'other'
  if (asked.size) return 'asked'
  return namesRequest(part, terms) ? (hasSizes(terms) ? 'named' : 'asked') : 'none'
}

/** Whether a reply names sizes and none that the request has: perhaps those of another kind. */
export function namesForeignSize(text: string, terms: RequestTerms): boolean {
  const values = [...groupMeasures(text)].flatMap(([unit, found]) =>
    unit === 'm' ? [] : [...found],
  )
  return values.length > 0 && !values.some((value) => terms.figures.has(Number(value)))
}

/** Whether a part of a reply says that it is about a copy, a generic or another brand. */
export function namesOtherKind(part: string): boolean {
  return OTHER_KIND.test(part)
}

/** Whether a part of a reply has a word of the request, or one of its sizes. */
export function namesRequest(part: string, terms: RequestTerms): boolean {
  return (
    [...part.matchAll(/[a-z]{3,}/g)].some(([word]) => isRequestWord(word, terms)) ||
    [...part.matchAll(/\d+(?:[./x]\d+)*/g)].some(([figure]) => terms.numbers.has(figure))
  )
}

// Where the request has no size, its name is all there is to be asked for.
function hasSizes({ numbers }: RequestTerms): boolean {
  return numbers.size > 0
}

type Compared = { size: boolean; other: boolean }
type Sizes = ReadonlyMap<string, ReadonlySet<string>>

function compareSizes(found: Sizes, wanted: Sizes, asked: Compared): void {
  for (const [unit, values] of found) {
    const own = wanted.get(unit)
    if (own === undefined) continue
    for (const value of values)
      if (own.has(value)) asked.size = true
      else if ([...own].some((one) => isComparable(one, value))) asked.other = true
  }
}

const LARGEST_SIZE = 50_000

// "Cement 12500" names a price, not another kind of "cement 42".
function isComparable(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= 1 && Number(other) <= LARGEST_SIZE
}

function isLikeSize(number: string, { numbers }: RequestTerms): boolean {
  return [...numbers].some((one) => isComparable(one, number))
}
