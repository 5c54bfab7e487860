import type { Result } from './behaviour-suite.ts'
import { BEHAVIOURS } from './behaviours/all.ts'

const MARKS: Readonly<Record<Result['verdict'], string>> = {
  holds: '✓',
  broken: '✗',
  'does not apply': '–',
}

const NOT_RUN = '?'

/** Behaviours × doors, in markdown. */
export function table(results: readonly Result[]): string {
  const doors = [...new Set(results.map(({ door }) => door))].toSorted()
  const marks = new Map(
    results.map(({ id, door, verdict }) => [JSON.stringify([id, door]), MARKS[verdict]]),
  )
  const rows = BEHAVIOURS.map(({ id, sentence, rules }) => [
    `\`${id}\``,
    rules,
    sentence,
    ...doors.map((door) => marks.get(JSON.stringify([id, door])) ?? NOT_RUN),
  ])
  const head = ['behaviour', 'rules', 'what is promised', ...doors]
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
