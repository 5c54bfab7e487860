import { defineTransaction, type Tx } from '@surehand/core'
import { type Decision, decided } from '../decision.ts'
import type { Here } from '../here.ts'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import { proposalFor } from '../propose.ts'
import { SELECT_TASKS, taskOf } from '../task.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Organizing = {
  readonly decisions?: readonly (Decision & { readonly task: string })[] | undefined
  readonly limit: number
}

/** Applies what was decided, all or nothing; without decisions it proposes, and changes nothing. */
export const organizeTasks = defineTransaction(
  'task.organize',
  async (tx: Tx, call: Writing<Organizing>) => {
    const here = await hereWhen(tx, call)
    const { decisions } = call.input
    const applied = decisions === undefined ? [] : await apply(tx, { ...call, here }, decisions)
    const proposals = decisions === undefined ? await propose(tx, { ...call, here }) : []
    const left = await inboxCount(tx, { ...call, here })
    const done =
      decisions === undefined
        ? `${proposals.length} proposed, nothing is changed`
        : `${applied.length} clarified`
    return { applied, proposals, inbox_count: left, message: `${done}; ${left} in the inbox.` }
  },
)

type Standing = Writing<Organizing> & { readonly here: Here }

async function apply(
  tx: Tx,
  { person, now, here }: Standing,
  decisions: readonly (Decision & { readonly task: string })[],
) {
  const applied = []
  for (const decision of decisions) {
    const task = await lockTask(tx, person, { said: decision.task, now })
    const next = await decided(tx, task, { decision, person, here })
    await updateTask(tx, person, next)
    applied.push({ task: taskView(next, here), from: task.state })
  }
  return applied
}

const INBOX =
  "t.tenant = ? and t.owner = ? and t.state = 'inbox' and (t.defer_until is null or t.defer_until <= ?)"

async function propose(tx: Tx, { person, here, input }: Standing) {
  const sql = `${SELECT_TASKS} where ${INBOX} order by t.created_at, t.id limit ?`
  const rows = await tx.all(sql, person.tenant, person.owner, here.today, input.limit)
  return rows.map(taskOf).map((task, index) => ({
    number: index + 1,
    task_id: task.id,
    title: task.title,
    ...proposalFor(task),
  }))
}

async function inboxCount(tx: Tx, { person, here }: Standing): Promise<number> {
  const row = await tx.get(
    `select count(*) as n from pm_tasks t where ${INBOX}`,
    person.tenant,
    person.owner,
    here.today,
  )
  return Number(row?.n ?? 0)
}
