import { type About, findAbout, namesRequest } from './about-request.ts'
import type { RequestTerms } from './request-terms.ts'
import { BUT, type Evidence, has, PATTERNS } from './stock-evidence.ts'
import { NEGATED_VERB } from './stock-words.ts'

/** A clause of a reply: what it is about, and whether it offers or refuses that. */
export type Clause = {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly about: About
  readonly says: 'yes' | 'no' | 'both' | 'price' | 'nothing'
}

/** What the clauses say of the thing that was asked for, where they say more than the words alone. */
export type Relation = {
  readonly has_stock: boolean
  readonly confidence: number
}

const BOUNDARY = new RegExp(
  String.raw`[;!?\n]+|[.,](?!\d)|(?<!\d)[.,](?=\d)|(?= ${BUT.source})|(?= (?:not|pas|no|non|si|nta|apana|sio) (?:(?:the|le|la|les|de|d'|marque|iya|ya) )*(?:\d|[a-z]))`,
)
const EXCEPT = /^ ?(?:except|sauf|uretse|keretse|isipokuwa)\b/
/** What there is is limited to something. */
export const ONLY =
  /\b(?:only|just|gusa|tu|pekee|peke yake|[a-z]*onyine|seulement|uniquement|que d(?:u|e|es)|n'ai que|n'avons que|a que)\b/

/** The clauses of a folded reply. A denial begins a clause of its own: "50mm and 70mm, not 60". */
export function splitClauses(
  text: string,
  { refusals, offers }: Pick<Evidence, 'refusals' | 'offers'>,
  amounts: readonly number[],
  terms: RequestTerms,
): readonly Clause[] {
  const clauses: Clause[] = []
  let start = 0
  for (const part of text.split(new RegExp(`(${BOUNDARY.source})`))) {
    const end = start + part.length
    const within = (index: number) => index >= start && index < end
    const isNo = refusals.some(within) || NEGATED_VERB.test(part) || EXCEPT.test(part)
    const isYes = offers.some(within)
    const says = isNo ? (isYes ? 'both' : 'no') : isYes ? 'yes' : undefined
    if (/[a-z0-9]/.test(part))
      clauses.push({
        start,
        end,
        text: part,
        about: findAbout(part, terms),
        says: says ?? (amounts.some(within) ? 'price' : 'nothing'),
      })
    start = end
  }
  return clauses
}

/** Decides by what each clause is about; undefined where that adds nothing to the words. */
export function relateReply(
  text: string,
  clauses: readonly Clause[],
  terms: RequestTerms,
): Relation | undefined {
  const isSaid = (about: readonly About[], ...says: readonly Clause['says'][]) =>
    clauses.some((clause) => about.includes(clause.about) && says.includes(clause.says))
  const own: readonly About[] = ['asked', 'named']
  const askedNo = isSaid(own, 'no')
  const askedYes = isSaid(own, 'yes', 'both')
  const otherYes = isSaid(['other'], 'yes', 'price', 'nothing')
  const anyYes = isSaid([...own, 'other', 'none'], 'yes', 'both')
  const anyNo = isSaid([...own, 'other', 'none'], 'no')
  if (terms.isList) {
    const isPart = anyNo && (anyYes || isSaid([...own, 'none'], 'price'))
    return isPart && !has(text, PATTERNS.arrival)
      ? { has_stock: true, confidence: 0.65 }
      : undefined
  }
  if (askedNo && !askedYes)
    return { has_stock: false, confidence: anyYes && !otherYes ? 0.62 : 0.8 }
  if (askedNo && isSaid(['other'], 'no') === false)
    return { has_stock: false, confidence: deniesMore(clauses, terms) ? 0.62 : 0.55 }
  if (otherYes && !isSaid(['asked'], 'yes', 'both', 'price')) {
    // "We have it but the 5 litre one", "only 250 mg": another size is all there is.
    const isLimited = clauses.some(
      ({ about, text: part }) => about === 'other' && (ONLY.test(part) || BUT.test(part)),
    )
    if (isLimited) return { has_stock: false, confidence: anyNo ? 0.7 : 0.62 }
    if (isSaid(['none'], 'no')) return { has_stock: false, confidence: 0.7 }
    // Without a denial it is only inferred that the vendor has nothing else.
    if (!clauses.some((clause) => clause.about !== 'other' && saysMore(clause)))
      return { has_stock: false, confidence: 0.55 }
  }
  if (otherYes && clauses.some(({ about, text: part }) => about === 'other' && ONLY.test(part)))
    return { has_stock: false, confidence: 0.55 }
  if (isSaid(['other'], 'no') && isSaid(own, 'yes', 'both', 'price'))
    return { has_stock: true, confidence: 0.75 }
  return undefined
}

// "There is the 900 g one, 9800": a clause that is only an amount belongs to the one before it.
function saysMore({ text, says }: Clause): boolean {
  const words = text.replace(/\b(?:frw|rwf|francs?|faranga|only)\b/g, '')
  return says === 'yes' || says === 'both' || (says === 'price' && /[a-z]{3,}/.test(words))
}

// "Potatoes yes, but not Kinigi": the denial names what the offer leaves open.
function deniesMore(clauses: readonly Clause[], terms: RequestTerms): boolean {
  const words = (says: Clause['says']) =>
    new Set(
      clauses
        .filter((clause) => clause.says === says && clause.about !== 'other')
        .flatMap(({ text }) => text.match(/[a-z0-9/.]+/g) ?? [])
        .filter((word) => namesRequest(word, terms)),
    )
  const offered = words('yes')
  return [...words('no')].some((word) => !offered.has(word))
}
