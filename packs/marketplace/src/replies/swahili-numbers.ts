import type { WrittenNumber } from './number-words.ts'

const SWAHILI_UNITS: Readonly<Record<string, number>> = {
  moja: 1,
  mbili: 2,
  tatu: 3,
  nne: 4,
  tano: 5,
  sita: 6,
  saba: 7,
  nane: 8,
  tisa: 9,
  kumi: 10,
  ishirini: 20,
  thelathini: 30,
  arobaini: 40,
  hamsini: 50,
  sitini: 60,
  sabini: 70,
  themanini: 80,
  tisini: 90,
}
const SWAHILI_COUNT = `(?:${Object.keys(SWAHILI_UNITS).join('|')})`
const SWAHILI = new RegExp(
  String.raw`\b(?:elfu (${SWAHILI_COUNT}(?: na ${SWAHILI_COUNT})?)(?:(?: na)? mia (${SWAHILI_COUNT}))?|laki(?: (${SWAHILI_COUNT}(?: na ${SWAHILI_COUNT})?))?(?: na (?:elfu (${SWAHILI_COUNT}(?: na ${SWAHILI_COUNT})?)|(nusu)))?|mia (${SWAHILI_COUNT}))(?: na (hamsini))?\b`,
  'g',
)

/** The sums that a folded text writes in Swahili: "elfu nne na mia tano" is 4,500. */
export function findSwahiliNumbers(text: string): WrittenNumber[] {
  return [...text.matchAll(SWAHILI)].map(
    ({
      0: whole,
      1: thousands,
      2: more,
      3: lakhs,
      4: added,
      5: half,
      6: alone,
      7: rest,
      index,
    }) => ({
      index,
      length: whole.length,
      value:
        1000 * (whole.startsWith('laki') ? sumLakhs(lakhs ?? 'moja') : 0) +
        1000 * sumSwahili(thousands ?? added ?? '') +
        (half === undefined ? 0 : 50_000) +
        100 * sumSwahili(more ?? alone ?? '') +
        sumSwahili(rest ?? ''),
    }),
  )
}

// "Laki moja na kumi": what follows the lakhs are thousands.
function sumLakhs(words: string): number {
  const [lakhs = '', rest = ''] = words.split(' na ')
  return 100 * sumSwahili(lakhs) + sumSwahili(rest)
}

function sumSwahili(words: string): number {
  return words.split(' na ').reduce((sum, word) => sum + (SWAHILI_UNITS[word] ?? 0), 0)
}
