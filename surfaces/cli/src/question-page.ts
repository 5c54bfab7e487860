import type { QuestionView } from '@surehand/core/host'
import { type AnswerForm, answerForm } from './answer-form.ts'
import { QUESTION_FLAGS } from './command-flags.ts'
import { fieldLines } from './field-lines.ts'
import { safeLine } from './safe-text.ts'
import {
  isSpelledOut,
  oneLine,
  parseShown,
  type Shown,
  SPELLED_OUT_NOTE,
  shownLines,
  valueLines,
} from './shown.ts'

const ANSWERED_BY: Readonly<Record<string, string>> = {
  person: 'a person, with their own credential',
  model: 'the model that called, or a person',
  anyone: 'whoever is first, a person or the model that called',
}

/** Everything whoever answers must see, whole. */
export function questionPage(question: QuestionView): readonly string[] {
  const shown = parseShown(question)
  return [
    ...shownLines(shown.asks),
    '',
    ...warnings(question, shown),
    `State:       ${safeLine(question.state)}${answerWords(question)}`,
    `Asked by:    ${oneLine(shown.title)} (${oneLine(shown.tool)}, version ${oneLine(shown.version)}), at "${safeLine(question.path)}"`,
    `Called by:   ${shown.actor === 'ai_agent' ? 'an AI agent, for ' : ''}${oneLine(shown.asked_by)}`,
    `Answered by: ${ANSWERED_BY[question.from] ?? safeLine(question.from)}`,
    `Asked at:    ${safeLine(question.created_at)}`,
    `Open until:  ${safeLine(question.expires_at)}`,
    `Call:        ${safeLine(question.call_id)}`,
    ...(question.url === undefined ? [] : [`In a browser: ${safeLine(question.url)}`]),
    '',
    ...(shown.draft === undefined
      ? []
      : [
          'It is filled in with, whole:',
          ...valueLines(shown.draft).map((line) => `  ${line}`),
          '',
        ]),
    'The answer:',
    ...formLines(answerForm(question)),
    '',
    `Digest of what is shown: ${safeLine(question.digest)}`,
  ]
}

function warnings(question: QuestionView, { problem }: Shown): readonly string[] {
  const told = [
    ...(problem === undefined ? [] : [`!! The last answer did not do: ${oneLine(problem)}`]),
    ...(isSpelledOut(question) ? [SPELLED_OUT_NOTE] : []),
  ]
  return told.length === 0 ? [] : [...told, '']
}

// what was answered may hold a secret: that it was is enough here
function answerWords({ answer }: QuestionView): string {
  return answer === undefined ? '' : ` (by ${safeLine(answer.by)} at ${safeLine(answer.at)})`
}

function formLines({ fields, isSingleValue }: AnswerForm): readonly string[] {
  if (fields.length === 0) return ['  (nothing but that it goes on)']
  return fields.flatMap((field) => fieldLines(field, isSingleValue ? new Set() : QUESTION_FLAGS))
}
