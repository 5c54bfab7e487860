import { type Amount, findAmounts, hasNumberLeft } from './find-amounts.ts'

/** What a reply asks for, in money. */
export type PriceReading = {
  readonly price?: number
  readonly unit?: string
  readonly total?: number
  readonly delivery?: number
  readonly currency: string
  /** From 0 to 1: how surely this amount is the price. 1 where the reply has no number that may be one. */
  readonly confidence: number
  readonly marked: boolean
  /** Where the first price stands in the reply. */
  readonly at?: number
}

type Role = 'price' | 'unit' | 'total' | 'final' | 'delivery' | 'other'
type Judged = Amount & { readonly role: Role; readonly unit?: string; readonly bare?: true }

const UNIT_NOUNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:box|boite|boxes|boites|carton|ikarito)$/, 'box'],
  [/^(?:strip|plaquette|blister)$/, 'strip'],
  [/^(?:tablet|tab|comprime|cp|ikinini|capsule|gelule)$/, 'tablet'],
  [/^(?:bottle|bouteille|flacon|icupa)$/, 'bottle'],
  [/^(?:kg|kilo|kilogram|ikiro)$/, 'kg'],
  [/^(?:pack|paquet|packet|ipaki)$/, 'pack'],
  [/^(?:sachet|bag|sac|umufuka)$/, 'bag'],
  [/^(?:metre|meter|metero)$/, 'metre'],
  [/^(?:litre|liter|litiro)$/, 'litre'],
  [/^(?:pair|paire)$/, 'pair'],
  [/^(?:dozen|douzaine|duzeni)$/, 'dozen'],
  [/^(?:day|jour|umunsi)$/, 'day'],
]
const NOUN =
  '(?:box|boite|carton|ikarito|strip|plaquette|blister|tablet|tab|comprime|cp|ikinini|capsule|gelule|bottle|bouteille|flacon|icupa|kg|kilo|ikiro|pack|paquet|packet|ipaki|sachet|bag|sac|umufuka|metre|meter|metero|litre|liter|litiro|pair|paire|dozen|douzaine|day|jour|umunsi|piece|pc|unit|unite|item|one|person)'
const ONE = '(?:imwe|kamwe|kimwe|rimwe|umwe|bumwe|rumwe)'
const UNIT_AFTER = new RegExp(
  String.raw`^[ ,]*(?:each\b|apiece\b|a piece\b|chacune?\b|chaque\b|${ONE}\b|(?:per|par|kuri|buri|la|le|a|the|l'|for|pour|for one|\/) ?(?:one |1 |une? )?(${NOUN})\b|l'une?\b|(?:for|pour) (?:1|one|une?)\b)`,
)
const UNIT_BEFORE = new RegExp(
  String.raw`(?:\beach|\b(?:a|one|1|per|chaque|buri|l'|la|le|un|une) ?(${NOUN})|\b${ONE}|\bikiro|\bone|\bsingle)(?: (?:ni|is|are|at|a|for|costs?|coute|igura|iri kuri))? ?[=:]? ?$`,
)
const MANY = String.raw`(?:both|all|everything|them all|the two|the lot|les? (?:deux|trois|quatre|cinq|\d+)|tout|[2-9]|\d\d|two|three|four|five|six|ten|twelve|a dozen|deux|trois|dix|douze)`
const TOTAL_AFTER = new RegExp(
  String.raw`^[ ,]*(?:(?:for|pour) ${MANY}\b|(?:les|the) (?:deux|two|trois|three|\d+)\b|en tout|au total|in total|total\b|byose|zose|yose|all together|altogether)`,
)
const TOTAL_BEFORE =
  /(?:\b(?:total|sum|all|all of them|both|everything|en tout|au total|tout|byose|zose|yose|les deux|ebyiri|eshatu|enye|eshanu)|(?:\b(?:[2-9]|\d\d)|\b(?:two|three|four|five|deux|trois|quatre|cinq)) (?:for|pour|at|pcs|pieces|boxes|boites|packs|paquets|tablets|plaquettes|bottles|strips))(?: (?:is|are|ni|a|est|fait|comes to|will be|price|price is))? ?[:=]?(?: de)? ?$/
const DELIVERY =
  '(?:delivery|livraison|transport|shipping|moto|courier|deplacement|kubizana|kuyizana)'
