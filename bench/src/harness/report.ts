import { cpus } from 'node:os'
import type { Noise } from './noise.ts'
import type { Summary } from './statistics.ts'
import { markdownTable, type Table, textTable } from './table.ts'

/** One table with its title; the notes below it say how it was measured. */
export type Section = {
  readonly title: string
  readonly table: Table
  readonly notes?: readonly string[]
}

/** The result of a suite. Sections without rows are not printed. */
export type Report = {
  readonly sections: readonly Section[]
  /** Printed below all tables. */
  readonly notes?: readonly string[]
  readonly hasFailed: boolean
}

export type RunFacts = {
  readonly command: string
  readonly date: Date
  readonly seconds: number
  readonly noise: Noise | undefined
}

export function textReport({ sections, notes = [] }: Report, { seconds, noise }: RunFacts): string {
  const facts = [describeMachine(), ...describeNoise(noise), `${Math.round(seconds)} s in total`]
  return [
    ...withRows(sections).flatMap((section) => [
      `\n${section.title}\n`,
      textTable(section.table),
      ...(section.notes ?? []).map((note) => `\n${note}`),
    ]),
    ...notes.map((note) => `\n${note}`),
    `\n${facts.join('; ')}`,
  ].join('\n')
}

export function markdownReport(
  { sections, notes = [] }: Report,
  { command, date, noise }: RunFacts,
): string {
  const time = date.toISOString().slice(0, 16).replace('T', ' ')
  const noiseSentence = describeNoise(noise).map((text) => ` Noise: ${text}.`)
  return `${[
    `${time}, ${describeMachine()}, \`${command}\`.${noiseSentence.join('')}`,
    ...withRows(sections).flatMap((section) => [
      `## ${section.title}`,
      markdownTable(section.table),
      ...(section.notes ?? []),
    ]),
    ...notes,
  ].join('\n\n')}\n`
}

function withRows(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ table }) => table.rows.length > 0)
}

function describeMachine(): string {
  const list = cpus()
  return `${list.length} × ${list[0]?.model.trim() || process.arch}, Node ${process.versions.node}`
}

function describeNoise(noise: Noise | undefined): readonly string[] {
  if (noise === undefined) return []
  const { foreignCpu, load, fdatasync } = noise
  const [before, after] = fdatasync
  const foreign = foreignCpu === undefined ? '' : `foreign CPU ${formatPercent(foreignCpu)}, `
  return [
    `${foreign}load ${load.map((average) => average.toFixed(2)).join(' ')}, fdatasync ${Math.round(before)}/s before and ${Math.round(after)}/s after`,
  ]
}

/** Three significant digits, whole numbers from 100 on. */
export function formatFigure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export function formatMedian(summary: Summary | undefined, otherwise = 'failed'): string {
  return summary === undefined ? otherwise : formatFigure(summary.median)
}

export function formatRange(summary: Summary | undefined): string {
  return summary === undefined ? '' : `${formatFigure(summary.least)}–${formatFigure(summary.most)}`
}

export function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${formatFigure(ratio)} ×`
}

export function formatPercent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(0)} %`
}

/** "1 round", "2 rounds". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
