import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { isDay, readWhen, type When } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import type { WriteExecution } from '../person.ts'
import { type Due, dueOn, languagesOf, readDue } from './due.ts'
import { guessProject } from './find-project.ts'
import { taskRule } from './recurring.ts'
import { insertTask } from './store-task.ts'
import { type Level, optionalField, type Task } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { NotesField } from './task-fields.ts'
import { TaskView, taskView } from './task-view.ts'
import {
  buildWriteRequest,
  credentialLocalTime,
  readRequestTime,
  type WriteRequest,
} from './write-request.ts'

type Capture = {
  readonly text: string
  readonly notes?: string | undefined
  readonly due?: string | undefined
}

/**
 * The line as parsed before the transaction, in the zone of the credential. It is parsed again when
 * the person has set another zone.
 */
type CaptureArgs = {
  readonly id: string
  readonly read: { readonly zone: string; readonly line: Line }
}

/** Captures a line of text as a task in the inbox. What is not recognised stays in the title. */
const captureTask = defineTransaction(
  'task.capture',
  async (tx: Tx, call: WriteRequest<Capture> & CaptureArgs) => {
    const localTime = await readRequestTime(tx, call)
    const line =
      localTime.zone === call.read.zone ? call.read.line : readCapture(call.input, localTime)
    const project =
      line.project === undefined
        ? undefined
        : await guessProject(tx.all, call.person, line.project.name)
    const isLost = line.project !== undefined && project === undefined
    const { project: hint, recognised, unread, ...read } = line
    const notes = [read.notes, call.input.notes].filter((text) => text !== undefined).join('\n')
    const task: Task = {
      ...read,
      // A project hint without a match stays in the title.
      title: isLost ? `${read.title} ${hint?.text}`.slice(0, 400) : read.title,
      id: call.id,
      state: 'inbox',
      deferrals: 0,
      createdAt: localTime.now,
      updatedAt: localTime.now,
      ...optionalField('notes', notes === '' ? undefined : notes),
      ...optionalField('project', project),
    }
    await insertTask(tx, call.person, task)
    return {
      task: taskView(task, localTime),
      recognised: recognised
        .filter(({ kind }) => kind !== 'project' || !isLost)
        .map((one) =>
          one.kind === 'project' && project !== undefined ? { ...one, value: project.name } : one,
        ),
      not_recognised: listNotRecognised(line, isLost),
      message: `"${task.title}" is in the inbox.`,
    }
  },
)

function listNotRecognised(
  { project, unread }: Line,
  isLost: boolean,
): { text: string; reason: string }[] {
  const lost =
    isLost && project !== undefined
      ? [
          {
            text: project.text,
            reason: `No single project is called "${project.name}", so the hint stays in the title.`,
          },
        ]
      : []
  const repeating =
    unread === undefined
      ? []
      : [
          {
            text: unread,
            reason:
              'A task can follow one rule of days, weeks, months or years, so only the first date is used.',
          },
        ]
  return [...lost, ...repeating]
}

export const taskCapture = defineTool({
  id: 'task.capture',
  title: 'Capture a task',
  category: 'task_management',
  description:
    'Capture a thought or a task into the inbox, in one line. Dates in words (English, German, French, Spanish) become the due date in the person’s time zone; #tag, @context, !high, +Project and ~15m are recognised. Pass on the person’s words; the answer lists what was recognised.',
  version: '2.0.0',
  aliases: ['tools.task.capture'],
  input: z.object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe(
        'The person’s words: "call Bob tomorrow 5pm #errands !high @phone +Garden ~15m". Further lines become notes.',
      ),
    notes: NotesField.optional(),
    due: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'When it is due, if the text does not say it; then no date is read from the text. "none": it has none.',
      ),
  }),
  output: z.object({
    task: TaskView,
    recognised: z.array(
      z.object({
        kind: z.enum(['due', 'repeats', 'tag', 'context', 'priority', 'project', 'minutes']),
        text: z.string().describe('The words from which it was read.'),
        value: z.string(),
      }),
    ),
    not_recognised: z.array(z.object({ text: z.string(), reason: z.string() })),
    message: z.string(),
  }),
  contract: {
    ...taskWrite,
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1000, per: '1h' },
    ],
  },
  examples: [
    { name: 'one line', input: { text: 'Call Bob tomorrow 5pm #errands !high @phone ~15m' } },
    {
      name: 'with notes',
      input: { text: 'Renew the passport', notes: 'The office is open on Tuesdays.' },
    },
  ],
  transaction: transact(captureTask, (execution: WriteExecution<Capture>) => {
    const call = buildWriteRequest(execution, 'task.write')
    const localTime = credentialLocalTime(call.caller, call.now)
    return {
      ...call,
      id: execution.newId('tsk'),
      read: { zone: localTime.zone, line: readCapture(call.input, localTime) },
    }
  }),
})

