import type { Envelope } from '@surehand/core'
import { parseJson, type QuestionView } from '@surehand/core/host'
import { type AnswerForm, answerForm, fromInputObject, toInput } from '../answer-form.ts'
import {
  type FlagValues,
  flagValue,
  requireWords,
  type Token,
  unknownAction,
  unknownFlag,
} from '../arguments.ts'
import { askQuestion, type GivenAnswer } from '../ask-question.ts'
import { awaitBriefly } from '../await-briefly.ts'
import type { Backend } from '../backend.ts'
import {
  type FieldArguments,
  type InputContext,
  isArgument,
  mergeFields,
  refuseSecrets,
} from '../build-input.ts'
import type { CommandContext } from '../command.ts'
import { EXIT_INTERRUPTED, exitCodeOf } from '../exit-code.ts'
import { parseValue } from '../field-value.ts'
import { quoteCommand } from '../input-to-flags.ts'
import { printEnvelope, printJson, printLines } from '../print.ts'
import { progressOn } from '../progress.ts'
import { CANCELLED } from '../prompt.ts'
import { questionPage } from '../question-page.ts'
import { readInput } from '../read-input.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { isInteractive, screenWidth } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const HELP_COMMAND = 'surehand help questions'
const ACTIONS = ['list', 'show', 'answer'] as const
const STATES = ['open', 'answered', 'expired', 'closed', 'all']

type QuestionLine = {
  readonly words: readonly string[]
  readonly rest: readonly Token[]
  readonly flags: FlagValues
}

export async function questions(context: CommandContext): Promise<number> {
  const { words, rest, flags } = parseQuestionLine(context)
  const [action = 'list', ...more] = words
  if (!ACTIONS.some((known) => known === action)) throw unknownAction('questions', action, ACTIONS)
  const [id = ''] = requireWords(more, action === 'list' ? [] : ['ID'], HELP_COMMAND)
  if (action === 'answer') return answer(id, { flags, rest }, context)
  const [stray] = rest
  if (stray?.kind === 'flag')
    throw unknownFlag(stray.name, Object.keys(context.command.flags), HELP_COMMAND)
  return action === 'list' ? list(flagValue(flags, 'state') ?? 'open', context) : show(id, context)
}

/**
 * Words come first. From the first flag that is not the command's own, everything belongs to the
 * answer.
 */
function parseQuestionLine({ line: { flags, rest } }: CommandContext): QuestionLine {
  const first = rest.findIndex(({ kind }) => kind === 'flag')
  const before = first === -1 ? rest : rest.slice(0, first)
  return {
    flags,
    words: before.flatMap((token) => (token.kind === 'word' ? [token.text] : [])),
    rest: rest.slice(before.length),
  }
}

function list(state: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  if (!STATES.includes(state))
    throw new UsageError(`--state is one of ${STATES.join(', ')}, not "${state}".`, HELP_COMMAND)
  return withBackend(async (backend) => {
    const found = await backend.questions(state === 'all' ? undefined : state)
    if (format === 'json') printJson(terminal, found)
    else printLines(terminal, listLines(found, state, screenWidth(terminal.stdout)))
    return 0
  })
}

function listLines(
  found: readonly QuestionView[],
  state: string,
  width: number,
): readonly string[] {
  if (found.length === 0) return [state === 'open' ? 'No questions are open.' : 'None.']
  const rows = found.map((question) => [
    question.id,
    question.asks,
    question.tool,
    question.from,
    question.state,
    question.expires_at,
  ])
  return [formatTable(['ID', 'QUESTION', 'TOOL', 'ANSWERED BY', 'STATE', 'EXPIRES'], rows, width)]
}

function show(id: string, { terminal, format, withBackend }: CommandContext): Promise<number> {
  return withBackend(async (backend) => {
    const question = await backend.question(id)
    if (format === 'json') printJson(terminal, question)
    else
      printLines(terminal, [
        ...questionPage(question),
        ...(question.state === 'open' ? ['', ...nextCommands(question)] : []),
      ])
    return 0
  })
}

function nextCommands({ id, digest }: QuestionView): readonly string[] {
  const which = quoteCommand([id, '--digest', digest])
  return [
    `Answer field by field:  surehand questions answer ${safeLine(quoteCommand([id]))}`,
    `Answer in one command:  surehand questions answer ${safeLine(which)} --answer JSON`,
  ]
}