const DELIVERY_AFTER = new RegExp(
  String.raw`^ ?(?:for |de |pour |of |ya )?(?:the |la |le )?${DELIVERY}\b(?! (?:included|inclus\w*|compris\w*|free|gratuit\w*|offert\w*))`,
)
const DELIVERY_BEFORE = new RegExp(
  String.raw`\b${DELIVERY}(?: (?:is|fee|fees|cost|costs|ni|est|a|at|de))* ?[:=]? ?$`,
)
const OTHER_BEFORE =
  /\b(?:above|over|(?<!no )more than|beyond|au dessus de|au-dessus de|hejuru ya|was|were|instead of|in place of|au lieu de|aho kuba|not|pas|before|avant|used to be|etait(?: a)?|deposit|avance|acompte|code|others?(?: (?:sell|charge|ask|take))?(?: it)?|elsewhere|ailleurs|ahandi)(?: (?:is|of|at|a|de))? ?[:=]? ?$/
const FINAL_BEFORE =
  /\b(?:last price|final|final price|dernier prix|now|maintenant|only|reduced to|discount|promo|i give you|give you at|give it at|give (?:it|this) to you(?: for| at)?|leave it (?:for|at)|reduce to|je vous fais|je vous laisse|je laisse|for you|can do|nakugabanyiriza|nguhera|naguhera|ndaguhera)(?: (?:is|ni|a|at|it's|for))? ?[:=]? ?$/
const FINAL_AFTER = /^ ?(?:last price|final|last|dernier prix|fixed|non negociable|promo)\b/
const PRICE_BEFORE =
  /(?:\b(?:price|prix|cost|costs|coute|igiciro|agaciro|igura|zigura|bigura|kigura|ugura|is|are|ni|est|at|a|for|pour|sell|selling|vend|vends)|[@=:])(?: (?:is|of|de|ni|est|at|a|it's))* ?[:=@]? ?$/

const COUNTED_AFTER =
  /^ ?(?:pcs|pieces|units|boxes|people|persons|customers|clients|in stock|left|remaining|available|en stock|disponibles|restants?|personnes|abantu)\b/
const VARIANT =
  /\b(?:small|smaller|medium|large|larger|big|bigger|mini|single|double|new|used|second ?hand|old|original|genuine|copy|here|delivered|pick|bring|petite?|grande?|moyenne?|gros|grosse|neuf|neuve|occasion|simple|iya|y'?iya|n'iya|into|inini|nto|nini|ntoya|\d+ ?(?:mls?|mg|gr?|kgs?|l|ltrs?|lit(?:re|er)s?|gb|go|inch(?:es)?|cm|m|pcs|tabs?|tablets?|pieces))\b/

/** The price, the sum and the cost of delivery that a folded reply names. */
export function readPrice(text: string): PriceReading {
  const judged = findAmounts(text).map((amount, at, all) => judgeAmount(text, amount, all[at - 1]))
  const delivery = judged.find(({ role }) => role === 'delivery')
  const prices = judged.filter(({ role }) => role !== 'delivery' && role !== 'other')
  const first = prices[0]
  if (first === undefined)
    return { currency: 'RWF', confidence: hasNumberLeft(text) ? 0.55 : 1, marked: false }
  const { chosen, total, confidence } = choosePrice(text, prices)
  const sum = total ?? chosen.times ?? undefined
  const added =
    total?.value ?? (chosen.times === undefined ? undefined : chosen.times * chosen.value)
  const withDelivery = delivery === undefined ? added : (added ?? chosen.value) + delivery.value
  return {
    price: chosen.value,
    ...(chosen.unit !== undefined && { unit: chosen.unit }),
    ...((sum !== undefined || delivery !== undefined) &&
      withDelivery !== undefined && { total: withDelivery }),
    ...(delivery !== undefined && { delivery: delivery.value }),
    currency: chosen.currency,
    at: first.index,
    confidence,
    marked: prices.some(({ marked, bare }) => marked || bare === undefined),
  }
}

function choosePrice(
  text: string,
  prices: readonly Judged[],
): { readonly chosen: Judged; readonly total?: Judged; readonly confidence: number } {
  const byRole = (role: Role) => prices.filter((price) => price.role === role)
  const lowest = prices.reduce((one, other) => (other.value < one.value ? other : one))
  const [final] = byRole('final').slice(-1)
  const [unit] = byRole('unit')
  const [total] = byRole('total').slice(-1)
  const others = new Set(prices.map(({ value }) => value))
  if (prices.length === 1 || others.size === 1) {
    const sole = unit ?? total ?? lowest
    return {
      chosen: sole,
      ...(sole.role === 'total' && { total: sole }),
      confidence: COUNTED_AFTER.test(text.slice(sole.end))
        ? 0.55
        : sole.marked || sole.bare === undefined
          ? 0.95
          : isAlone(text)
            ? 0.85
            : bareConfidence(sole.value),
    }
  }
  const counted = prices.find(({ times, value }) => others.has((times ?? 0) * value))
  if (counted !== undefined) return { chosen: counted, confidence: 0.9 }
  if (final !== undefined)
    return { chosen: final, confidence: final.value === lowest.value ? 0.8 : 0.55 }
  if (unit !== undefined && total !== undefined && total.value > unit.value)
    return { chosen: unit, total, confidence: 0.9 }
  if (unit !== undefined && byRole('unit').length === 1 && prices.length === 2)
    return { chosen: unit, confidence: isMultiple(unit, prices) ? 0.8 : 0.55 }
  if (total !== undefined && total.value >= Math.max(...others))
    return { chosen: total, total, confidence: 0.8 }
  return {
    chosen: lowest,
    confidence: isRange(text, prices) || areVariants(text, prices) ? 0.65 : 0.5,
  }
}

// "5k to 7k", "entre 5000 et 7000", "reduced from 8000 to 6500": the lower one counts.
function isRange(text: string, [one, other, ...more]: readonly Judged[]): boolean {
  if (one === undefined || other === undefined || more.length > 0) return false
  const joint = text.slice(one.end, other.index).trim()
  const start = text.slice(0, one.index)
  return /^(?:-|to|a|et)$/.test(joint) || (joint === 'and' && /\bbetween $/.test(start))
}

// "small 5000, big 8000": every amount has the name of a size or a kind, so the lowest is a price of
// the thing. Amounts with the names of products may have to be added instead.
function areVariants(text: string, prices: readonly Judged[]): boolean {
  const before = prices.map(({ index }, at) => text.slice(prices[at - 1]?.end ?? 0, index))
  const after = prices.map(({ end }, at) => text.slice(end, prices[at + 1]?.index))
  return [before, after].some((parts) => parts.every((part) => VARIANT.test(part)))
}

// "10 pcs for 20000, single 2000": the other amount is that of several units.
function isMultiple(unit: Judged, prices: readonly Judged[]): boolean {
  return prices.every(
    ({ value }) => value === unit.value || (value > unit.value && value % unit.value === 0),
  )
}

const isAlone = (text: string) => /^[\d.,' ]+$/.test(text)

// A bare figure of few digits may be a strength, a model or a house number, and prices are round.
function bareConfidence(value: number): number {
  if (value % 50 !== 0) return 0.5
  return value >= 1000 ? 0.85 : value >= 300 ? 0.7 : 0.5
}

function judgeAmount(text: string, amount: Amount, previous: Amount | undefined): Judged {
  const before = text.slice(Math.max(previous?.end ?? 0, amount.index - 40), amount.index)
  const after = text.slice(amount.end, amount.end + 40)
  if (DELIVERY_AFTER.test(after) || DELIVERY_BEFORE.test(before))
    return { ...amount, role: 'delivery' }
  if (OTHER_BEFORE.test(before)) return { ...amount, role: 'other' }
  if (TOTAL_AFTER.test(after)) return { ...amount, role: 'total' }
  const unit = UNIT_AFTER.exec(after) ?? UNIT_BEFORE.exec(before)
  if (unit !== null) return { ...amount, role: 'unit', unit: nameUnit(unit[1]) }
  if (TOTAL_BEFORE.test(before)) return { ...amount, role: 'total' }
  if (FINAL_BEFORE.test(before) || FINAL_AFTER.test(after)) return { ...amount, role: 'final' }
  if (PRICE_BEFORE.test(before)) return { ...amount, role: 'price' }
  return { ...amount, role: 'price', bare: true }
}

function nameUnit(noun = ''): string {
  return UNIT_NOUNS.find(([form]) => form.test(noun))?.[1] ?? 'each'
}
