import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ReplyCase, readReplyCases } from '../../../packs/marketplace/testing/reply-case.ts'
import { type ReplyScore, scoreReplies } from '../../../packs/marketplace/testing/score-replies.ts'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { count, formatPercent } from '../harness/report.ts'
import { ROOT, runSuite } from '../harness/run-suite.ts'
import type { Table } from '../harness/table.ts'

// `--cases FILE`, or a folder of such files, reads vendors' replies with known answers. The files of
// the repository were used to develop the reader, and `--misses N` prints what is read wrongly; all
// others are kept apart, and nothing but sums is printed of them.
const TUNED = join(ROOT, 'packs/marketplace/testing')
const RIGHT = 0.9
const WRONG_FLAGGED = 0.8
const RIGHT_FLAGGED = 0.1

const options = readOptions({ rounds: 1, texts: ['cases', 'misses'] })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const source = resolve(options.texts.cases ?? TUNED)
const label = source.startsWith(TUNED) ? 'tuned on' : 'kept apart'

await runSuite('replies', options, async ({ startNoiseWatch }) => {
  const cases = listFiles(source).flatMap((file) => readReplyCases(file))
  startNoiseWatch()
  const score = scoreReplies(cases)
  if (label === 'tuned on') printMisses(score)
  const verdicts = [
    judge(`stock and price right ≥ ${RIGHT * 100} %`, score.right, score.right >= RIGHT),
    judge(
      `of the wrong ones, flagged ≥ ${WRONG_FLAGGED * 100} %`,
      score.wrongFlagged,
      score.wrongFlagged >= WRONG_FLAGGED,
    ),
    judge(
      `of the right ones, flagged ≤ ${RIGHT_FLAGGED * 100} %`,
      score.rightFlagged,
      score.rightFlagged <= RIGHT_FLAGGED,
    ),
  ]
  return {
    sections: [
      { title: `By language (${label})`, table: languageTable(cases) },
      goalsSection(verdicts),
    ],
    notes: [
      `${count(cases.length, 'case')} of ${source}, ${label}; ${score.wrong.length} read wrongly, ${score.wrong.filter(({ reading }) => reading.unsure).length} of them flagged. A reply is right if stock and price are both what a clerk would write down. Totals and times count where the answer has one.`,
    ],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
})

function judge(goal: string, share: number, isReached: boolean) {
  return judgeFigure(goal, share, () => ({ isReached, measured: `${(share * 100).toFixed(1)} %` }))
}

function listFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  const files = readdirSync(path).filter((name) => name.endsWith('.txt'))
  if (files.length === 0) throw new Error(`${path} has no .txt file with replies.`)
  return files.map((name) => join(path, name))
}

function languageTable(cases: readonly ReplyCase[]): Table {
  const languages = [...new Set(cases.map(({ language }) => language))].toSorted()
  const groups = languages.map(
    (name) => [name, cases.filter(({ language }) => language === name)] as const,
  )
  return {
    head: [
      '',
      'replies',
      'right',
      'stock',
      'price',
      'totals',
      'times',
      'language',
      'wrong flagged',
      'right flagged',
    ],
    rows: [...groups, ['all', cases] as const].map(([name, members]) => {
      const score = scoreReplies(members)
      return [
        name,
        String(members.length),
        ...[
          score.right,
          score.stockRight,
          score.priceRight,
          members.some(({ total }) => total !== undefined) ? score.totalRight : undefined,
          members.some(({ when }) => when !== undefined) ? score.whenRight : undefined,
          score.languageRight,
          score.wrong.length > 0 ? score.wrongFlagged : undefined,
          score.rightFlagged,
        ].map((share) => (share === undefined ? '-' : formatPercent(share))),
      ]
    }),
    right: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  }
}

function printMisses({ wrong }: ReplyScore): void {
  for (const { case: known, reading } of wrong.slice(0, misses))
    console.log(
      `${reading.unsure ? 'flagged' : 'UNFLAGGED'} ${known.stock}/${known.price ?? '-'} read as ${reading.has_stock}/${reading.price ?? '-'}: ${known.text}`,
    )
}
