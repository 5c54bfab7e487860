import { type ApprovalText, defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import { type Person, requireSelfScope, type WriteExecution } from '../person.ts'

import { OWNED_TABLES } from './owned-tables.ts'

type DeleteArgs = Person & {
  readonly now: number
  readonly sharedProjects: 'hand_over' | 'delete'
}

const SHARED = `select p.id, p.name, p.phase, p.description, p.path from pm_projects p where p.tenant = ? and p.owner = ?
  and exists (select 1 from pm_project_members m where m.tenant = p.tenant and m.project_id = p.id and m.principal <> p.owner)`

const LONGEST_MEMBER = `select principal from pm_project_members where tenant = ? and project_id = ? and principal <> ?
  order by added_at, principal limit 1`

const CHANGE_OWNER =
  'update pm_projects set owner = ?, name = ?, name_key = ?, search_key = ?, updated_at = ? where tenant = ? and id = ?'

const NAME_TAKEN =
  "select id from pm_projects where tenant = ? and owner = ? and name_key = ? and state <> 'deleted'"

const LEAVE_MEMBERSHIPS = 'delete from pm_project_members where tenant = ? and principal = ?'

// The tasks of other members stay theirs, without the project.
const DETACH_TASKS = `update pm_tasks set project_id = null where tenant = ? and owner <> ?
  and project_id in (select p.id from pm_projects p where p.tenant = pm_tasks.tenant and p.owner = ?)`

const DETACH_SESSIONS = DETACH_TASKS.replaceAll('pm_tasks', 'pm_deep_work')

const deleteOfProjects = (table: string) => `delete from ${table} where tenant = ?
  and project_id in (select p.id from pm_projects p where p.tenant = ${table}.tenant and p.owner = ?)`

const CLEAR_UPDATED_BY = "update pm_system set updated_by = '' where tenant = ? and updated_by = ?"

/** Deletes all data of a person in one transaction, and returns how many rows there were. */
const deleteEverything = defineTransaction('data.delete_all', async (tx, args: DeleteArgs) => {
  const { tenant, owner, sharedProjects } = args
  const handed = sharedProjects === 'hand_over' ? await handOver(tx, args) : 0
  const memberships = (await tx.run(LEAVE_MEMBERSHIPS, tenant, owner)).changes
  await tx.run(DETACH_TASKS, tenant, owner, owner)
  await tx.run(DETACH_SESSIONS, tenant, owner, owner)
  await tx.run(deleteOfProjects('pm_project_members'), tenant, owner)
  await tx.run(deleteOfProjects('pm_project_log'), tenant, owner)
  const deleted: Record<string, number> = {}
  for (const { name, family } of OWNED_TABLES)
    deleted[family] = (
      await tx.run(`delete from ${name} where tenant = ? and owner = ?`, tenant, owner)
    ).changes
  await tx.run(CLEAR_UPDATED_BY, tenant, owner)
  return { deleted, projects_handed_over: handed, memberships_left: memberships }
})

/** Each shared project is given to its longest-standing member. */
async function handOver(tx: Tx, { tenant, owner, now }: DeleteArgs): Promise<number> {
  const shared = await tx.all(SHARED, tenant, owner)
  for (const { id, name, phase, description, path } of shared) {
    const heir = String((await tx.get(LONGEST_MEMBER, tenant, String(id), owner))?.principal)
    const free = await findFreeName(tx, { tenant, owner: heir }, String(name))
    const searched = nameKey([free, phase, description, path].filter(Boolean).join(' '))
    await tx.run(CHANGE_OWNER, heir, free, nameKey(free), searched, now, tenant, String(id))
    await tx.run(
      'delete from pm_project_members where tenant = ? and project_id = ? and principal = ?',
      tenant,
      String(id),
      heir,
    )
  }
  return shared.length
}

async function findFreeName(tx: Tx, { tenant, owner }: Person, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} (${number})`
    if ((await tx.get(NAME_TAKEN, tenant, owner, nameKey(name))) === undefined) return name
  }
}

const Input = z.object({
  shared_projects: z
    .enum(['hand_over', 'delete'])
    .default('hand_over')
    .describe(
      'Projects shared with others: handed over to the longest-standing member, or deleted for everyone.',
    ),
})

function approvalQuestion({ shared_projects }: z.output<typeof Input>): ApprovalText {
  const shared =
    shared_projects === 'hand_over'
      ? 'Your shared projects are handed over to their longest-standing members.'
      : 'Your shared projects are deleted for the other members too.'
  return {
    headline:
      'Delete all of your data: habits and their records, tasks, projects, deep work, reviews, notes and preferences?',
    consequence: `${shared} The files of a vault stay until data.forget_vault. data.export gives you a copy first.`,
  }
}

export const deleteAll = defineTool({
  id: 'data.delete_all',
  title: 'Delete all of your data',
  category: 'data_analysis',
  description:
    'Delete all data that the personal manager stores about a person, permanently, after their own consent. Offer data.export first. The files of a vault and the records of calls are not deleted: data.forget_vault deletes the files, and the operator of the server removes the records.',
  version: '2.0.0',
  aliases: ['tools.data.delete_all'],
  input: Input,
  output: z.object({
    deleted: z.record(z.string(), z.int()),
    projects_handed_over: z.int(),
    memberships_left: z.int(),
  }),
  sideEffects: [
    {
      type: 'delete',
      description: 'Deletes all data of the person',
      reversible: false,
    },
  ],
  contract: {
    effect: 'writes.data',
    reversible: false,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [{ name: 'data.delete_all', scope: 'self_only' }],
    },
    // Only the person themselves can consent, and no host may relay the consent.
    approval: { kind: 'consent', asks: approvalQuestion },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [
      { calls: 3, per: '1m' },
      { calls: 10, per: '1h' },
    ],
  },
  examples: [
    { name: 'forget_me', description: 'Shared projects stay with the other members', input: {} },
    {
      name: 'with_projects',
      description: 'Shared projects are deleted too',
      input: { shared_projects: 'delete' },
    },
  ],
  transaction: transact(deleteEverything, (execution: WriteExecution<z.output<typeof Input>>) => ({
    ...requireSelfScope(execution, 'data.delete_all'),
    now: execution.now(),
    sharedProjects: execution.input.shared_projects,
  })),
})
