import type { QuestionView } from '@surehand/core/host'
import { requesterText } from '@surehand/core/worker-entry'
import { type AnswerForm, answerForm } from './answer-form.ts'
import { QUESTION_FLAGS } from './command-flags.ts'
import { fieldLines } from './field-lines.ts'
import { safeLine } from './safe-text.ts'
import { oneLine, parseShown, type Shown, shownLines, valueLines } from './shown.ts'
import { trapLines } from './trap-lines.ts'

const ANSWERED_BY: Readonly<Record<string, string>> = {
  person: 'a person, with their own credential',
  model: 'the model that called, or a person',
  anyone: 'a person or the model that called, the first answer counts',
}

/** Everything the person who answers must see, untruncated. */
export function questionPage(question: QuestionView): readonly string[] {
  const shown = parseShown(question)
  return [
    ...shownLines(shown.asks),
    '',
    ...warnings(question, shown),
    `State:       ${safeLine(question.state)}${answerWords(question)}`,
    `Tool:        ${oneLine(shown.title)} (${oneLine(shown.tool)}, version ${oneLine(shown.version)}), step "${safeLine(question.path)}"`,
    `Caller:      ${oneLine(requesterText(question))}`,
    `Answered by: ${ANSWERED_BY[question.from] ?? safeLine(question.from)}`,
    `Created at:  ${safeLine(question.created_at)}`,
    `Expires at:  ${safeLine(question.expires_at)}`,
    `Call:        ${safeLine(question.call_id)}`,
    ...(question.url === undefined ? [] : [`In a browser: ${safeLine(question.url)}`]),
    '',
    ...(shown.draft === undefined
      ? []
      : [
          'Complete draft of the answer:',
          ...valueLines(shown.draft).map((line) => `  ${line}`),
          '',
        ]),
    'Fields of the answer:',
    ...formLines(answerForm(question)),
    '',
    `Digest of this question: ${safeLine(question.digest)}`,
  ]
}

function warnings(question: QuestionView, { problem }: Shown): readonly string[] {
  const lines = [
    ...(problem === undefined ? [] : [`!! The last answer was not accepted: ${oneLine(problem)}`]),
    ...trapLines(question),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

// The answer itself may hold a secret: only who answered, and when, is shown.
function answerWords({ answer }: QuestionView): string {
  return answer === undefined ? '' : ` (by ${safeLine(answer.by)} at ${safeLine(answer.at)})`
}

function formLines({ fields, isSingleValue }: AnswerForm): readonly string[] {
  if (fields.length === 0) return ['  (none: confirm to continue)']
  return fields.flatMap((field) => fieldLines(field, isSingleValue ? new Set() : QUESTION_FLAGS))
}
