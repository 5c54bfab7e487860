import { findAmounts } from './find-amounts.ts'
import { isLaterOnly } from './read-stock.ts'
import { splitClauses } from './relate-reply.ts'
import type { Option, Token } from './reply-tokens.ts'
import type { RequestTerms } from './request-terms.ts'
import { collectEvidence, type Evidence, has, PATTERNS } from './stock-evidence.ts'
import { NAMES_DAY } from './stock-words.ts'

/** Whether there is stock: what speaks for yes and for no; "not said" needs no weights of its own. */
export function listStockOptions(
  text: string,
  tokens: readonly Token[],
  terms: RequestTerms | undefined,
): readonly Option<boolean | null>[] {
  const names = ['^', ...tokens.map(({ name }) => name), '$']
  const found = new Set(['always'])
  for (const [at, name] of names.entries()) {
    const [next, third] = names.slice(at + 1)
    if (/[a-z<?]/.test(name)) found.add(name)
    if (next !== undefined) found.add(`${name} ${next}`)
    if (third !== undefined && at > 0) found.add(`${name} ${next} ${third}`)
    // Verbs of Kinyarwanda and Swahili carry subject, denial and object in front of their stem.
    if (/^[a-z]{4}/.test(name))
      for (const part of [`${name.slice(0, 3)}*`, `${name.slice(0, 4)}*`, `*${name.slice(-3)}`])
        found.add(part)
  }
  const amounts = tokens.filter(({ name, value = 0 }) => value >= 100 && name !== '<asked number>')
  found.add(`#amounts ${Math.min(amounts.length, 3)}`)
  found.add(`#length ${[3, 6, 12, 20].filter((least) => tokens.length >= least).length}`)
  if (terms?.isList === true) found.add('#list')
  if (terms !== undefined) {
    const isSize = names.includes('<size asked>') || names.includes('<asked number>')
    found.add(`#size ${isSize}/${names.includes('<size other>')}`)
    found.add(`#named ${names.includes('<asked>')}`)
    if (!isSize && tokens.some((token) => isLikeAsked(token, terms))) found.add('#like asked')
  }
  for (const one of describeEvidence(text, terms)) found.add(one)
  const features = [...found]
  return [
    { value: true, features: features.map((feature) => `+${feature}`) },
    { value: false, features: features.map((feature) => `-${feature}`) },
    { value: null, features: [] },
  ]
}

// "Yes but 500 and 1000" to who asked for 850: perhaps other strengths.
function isLikeAsked({ name, value = 0 }: Token, { numbers }: RequestTerms): boolean {
  if (!/^<[1-4]>$/.test(name)) return false
  return [...numbers].some((number) => value > Number(number) / 4 && value < Number(number) * 4)
}

/** What the lists of words find. */
function describeEvidence(text: string, terms: RequestTerms | undefined): readonly string[] {
  const evidence = collectEvidence(text, { priced: 'no', pricedAt: 0 })
  const { refusals, offers, isOpen, asks, later, isYes, isWeak } = evidence
  const offer = offers.length === 0 ? 'none' : isYes ? 'yes' : isWeak ? 'weak' : 'some'
  const refusal = refusals.length === 0 ? 'none' : isOpen ? 'open' : 'some'
  const order =
    offers.length * refusals.length === 0
      ? ''
      : Math.min(...offers) < Math.min(...refusals)
        ? ' first'
        : ' last'
  const patterns = (
    [
      'arrival',
      'restricted',
      'alternative',
      'hedge',
      'away',
      'talk',
      'wants',
      'apology',
      'past',
    ] as const
  ).filter((name) => has(text, PATTERNS[name]))
  return [
    `%offer ${offer}`,
    `%refusal ${refusal}`,
    `%${offer} ${refusal}${order}`,
    ...(asks ? ['%asks'] : []),
    ...(later ? ['%later'] : []),
    ...patterns.map((name) => `%${name}`),
    ...(isLaterOnly(text, evidence) ? [`%only later ${terms?.isDated === true}`] : []),
    ...(NAMES_DAY.test(text)
      ? [`%day ${terms?.isDated === true}`, `%day ${terms?.isDated === true} ${offer}`]
      : []),
    ...(has(text, PATTERNS.arrival) ? [`%arrival ${offer}`] : []),
    ...(terms === undefined ? [] : describeClauses(text, { refusals, offers }, terms)),
  ]
}

function describeClauses(
  text: string,
  evidence: Pick<Evidence, 'refusals' | 'offers'>,
  terms: RequestTerms,
): readonly string[] {
  const amounts = findAmounts(text, terms).map(({ index }) => index)
  return splitClauses(text, evidence, amounts, terms).map(({ about, says }) => `%${about} ${says}`)
}