/** A value that was recognised in a line, with the words it was read from. */
type Recognised = {
  readonly kind: 'due' | 'repeats' | 'tag' | 'context' | 'priority' | 'project' | 'minutes'
  readonly text: string
  readonly value: string
}

type Line = Pick<
  Task,
  'title' | 'notes' | 'due' | 'repeats' | 'tags' | 'context' | 'priority' | 'minutes'
> & {
  /** The name of a project that still has to be looked up. */
  readonly project?: { readonly name: string; readonly text: string }
  readonly recognised: readonly Recognised[]
  /** Words of a repetition that a task cannot follow. */
  readonly unread?: string
}

const MOST_TITLE = 300
// Below this confidence, a number or the name of a month is as likely to be part of the title.
const LEAST_CONFIDENCE = 0.5
const MOST_TAGS = 20

/** The line of a capture. A date that is given separately takes the place of one in the text. */
function readCapture({ text, due }: Capture, localTime: LocalTime): Line {
  if (due === undefined) return readLine(text, localTime)
  const line = readLine(text, localTime, 'no dates')
  return due === 'none' ? line : { ...line, due: readDue(due, localTime, 'due') }
}

/**
 * Parses a line such as "call Bob tomorrow 5pm #errands !high @phone +Garden ~15m", in the
 * languages that dates are read in.
 */
export function readLine(
  text: string,
  localTime: LocalTime,
  dates: 'dates' | 'no dates' = 'dates',
): Line {
  const [first = '', ...more] = text.normalize('NFC').trim().split('\n')
  const { hints, rest } = extractHints(first)
  const when = dates === 'dates' ? findDate(rest, localTime) : undefined
  const bare = when === undefined ? rest : removeDate(rest, when)
  const whole = tidy(bare) || tidy(rest) || tidy(first)
  const isLong = whole.length > MOST_TITLE
  const notes = [...(isLong ? [whole] : []), ...more].join('\n').trim()
  const due = when === undefined ? undefined : dueOn(when.day, when.time, when.timeZone)
  const repeats = taskRule(when?.recurrence)
  const contexts = hints.filter(({ kind }) => kind === 'context').map(({ value }) => String(value))
  const tags = hints.filter(({ kind }) => kind === 'tag').map(({ value }) => String(value))
  const project = hints.find(({ kind }) => kind === 'project')
  return {
    title: isLong ? `${whole.slice(0, MOST_TITLE - 1).trimEnd()}…` : whole,
    // A task has one context; further contexts become tags.
    tags: [...new Set([...tags, ...contexts.slice(1)])].slice(0, MOST_TAGS),
    recognised: [
      ...hints.map(({ kind, text: hint, value }) => ({ kind, text: hint, value: String(value) })),
      ...recognisedDue(when, due),
      ...(when === undefined || repeats === undefined
        ? []
        : [{ kind: 'repeats' as const, text: collapseSpaces(when.text), value: repeats }]),
    ],
    ...optionalField('notes', notes === '' ? undefined : notes),
    ...optionalField('due', due),
    ...optionalField('context', contexts[0]),
    ...optionalField('priority', hints.find((hint) => hint.kind === 'priority')?.value),
    ...optionalField('minutes', hints.find((hint) => hint.kind === 'minutes')?.value),
    ...optionalField(
      'project',
      project === undefined ? undefined : { name: String(project.value), text: project.text },
    ),
    ...optionalField('repeats', repeats),
    ...optionalField(
      'unread',
      when?.recurrence === undefined || repeats !== undefined
        ? undefined
        : collapseSpaces(when.text),
    ),
  }
}

function findDate(line: string, { now, zone }: LocalTime): When | undefined {
  return readWhen(line, { now, timeZone: zone, prefer: 'future', ...languagesOf(line) }).find(
    ({ confidence, aside, day }) =>
      isDay(day) && confidence >= LEAST_CONFIDENCE && (aside === undefined || aside === 'deadline'),
  )
}

function recognisedDue(when: When | undefined, due: Due | undefined): readonly Recognised[] {
  if (when === undefined || due === undefined) return []
  return [
    {
      kind: 'due',
      text: collapseSpaces(when.text),
      value: due.time === undefined ? due.day : `${due.day} ${due.time} ${due.zone}`,
    },
  ]
}

