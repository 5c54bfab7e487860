import type { QuestionView } from '@surehand/core/host'
import { hashJson } from '@surehand/core/internal'
import { type AnswerForm, answerForm, fromInputObject, toInput } from './answer-form.ts'
import { allFields, askFields } from './ask-fields.ts'
import { CANCELLED } from './cancelled.ts'
import { type InputObject, setField } from './flags-to-input.ts'
import { promptOn } from './prompt.ts'
import { questionPage } from './question-page.ts'
import { valueLines } from './shown.ts'
import type { Terminal } from './terminal.ts'

export type GivenAnswer = { readonly answer: unknown }

/** Puts a question to whoever sits there: everything is shown, every field asked for, and what was changed in a draft read back. */
export async function askQuestion(
  question: QuestionView,
  terminal: Terminal,
): Promise<GivenAnswer | typeof CANCELLED> {
  terminal.stderr.write(`${questionPage(question).join('\n')}\n\n`)
  const form = answerForm(question)
  const prompt = promptOn(terminal)
  if (form.fields.length === 0)
    return (await prompt.confirm('Let it go on?')) === 'yes' ? { answer: {} } : CANCELLED
  const drafted = toInput(question.draft, form)
  for (let draft = drafted; ; ) {
    const input = await askFields(structuredClone(draft), allFields(draft, form.fields), {
      prompt,
      terminal,
      draft,
    })
    if (input === CANCELLED) return CANCELLED
    const answer = fromInputObject(input, form)
    if (question.draft === undefined || hashJson(input) === hashJson(drafted)) return { answer }
    terminal.stderr.write(
      `\nThis is sent in place of what it was filled in with:\n${sentLines(input, form).join('\n')}\n`,
    )
    const word = await prompt.confirm('Send exactly this?')
    if (word === CANCELLED) return CANCELLED
    if (word === 'yes') return { answer }
    draft = input
  }
}

function sentLines(input: InputObject, form: AnswerForm): readonly string[] {
  const seen = structuredClone(input)
  for (const field of form.fields)
    if (field.isSecret && Object.hasOwn(seen, field.path[0] ?? ''))
      setField(seen, field, '(hidden)')
  return valueLines(fromInputObject(seen, form)).map((line) => `  ${line}`)
}
