import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import { Rfc3339DateTime } from '@surehand/documents'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import type { WriteExecution } from '../person.ts'
import { optionalField } from '../task/task.ts'
import { buildWriteRequest, readRequestTime, type WriteRequest } from '../task/write-request.ts'
import {
  findRunningSession,
  LONGEST_SESSION_MS,
  minutesOf,
  type Session,
  SessionView,
  sessionView,
} from './session.ts'
import { ownRights, timeWrite } from './time-contract.ts'

type Stop = {
  readonly ended_at?: string | undefined
  readonly focus?: number | undefined
  readonly interruptions?: number | undefined
  readonly note?: string | undefined
}

// When a session is stopped twice at once, the second update changes no row.
const UPDATE = `update pm_deep_work set stopped_at = ?, focus = ?, interruptions = ?, note = ?
  where tenant = ? and owner = ? and id = ? and stopped_at is null`

const stopDeepWork = defineTransaction(
  'time.deep_work_stop',
  async (tx: Tx, call: WriteRequest<Stop>) => {
    const localTime = await readRequestTime(tx, call)
    const { tenant, owner } = call.person
    const { focus, interruptions, note } = call.input
    const running = await findRunningSession(tx, call.person)
    if (running === undefined) throw notRunningError()
    const stoppedAt = parseEnd(running, call.input.ended_at, localTime)
    const values = [stoppedAt, focus ?? null, interruptions ?? null, note ?? null]
    const { changes } = await tx.run(UPDATE, ...values, tenant, owner, running.id)
    if (changes === 0) throw notRunningError()
    const session: Session = {
      ...running,
      stoppedAt,
      ...optionalField('focus', focus),
      ...optionalField('interruptions', interruptions),
      ...optionalField('note', note),
    }
    return {
      session: sessionView(session, localTime),
      message: `${minutesOf(session, localTime.now)} minutes of deep work on "${session.subject}".`,
    }
  },
)

function notRunningError(): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    'No session of deep work is running. Start one with time.deep_work_start.',
    {
      details: { running: null },
    },
  )
}

function parseEnd(
  { startedAt, subject }: Session,
  text: string | undefined,
  localTime: LocalTime,
): number {
  const end = text === undefined ? localTime.now : Date.parse(text)
  const refuse = (error: string) =>
    new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The session on "${subject}" cannot end then: ended_at ${error}.`,
      {
        details: {
          validation_errors: [
            { field: 'ended_at', error, ...optionalField('provided_value', text) },
          ],
        },
      },
    )
  if (end < startedAt) throw refuse('must not be before it began')
  if (end > localTime.now) throw refuse('must not be in the future')
  if (end - startedAt > LONGEST_SESSION_MS)
    throw refuse('must say when it ended, at most 24 hours after it began')
  return end
}

export const deepWorkStop = defineTool({
  id: 'time.deep_work_stop',
  title: 'Stop deep work',
  category: 'time_management',
  description:
    'End the running session of deep work. If the person forgot to stop it, give the time when it really ended.',
  version: '2.0.0',
  aliases: ['tools.time.deep_work_stop'],
  input: z.object({
    focus: z.int().min(1).max(5).optional().describe('How well it went: 1 scattered, 5 absorbed.'),
    interruptions: z.int().min(0).max(100).optional(),
    note: z.string().trim().min(1).max(1000).optional(),
    ended_at: Rfc3339DateTime.optional().describe('When it ended, if that was earlier than now.'),
  }),
  output: z.object({ session: SessionView, message: z.string() }),
  contract: { ...timeWrite, permissions: ownRights('time.write') },
  examples: [
    { name: 'it went well', input: { focus: 4, interruptions: 1 } },
    { name: 'just stop', input: {} },
  ],
  transaction: transact(stopDeepWork, (execution: WriteExecution<Stop>) =>
    buildWriteRequest(execution, 'time.write'),
  ),
})
