import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { combineReadings, type RuleReading } from '../src/replies/combine-readings.ts'
import { findDoubts } from '../src/replies/doubts.ts'
import { findFees } from '../src/replies/read-price.ts'
import { weighReply } from '../src/replies/second-reader.ts'
import { type Example, fitCombination } from './fit-combination.ts'
import { fitReader, type Lesson, readLessons } from './fit-second-reader.ts'
import { DEVELOPMENT_SETS } from './reply-case.ts'

// node packs/marketplace/testing/fit-reader.ts [--misses]
// Learns the weights of the second reader (second-reader.json) from all development cases, and how it
// is combined with the rules (reading-weights.json) from first readings (fixtures/replies/README.md).
// Prints what each author's first readings are worth with weights that were learned without that
// author, and the threshold below which a reading is given to a person: write it into read-reply.ts.

// Of the right first readings of the newest outsiders' sets, so many are given to a person.
const RIGHT_FLAGGED = 0.09
const NEWEST: ReadonlySet<string> = new Set(['outside-4.json', 'outside-5.json'])

type FirstReading = Example & { readonly set: string }
type Judged = FirstReading & {
  readonly confidence: number
  readonly isWrong: boolean
  readonly isRuleWrong: boolean
}

const lessons = readLessons()
const authors = [...new Set(lessons.map(({ set }) => nameAuthor(set)))]
const first = readFirstReadings()
const judged = authors.flatMap((author) => {
  const fit = fitCombination(first.filter(({ set }) => nameAuthor(set) !== author))
  return first.filter(({ set }) => nameAuthor(set) === author).map((one) => judge(one, fit))
})
const sure = chooseSure(judged)
for (const set of new Set(judged.map((one) => one.set))) print(set, (one) => one.set === set)
print("the outsiders' sets", ({ set }) => set.startsWith('outside'))
print("the newest outsiders' sets", ({ set }) => NEWEST.has(set))
print('all', () => true)
console.log(`sure from ${sure}`)
if (process.argv.includes('--misses'))
  for (const { set, known, isWrong, confidence } of judged)
    if (isWrong !== confidence < sure)
      console.log(`${isWrong ? 'MISSED' : 'needless'} ${confidence} ${set} ${known.text}`)

write('second-reader.json', fitReader(lessons))
write('reading-weights.json', fitCombination(first))

/** All authors of the reader count as one. */
function nameAuthor(set: string): string {
  return /^(?:own|once-held-out)-/.test(set) ? 'own' : set
}

function readFirstReadings(): readonly FirstReading[] {
  const lessonsOf = Map.groupBy(lessons, ({ set }) => set)
  const readers = new Map(
    authors.map((author) => [
      author,
      fitReader(lessons.filter(({ set }) => nameAuthor(set) !== author)),
    ]),
  )
  const lines = readFileSync(join(DEVELOPMENT_SETS, 'first-readings.list'), 'utf8')
    .trim()
    .split('\n')
  return lines.flatMap((line) => {
    const [set = '', ...readings] = line.split(' ')
    const reader = readers.get(nameAuthor(set)) ?? { stock: {}, price: {} }
    return readings.map((reading) => {
      const [at = '', stock, price, confidence] = reading.split(':')
      const lesson: Lesson | undefined = lessonsOf.get(set)?.[Number(at) - 1]
      if (lesson === undefined) throw new Error(`${set} has no case ${at}.`)
      const rules: RuleReading = {
        has_stock: stock === '-' ? null : stock === 'yes',
        ...(price !== '-' && { price: Number(price) }),
        confidence: Number(confidence),
      }
      const doubts = findDoubts(lesson.text, rules, lesson.terms)
      const fees = findFees(lesson.text, lesson.terms)
      const second = weighReply(lesson.options, reader)
      return { set, known: lesson.known, rules: { ...rules, doubts, fees }, second }
    })
  })
}

function judge(one: FirstReading, fit: ReturnType<typeof fitCombination>): Judged {
  const { has_stock, price, probability } = combineReadings(one.rules, one.second, fit)
  const isWrong = (read: Pick<RuleReading, 'has_stock' | 'price'>) =>
    !one.known.stock.includes(read.has_stock) || !one.known.price.includes(read.price ?? null)
  return {
    ...one,
    confidence: Math.round(probability * 100) / 100,
    isWrong: isWrong({ has_stock, ...(price !== undefined && { price }) }),
    isRuleWrong: isWrong(one.rules),
  }
}

function chooseSure(examples: readonly Judged[]): number {
  const right = examples.filter(({ isWrong, set }) => !isWrong && NEWEST.has(set))
  const sorted = right.map(({ confidence }) => confidence).sort((one, other) => one - other)
  return sorted[Math.floor(right.length * RIGHT_FLAGGED)] ?? 0
}

function print(name: string, isMeant: (one: Judged) => boolean): void {
  const examples = judged.filter(isMeant)
  const countFlagged = (isWrong: boolean) => {
    const all = examples.filter((one) => one.isWrong === isWrong)
    const count = all.filter(({ confidence }) => confidence < sure).length
    return `${count} of ${all.length} (${((100 * count) / Math.max(all.length, 1)).toFixed(1)} %)`
  }
  const right = (count: number) => `${((100 * count) / examples.length).toFixed(1)} %`
  const byRules = right(examples.filter((one) => !one.isRuleWrong).length)
  const combined = right(examples.filter((one) => !one.isWrong).length)
  console.log(
    `${name}: ${examples.length} replies, right ${byRules} by the rules, ${combined} combined; flagged of the wrong ${countFlagged(true)}, of the right ${countFlagged(false)}`,
  )
}

function write(name: string, weights: unknown): void {
  const file = join(import.meta.dirname, '../src/replies', name)
  writeFileSync(file, `${JSON.stringify(weights, undefined, 2)}\n`)
}
