import { foldReply } from './fold-reply.ts'
import { NAMES_DAY } from './stock-words.ts'

/** What a request names, in the form in which a reply is compared with it. */
export type RequestTerms = {
  /** The words that name the thing, without those of the question around it. */
  readonly words: readonly string[]
  /** Strengths, sizes and numbers of models: the 500 of "amoxicillin 500 mg". */
  readonly numbers: ReadonlySet<string>
  /** Every number of the request, its count included. */
  readonly figures: ReadonlySet<number>
  /** The sizes by their unit (mm → 12), and the colour. */
  readonly measures: ReadonlyMap<string, ReadonlySet<string>>
  /** All sizes, also those by which the thing is counted: the 10 of "10 kg of sugar". */
  readonly sizes: ReadonlyMap<string, ReadonlySet<string>>
  /** Names with their number, without what is between them: "nan1", "a12", "iphone11". */
  readonly models: ReadonlyMap<string, ReadonlySet<string>>
  /** What it is counted by, in the singular: the "tray" of "eggs, one tray". */
  readonly packs: ReadonlySet<string>
  /** How many are wanted. */
  readonly quantity: number | undefined
  /** Several different things are wanted. */
  readonly isList: boolean
  readonly isRent: boolean
  /** It is wanted on a day that is named: "available Saturday" is then an offer, not a delay. */
  readonly isDated: boolean
  /** A thing that costs many thousands, so that "320" is short for 320,000. */
  readonly isCostly: boolean
}

// table
const QUESTION =
  /^(?:hello|hi|hey|dear|good|morning|afternoon|evening|please|kindly|sir|madam|client|clients|customer|someone|needs?|need|needed|looking|look|wants?|want|searching|near|nearby|do|does|did|you|your|have|has|had|sell|stock|got|available|availability|price|prices|cost|costs|how|much|many|what|which|when|where|who|is|are|it|its|the|a|an|of|for|from|with|without|and|or|in|on|at|to|per|can|could|would|we|i|me|my|us|this|that|these|those|one|two|any|some|also|repair|repaired|fix|replace|replaced|change|labou?r|not|start|refill|unlock|fell|water|write|stop|more|requests?|bonjour|bonsoir|salut|svp|merci|un|une|des|du|de|la|le|les|l|d|cherche|recherche|besoin|faut|il|elle|avez|vous|avoir|est|sont|quel|quelle|prix|combien|disponible|dispo|pour|avec|et|ou|en|au|aux|dans|chez|pres|changez|reparez|vendez|faites|muraho|mwaramutse|mwiriwe|mufite|mukora|murifite|mugurisha|murafite|nashakaga|ndashaka|umukiriya|arashaka|ashaka|akeneye|igura|zigura|kigura|bigura|ni|angahe|zingahe|ibiciro|igiciro|na|ya|wa|cya|za|by|cy|y|n|ku|mu|hafi|se|habari|je|mnayo|mna|mnauza|unayo|bei|gani|ngapi|anatafuta|natafuta|mteja|karibu|kwa|ya|yenye|nzuri|x)$/
const PACK =
  /^(?:pcs?|pieces?|tabs?|tablets?|tablette?s?|caps|capsules?|box|boxes|boites?|paquets?|packs?|packets?|plaquettes?|plaquets?|strips?|blisters?|bottles?|bouteilles?|flacons?|sachets?|units?|unites?|comprimes?|gelules?|cartons?|bags?|sacs?|sets?|pairs?|paires?|trays?|tins?|buckets?|rolls?|rouleaux?|vials?|jerrycans?|bidons?|bars?|dozens?|douzaines?|kilos?|kgs?|litres?|liters?|metres?|meters?|adult|adults|imifuka|umufuka|agakarito|udukarito|amakarito|ibiro|ikilo|ikiro|litiro|icupa|amacupa|mifuko|mfuko|pakiti|chupa|vidonge|kopo|makopo|doses?|[a-z]{1,2})$/
