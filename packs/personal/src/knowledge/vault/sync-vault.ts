import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { Problem } from './shapes.ts'
import { vaultPlan } from './vault-plan.ts'
import { vaultTake } from './vault-take.ts'
import { vaultWrite } from './vault-write.ts'

const MOST_ROUNDS = 20
const FEW = 5

const Input = z.object({
  deletions: z
    .enum(['guarded', 'accepted'])
    .default('guarded')
    .describe(
      'guarded stops when most files are missing, as when the folder is not mounted; accepted deletes their notes anyway.',
    ),
})

type Counts = { taken: number; copies: number; deleted: number; written: number; removed: number }

export const syncVault = defineTool({
  id: 'data.sync_vault',
  title: 'Sync notes and a vault',
  category: 'integration',
  description:
    "Sync a person's notes with their folder of Markdown files (an Obsidian vault), in both directions. When one side changed, the other follows; when both changed, both versions are kept, that of the file as a copy; changed content is never deleted. May be repeated at any time. Returns `more` when it has to be called again to finish.",
  version: '2.0.0',
  aliases: ['tools.data.sync_vault'],
  kind: 'composite',
  input: Input,
  output: z.object({
    taken: z.int().describe('Notes created or changed from files.'),
    copies: z
      .int()
      .describe('Files whose content was kept as a separate note, because both sides had changed.'),
    deleted: z.int(),
    written: z.int().describe('Files created or changed from notes.'),
    removed: z.int(),
    problems: z.array(Problem),
    more: z.boolean(),
  }),
  contract: {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user'],
      capabilities: [
        { name: 'data.import', scope: 'self_only' },
        { name: 'knowledge.read', scope: 'self_only' },
        { name: 'knowledge.write', scope: 'self_only' },
      ],
    },
    securityLevel: 'confidential',
    timeout: '10m',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    { name: 'sync', input: {} },
    {
      name: 'after_a_clear_out',
      description: 'Files were deleted on purpose',
      input: { deletions: 'accepted' },
    },
  ],
  execute: async ({ input, step }) => {
    const counts: Counts = { taken: 0, copies: 0, deleted: 0, written: 0, removed: 0 }
    let problems: readonly z.output<typeof Problem>[] = []
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const plan = await step(`plan-${round}`, vaultPlan, {})
      refuseMassDeletion(plan, input.deletions)
      problems = plan.problems
      let moved = 0
      if (plan.takes.length > 0) {
        const { done, skipped } = await step(`take-${round}`, vaultTake, { items: plan.takes })
        moved += countTakes(counts, done)
        problems = [...problems, ...skipped]
      }
      if (plan.writes.length > 0) {
        const { written } = await step(`write-${round}`, vaultWrite, { items: plan.writes })
        moved += countWrites(counts, written)
        problems = [
          ...problems,
          ...written.flatMap(({ path, why }) =>
            why === undefined ? [] : [{ path, problem: why }],
          ),
        ]
      }
      // When a round changes nothing, another round would not either.
      if (moved === 0) return { ...counts, problems: [...problems], more: plan.more }
    }
    return { ...counts, problems: [...problems], more: true }
  },
})

// A folder that is not mounted looks like one in which every file was deleted.
function refuseMassDeletion(
  { notes, deletions }: { readonly notes: number; readonly deletions: number },
  wish: 'guarded' | 'accepted',
): void {
  if (wish === 'accepted' || deletions <= FEW || deletions * 2 <= notes) return
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    `The files of ${deletions} of ${notes} notes are missing. To delete these notes, call again with deletions "accepted".`,
    {
      details: { notes, deletions },
    },
  )
}

function countTakes(counts: Counts, done: Readonly<Record<string, number>>): number {
  const of = (...kinds: readonly string[]) =>
    kinds.reduce((sum, kind) => sum + (done[kind] ?? 0), 0)
  counts.taken += of('create', 'update', 'move')
  counts.copies += of('copy')
  counts.deleted += of('delete')
  return Object.values(done).reduce((sum, count) => sum + count, 0)
}

function countWrites(counts: Counts, written: readonly { readonly done: string }[]): number {
  const of = (...kinds: readonly string[]) =>
    written.filter(({ done }) => kinds.includes(done)).length
  counts.written += of('written')
  counts.removed += of('removed')
  return of('written', 'removed')
}
