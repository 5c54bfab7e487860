import {
  mapLink,
  type QuestionView,
  type ReviewForm,
  reviewText,
  valueAtPath,
} from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { askFields } from './ask-fields.ts'
import type { GivenAnswer } from './ask-question.ts'
import { type Field, fieldsOf } from './fields.ts'
import { type InputObject, setField } from './flags-to-input.ts'
import { type Answered, CANCELLED, type Choice, type Prompt } from './prompt.ts'
import { oneLine, parseShown, shownLines } from './shown.ts'
import type { Terminal } from './terminal.ts'
import { trapLines } from './trap-lines.ts'

// An event's place is a level deeper than flags go.
const DEEPEST = 3
const CHANGE = 'change:'

type Reviewing = { readonly terminal: Terminal; readonly prompt: Prompt }

/**
 * Shows the proposed answer as a summary and asks what to do with it: one of the choices, or to
 * change one field, after which the summary is shown again.
 */
export async function reviewAnswer(
  question: QuestionView,
  review: ReviewForm,
  { terminal, prompt }: Reviewing,
): Answered<GivenAnswer> {
  const shown = parseShown(question)
  const fields = fieldsOf((question.schema ?? {}) as JsonSchema, [], DEEPEST)
  const choice = fields.find(({ name }) => name === review.choice)
  const answer = structuredClone(question.draft as InputObject)
  terminal.stderr.write(
    `${[
      ...shownLines(shown.asks),
      ...(shown.problem === undefined
        ? []
        : [`!! The last answer was not accepted: ${oneLine(shown.problem)}`]),
      ...trapLines(question),
    ].join('\n')}\n`,
  )
  for (;;) {
    terminal.stderr.write(`\n${summaryLines(answer, review).join('\n')}\n\n`)
    const chosen = await prompt.choose('What is to be done?', choicesOf(answer, review, choice))
    if (chosen === CANCELLED) return CANCELLED
    const path = chosen.startsWith(CHANGE) ? chosen.slice(CHANGE.length) : undefined
    const field = fields.find(({ name }) => name === path)
    if (path === undefined || field === undefined) {
      if (choice !== undefined) setField(answer, choice, chosen)
      return { answer }
    }
    const changed = await askFields(answer, [field], { prompt, draft: structuredClone(answer) })
    if (changed === CANCELLED) return CANCELLED
  }
}

/** The proposed choice, every field to change, then the other choices. */
function choicesOf(
  answer: InputObject,
  { choice: path, fields }: ReviewForm,
  choice: Field | undefined,
): readonly Choice<string>[] {
  const values = choice?.form.kind === 'choice' ? choice.form.values.map(String) : []
  const proposed = String(valueAtPath(answer, path) ?? '')
  const option = (value: string): Choice<string> => ({
    value,
    label: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
  })
  return [
    ...values.filter((value) => value === proposed).map(option),
    ...Object.entries(fields).map(([name, label]) => ({
      value: `${CHANGE}${name}`,
      label: `Change: ${label.toLowerCase()}`,
    })),
    ...values.filter((value) => value !== proposed).map(option),
  ]
}

function summaryLines(
  answer: InputObject,
  { fields, picture, map }: ReviewForm,
): readonly string[] {
  const rows = Object.entries(fields).map(
    ([path, label]) => [label, reviewText(valueAtPath(answer, path))] as const,
  )
  const link = map === undefined ? undefined : mapLink(valueAtPath(answer, map))
  const image = picture === undefined ? undefined : valueAtPath(answer, picture)
  const all = [
    ...rows,
    ['Map', link ?? ''] as const,
    ['Picture', typeof image === 'string' ? image : ''] as const,
  ].filter(([, text]) => text !== '')
  const width = Math.max(...all.map(([label]) => label.length))
  return all.map(([label, text]) => `  ${label.padEnd(width)}  ${oneLine(text)}`)
}