const UNITS: Readonly<Record<string, string>> = {
  ...{ gr: 'g', gram: 'g', grams: 'g', kgs: 'kg', kilo: 'kg', kilos: 'kg', ibiro: 'kg' },
  ...{ ltr: 'l', ltrs: 'l', litre: 'l', litres: 'l', liter: 'l', liters: 'l', litiro: 'l' },
  ...{ watt: 'w', watts: 'w', go: 'gb', inches: 'inch', pouces: 'inch', '"': 'inch' },
}
const MEASURE =
  /(\d+(?:[.,]\d+)?) ?(mg|mcg|ug|g|gr|grams?|mls?|cl|l|ltrs?|lit(?:re|er)s?|mm|cm|m|kgs?|kilos?|gb|go|tb|mah|w|watts?|v|inch(?:es)?|pouces|")(?![a-z0-9'])|\b(litiro|ibiro|kilo) (\d+(?:[.,]\d+)?)/g
const MODEL = /(?<![a-z0-9])([a-z]{1,14})([ -]?)(\d{1,4})(?![a-z0-9]|[.,/]\d)/g
/** "20/120", "30x60", "2.75-18", "42.5" */
export const DIMENSION = /\d+(?:[.,]\d+)?(?:[/x-]\d+(?:[.,]\d+)?)+|\d+\.\d{1,2}(?!\d)/g
const COUNT =
  /\bx ?(\d{1,3})\b|, (\d{1,3}) [a-z]{3,}(?= ?(?:$|[.,?]))|, [a-z]{3,} (\d{1,3})(?= ?(?:$|[.,?]))|(?<![\d.,/])(\d{1,3}) (?:pcs?|pieces?|tabs?|tablets?|capsules?|caps|box|boxes|boites?|paquets?|packs?|packets?|plaquettes?|strips?|bottles?|flacons?|sachets?|units?|comprimes?|gelules?|cartons?|bags?|sacs?|pairs?|paires?|trays?|tins?|buckets?|rolls?|vials?|jerrycans?)\b|\b(?:imifuka|plaquettes|amakarito|agakarito|udukopo|amacupa|mifuko|pakiti|chupa|vidonge) (\d{1,3})\b/
/** Sizes by which a thing is also counted: 10 kg of sugar are ten of one kilo. */
const COUNTED: ReadonlySet<string> = new Set(['kg', 'l', 'm'])

const COSTLY =
  /\b\d+ ?(?:gb|tb|go|inch(?:es)?|pouces|kva|kw|cc)\b|\b(?:iphone|smartphone|laptop|ordinateur|macbook|tv|television|fridge|frigo|freezer|congelateur|generator|generateur|motorcycle|sofa|canape|matelas|mattress|washing machine|machine a laver|playstation|ps[45]|solar panel|panneau solaire)\b/

/** A thousand litres are not a thousand things: from here on it is the size of a tank. */
const LARGE = 200

/** The terms of a request: a need ("amoxicillin 500 mg, 21 capsules"), or the question about it. */
export function readRequestTerms(request: string): RequestTerms {
  const text = foldReply(request.slice(0, 1000)).replace(/(?<!\d)(\d{1,3}) (\d00)(?!\d)/g, '$1$2')
  const quantity = COUNT.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
  const sizes = groupMeasures(text)
  const measures = new Map<string, ReadonlySet<string>>(sizes)
  if (quantity === undefined)
    for (const unit of COUNTED)
      if ([...(measures.get(unit) ?? [])].every((value) => Number(value) < LARGE))
        measures.delete(unit)
  const colours = findColours(text)
  if (colours.size > 0) measures.set('colour', colours)
  const models = findModels(text)
  const numbers = new Set([
    ...[...sizesOf(measures), ...models.values()].flatMap((values) => [...values]),
    ...[...text.matchAll(DIMENSION)].map(([figure]) => figure),
  ])
  return {
    words: findWords(text),
    numbers,
    figures: new Set([...text.matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => Number(figure))),
    measures,
    sizes,
    models,
    packs: new Set(
      [...text.matchAll(/[a-z]{2,}/g)].flatMap(([word]) =>
        PACK.test(word) && !QUESTION.test(word) ? [word.replace(/s$/, '')] : [],
      ),
    ),
    quantity: quantity === undefined ? undefined : Number(quantity),
    isList: countThings(text) > 1,
    isCostly: COSTLY.test(text),
    isDated: NAMES_DAY.test(text),
    isRent:
      /\b(?:rent(?:al|ing)?|hire|hiring|louer|location|(?:gu|mu|u|ku)?kodesh\w*|kukodi\w*|vacant|apartment|appartement|studio|airbnb)\b/.test(
        text,
      ),
  }
}

function sizesOf(measures: ReadonlyMap<string, ReadonlySet<string>>) {
  return [...measures].filter(([unit]) => unit !== 'colour').map(([, values]) => values)
}

/** The sizes that a text names, by unit. */
export function groupMeasures(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, value, unit, before, behind] of text.matchAll(MEASURE)) {
    const name = (unit ?? before ?? '').replace(/^mls$/, 'ml')
    const key = UNITS[name] ?? name
    found.set(key, (found.get(key) ?? new Set()).add((value ?? behind ?? '').replace(',', '.')))
  }
  return found
}

