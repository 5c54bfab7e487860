import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import type { Here } from '../../task/here.ts'
import { given } from '../../task/task.ts'
import { hereWhen, type Writing } from '../../task/writing.ts'
import { LONGEST_SESSION_MS, minutesOf, type Session, sessionView } from '../session.ts'
import { runningSession } from './start-deep-work.ts'

export type Stop = {
  readonly ended_at?: string | undefined
  readonly focus?: number | undefined
  readonly interruptions?: number | undefined
  readonly note?: string | undefined
}

// what is stopped is stopped: of two that stop it at once, one changes no row
const UPDATE = `update pm_deep_work set stopped_at = ?, focus = ?, interruptions = ?, note = ?
  where tenant = ? and owner = ? and id = ? and stopped_at is null`

export const stopDeepWork = defineTransaction(
  'time.deep_work_stop',
  async (tx: Tx, call: Writing<Stop>) => {
    const here = await hereWhen(tx, call)
    const { tenant, owner } = call.person
    const { focus, interruptions, note } = call.input
    const running = await runningSession(tx, call.person)
    if (running === undefined) throw nothingRuns()
    const stoppedAt = endOf(running, call.input.ended_at, here)
    const values = [stoppedAt, focus ?? null, interruptions ?? null, note ?? null]
    const { changes } = await tx.run(UPDATE, ...values, tenant, owner, running.id)
    if (changes === 0) throw nothingRuns()
    const session: Session = {
      ...running,
      stoppedAt,
      ...given('focus', focus),
      ...given('interruptions', interruptions),
      ...given('note', note),
    }
    return {
      session: sessionView(session, here),
      message: `${minutesOf(session, here.now)} minutes of deep work on "${session.subject}".`,
    }
  },
)

function nothingRuns(): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    'No deep work is under way. Begin with time.deep_work_start.',
    {
      details: { running: null },
    },
  )
}

function endOf({ startedAt, subject }: Session, said: string | undefined, here: Here): number {
  const end = said === undefined ? here.now : Date.parse(said)
  const refuse = (error: string) =>
    new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `Deep work on "${subject}" can not end then: ended_at ${error}.`,
      {
        details: {
          validation_errors: [{ field: 'ended_at', error, ...given('provided_value', said) }],
        },
      },
    )
  if (end < startedAt) throw refuse('must not be before it began')
  if (end > here.now) throw refuse('must not be in the future')
  if (end - startedAt > LONGEST_SESSION_MS)
    throw refuse('must say when it ended, at most 24 hours after it began')
  return end
}
