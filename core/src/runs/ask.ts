import { ToolError } from '../call/tool-error.ts'
import type { Problem } from '../define/schema.ts'
import type { Question } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import { askEntry, newQuestion, type Wanted } from './question.ts'
import { errorAnswer, type Told, toldAgain, valueAnswer, WAITS } from './told.ts'

/** Asks, once a place; an answer that is not what was asked for is asked for again, in a place behind it. */
export async function ask(wanted: Wanted, drive: Drive): Promise<Told> {
  for (let round = 1, problem: string | undefined; ; round++) {
    const path = round === 1 ? wanted.path : `${wanted.path}~${round}`
    const found = drive.journal.at(path)
    if (found !== undefined && (found.what !== 'ask' || found.inputHash !== wanted.hash))
      return drive.diverge(path, found, 'a question')
    if (found?.answer !== undefined) return parsed(toldAgain(found.answer), wanted)
    if (drive.mode !== 'forward') return WAITS
    const question =
      found === undefined
        ? await put({ ...wanted, path }, drive, problem)
        : await look(found.child, drive)
    if (question === undefined) return WAITS
    const settled = settle(question, { ...wanted, path }, drive)
    if (settled.kind !== 'refused') return settled
    problem = settled.problem
  }
}

type Settled = Told | { readonly kind: 'refused'; readonly problem: string }

function settle(question: Question, wanted: Wanted, drive: Drive): Settled {
  const entry = drive.journal.at(wanted.path)
  if (entry === undefined) return WAITS
  switch (question.state) {
    case 'open':
      drive.waitFor({ question: question.id, until: question.expiresAt })
      return WAITS
    case 'answered': {
      const value: unknown = JSON.parse(question.answer?.json ?? 'null')
      const held = wanted.schema.parse(value)
      if (!held.ok) return { kind: 'refused', problem: wordsFor(held.problems) }
      drive.journal.put({ ...entry, answer: valueAnswer(value) })
      return { kind: 'value', value: held.value }
    }
    case 'expired':
    case 'closed': {
      if (wanted.otherwise === undefined) {
        const error = unanswered(question)
        drive.journal.put({ ...entry, answer: errorAnswer(error) })
        return { kind: 'error', error }
      }
      drive.journal.put({ ...entry, answer: valueAnswer(wanted.otherwise) })
      return parsed({ kind: 'value', value: wanted.otherwise }, wanted)
    }
  }
}

async function put(
  wanted: Wanted,
  drive: Drive,
  problem: string | undefined,
): Promise<Question | undefined> {
  if (!(await drive.flushed())) return undefined
  const question = newQuestion(wanted, drive, problem)
  const entry = askEntry(wanted, question)
  const asked = await drive.parts.stores.runs.ask(drive.fence(), question, entry)
  if (asked === undefined) drive.end({ kind: 'lost' })
  else drive.journal.know({ ...entry, child: asked.id })
  return asked
}

async function look(id: string, drive: Drive): Promise<Question | undefined> {
  return drive.parts.stores.runs.question(drive.row.tenant, id)
}

// what was kept was held against the schema then; the code may expect more by now
function parsed(told: Told, wanted: Wanted): Told {
  if (told.kind !== 'value') return told
  const held = wanted.schema.parse(told.value)
  if (held.ok) return { kind: 'value', value: held.value }
  return {
    kind: 'error',
    error: new ToolError(
      'TOOL_RUN_DIVERGED',
      `What was answered at "${wanted.path}" is not what is asked for now.`,
    ),
  }
}

function wordsFor(problems: readonly Problem[]): string {
  return problems
    .map(({ field, error }) => `${field === '' ? 'the answer' : field} ${error}`)
    .join('; ')
}

function unanswered(question: Question): ToolError {
  return new ToolError('TOOL_GATE_CLOSED', `Nobody answered in time: ${question.asks}`, {
    details: { source_code: 'question_expired', question_id: question.id },
    suggestions: ['Call it again when somebody is there to answer.'],
  })
}
