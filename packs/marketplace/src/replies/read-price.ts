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
  String.raw`^[ ,]*(?:each\b|apiece\b|a piece\b|chacune?\b|chaque\b|${ONE}\b(?! (?:ni|igura|iri|=))|(?:per|par|kuri|buri|la|le|a|the|l'|for|pour|for one|\/) ?(?:one |1 |une? )?(${NOUN})\b|l'une?\b|(?:for|pour) (?:1|one|une?)\b|(?:pce|pc|piece|unite|unit)\b)`,
)
const UNIT_BEFORE = new RegExp(
  String.raw`(?:\beach|\b(?:a|one|1|per|chaque|buri|l'|la|le|un|une) ?(${NOUN})|\b${ONE}|\bikiro|\bone|\bsingle)(?: (?:ni|is|are|at|a|for|costs?|coute|igura|iri kuri))? ?[=:]? ?$`,
)
const MANY = String.raw`(?:both|all|everything|them all|the two|the lot|les? (?:deux|trois|quatre|cinq|six|dix|\d+)|the (?:two|three|four|five|six|ten|\d+)|tout|[2-9]|\d\d|two|three|four|five|six|ten|twelve|a dozen|deux|trois|dix|douze)`
const TOTAL_AFTER = new RegExp(
  String.raw`^[ ,]*(?:(?:for|pour) ${MANY}\b|(?:les|the) (?:deux|two|trois|three|quatre|four|cinq|five|six|dix|ten|douzaine|\d+)\b|(?:en tout|au total|in total|total\b|byose|zose|yose)(?! ?(?:ni|is|est|a|cost|price|:|=|\d))|all together|altogether|(?:for )?the lot|combined|hamwe(?! n'| na))`,
)
const SEVERAL =
  '(?:[2-9]|\\d\\d|two|three|four|five|six|ten|twelve|deux|trois|quatre|cinq|six|dix|douze|ebyiri|eshatu|enye|eshanu|abiri|atatu|ane|atanu|bibiri|bitatu)'
const PLURAL =
  '(?:pcs|pieces|boxes|boites|packs|paquets|tabs|tablets|comprimes|plaquettes|bottles|flacons|bouteilles|strips|kgs?|kilos|units|unites|caps|capsules|gelules|litres?|pairs|paires|bags|sacs|sachets|cartons)'
const TOTAL_BEFORE = new RegExp(
  String.raw`(?:\b(?:total|sum|all(?: of them|(?: the)? ${SEVERAL})?|both|everything|en tout|au total|(?:le )?tout|(?:whole|your|the) (?:list|lot|order|set)|(?:pack|set|lot) of ${SEVERAL}|(?:by|z|y)ose(?: hamwe)?|hamwe|byombi|zombi|les ${SEVERAL}|ebyiri|eshatu|enye|eshanu)|\b${SEVERAL} (?:for|pour)|\b${SEVERAL} ?${PLURAL}|\b(?:so|donc|then) ${SEVERAL})(?: (?:is|are|ni|est|fait|for|pour|(?:ca |ce qui )?(?:vous )?(?:fait|fera)|comes? to|will (?:be|cost|come to)(?: you)?|costs?(?: you)?|would be|makes?|goes for|it comes to|it's|a|on your list|price|price is))*(?: de)? ?[:=]? ?$`,
)
const DELIVERY =
  '(?:delivery|deliver(?: it)?|livraison|transport|shipping|motos?|motari|courier|deplacement|kubizana|kuyizana|kukugezaho)'
const EXTRA =
  "(?:fitting|installation|installing|pose|montage|labou?r|main d'oeuvre|alterations?|retouche|engraving|warranty|garantie|packaging|emballage)"
