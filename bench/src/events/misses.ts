import type { Examined } from '../../../packs/events/testing/examine.ts'

const FIELDS = ['date', 'time', 'title', 'place', 'end', 'recurrence', 'price'] as const

/** What was wrong, case by case; held-out cases are never told. */
export function missLines(examined: readonly Examined[], most: number): readonly string[] {
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
