import { parseJson, type QuestionView } from '@surehand/core/host'
import { type AnswerForm, answerForm, unwrapped, wrapped } from './answer-form.ts'
import {
  type FieldWords,
  isArgument,
  layOver,
  refuseSecrets,
  type Surroundings,
} from './build-input.ts'
import { wordValue } from './field-value.ts'
import { readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'

const MAX_BYTES = 1024 * 1024

export type AnswerWords = FieldWords & {
  /** What `--answer` said. */
  readonly answer: string | undefined
  /** What `--input` said. */
  readonly input: string | undefined
}

export function isGiven({ flags, fromEnv, answer, input }: AnswerWords): boolean {
  return flags.length > 0 || fromEnv.length > 0 || answer !== undefined || input !== undefined
}

/** The answer as the line says it: whole, or fields laid over it, or over the draft. */
export async function buildAnswer(
  words: AnswerWords,
  question: QuestionView,
  { terminal, env }: Surroundings,
): Promise<unknown> {
  const about = {
    command: `surehand questions answer ${question.id}`,
    mend: `surehand questions show ${question.id}`,
  }
  if (words.answer !== undefined && words.input !== undefined)
    throw new UsageError('Say one of --answer and --input.', about.mend)
  const form = answerForm(question)
  const whole =
    words.answer === undefined ? await fromInput(words.input, terminal) : ofWord(words.answer, form)
  if (isArgument(words.answer ?? words.input))
    refuseSecrets(JSON.stringify(wrapped(whole, form)), form.secrets, about)
  if (words.flags.length === 0 && words.fromEnv.length === 0) return whole
  const onto = wrapped(whole === undefined ? question.draft : whole, form)
  return unwrapped(layOver(words, { about, ...form, onto }, env), form)
}

async function fromInput(
  given: string | undefined,
  { stdin }: Surroundings['terminal'],
): Promise<unknown> {
  return given === undefined ? undefined : parseJson(await readInput(given, stdin), MAX_BYTES)
}

// where a bare text or one of a few words is asked for, it may be written without its quotes
function ofWord(text: string, { fields: [field], isOne }: AnswerForm): unknown {
  if (
    isOne &&
    field?.isList === false &&
    (field.form.kind === 'text' || field.form.kind === 'choice')
  ) {
    const json = wordValue(text, { kind: 'json' })
    return typeof json === 'string' ? json : (wordValue(text, field.form) ?? json ?? text)
  }
  return parseJson(text, MAX_BYTES)
}
