import { defineTool, ToolError } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { oneself } from '../../data/oneself.ts'
import { zoneOf } from '../../person.ts'
import { personalData, readerOf } from '../../personal-data.ts'
import { systemSettings } from '../../system/system-settings.ts'
import { personalVault } from './personal-vault.ts'
import { planSync, type Take } from './plan.ts'
import { readSides } from './read-sides.ts'
import { MOST_STEPS, Problem, TakeItem, WriteItem } from './shapes.ts'

export const vaultPlan = defineTool({
  id: 'data.vault_plan',
  title: 'See what a sync would do',
  category: 'integration',
  description:
    "Tells what data.sync_vault would do next with a person's notes and their folder of Markdown files: what is taken from files, what is written to them, what stands in the way. Changes nothing.",
  version: '2.0.0',
  aliases: ['tools.data.vault_plan'],
  input: z.object({}),
  output: z.object({
    takes: z.array(TakeItem),
    writes: z.array(WriteItem),
    problems: z.array(Problem),
    more: z.boolean().describe('There is more than one round can carry.'),
    notes: z.int(),
    deletions: z.int().describe('Notes whose files are gone.'),
  }),
  contract: {
    effect: 'read',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.read', scope: 'self_only' },
      ],
    },
    securityLevel: 'confidential',
    timeout: '60s',
    limits: [{ calls: 600, per: '1m' }],
  },
  ports: { data: personalData, vault: personalVault },
  examples: [{ name: 'now', input: {} }],
  execute: async (execution) => {
    const person = oneself(execution, 'data.import')
    const read = readerOf(execution)
    if ((await systemSettings(person, read)).vault_sync === 'off')
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        'An administrator has switched the keeping of vaults off (vault_sync).',
      )
    const today = dayOf(execution.now(), await zoneOf(execution.caller, read))
    const { sides, texts, problems, waiting } = await readSides(person, {
      vault: execution.ports.vault,
      read,
      signal: execution.signal,
      today,
    })
    const plan = planSync(sides)
    // a file that waits may be one of those that went, under its new name
    const takes = plan.takes
      .filter(({ kind }) => kind !== 'delete' || waiting === 0)
      .flatMap((take) => withText(take, texts))
    return {
      takes: takes.slice(0, MOST_STEPS),
      writes: plan.writes.slice(0, MOST_STEPS),
      problems: [...problems, ...plan.twins.map(twin)]
        .slice(0, MOST_STEPS)
        .map(({ path, problem }) => ({ path, problem })),
      more: waiting > 0 || takes.length > MOST_STEPS || plan.writes.length > MOST_STEPS,
      notes: sides.notes.length,
      deletions: plan.takes.filter(({ kind }) => kind === 'delete').length,
    }
  },
})

function twin(path: string): { readonly path: string; readonly problem: string } {
  return { path, problem: 'differs from another file by case alone: rename one of them' }
}

function withText(take: Take, texts: ReadonlyMap<string, string>): readonly TakeItem[] {
  switch (take.kind) {
    case 'create':
    case 'update':
    case 'copy':
    case 'move': {
      const text = texts.get(take.path)
      return text === undefined ? [] : [{ ...take, text }]
    }
    default:
      return [take]
  }
}