// table
const COLOURS: readonly (readonly [string, RegExp])[] = [
  ['white', /\b(?:white|blanche?s?|[a-z]*mweru|[bcr]?[uiy]?era|nyeupe)\b/],
  ['black', /\b(?:black|noire?s?|[a-z]*mukara|nyeusi)\b/],
  ['red', /\b(?:red|rouges?|[a-z]*tukura|umutuku|nyekundu)\b/],
  ['blue', /\b(?:blue|bleue?s?|ubururu|bluu)\b/],
  ['green', /\b(?:green|verte?s?|icyatsi|kijani)\b/],
  ['yellow', /\b(?:yellow|jaunes?|umuhondo|njano)\b/],
  ['grey', /\b(?:gr[ea]y|grise?s?|ikijuju|kijivu)\b/],
  ['brown', /\b(?:brown|marrons?|brune?s?|ikigina|kahawia)\b/],
  ['cream', /\b(?:cream|creme)\b/],
  ['beige', /\bbeiges?\b/],
  ['pink', /\b(?:pink|roses?|iroza)\b/],
]

/** The colours that a text names, in English. */
export function findColours(text: string): ReadonlySet<string> {
  return new Set(COLOURS.filter(([, form]) => form.test(text)).map(([name]) => name))
}

/** Names that carry a number: "NAN 1", "A12", "BG 28". */
export function findModels(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = '', gap = '', number = ''] of text.matchAll(MODEL))
    if (isModelName(name, gap === '' && number.length < 4))
      found.set(name, (found.get(name) ?? new Set()).add(number))
  return found
}

// "A12" is a model although "a" is a word; "a 12" is none.
function isModelName(name: string, isGlued: boolean): boolean {
  if (isGlued) return !/^(?:frw|rwf|f|ni|at)$/.test(name)
  return !QUESTION.test(name) && (!PACK.test(name) || /^[a-z]{1,2}$/.test(name))
}

function findWords(text: string): readonly string[] {
  const words = [...text.matchAll(/[a-z]{3,}/g)].map(([word]) => word)
  return [...new Set(words)].filter((word) => !QUESTION.test(word) && !PACK.test(word))
}

// "Cetirizine x10, ibuprofen x20 and a cough syrup" are three; "paint, 20 L, 2 buckets" is one.
function countThings(text: string): number {
  const seen = new Set<string>()
  const parts = text
    .replace(/\([^)]*\)/g, ' ')
    .split(/[,;+&:?.](?!\d)| (?:and|et|na|plus|pamoja na) | n'/)
    // "5 reams" counts what was named before it.
    .filter((part, at) => at === 0 || !/^ *(?:\d+ [a-z]+|[a-z]+ \d+) *$/.test(part))
    .map((part) => findWords(part).filter((word) => !seen.has(word) && seen.add(word)))
  return parts.filter((words) => words.length > 0).length
}

/** Whether a word of a reply is one of the request's, shortened or in another language's spelling. */
export function isRequestWord(word: string, { words }: RequestTerms): boolean {
  return words.some(
    (known) =>
      known === word ||
      (word.length >= 4 && known.length >= 4 && known.slice(0, 5) === word.slice(0, 5)) ||
      (word.length === 4 && known.startsWith(word)),
  )
}
