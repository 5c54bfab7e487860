import {
  type ExaminedFolderCase,
  SCORED_FIELDS,
  type ScoredField,
} from '../../../packs/events/testing/case-folder.ts'
import { goalsSection, judgeFigure, type Verdict } from '../harness/goals.ts'
import { count, formatPercent, type Report } from '../harness/report.ts'
import type { Table } from '../harness/table.ts'

export type FolderRun = {
  readonly examined: readonly ExaminedFolderCase[]
  readonly folder: string
  /** Whether the authors of the extractor have seen these cases. */
  readonly label: 'kept apart' | 'tuned on'
  /** The number of cases that were read with the recorded answer of a model. */
  readonly answered: number
}

const SURE = 0.8
/** Below this confidence events.extract asks its caller to have the field checked. */
const FLAGGED = 0.6
const LEAST: Readonly<Record<ScoredField, number>> = {
  date: 0.92,
  time: 0.92,
  title: 0.85,
  place: 0.82,
}
const LEAST_SURE_RIGHT = 0.95

type Judged = { readonly confidence: number; readonly isRight: boolean }

export function createFolderReport({ examined, folder, label, answered }: FolderRun): Report {
  const verdicts = [
    ...SCORED_FIELDS.map((field) => judgeField(examined, field)),
    judgeSure(examined),
  ]
  const by = (name: string, groupOf: (one: ExaminedFolderCase) => string) => ({
    title: `By ${name} (${label})`,
    table: rightTable(
      [...new Set(examined.map(groupOf))]
        .toSorted()
        .map((group) => [group, examined.filter((one) => groupOf(one) === group)] as const),
    ),
  })
  return {
    sections: [
      by('kind', ({ one }) => one.kind),
      by('language', ({ one }) => one.language),
      { title: `In total (${label})`, table: rightTable([['all', examined]]) },
      { title: `Confidence (${label})`, table: confidenceTable(examined) },
      goalsSection(verdicts),
    ],
    notes: [
      `${count(examined.length, 'case')} of ${folder}, ${label}, read ${describeReader(answered)} and without being told the language. ${describeWording(examined)} A field is also right if it is one of the values that the case accepts; no place is right if none is expected, and a text without an event is right if no date was found. Dates and times are compared by the clock of the event.`,
    ],
    hasFailed: verdicts.some(({ verdict }) => verdict === 'miss'),
  }
}

function describeReader(answered: number): string {
  return answered === 0
    ? 'without a model'
    : `with recorded answers of a model for ${count(answered, 'case')} and offline for the others`
}

function describeWording(examined: readonly ExaminedFolderCase[]): string {
  return examined.some(({ one }) => one.wording === 'equal')
    ? 'A title is right if it equals the expected one or an accepted one without case, accents, punctuation and a leading article; a place is right if one of the two contains the other, word by word.'
    : 'These cases have one wording each: a title is right if, without case, accents, punctuation and small words, it has at least 80 % of the expected words (of up to four words, all) and at least 60 % of its words were expected; a place likewise, by its name or by its name and address.'
}

function judgeField(examined: readonly ExaminedFolderCase[], field: ScoredField): Verdict {
  const least = LEAST[field]
  return judgeFigure(
    `${field}s right ≥ ${least * 100} %`,
    shareTrue(examined.map(({ right }) => right[field])),
    (share) => ({ isReached: share >= least, measured: formatPercent(share) }),
  )
}

function judgeSure(examined: readonly ExaminedFolderCase[]): Verdict {
  return judgeFigure(
    `of the fields with a confidence of at least ${SURE}, ≥ ${LEAST_SURE_RIGHT * 100} % are right`,
    shareSureRight(SCORED_FIELDS.flatMap((field) => judgedOf(examined, field))),
    (share) => ({
      isReached: share >= LEAST_SURE_RIGHT,
      measured: `${(share * 100).toFixed(1)} %`,
    }),
  )
}

function rightTable(groups: readonly (readonly [string, readonly ExaminedFolderCase[]])[]): Table {
  return {
    head: ['', 'cases', ...SCORED_FIELDS.map((field) => `${field}s`), 'ends', 'zones', 'all four'],
    rows: groups.map(([name, members]) => [
      name,
      String(members.length),
      ...SCORED_FIELDS.map((field) =>
        formatPercent(shareTrue(members.map(({ right }) => right[field]))),
      ),
      formatPercent(shareTrue(members.flatMap(({ end }) => end ?? []))),
      formatPercent(shareTrue(members.flatMap(({ zone }) => zone ?? []))),
      formatPercent(
        shareTrue(members.map(({ right }) => SCORED_FIELDS.every((field) => right[field]))),
      ),
    ]),
    right: [1, 2, 3, 4, 5, 6, 7, 8],
  }
}

function confidenceTable(examined: readonly ExaminedFolderCase[]): Table {
  const rows = [
    ...SCORED_FIELDS.map((field) => [field, judgedOf(examined, field)] as const),
    ['all four', SCORED_FIELDS.flatMap((field) => judgedOf(examined, field))] as const,
  ]
  return {
    head: [
      '',
      `marked ≥ ${SURE}`,
      'of these right',
      'wrong',
      `wrong, marked < ${FLAGGED}`,
      `wrong, marked < ${SURE}`,
    ],
    rows: rows.map(([name, judged]) => {
      const wrong = judged.filter(({ isRight }) => !isRight)
      const below = (limit: number) =>
        String(wrong.filter(({ confidence }) => confidence < limit).length)
      return [
        name,
        String(judged.filter(({ confidence }) => confidence >= SURE).length),
        formatPercent(shareSureRight(judged)),
        String(wrong.length),
        below(FLAGGED),
        below(SURE),
      ]
    }),
    right: [1, 2, 3, 4, 5],
  }
}

function judgedOf(examined: readonly ExaminedFolderCase[], field: ScoredField): readonly Judged[] {
  return examined.map(({ confidence, right }) => ({
    confidence: confidence[field],
    isRight: right[field],
  }))
}

function shareSureRight(judged: readonly Judged[]): number | undefined {
  return shareTrue(
    judged.flatMap(({ confidence, isRight }) => (confidence >= SURE ? [isRight] : [])),
  )
}

function shareTrue(marks: readonly boolean[]): number | undefined {
  return marks.length === 0 ? undefined : marks.filter(Boolean).length / marks.length
}

/** The wrong answers, case by case, of cases that were tuned on. */
export function describeFolderMisses(examined: readonly ExaminedFolderCase[]): readonly string[] {
  return examined.flatMap(({ one, right, end, confidence, answered, read }) => {
    const wrong = [
      ...SCORED_FIELDS.filter((field) => !right[field]),
      ...(end === false ? ['end'] : []),
    ]
    if (wrong.length === 0) return []
    const rows = [
      `${one.id} ${one.kind} ${one.language}: ${wrong.join(', ')}`,
      `  right     ${JSON.stringify(one.expect)}`,
      `  answered  ${JSON.stringify(answered)}`,
      `  sure      ${JSON.stringify(confidence)}`,
      ...(one.image === undefined ? [] : [`  read      ${JSON.stringify(read.slice(0, 600))}`]),
    ]
    return [rows.join('\n')]
  })
}
