import { type QuestionView, readReviewForm } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import { type AnswerForm, answerForm, fromInputObject, toInput } from './answer-form.ts'
import { allFields, askFields } from './ask-fields.ts'
import { type InputObject, setField } from './flags-to-input.ts'
import { type Answered, CANCELLED, createPrompt } from './prompt.ts'
import { questionPage } from './question-page.ts'
import { reviewAnswer } from './review-answer.ts'
import { valueLines } from './shown.ts'
import type { Terminal } from './terminal.ts'

export type GivenAnswer = { readonly answer: unknown }

/**
 * Shows a question whole and asks for each field of its answer. An answer that differs from the
 * draft is shown again before it is sent.
 */
export async function askQuestion(
  question: QuestionView,
  terminal: Terminal,
): Answered<GivenAnswer> {
  const prompt = createPrompt(terminal)
  const review = readReviewForm(question.schema)
  if (review !== undefined && question.draft !== undefined)
    return reviewAnswer(question, review, { terminal, prompt })
  terminal.stderr.write(`${questionPage(question).join('\n')}\n\n`)
  const form = answerForm(question)
  if (form.fields.length === 0)
    return (await prompt.confirm('Continue the run?')) === 'yes' ? { answer: {} } : CANCELLED
  const original = toInput(question.draft, form)
  for (let draft = original; ; ) {
    const input = await askFields(structuredClone(draft), allFields(draft, form.fields), {
      prompt,
      draft,
    })
    if (input === CANCELLED) return CANCELLED
    const answer = fromInputObject(input, form)
    if (question.draft === undefined || hashJson(input) === hashJson(original)) return { answer }
    terminal.stderr.write(
      `\nThis answer will be sent instead of the draft:\n${answerLines(input, form).join('\n')}\n`,
    )
    const confirmed = await prompt.confirm('Send exactly this?')
    if (confirmed === CANCELLED) return CANCELLED
    if (confirmed === 'yes') return { answer }
    draft = input
  }
}

function answerLines(input: InputObject, form: AnswerForm): readonly string[] {
  const shown = structuredClone(input)
  for (const field of form.fields)
    if (field.isSecret && Object.hasOwn(shown, field.path[0] ?? ''))
      setField(shown, field, '(hidden)')
  return valueLines(fromInputObject(shown, form)).map((line) => `  ${line}`)
}
