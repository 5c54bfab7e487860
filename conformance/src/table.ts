import type { Result } from './behaviour-suite.ts'
import { BEHAVIOURS } from './behaviours/all.ts'

const MARKS: Readonly<Record<Result['verdict'], string>> = {
  holds: '✓',
  broken: '✗',
  'does not apply': '–',
}

const NOT_RUN = '?'

/** Behaviours × surfaces, in markdown. */
export function renderTable(results: readonly Result[]): string {
  const surfaces = [...new Set(results.map(({ surface }) => surface))].toSorted()
  const marks = new Map(
    results.map(({ id, surface, verdict }) => [JSON.stringify([id, surface]), MARKS[verdict]]),
  )
  const rows = BEHAVIOURS.map(({ id, sentence, rules }) => [
    `\`${id}\``,
    rules,
    sentence,
    ...surfaces.map((surface) => marks.get(JSON.stringify([id, surface])) ?? NOT_RUN),
  ])
  const head = ['behaviour', 'rules', 'promise', ...surfaces]
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
