import { maskMatches } from './fold-reply.ts'
import { findNumberWords } from './number-words.ts'
import { UNIT_AFTER } from './price-words.ts'
import { rememberLast } from './remember-last.ts'
import type { RequestTerms } from './request-terms.ts'

/** An amount of money that a reply may name. */
export type Amount = {
  readonly index: number
  readonly end: number
  readonly value: number
  /** `RWF` where the reply names none. */
  readonly currency: string
  /** A currency or "k" stands beside it, so that it is money for sure. */
  readonly marked: boolean
  /** A small number that is taken for thousands. */
  readonly isShort?: true
  /** How many: the 2 of "2x5000". */
  readonly times?: number
}

const CURRENCY = String.raw`(?:frws?|rwf|rfw|francs?|frs?|f|amafaranga|faranga|amafr|shillings?|shilingi|usd|dollars?|\$|eur|euros?|€|ugx|kes|ksh|tzs)`
const CURRENCY_CODES: readonly (readonly [RegExp, string])[] = [
  [/^(?:usd|dollars?|\$)$/, 'USD'],
  [/^(?:eur|euros?|€)$/, 'EUR'],
  [/^ugx$/, 'UGX'],
  [/^(?:kes|ksh)$/, 'KES'],
  [/^tzs$/, 'TZS'],
]

const PHONE =
  /(?<!\d)(?:\+250[ .-]?7(?:[ .-]?\d){8}(?!\d)|\+(?!250)\d[\d ().-]{6,}\d|(?:250[ .-]?)?0?7[2389](?:[ .-]?\d){7}(?!\d)|\d{9,})/g
const COUNT_NOUN =
  '(?:pcs?|pieces?|tabs?|tablets?|caps(?:ules)?|box(?:es)?|boites?|paquets?|packs?|plaquettes?|strips?|blisters?|bottles?|bouteilles?|flacons?|sachets?|units?|unites?|trays?|tins?|buckets?|rolls?|vials?|jerrycans?|bars?|plateaux?|seaux?|rouleaux?|vidonge|mifuko|imifuka|pakiti|chupa|amakarito|udukopo|amacupa|plaquets?|comprimes?|cps?|gelules?|cartons?|bags?|sacs?|sets?|pairs?|paires?|colis|items?|articles?|left|remaining|restante?s?|doses?)'