// Words that introduce a date and mean nothing without it (English, German, French, Spanish).
const LEADING =
  /(?:^|\s)(?:by|on|at|until|till|due|before|for|am|bis|zum|um|fällig|vor dem|bis zum|le|pour|pour le|avant|avant le|d['’]ici|au|el|para|para el|hasta|hasta el|antes del?)\s*[:,]?\s*$/iu

function removeDate(line: string, { text, index }: When): string {
  const before = line.slice(0, index)
  return `${before.replace(LEADING, ' ')} ${line.slice(index + text.length)}`
}

// A date may surround a hint that was removed, which leaves several spaces.
function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function tidy(text: string): string {
  return collapseSpaces(text)
    .replace(/^[\s,;:–-]+|[\s,;:–-]+$/gu, '')
    .replace(/\s+([,;.!?])/g, '$1')
}

/** A marked word in a line of text that sets a field of the task. */
type Hint =
  | { readonly kind: 'tag' | 'context' | 'project'; readonly text: string; readonly value: string }
  | { readonly kind: 'priority'; readonly text: string; readonly value: Level }
  | { readonly kind: 'minutes'; readonly text: string; readonly value: number }

// English, German, French and Spanish. A Map, because in a plain object "!constructor" would find
// an inherited property.
const PRIORITIES: ReadonlyMap<string, Level> = new Map(
  Object.entries<Level>({
    ...{ '1': 'high', '2': 'medium', '3': 'low', '!!': 'high', '!': 'medium' },
    ...{ high: 'high', urgent: 'high', medium: 'medium', normal: 'medium', low: 'low' },
    ...{ hoch: 'high', dringend: 'high', mittel: 'medium', niedrig: 'low' },
    ...{ haute: 'high', moyenne: 'medium', basse: 'low', faible: 'low' },
    ...{ alta: 'high', urgente: 'high', media: 'medium', baja: 'low' },
  }),
)

type Rule = {
  readonly pattern: RegExp
  readonly read: (word: string, text: string) => Hint | undefined
}

// A mark counts at the start of a word and before a letter: `a@b.example`, `issue #12` and `+49 30`
// are no hints.
const RULES: readonly Rule[] = [
  {
    pattern: /(?<!\S)#(\p{L}[\p{L}\p{N}_/-]{0,49})/gu,
    read: (word, text) => ({ kind: 'tag', text, value: nameKey(word) }),
  },
  {
    pattern: /(?<!\S)@(\p{L}[\p{L}\p{N}_-]{0,49})/gu,
    read: (word, text) => ({ kind: 'context', text, value: nameKey(word) }),
  },
  {
    pattern: /(?<!\S)\+"([^"\n]{1,200})"/gu,
    read: (word, text) => ({ kind: 'project', text, value: word }),
  },
  {
    pattern: /(?<!\S)\+(\p{L}[\p{L}\p{N}_-]{0,199})/gu,
    read: (word, text) => ({ kind: 'project', text, value: word }),
  },
  { pattern: /(?<!\S)!(!{1,2}|[1-3]|\p{L}+)(?!\S)/gu, read: readPriority },
  { pattern: /(?<!\S)~((?:\d{1,2}h)?(?:\d{1,3}(?:m|min)?)?)(?!\S)/gu, read: readMinutes },
]

function readPriority(word: string, text: string): Hint | undefined {
  const value = PRIORITIES.get(nameKey(word))
  return value === undefined ? undefined : { kind: 'priority', text, value }
}

const MOST_MINUTES = 1440

function readMinutes(word: string, text: string): Hint | undefined {
  const [, hours, rest] = /^(?:(\d+)h)?(?:(\d+)(?:m|min)?)?$/.exec(word) ?? []
  const value = Number(hours ?? 0) * 60 + Number(rest ?? 0)
  return value >= 1 && value <= MOST_MINUTES ? { kind: 'minutes', text, value } : undefined
}

/**
 * The hints of a line in order, and the line with spaces in their place, so that all other text
 * keeps its position.
 */
export function extractHints(line: string): {
  readonly hints: readonly Hint[]
  readonly rest: string
} {
  const found: { readonly at: number; readonly hint: Hint }[] = []
  let rest = line
  for (const { pattern, read } of RULES)
    rest = rest.replace(pattern, (text: string, word: string, at: number) => {
      const hint = read(word, text)
      if (hint === undefined) return text
      found.push({ at, hint })
      return ' '.repeat(text.length)
    })
  return { hints: found.sort((one, other) => one.at - other.at).map(({ hint }) => hint), rest }
}