const DELIVERY_AFTER = new RegExp(
  String.raw`^ ?(?:for |de |d'|pour |of |ya |to )?(?:the |la |le )?${DELIVERY}\b(?! (?:included|inclus\w*|compris\w*|free|gratuit\w*|offert\w*))`,
)
const DELIVERY_BEFORE = new RegExp(
  String.raw`\b${DELIVERY}(?: (?:to|in|within|a|vers|dans) (?:your place|votre charge|[a-z]+))?(?: (?:is|fee|fees|cost|costs|ni|est|a|at|de|extra|apart|en plus|en sus))* ?[:=]? ?$`,
)
const EXTRA_AFTER = new RegExp(
  String.raw`^ ?(?:(?:for|de|pour|of|ya) )?(?:(?:the|la|le|l') ?)?${EXTRA}\b(?! (?:incl|compris|free|gratuit|offert))`,
)
const EXTRA_BEFORE = new RegExp(
  String.raw`\b${EXTRA}(?: (?:is|fee|cost|costs|ni|est|a|at))* ?[:=]? ?$`,
)
const OTHER_BEFORE =
  /\b(?:above|over|(?<!no )more than|beyond|au dessus de|au-dessus de|hejuru ya|was|were|instead of|in place of|au lieu de|aho kuba|not|pas|before|avant|used to be|etait(?: a)?|yari|zari|byari|yaguraga|zaguraga|(?:(?:we|i) |already |j'ai |l'ai )(?:sold|vendue?)(?: (?:it|them|one|mine))?(?: \w+)?(?: at| for| a)?|deposit|caution|cost me|(?:i|we) bought (?:it|them)(?: at| for)?|m'a coute|(?:installments?|tranches?|parts) (?:of|de)|avance|acompte|code|(?:bulk|wholesale)(?: (?:buyers?|price|customers?))?(?: (?:get|pay))?|en gros|others?(?: (?:shops?|people|pharmacies))?(?: (?:sells?|charges?|asks?|takes?|gives?))?(?: it)?(?: (?:at|for))?|elsewhere|(?:up|increased|monte|passe) from|(?:monte|passe) de|ailleurs|ahandi)(?: (?:is|of|at|a|de))? ?[:=]? ?$/
const OTHER_AFTER =
  /^ ?(?:elsewhere|ailleurs|ahandi|in (?:town|other shops)|at other shops|chez les autres|in bulk|wholesale|en gros|extra|en supplement|more|de plus)\b/
const FINAL_BEFORE =
  /\b(?:last price|final|final price|dernier prix|now|maintenant|only|reduced to|discount|promo|i give you|give you at|give it at|give (?:it|this) to you(?: for| at)?|leave it (?:for|at)|reduce to|je (?:vous|te) (?:la |le |les |l')?(?:fais|laisse|cede)(?: (?:ca|cela))?|je (?:la |le )?laisse|promotion|n?ayiguhera|nakugira|tukugire|nkugire|nguhe|ubu|after discount|apres remise|for you|can do|nakugabanyiriza|nguhera|naguhera|ndaguhera)(?: (?:is|ni|a|at|it's|for))? ?[:=]? ?$/
const FINAL_AFTER = /^ ?(?:last price|final|last|dernier prix|fixed|non negociable|promo)\b/
const PRICE_BEFORE =
  /(?:\b(?:price|prix|cost|costs|coute|igiciro|agaciro|igura|zigura|bigura|kigura|ugura|is|are|ni|est|at|a|for|pour|sell|selling|vend|vends)|[@=:])(?: (?:is|of|de|ni|est|at|a|it's))* ?[:=@]? ?$/

const USUAL =
  /\b(?:usual(?:ly)?|normal(?:ly)?|normalement|regular|d'habitude|prix (?:normal|public|habituel)|(?:normal|usual|market|old|first|starting|asking) price|ancien prix|ubusanzwe|ubundi|mbere)(?: (?:is|it's|c'est|ni|it is|we sell(?: it)?(?: at| for)?|at|a|de|was|etait))* ?[:=]? ?$/
const USUAL_AFTER =
  /^ ?(?:before|avant|mbere|normally|usually|normalement|d'habitude)\b|^[^\d]*\b(?:reduced to|down to|i meant|now it'?s|mais je (?:vous|te) (?:le |la |les )?(?:laisse|fais)|but (?:for you|i can (?:give|do|leave|make))|ariko (?:naguhera|nakugira|nayiguhera|ubu))\b/
const CORRECTION =
  /\b(?:sorry|oops|oups|pardon|typo|mistake|i mean|i meant|rather|actually|correction|je veux dire|je voulais dire|erreur|en fait|plutot|mbabarira|nibeshye|ndibeshye)\b|(?:^|[ .,])\*$/
const CORRECTED = new RegExp(
  `(?:${CORRECTION.source})[^\\d]{0,14}$|\\.\\.+ ?(?:ok|okay|bon|no|non) ?$|[.,] (?:ok|okay|bon|allez|fine),? ?$`,
)
const TOGETHER =
  /\b(?:both|all (?:of them|available|are|in stock|there|three|two|the items)|les (?:deux|trois)|tous|toutes|byombi|zombi|bombi|byose|zose|everything|the two|the three)\b/
const FOLLOWS = /\b(?:so|donc|soit|makes?|which is|hence)\b|=/
const STRENGTHS: ReadonlySet<number> = new Set([100, 125, 200, 250, 400, 500, 625, 650, 800, 1000])
const FORM_AFTER =
  /^ (?=\d{4,}|\d{1,3}k\b)|^ ?(?:caps?|capsules?|tabs?|tablets?|comprimes?|cp|gelules?|sirop|syrup|syr|susp|inj|pills?|strength|dosage)\b/
const COUNT_WORDS: Readonly<Record<number, RegExp>> = {
  2: /\b(?:two|both|pair|deux|paire|[a-z]*biri|ebyiri|byombi|zombi)\b/,
  3: /\b(?:three|trois|eshatu|[a-z]*tatu)\b/,
  4: /\b(?:four|quatre|enye|[bai]+ne)\b/,
  5: /\b(?:five|cinq|eshanu|[a-z]*tanu)\b/,
  6: /\b(?:six|esheshatu|[a-z]*tandatu)\b/,
  10: /\b(?:ten|dix|i?cumi)\b/,
  12: /\b(?:twelve|dozen|douze|douzaine|duzeni)\b/,
}

const COUNTED_AFTER =
  /^ ?(?:pcs|pieces|units|boxes|people|persons|customers|clients|in stock|left|remaining|available|en stock|disponibles|restants?|personnes|abantu)\b/
const VARIANT =
  /\b[sml] ?[=:]|\b(?:sirop|syrup|comprimes?|tablets?|gelules?|capsules?|caps|creme|cream|ointment|pommade|injection|drops|gouttes|cheap|cheaper|cheapest|generic|local|imported|chinese|indian|normal|plain|basic|premium|quality|grade|generique|locale?|importee?|chinoise?|small|smaller|medium|large|larger|big|bigger|mini|single|double|new|used|second ?hand|old|original|genuine|copy|here|delivered|pick|bring|petite?|grande?|moyenne?|gros|grosse|neuf|neuve|occasion|simple|iya|y'?iya|n'iya|into|inini|nto|nini|ntoya|\d+ ?(?:mls?|mg|gr?|kgs?|l|ltrs?|lit(?:re|er)s?|gb|go|inch(?:es)?|cm|m|pcs|tabs?|tablets?|pieces))\b/g
const VARIANT_ONCE = new RegExp(VARIANT.source)

/** The price, the sum and the cost of delivery that a folded reply names. */
export function readPrice(text: string): PriceReading {
  const found = findAmounts(text)
  const judged = found
    .filter((amount) => found.length === 1 || !isNoPrice(text, amount))
    .map((amount, at, all) => judgeAmount(text, amount, all[at - 1]))
  const delivery = judged.find(({ role }) => role === 'delivery')
  const asked = judged.filter(({ role }) => role !== 'delivery' && role !== 'other')
  // "8000, delivery 1000, total 9000": the sum is worked out below.
  const sums = new Set(asked.map(({ value }) => value + (delivery?.value ?? 0)))
  const parts = asked.filter(({ value }) => delivery === undefined || !sums.has(value))
  const prices = dropReplaced(text, parts.length > 0 ? parts : asked)
  const first = prices[0]
  if (first === undefined)
    return { currency: 'RWF', confidence: hasNumberLeft(text) ? 0.55 : 1, marked: false }
  const { chosen, total, confidence } = choosePrice(text, prices)
  const times = chosen.times === undefined ? undefined : chosen.times * chosen.value
  const added = total ?? times
  const sum = delivery === undefined ? added : (added ?? chosen.value) + delivery.value
  return {
    price: chosen.value,
    ...(chosen.unit !== undefined && { unit: chosen.unit }),
    ...(sum !== undefined && { total: sum }),
    ...(delivery !== undefined && { delivery: delivery.value }),
    currency: chosen.currency,
    at: first.index,
    confidence,
    marked: prices.some(({ marked, bare }) => marked || bare === undefined),
  }
}

// Beside another number, the year of a date, the strength of a medicine and the cost of an extra are
// no prices: "2700, good until 2028", "amoxi 500 capsules 3500", "tyre 45k + 2k fitting".
function isNoPrice(text: string, { value, marked, index, end, times }: Amount): boolean {
  if (EXTRA_AFTER.test(text.slice(end)) || EXTRA_BEFORE.test(text.slice(0, index))) return true
  if (marked || times !== undefined) return false
  if (value >= 2020 && value <= 2035 && value % 50 !== 0) return true
  return STRENGTHS.has(value) && FORM_AFTER.test(text.slice(end))
}

// "5300, sorry 3500", "was 15000 but now 12000", "usually 30k, for you 25k": the later amount counts.
function dropReplaced(text: string, prices: readonly Judged[]): readonly Judged[] {
  // "Sorry typo 4300? no no, 3400 is right": the amount that is named again counts.
  const again = prices.filter(
    ({ value }, at) => prices.findIndex((one) => one.value === value) < at,
  )
  if (again.length > 0 && CORRECTION.test(text)) return again
  return prices.filter(({ index, end, value }, at) => {
    const next = prices[at + 1]
    if (next === undefined || next.value === value) return true
    const before = text.slice(Math.max(prices[at - 1]?.end ?? 0, index - 30), index)
    const between = text.slice(end, next.index)
    return !(USUAL.test(before) || USUAL_AFTER.test(between) || CORRECTED.test(between))
  })
}

type Choice = { readonly chosen: Judged; readonly total?: number; readonly confidence: number }

function choosePrice(text: string, prices: readonly Judged[]): Choice {
  const byRole = (role: Role) => prices.filter((price) => price.role === role)
  const lowest = prices.reduce((one, other) => (other.value < one.value ? other : one))
  const [final] = byRole('final').slice(-1)
  const [unit] = byRole('unit')
  const [total] = byRole('total').slice(-1)
  const values = new Set(prices.map(({ value }) => value))
  if (values.size === 1) {
    const sole = unit ?? total ?? lowest
    return {
      chosen: sole,
      ...(sole.role === 'total' && { total: sole.value }),
      confidence: soleConfidence(text, sole),
    }
  }
  const counted = prices.find(({ times, value }) => values.has((times ?? 0) * value))
  if (counted !== undefined) return { chosen: counted, confidence: 0.9 }
  const fitting = findFittingSum(text, prices)
  if (fitting !== undefined) return fitting
  if (final !== undefined)
    return { chosen: final, confidence: final.value === lowest.value ? 0.8 : 0.55 }
  if (unit !== undefined && total !== undefined && total.value > unit.value)
    return { chosen: unit, total: total.value, confidence: 0.9 }
  if (prices.every(({ role }) => role === 'unit') && areUnitsDifferent(prices))
    return { chosen: lowest, confidence: 0.7 }
  if (
    unit !== undefined &&
    byRole('unit').length === 1 &&
    prices.length === 2 &&
    unit === lowest &&
    !TOGETHER.test(text)
  )
    return { chosen: unit, confidence: areVariants(text, prices) ? 0.65 : 0.55 }
  if (total !== undefined && total.value >= Math.max(...values))
    return { chosen: total, total: total.value, confidence: 0.8 }
  const isChoice = isRange(text, prices) || areVariants(text, prices)
  const joint = isChoice ? 'none' : findJoint(text, prices)
  if (joint === 'extra') {
    const chosen = prices.reduce((one, other) => (other.value > one.value ? other : one))
    return { chosen, confidence: 0.55 }
  }
  if (joint !== 'none') {
    const value = prices.reduce((sum, price) => sum + price.value, 0)
    return { chosen: { ...lowest, value }, confidence: joint === 'sum' ? 0.65 : 0.55 }
  }
  return { chosen: lowest, confidence: isChoice ? 0.65 : 0.5 }
}

function soleConfidence(text: string, sole: Judged): number {
  if (COUNTED_AFTER.test(text.slice(sole.end))) return 0.55
  if (sole.marked || sole.bare === undefined) return 0.95
  return isAlone(text) ? 0.85 : bareConfidence(sole.value)
}

/**
 * Amounts that account for each other: one is a whole number of times another ("250 each so 20 tabs
 * is 5000"), or the sum of the others ("4000, 2000 and 3000, everything 9000").
 */
function findFittingSum(text: string, prices: readonly Judged[]): Choice | undefined {
  const values = [...new Set(prices.map(({ value }) => value))]
  const most = Math.max(...values)
  const rest = prices.filter(({ value }) => value !== most)
  const highest = prices.find(({ value }) => value === most)
  if (highest === undefined || highest.role === 'unit') return undefined
  if (rest.length > 1 && rest.reduce((sum, { value }) => sum + value, 0) === most)
    return { chosen: highest, total: most, confidence: 0.9 }
  const [single] = rest
  if (single === undefined || values.length !== 2) return undefined
  const count = most / single.value
  const isNamed = single.role === 'unit' || highest.role === 'total'
  if (!Number.isInteger(count) || count > 500) return undefined
  const joint = text.slice(Math.min(single.end, highest.end), Math.max(single.index, highest.index))
  if (!namesCount(text, count) && !(isNamed && FOLLOWS.test(joint))) return undefined
  return { chosen: single, total: most, confidence: isNamed ? 0.9 : 0.7 }
}

function namesCount(text: string, count: number): boolean {
  const words = COUNT_WORDS[count]
  return (
    new RegExp(String.raw`(?<![\d.,])${count}(?![\d.,]*\d)`).test(text) ||
    (words?.test(text) ?? false)
  )
}

function areUnitsDifferent(prices: readonly Judged[]): boolean {
  return new Set(prices.map(({ unit }) => unit)).size === prices.length
}

// "Both are there: amoxicillin 3000 and brufen 2000": two things that were asked for, so the sum.
// Only "and" between them leaves doubt: they may be two kinds of the same thing.
function findJoint(text: string, prices: readonly Judged[]): 'sum' | 'perhaps' | 'extra' | 'none' {
  const joints = prices.slice(1).map(({ index }, at) => text.slice(prices[at]?.end, index))
  const values = prices.map(({ value }) => value)
  const isExtra = Math.max(...values) >= 5 * Math.min(...values)
  if (TOGETHER.test(text)) return 'sum'
  // "6000 + 500 for the bag": the small amount may be that of an extra.
  if (joints.every((joint) => joint.includes('+'))) return isExtra ? 'extra' : 'sum'
  return !isExtra && joints.every((joint) => /\b(?:and|et|na)\b|&|^, [a-z]/.test(joint))
    ? 'perhaps'
    : 'none'
}

// "5k to 7k", "entre 5000 et 7000", "reduced from 8000 to 6500": the lower one counts.
function isRange(text: string, [one, other, ...more]: readonly Judged[]): boolean {
  if (one === undefined || other === undefined || more.length > 0) return false
  const joint = text.slice(one.end, other.index).trim()
  const start = text.slice(0, one.index)
  return (
    /^(?:-|to|a|et|or|ou|cyangwa)$/.test(joint) ||
    /^,? ?(?:or|ou|cyangwa|but|mais|ariko) |\b(?:if|si|iyo|with|avec)\b/.test(joint) ||
    /^[^.;]{0,12}\b(?:if|when|with|avec|si) /.test(text.slice(other.end)) ||
    (joint === 'and' && /\bbetween $/.test(start))
  )
}

// "small 5000, big 8000": every amount has the name of a size or a kind, so the lowest is a price of
// the thing. Amounts with the names of products may have to be added instead.
function areVariants(text: string, prices: readonly Judged[]): boolean {
  const parts = [...prices.map(({ index }, at) => text.slice(prices[at - 1]?.end ?? 0, index))]
  const last = text.slice(prices.at(-1)?.end)
  const named = [...parts, last].flatMap((part) => [...part.matchAll(VARIANT)])
  return named.length >= prices.length && parts.slice(1).every((part) => VARIANT_ONCE.test(part))
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
  if (OTHER_BEFORE.test(before) || OTHER_AFTER.test(after)) return { ...amount, role: 'other' }
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