const MEASURE =
  /\b(?!\d{4,} ?kg)\d+(?:[.,]\d+)? ?(?:mg|mcg|ug|gr?|mls?|cl|l(?!')|ltrs?|lit(?:re|er)s?|iu|ui|mm|cm|m|km|kgs?|kilos?|gb|go|tb|mb|mah|w|watts?|v|volts?|hz|inch(?:es)?|"|mins?|minutes?|secs?|seconds?|iminota|days?|jours?|iminsi|weeks?|semaines?|months?|mois|years?|ans|amasaha|hours?|heures?|hrs?|stars?)\b(?! ?[=:] ?\d)(?: ?\/ ?\d+(?:[.,]\d+)? ?(?:mg|mls?|g))?|\b\d+(?:[.,]\d+)? ?%/g
const MONTH =
  '(?:jan(?:uary|vier)?|feb(?:ruary)?|fevrier|mar(?:ch|s)?|apr(?:il)?|avril|may|mai|june?|juin|july?|juillet|aug(?:ust)?|aout|sept?(?:ember|embre)?|oct(?:ober|obre)?|nov(?:ember|embre)?|dec(?:ember|embre)?)'
const NOT_MONEY: readonly RegExp[] = [
  // codes to pay with: "*182*8*1*440981#", "momo code 440981"
  /\*?\d+(?:\*\d+){2,}#?|\*\d+(?:\*\d+)*#|\b(?:momo|momopay|merchant|marchand|till|agent|pay)? ?code(?: (?:is|ni|est))? ?:? ?\d{4,}/g,
  PHONE,
  // the date of expiry: "exp 06/2028", "expiry 2028"
  /\b(?:exp(?:iry|ires?|iring|ire|iration)?|peremption|perime|valide?|until|till|jusqu'en|best before|mfg|kugeza(?: mu)?)\.? ?:?(?: (?:is|in|on|date|en|le|est|the|end|of|fin|de))* ?(?:\d{1,2} ?[/.-] ?)?(?:20)[2-4]\d\b|\b(?:0?[1-9]|1[0-2])[/-]20[2-4]\d\b/g,
  /\b\d{1,2}[/.-]\d{1,2}[/.-](?:20)?\d{2}\b|\b20[23]\d-\d{2}-\d{2}\b/g,
  new RegExp(
    String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)? )?${MONTH}\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?20[23]\d\b`,
    'g',
  ),
  new RegExp(String.raw`\b\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}\b`, 'g'),
  /\b(?:[01]?\d|2[0-4]) ?h(?:rs?)? ?(?:[0-5]\d)?\b|\b\d{1,2}:\d{2}(?: ?[ap]\.?m\b\.?)?|\b\d{1,2} ?[ap]\.?m\b\.?/g,
  MEASURE,
  /\b\d+k ?mah\b/g,
  // the year of a model, and codes with a leading zero
  /\b(?:model|modele|year|annee|edition|version) (?:19|20)\d\d\b|\b(?:19|20)\d\d (?=model|edition|version)|(?<!\d[ .,']?)\b0\d+\b/g,
  // addresses: "plot 2034", "shop 145", "no. 300"
  /(?:\b(?:no(?= ?\d{1,3}(?!\d))|nr|number|num|numero|plot|parcelle|shop|door|room|stand|house|gate|porte|block|kiosk|floor|p\.?o\.? box) ?|\b(?:no|nr|num)\. ?|#|n°) ?\d+(?![\d.,]*\d?(?:k|f|frw|rwf)\b)/g,
  // "pack of 10", "boite de 20", "b/10"
  /\b(?:packs?|box(?:es)?|boites?|paquets?|plaquettes?|cartons?|bags?|sacs?|strips?|set) (?:of|de|ya|y') ?\d{1,4}\b|\bb\/\d{1,3}\b/g,
  /\b(?:min(?:imum)?|moq|at least|au moins)(?: (?:order|quantity|of|de|is))* ?:? ?\d{1,4}\b(?! ?(?:f|frw|rwf|k|francs?)\b)|\b\d{3} (?:pcs|pieces|units|unites)\b/g,
  new RegExp(String.raw`\b\d{1,2}(?: ${COUNT_NOUN}\b|${COUNT_NOUN}\b)`, 'g'),
]
/** Numbers that are seldom a price, but may be one: sizes, model numbers and strengths. */
const SELDOM_MONEY: readonly RegExp[] = [
  // sizes and model numbers: 175/70, R13, 500/125
  /\b\d+(?:\/\d+)+\b|\b[a-z]+-?\d+[a-z]*\b(?<!\b(?:frw|rwf|ni|a|f|at)\d+)/g,
  // "the 500", "le 250": a strength
  /\b(?:the|le|la|iya|ya) (?:125|250|400|500|625|650|800|1000)\b(?! ?(?:f|frw|rwf|k)\b)/g,
]

const FIGURE = String.raw`\d{1,3}k\d{1,3}(?![\dk]|[.,]\d)|\d{1,3}(?: \d{3})+(?!\d)|\d{1,3}(?:[.,']\d{3})+(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)`
const AMOUNT = new RegExp(
  String.raw`(?:(?<![a-z])(${CURRENCY})\.? ?)?(?<![\d.,\u00A4])(${FIGURE})(?: ?(k|mil|mille|thousand|milles|millions?|hundred|cents)(?![a-z]))?(?: ?(${CURRENCY})(?![a-z']))?(?:[.,]?\/?[-=](?![\d]))?`,
  'g',
)
const TIMES_BEFORE = /(?<![\d.,])(\d{1,3}) ?(?:[x*@\u00D7]|fois) ?$/
const TIMES_AFTER = /^ ?(?:[x*\u00D7]|fois) ?(\d{1,3})(?!\d)/
const LEAST_BARE = 100
/** "50 each" is a price; "3 each" counts. */
const LEAST_OF_UNIT = 20
const LEFT_OVER =
  /\d{3}|\b(?:is|it's|at|for|ni|igura|a|est|price|prix|igiciro|c'est|@) ?[:=]? ?\d|\d[.,]\d/

/**
 * Whether a reply has a number that may be a price although none was read: "ihari 8000/10000", "it's
 * 45".
 */
export function hasNumberLeft(text: string, terms?: RequestTerms): boolean {
  return LEFT_OVER.test(maskRequested(NOT_MONEY.reduce(maskMatches, text), terms))
}

const THOUSANDS = 10_000
const SHORT =
  /(?<![\d.,a-z/-])\d{2,3}(?![\d.,]*\d|[a-z/-]| ?(?:%|km|yrs?|ans|pouces|people|personnes)(?![a-z]))/g

/**
 * Whether a bare number stands beside amounts of many thousands and may be short for such a one:
 * "280 mille, turc 190".
 */
export function hasShortThousands(
  text: string,
  amounts: readonly Amount[],
  terms?: RequestTerms,
): boolean {
  if (!amounts.some(({ marked, value }) => marked && value >= THOUSANDS)) return false
  let masked = text
  for (const { index, end, marked, value } of amounts)
    if (marked || value >= 1000)
      masked = masked.slice(0, index) + '\u00A4'.repeat(end - index) + masked.slice(end)
  return [...NOT_MONEY.reduce(maskMatches, masked).matchAll(SHORT)].some(
    ({ 0: figure, index }) =>
      terms?.numbers.has(figure) !== true &&
      terms?.figures.has(Number(figure)) !== true &&
      !UNIT_AFTER.test(text.slice(index + figure.length)),
  )
}

/** The sums of money in a folded reply, in the order in which they are named. */
export const findAmounts = rememberLast(collectAmounts)

function collectAmounts(text: string, terms?: RequestTerms): readonly Amount[] {
  const masked = maskRequested([...NOT_MONEY, ...SELDOM_MONEY].reduce(maskMatches, text), terms)
  const written = findNumberWords(masked).map(
    ({ index, length, value, implied }): Amount => ({
      index,
      end: index + length,
      value,
      currency: 'RWF',
      marked: implied === undefined,
    }),
  )
  const figures: Amount[] = []
  for (const match of masked.matchAll(AMOUNT)) {
    const amount = readAmount(match, masked)
    // The figure of "ibihumbi 14 frw" is a part of the written number.
    const isWritten = written.some(
      ({ index, end }) => match.index < end && match.index + match[0].length > index,
    )
    if (amount !== undefined && !isWritten) figures.push(amount)
  }
  const found = [...figures, ...written]
  return [...found, ...(found.length === 0 && terms !== undefined ? findShortPrices(masked) : [])]
    .map((amount) => (terms?.isCostly === true ? writeOut(amount) : amount))
    .sort((one, other) => one.index - other.index)
}

// "Oraimo, 25", "c'est 48 le rouleau": where no other amount stands, a small number in the place of a
// price is short for thousands. "At 5" may be an hour and "for 2" a count, so these need a larger one.
const SHORT_PRICE =
  /(?:(\b(?:is|it's|ni|igura|est|c'est|price|prix|bei|igiciro)|[@=:]) ?|\b(?:at|for|a|kuri|pour|now|none) |(?:^|, ?))(\d{1,2}(?:[.,]5)?)(?= ?(?:$|[;!?\n)]|[.,](?!\d)|(?:only|cash|last|final|fixed|for you|pour vous|now|zombi|(?:la|le|per|par|each|chacune?)\b)))/g

function findShortPrices(masked: string): readonly Amount[] {
  return [...masked.matchAll(SHORT_PRICE)].flatMap(
    ({ 0: whole, 1: cue, 2: figure = '', index }) => {
      const short = Number(figure.replace(',', '.'))
      if (short < (cue === undefined ? 13 : 3)) return []
      const end = index + whole.length
      const value = short * 1000
      return [
        { index: end - figure.length, end, value, currency: 'RWF', marked: false, isShort: true },
      ]
    },
  )
}

// "320 final" for a telephone.
function writeOut(amount: Amount): Amount {
  return amount.marked || amount.value >= 1000 ? amount : { ...amount, value: amount.value * 1000 }
}

// "Metformin 850 dispo": a number of the request is said again, unless it stands where a price does.
function maskRequested(named: string, terms: RequestTerms | undefined): string {
  const figures = [...(terms?.figures ?? [])].filter((figure) => figure >= 10)
  if (figures.length === 0 || isAlone(named)) return named
  // "For 2010 and 2012" of a part for a car of 2012: years, not prices.
  const text = figures.some(isYear) ? maskMatches(named, YEAR) : named
  const list = figures.join('|').replaceAll('.', String.raw`\.`)
  return maskMatches(
    text,
    new RegExp(
      String.raw`(?<![\d.,]|(?<![a-z\d])\d{1,3} |\b(?:faranga|ni|is|at|for|a|igura|price|prix|bei|est|costs?|to|kuri|each|chacune?|imwe|kimwe) |[=:@] ?|rwf ?|frw ?)(?:${list})(?: (?:${list}))*(?!\d|[.,]\d| \d{3}(?!\d)| ?(?:k\d*|f|fr|frw|frws|rwf|francs?|mille|faranga|each|per|la piece|chacune?|imwe|kimwe|zombi|byose|yose)\b| ?\/ ?[-=a-z])`,
      'g',
    ),
  )
}

const YEAR = /(?<![\d.,])(?:19[89]|20[0-3])\d(?![\d.,]*\d| ?(?:f|frw|rwf|francs?|each|per)\b)/g
const isYear = (figure: number) => figure >= 1980 && figure < 2040

const isAlone = (text: string) => !/[a-z]/.test(text)

function scaleOf(word: string): number {
  return word === 'hundred' || word === 'cents' ? 100 : word.startsWith('million') ? 1e6 : 1000
}

// "2k5" is 2,500 and "7k500" 7,500: what follows the k are the hundreds, as in "1m80".
function readFigure(figure: string): number {
  const [thousands = '', rest] = figure.split('k')
  if (rest !== undefined) return Number(thousands) * 1000 + Number(rest.padEnd(3, '0'))
  return Number(
    /^\d{1,3}(?:[ .,']\d{3})+$/.test(figure)
      ? figure.replace(/[ .,']/g, '')
      : figure.replace(',', '.'),
  )
}

function readAmount(match: RegExpExecArray, masked: string): Amount | undefined {
  const [whole, before, figure = '', scale, after] = match
  const plain = readFigure(figure)
  const value = scale === undefined ? plain : plain * scaleOf(scale)
  const marked = (before ?? after ?? scale) !== undefined || figure.includes('k')
  const end = match.index + whole.length
  const least = UNIT_AFTER.test(masked.slice(end)) ? LEAST_OF_UNIT : LEAST_BARE
  if (value === 0 || (!marked && (value < least || !Number.isInteger(value)))) return undefined
  const code = (before ?? after ?? '').trim()
  const currency = CURRENCY_CODES.find(([form]) => form.test(code))?.[1] ?? 'RWF'
  const times =
    TIMES_BEFORE.exec(masked.slice(0, match.index))?.[1] ?? TIMES_AFTER.exec(masked.slice(end))?.[1]
  return {
    index: match.index,
    end,
    value: Math.round(value * 100) / 100,
    currency,
    marked,
    ...(times !== undefined && { times: Number(times) }),
  }
}
