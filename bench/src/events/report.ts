import { calibration } from '../../../packs/events/testing/calibration.ts'
import { type Examined, isAllRight, shareRight } from '../../../packs/events/testing/examine.ts'
import { machine } from '../harness/report.ts'
import { markdownTable, type Table, textTable } from '../harness/table.ts'
import { judge, percent } from './goals.ts'
import { CLEAN, CLEAN_HELD_OUT, type Group, groupsBy, KINDS, PHOTOS } from './groups.ts'

export type Run = {
  readonly examined: readonly Examined[]
  readonly seed: string
  readonly language: 'told' | 'not told'
  readonly seconds: number
  readonly date: Date
  readonly command: string
}

type Part = { readonly title: string; readonly table: Table }

const FIELDS = ['date', 'time', 'title', 'place', 'end', 'recurrence', 'price'] as const

export function textReport(run: Run): string {
  return [
    ...partsOf(run).flatMap(({ title, table }) => [`\n${title}\n`, textTable(table)]),
    ...failuresOf(run).map((line) => `\n${line}`),
    `\n${howMeasured(run)}`,
    `\n${machine()}; ${Math.round(run.seconds)} s in all`,
  ].join('\n')
}

export function markdownReport(run: Run): string {
  return [
    `${run.date.toISOString().slice(0, 16).replace('T', ' ')}, ${machine()}, \`${run.command}\`, seed ${run.seed}.`,
    ...partsOf(run).flatMap(({ title, table }) => [`## ${title}`, markdownTable(table)]),
    ...failuresOf(run),
    `${howMeasured(run)}\n`,
  ].join('\n\n')
}

function partsOf({ examined }: Run): readonly Part[] {
  const open = examined.filter(({ made }) => !made.heldOut)
  const pictures = examined.filter(({ made }) => made.kind === 'flyer' || made.kind === 'photo')
  const goals = judge(examined).map(({ promise, measured, heldOut, verdict }) => [
    verdict,
    measured,
    heldOut,
    promise,
  ])
  const parts = [
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
    { title: 'Does the confidence tell right from wrong?', table: calibrationTable(examined) },
    {
      title: 'Goals',
      table: { head: ['', 'measured', 'held out', 'goal'], rows: goals, right: [1, 2] },
    },
  ]
  return parts.filter(({ table }) => table.rows.length > 0)
}

function rightTable(groups: readonly Group[], examined: readonly Examined[]): Table {
  const rows = groups.flatMap(({ name, holds }) => {
    const members = examined.filter(holds)
    if (members.length === 0) return []
    const all = members.filter(isAllRight).length / members.length
    return [
      [
        name,
        String(members.length),
        ...FIELDS.map((field) => percent(shareRight(members, field))),
        percent(all),
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

function calibrationTable(examined: readonly Examined[]): Table {
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
      percent(sureHalf),
      percent(unsureHalf),
    ]),
    right: [1, 2, 3, 4, 5],
  }
}

function failuresOf({ examined }: Run): readonly string[] {
  const failures = examined.flatMap(({ failure }) => failure ?? [])
  if (failures.length === 0) return []
  return [
    `${failures.length} could not be read at all and count as wrong: ${[...new Set(failures)].join('; ').slice(0, 400)}`,
  ]
}

function howMeasured({ examined, seed, language }: Run): string {
  return `${examined.length} made cases, seed ${seed}, read without a model; the reader was ${language} the language, and knew the region (what 03/04 means) and zone of who asks. A date and a time are right when they are the same (no time where none was said), a title when it is at least 0.8 like, a place when its name or address is in what was answered and little else is, or none was said and none answered. Ends, repeats and prices count where there are any. "All four" is date, time, title and place. Clean is sentences, pages and drawn flyers; photos are the same flyers turned, aslant, in uneven light, grainy and a little out of focus. Held-out layouts and the held-out language were made without a look at the extractor and are shown to nobody who builds it. AUC is how often a right one was told with more confidence than a wrong one (0.5 is chance).`
}
