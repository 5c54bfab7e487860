import { basename, dirname, resolve } from 'node:path'
import { readAnswers, writeRequests } from '../../../packs/marketplace/testing/model-answers.ts'
import {
  DEVELOPMENT_SETS,
  listReplySets,
  type ReplyCase,
  readReplyCases,
} from '../../../packs/marketplace/testing/reply-case.ts'
import {
  type ReplyScore,
  readCaseWith,
  scoreReplies,
} from '../../../packs/marketplace/testing/score-replies.ts'
import { goalsSection, judgeFigure } from '../harness/goals.ts'
import { readOptions, readWholeNumber } from '../harness/options.ts'
import { count, formatPercent } from '../harness/report.ts'
import { runSuite } from '../harness/run-suite.ts'
import type { Table } from '../harness/table.ts'

// `--cases PATH`, a file or a folder, reads vendors' replies with known answers. The files of the
// repository, but those in a folder `kept-apart`, were used to develop the reader, and `--misses N`
// prints what is read wrongly; of all others nothing but sums is printed. `--requests FILE` writes what a
// language model is sent for each case, `--answers FILE` measures with what it answered.
const RIGHT = 0.9
const WRONG_FLAGGED = 0.8
const RIGHT_FLAGGED = 0.1

const options = readOptions({ rounds: 1, texts: ['cases', 'misses', 'requests', 'answers'] })
const misses = readWholeNumber('misses', options.texts.misses, { fallback: 0, least: 0 })
const source = resolve(options.texts.cases ?? DEVELOPMENT_SETS)
const answers = options.texts.answers === undefined ? new Map() : readAnswers(options.texts.answers)
const isTunedOn = source.startsWith(dirname(DEVELOPMENT_SETS)) && !source.includes('kept-apart')
const label = isTunedOn ? 'tuned on' : 'kept apart'

await runSuite('replies', options, async ({ startNoiseWatch }) => {
  const sets = listReplySets(source).map((file) => [basename(file), readReplyCases(file)] as const)
  const cases = sets.flatMap(([, members]) => members)
  if (options.texts.requests !== undefined) writeRequests(options.texts.requests, cases)
  startNoiseWatch()
  const score = scoreReplies(cases, readCaseWith(answers))
  if (isTunedOn) printMisses(score)
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
      { title: `By set (${label})`, table: scoreTable(sets) },
      { title: `By language (${label})`, table: scoreTable(groupByLanguage(cases)) },
      goalsSection(verdicts),
    ],
    notes: [
      `${count(cases.length, 'case')} of ${source}, ${label}; ${score.wrong.length} read wrongly, ${score.wrong.filter(({ reading }) => reading.unsure).length} of them flagged. A reply is right if stock and price are both what a clerk would write down; totals and times are counted beside it, where the answer has one.`,
      ...(options.texts.answers === undefined ? [] : [describeAnswers(cases)]),
    ],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
})

function describeAnswers(cases: readonly ReplyCase[]): string {
  const read = cases.filter(({ id }) => answers.get(id) !== undefined).length
  return `Read with recorded answers of a model: ${read} of ${count(cases.length, 'case')}; the others offline.`
}

function judge(goal: string, share: number, isReached: boolean) {
  return judgeFigure(goal, share, () => ({ isReached, measured: `${(share * 100).toFixed(1)} %` }))
}

function groupByLanguage(cases: readonly ReplyCase[]): readonly Group[] {
  const languages = [...new Set(cases.map(({ language }) => language))].toSorted()
  return [
    ...languages.map((name) => [name, cases.filter(({ language }) => language === name)] as const),
    ['all', cases],
  ]
}

type Group = readonly [name: string, cases: readonly ReplyCase[]]

function scoreTable(groups: readonly Group[]): Table {
  return {
    head: [
      '',
      'replies',
      'right',
      'stock',
      'price',
      'totals',
      'times',
      'wrong flagged',
      'right flagged',
    ],
    rows: groups.map(([name, members]) => {
      const score = scoreReplies(members, readCaseWith(answers))
      return [
        name,
        String(members.length),
        ...[
          score.right,
          score.stockRight,
          score.priceRight,
          members.some(({ total }) => total !== undefined) ? score.totalRight : undefined,
          members.some(({ when }) => when !== undefined) ? score.whenRight : undefined,
          score.wrong.length > 0 ? score.wrongFlagged : undefined,
          score.rightFlagged,
        ].map((share) => (share === undefined ? '-' : formatPercent(share))),
      ]
    }),
    right: [1, 2, 3, 4, 5, 6, 7, 8],
  }
}

function printMisses({ wrong }: ReplyScore): void {
  for (const { case: known, reading } of wrong.slice(0, misses))
    console.log(
      `${reading.unsure ? 'flagged' : 'UNFLAGGED'} ${known.stock[0]}/${known.price[0] ?? '-'} read as ${reading.has_stock}/${reading.price ?? '-'}: ${known.text}`,
    )
}
