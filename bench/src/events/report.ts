import { calibration } from '../../../packs/events/testing/calibration.ts'
import { type ExaminedCase, isAllRight, shareRight } from '../../../packs/events/testing/examine.ts'
import { goalsSection } from '../harness/goals.ts'
import { count, formatPercent, type Report, type Section } from '../harness/report.ts'
import type { Table } from '../harness/table.ts'
import { judgeGoals } from './goals.ts'
import { CLEAN, CLEAN_HELD_OUT, type Group, groupsBy, KINDS, PHOTOS } from './groups.ts'

export type Run = {
  readonly examined: readonly ExaminedCase[]
  readonly seed: string
  readonly language: 'known' | 'unknown'
}

const FIELDS = ['date', 'time', 'title', 'place', 'end', 'recurrence', 'price'] as const

export function createReport(run: Run): Report {
  const verdicts = judgeGoals(run.examined)
  return {
    sections: [...caseSections(run), goalsSection(verdicts, 'held out')],
    notes: [...describeFailures(run), describeMethod(run)],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
}

function caseSections({ examined }: Run): readonly Section[] {
  const open = examined.filter(({ made }) => !made.heldOut)
  const pictures = examined.filter(({ made }) => made.kind === 'flyer' || made.kind === 'photo')
  return [
    { title: 'What was right', table: rightTable(KINDS, examined) },
    {
      title: 'By language, clean input',
      table: rightTable(
        groupsBy(open.filter(CLEAN.holds), ({ made }) => made.language),
        open.filter(CLEAN.holds),
      ),
    },
    {
      title: 'Pages and sentences by their form',
      table: rightTable(
        groupsBy(open, ({ made }) => made.layout),
        open.filter(({ made }) => made.kind === 'page' || made.kind === 'sentence'),
      ),
    },
    {
      title: 'Flyers and photos by layout',
      table: rightTable(
        groupsBy(
          pictures,
          ({ made }) => `${made.layout}${made.heldOut ? ' (held out)' : ''}, ${made.kind}`,
        ),
        pictures,
      ),
    },
    { title: 'Does the confidence separate right from wrong?', table: calibrationTable(examined) },
  ]
}

function rightTable(groups: readonly Group[], examined: readonly ExaminedCase[]): Table {
  const rows = groups.flatMap(({ name, holds }) => {
    const members = examined.filter(holds)
    if (members.length === 0) return []
    const all = members.filter(isAllRight).length / members.length
    return [
      [
        name,
        String(members.length),
        ...FIELDS.map((field) => formatPercent(shareRight(members, field))),
        formatPercent(all),
      ],
    ]
  })
  return {
    head: [
      '',
      'cases',
      'dates',
      'times',
      'titles',
      'places',
      'ends',
      'repeats',
      'prices',
      'all four',
    ],
    rows,
    right: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  }
}

function calibrationTable(examined: readonly ExaminedCase[]): Table {
  const rows = [CLEAN, PHOTOS, CLEAN_HELD_OUT].flatMap(({ name, holds }) => {
    const members = examined.filter(holds)
    if (members.length === 0) return []
    const fields = (['date', 'time', 'title', 'place'] as const).map((field) => {
      const judged = members.map(({ score, reading }) => ({
        confidence: reading.confidence[field],
        isRight: score[field],
      }))
      return [`${name}: ${field}`, calibration(judged)] as const
    })
    const whole = calibration(
      members.map((one) => ({
        confidence: one.reading.confidence.overall,
        isRight: isAllRight(one),
      })),
    )
    return [...fields, [`${name}: all four`, whole] as const]
  })
  return {
    head: ['', 'cases', 'wrong', 'AUC', 'sure half right', 'unsure half right'],
    rows: rows.map(([name, { count, wrong, auc, sureHalf, unsureHalf }]) => [
      name,
      String(count),
      String(wrong),
      auc?.toFixed(2) ?? '–',
      formatPercent(sureHalf),
      formatPercent(unsureHalf),
    ]),
    right: [1, 2, 3, 4, 5],
  }
}

function describeFailures({ examined }: Run): readonly string[] {
  const failures = examined.flatMap(({ failure }) => failure ?? [])
  if (failures.length === 0) return []
  return [
    `${count(failures.length, 'case')} could not be read and count as wrong: ${[...new Set(failures)].join('; ').slice(0, 400)}`,
  ]
}

function describeMethod({ examined, seed, language }: Run): string {
  return `${count(examined.length, 'generated case')}, seed ${seed}, read without a model. The reader was ${language === 'known' ? 'given' : 'not given'} the language; it knew the region (what 03/04 means) and the time zone. A date and a time are right when they are equal (no time where the text has none), a title when its similarity is at least 0.8, a place when the answer contains its name or address and little else, or when neither the text nor the answer has one. Ends, repeats and prices count where there are any. "All four" is date, time, title and place. Clean means sentences, pages and drawn flyers; photos are the same flyers rotated, tilted, unevenly lit, grainy and slightly out of focus. Held-out layouts and the held-out language were written without knowledge of the extractor and are not shown to its authors. AUC is how often a right case had a higher confidence than a wrong one (0.5 is random).`
}

/** The wrong answers, case by case. Held-out cases are never shown. */
export function describeMisses(examined: readonly ExaminedCase[], most: number): readonly string[] {
  return examined
    .filter(({ made }) => !made.heldOut)
    .filter(({ score }) => FIELDS.some((field) => score[field] === false))
    .slice(0, most)
    .map(({ made, score, reading, failure }) => {
      const wrong = FIELDS.filter((field) => score[field] === false)
      const { id, kind, layout, language, answer } = made
      const head = `${id} ${kind} ${layout} ${language}: ${failure ?? wrong.join(', ')}`
      return `${head}\n  right     ${JSON.stringify(answer)}\n  answered  ${JSON.stringify(reading.answered)}\n  sure      ${JSON.stringify(reading.confidence)}\n  read      ${JSON.stringify(reading.read.slice(0, 600))}`
    })
}
