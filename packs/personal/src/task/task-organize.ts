import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import type { WriteExecution } from '../person.ts'
import { applyDecision, type Decision } from './decision.ts'
import { lockTask } from './lock-task.ts'
import { updateTask } from './store-task.ts'
import { type Level, SELECT_TASKS, type Task, toTask } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { decisionFields, LevelField, TaskNamed } from './task-fields.ts'
import { CLARIFIED_STATES, TASK_STATES } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'
import { buildDatedWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Clarified = (typeof CLARIFIED_STATES)[number]

/** A guess at what an inbox item is, with the reason. The person decides. */
type Proposal = {
  readonly to: Clarified
  readonly because: string
  readonly waiting_for?: string
  readonly priority?: Level
}

type Sign = { readonly to: Clarified; readonly pattern: RegExp; readonly because: string }

// English, German, French and Spanish; the first match wins.
const SIGNS: readonly Sign[] = [
  {
    to: 'waiting_for',
    pattern:
      /^(?:waiting (?:for|on)|warte[nt]? auf|j?'?attend(?:s|re)|en attente de|esper(?:o|ar|ando)(?: a)?)\s+(.{1,200})/iu,
    because: 'it says that it waits for a person',
  },
  {
    to: 'someday_maybe',
    pattern:
      /(?:^|\s)(?:some ?day|maybe|one day|irgendwann|vielleicht|eines tages|un jour|peut-être|algún día|quizás?|tal vez)(?:\s|$|[,.:])/iu,
    because: 'it says someday or maybe',
  },
  {
    to: 'reference',
    pattern:
      /^(?:https?:\/\/\S+|(?:ref(?:erence)?|note|fyi|info|notiz|zur info|pour info|para info)\s*:.*)$/iu,
    because: 'it is something to look up, not to do',
  },
  {
    to: 'project',
    pattern:
      /^(?:project|projekt|projet|proyecto)\s*:|^(?:plan|organi[sz]e|launch|set up|prepare for|planen|organisier(?:e|en)|organiser|planifier|planificar|organizar)\s+\S/iu,
    because: 'it takes more than one step',
  },
]

/**
 * Proposes a decision from the title and the due date alone, so that the same task always gets the
 * same proposal.
 */
function proposeDecision({
  title,
  due,
  priority,
}: Pick<Task, 'title' | 'due' | 'priority'>): Proposal {
  const kept = priority === undefined ? {} : { priority }
  for (const { to, pattern, because } of SIGNS) {
    const match = pattern.exec(title)
    if (match === null) continue
    const who = match[1]?.trim()
    return {
      to,
      because,
      ...kept,
      ...(to === 'waiting_for' && who !== undefined ? { waiting_for: who } : {}),
    }
  }
  const because =
    due === undefined ? 'it reads as one step that can be done' : `it is due on ${due.day}`
  return { to: 'next_action', because, ...kept }
}

type Organizing = {
  readonly decisions?: readonly (Decision & { readonly task: string })[] | undefined
  readonly limit: number
}

/** Applies the decisions, all or none. Without decisions it proposes some and changes nothing. */
const organizeTasks = defineTransaction(
  'task.organize',
  async (tx: Tx, call: WriteRequest<Organizing>) => {
    const localTime = await readRequestTime(tx, call)
    const { decisions } = call.input
    const applied =
      decisions === undefined ? [] : await applyDecisions(tx, { ...call, localTime }, decisions)
    const proposals =
      decisions === undefined ? await proposeDecisions(tx, { ...call, localTime }) : []
    const left = await countInbox(tx, { ...call, localTime })
    const done =
      decisions === undefined
        ? `${proposals.length} proposed, nothing changed`
        : `${applied.length} clarified`
    return { applied, proposals, inbox_count: left, message: `${done}; ${left} in the inbox.` }
  },
)

type OrganizeContext = WriteRequest<Organizing> & { readonly localTime: LocalTime }

async function applyDecisions(
  tx: Tx,
  { person, now, localTime }: OrganizeContext,
  decisions: readonly (Decision & { readonly task: string })[],
) {
  const applied = []
  for (const decision of decisions) {
    const task = await lockTask(tx, person, { query: decision.task, now })
    const next = await applyDecision(tx, task, { decision, person, localTime })
    await updateTask(tx, person, next)
    applied.push({ task: taskView(next, localTime), from: task.state })
  }
  return applied
}

const INBOX =
  "t.tenant = ? and t.owner = ? and t.state = 'inbox' and (t.defer_until is null or t.defer_until <= ?)"

async function proposeDecisions(tx: Tx, { person, localTime, input }: OrganizeContext) {
  const sql = `${SELECT_TASKS} where ${INBOX} order by t.created_at, t.id limit ?`
  const rows = await tx.all(sql, person.tenant, person.owner, localTime.today, input.limit)
  return rows.map(toTask).map((task, index) => ({
    number: index + 1,
    task_id: task.id,
    title: task.title,
    ...proposeDecision(task),
  }))
}

async function countInbox(tx: Tx, { person, localTime }: OrganizeContext): Promise<number> {
  const row = await tx.get(
    `select count(*) as n from pm_tasks t where ${INBOX}`,
    person.tenant,
    person.owner,
    localTime.today,
  )
  return Number(row?.n ?? 0)
}

export const taskOrganize = defineTool({
  id: 'task.organize',
  title: 'Organize the inbox',
  category: 'task_management',
  description:
    'Go through the inbox. Without decisions it proposes what each item probably is, with the reason, and changes nothing. With decisions it applies exactly those, all or none. Show the proposals to the person before you send decisions.',
  version: '2.0.0',
  aliases: ['tools.task.organize'],
  input: z.object({
    decisions: z
      .array(z.object({ task: TaskNamed, to: z.enum(CLARIFIED_STATES), ...decisionFields }))
      .min(1)
      .max(50)
      .optional()
      .describe('The person’s decision for each task. To delete a task, use task.delete.'),
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(20)
      .describe('The maximum number of proposals; the oldest come first.'),
  }),
  output: z.object({
    applied: z.array(z.object({ task: TaskView, from: z.enum(TASK_STATES) })),
    proposals: z.array(
      z.object({
        number: z.int(),
        task_id: z.string(),
        title: z.string(),
        to: z.enum(CLARIFIED_STATES),
        because: z.string(),
        waiting_for: z.string().optional(),
        priority: LevelField.optional(),
      }),
    ),
    inbox_count: z.int().describe('The number of tasks left in the inbox.'),
    message: z.string(),
  }),
  contract: taskWrite,
  examples: [
    {
      name: 'two decisions',
      input: {
        decisions: [
          { task: 'Renew the passport', to: 'next_action', priority: 'high' },
          { task: 'Water the plants', to: 'waiting_for', waiting_for: 'Eve' },
        ],
      },
    },
    {
      name: 'one decision',
      input: { decisions: [{ task: 'Learn to sail', to: 'someday_maybe' }] },
    },
  ],
  transaction: transact(organizeTasks, (execution: WriteExecution<Organizing>) =>
    buildDatedWriteRequest(
      execution,
      (execution.input.decisions ?? []).map(({ due }) => due),
    ),
  ),
})
