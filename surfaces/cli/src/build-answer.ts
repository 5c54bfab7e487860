import { parseJson, type QuestionView } from '@surehand/core/host'
import { type AnswerForm, answerForm, fromInputObject, toInput } from './answer-form.ts'
import {
  type FieldArguments,
  type InputContext,
  isArgument,
  mergeFields,
  refuseSecrets,
} from './build-input.ts'
import { parseValue } from './field-value.ts'
import { readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'

const MAX_BYTES = 1024 * 1024

export type AnswerArguments = FieldArguments & {
  /** The value of `--answer`. */
  readonly answer: string | undefined
  /** The value of `--input`. */
  readonly input: string | undefined
}

export function hasAnswer({ flags, fromEnv, answer, input }: AnswerArguments): boolean {
  return flags.length > 0 || fromEnv.length > 0 || answer !== undefined || input !== undefined
}

/** The answer from the command line: complete, or fields put over it or over the draft. */
export async function buildAnswer(
  words: AnswerArguments,
  question: QuestionView,
  { terminal, env }: InputContext,
): Promise<unknown> {
  const about = {
    command: `surehand questions answer ${question.id}`,
    suggestion: `surehand questions show ${question.id}`,
  }
  if (words.answer !== undefined && words.input !== undefined)
    throw new UsageError('Give either --answer or --input.', about.suggestion)
  const form = answerForm(question)
  const whole =
    words.answer === undefined
      ? await fromInput(words.input, terminal)
      : parseAnswer(words.answer, form)
  if (isArgument(words.answer ?? words.input))
    refuseSecrets(JSON.stringify(toInput(whole, form)), form.secrets, about)
  if (words.flags.length === 0 && words.fromEnv.length === 0) return whole
  const onto = toInput(whole === undefined ? question.draft : whole, form)
  return fromInputObject(mergeFields(words, { about, ...form, onto }, env), form)
}

async function fromInput(
  given: string | undefined,
  { stdin }: InputContext['terminal'],
): Promise<unknown> {
  return given === undefined ? undefined : parseJson(await readInput(given, stdin), MAX_BYTES)
}

// A text or a choice may be written without JSON quotes.
function parseAnswer(text: string, { fields: [field], isSingleValue }: AnswerForm): unknown {
  if (
    isSingleValue &&
    field?.isList === false &&
    (field.form.kind === 'text' || field.form.kind === 'choice')
  ) {
    const json = parseValue(text, { kind: 'json' })
    return typeof json === 'string' ? json : (parseValue(text, field.form) ?? json ?? text)
  }
  return parseJson(text, MAX_BYTES)
}