async function answer(
  id: string,
  { flags, rest }: Pick<QuestionLine, 'flags' | 'rest'>,
  context: CommandContext,
): Promise<number> {
  const words: AnswerArguments = {
    flags: rest,
    fromEnv: flags.get('field-from-env') ?? [],
    answer: flagValue(flags, 'answer'),
    input: flagValue(flags, 'input'),
  }
  return context.withBackend(async (backend) => {
    const question = await backend.question(id)
    const given = await obtainAnswer(question, words, context)
    if (given === CANCELLED) {
      context.terminal.stderr.write('Nothing was answered.\n')
      return EXIT_INTERRUPTED
    }
    const digest = flagValue(flags, 'digest') ?? question.digest
    const answered = await backend.answerQuestion(question.id, { ...given, digest })
    return awaitOutcome(answered, context, backend)
  })
}

async function obtainAnswer(
  question: QuestionView,
  words: AnswerArguments,
  context: CommandContext,
): Promise<GivenAnswer | typeof CANCELLED> {
  const { terminal, options, format } = context
  if (hasAnswer(words))
    return { answer: await buildAnswer(words, question, { terminal, env: options.env }) }
  if (question.state === 'open' && isInteractive(terminal) && format === 'words')
    return askQuestion(question, terminal)
  const draft =
    question.draft === undefined ? 'JSON' : quoteCommand([JSON.stringify(question.draft)])
  throw new UsageError(
    'The answer is missing.',
    `surehand questions answer ${quoteCommand([question.id])} --answer ${draft}`,
  )
}

async function awaitOutcome(
  answered: QuestionView,
  { terminal, format }: CommandContext,
  backend: Backend,
): Promise<number> {
  const view = progressOn(terminal, format === 'json' ? 'lines' : 'bar')
  const next = await awaitBriefly(answered.call_id, backend, { onProgress: view.show }).finally(
    view.end,
  )
  if (format === 'json') printJson(terminal, next === undefined ? answered : { ...answered, next })
  else printOutcome(answered, next, { terminal, format })
  return next === undefined ? 0 : exitCodeOf(next)
}

function printOutcome(
  answered: QuestionView,
  next: Envelope | undefined,
  { terminal, format }: Pick<CommandContext, 'terminal' | 'format'>,
): void {
  terminal.stderr.write('Answered. ')
  if (next === undefined || next.metadata.job !== undefined) {
    terminal.stderr.write('The run continues.\n')
    printLines(terminal, [`Watch it: surehand jobs watch ${safeLine(answered.call_id)}`])
    return
  }
  const { asking, pending } = next.metadata
  const words =
    asking !== undefined
      ? 'The run has another question:'
      : pending !== undefined
        ? 'The run now requires approval:'
        : 'The run has ended:'
  terminal.stderr.write(`${words}\n`)
  printEnvelope(terminal, next, format)
}

const MAX_ANSWER_BYTES = 1024 * 1024

type AnswerArguments = FieldArguments & {
  /** The value of `--answer`. */
  readonly answer: string | undefined
  /** The value of `--input`. */
  readonly input: string | undefined
}

function hasAnswer({ flags, fromEnv, answer, input }: AnswerArguments): boolean {
  return flags.length > 0 || fromEnv.length > 0 || answer !== undefined || input !== undefined
}

/** The answer from the command line: complete, or fields put over it or over the draft. */
async function buildAnswer(
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
      ? await answerFromInput(words.input, terminal)
      : parseAnswer(words.answer, form)
  if (isArgument(words.answer ?? words.input))
    refuseSecrets(JSON.stringify(toInput(whole, form)), form.secrets, about)
  if (words.flags.length === 0 && words.fromEnv.length === 0) return whole
  const onto = toInput(whole === undefined ? question.draft : whole, form)
  return fromInputObject(mergeFields(words, { about, ...form, onto }, env), form)
}

async function answerFromInput(
  given: string | undefined,
  { stdin }: InputContext['terminal'],
): Promise<unknown> {
  return given === undefined
    ? undefined
    : parseJson(await readInput(given, stdin), MAX_ANSWER_BYTES)
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
  return parseJson(text, MAX_ANSWER_BYTES)
}
