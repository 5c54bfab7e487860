import { defineTool, type Execution, transact } from '@surehand/core'
import { z } from 'zod'
import { changeProject, entriesIn } from './change-project.ts'
import { ProjectInfo } from './project-info.ts'
import { demandOwned } from './reach.ts'
import {
  Description,
  LogText,
  Member,
  Path,
  Phase,
  Priority,
  Progress,
  ProjectNamed,
  ProjectState,
  ProjectTitle,
  Severity,
  TargetText,
} from './shapes.ts'

const Entries = z.array(LogText).min(1).max(20)

const Input = z.object({
  project_name: ProjectNamed,
  new_name: ProjectTitle.optional(),
  description: Description.nullable().optional(),
  path: Path.nullable().optional(),
  phase: Phase.nullable().optional(),
  priority: Priority.optional(),
  progress: Progress.nullable()
    .optional()
    .describe('Per cent done; null: count it from the tasks again.'),
  target_completion: TargetText.nullable().optional(),
  state: ProjectState.optional().describe(
    'deleted hides it; by its id it can be made active again.',
  ),
  add_members: z.array(Member).min(1).max(50).optional(),
  remove_members: z.array(Member).min(1).max(50).optional(),
  completed_work: Entries.optional().describe('What was achieved, a line each.'),
  add_risks: z
    .array(z.object({ text: LogText, severity: Severity.default('medium') }))
    .min(1)
    .max(20)
    .optional(),
  resolve_risks: Entries.optional().describe('Risks that are over, by their words or ids.'),
  add_blocks: Entries.optional().describe('What stands in the way.'),
  resolve_blocks: Entries.optional().describe(
    'What no longer stands in the way, by its words or id.',
  ),
})
type Acting = Pick<
  Execution<z.output<typeof Input>, never>,
  'caller' | 'input' | 'newId' | 'now' | 'scopeOf'
>

export const projectUpdate = defineTool({
  id: 'project.update',
  title: 'Update Project',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.update'],
  description:
    'Change a project of your own: name, phase, priority, target day, progress, members; write down completed work, risks and obstacles and settle them; put it on hold, complete, archive, delete or bring it back. Only what you name changes; null takes something away.',
  input: Input,
  output: z.object({ project_info: ProjectInfo }),
  contract: {
    effect: 'writes.project',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user', 'power_user', 'admin'],
      capabilities: [{ name: 'project.write', scope: 'owned' }],
      resources: [{ type: 'project_data', mode: 'update', scope: 'owned' }],
    },
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'a new phase and target',
      description: 'Phase, priority and target day',
      input: {
        project_name: 'PersonalManager',
        phase: 'beta',
        priority: 'high',
        target_completion: '2026-05-01',
      },
    },
    {
      name: 'what happened',
      description: 'Completed work, a risk and an obstacle',
      input: {
        project_name: 'PersonalManager',
        completed_work: ['Import of old notes works'],
        add_risks: [{ text: 'The only tester is away in March', severity: 'high' }],
        add_blocks: ['Waiting for the licence'],
      },
    },
  ],
  sideEffects: [
    {
      type: 'write',
      description: 'Changes a project record, its members and its log',
      reversible: true,
    },
  ],
  transaction: transact(changeProject, ({ caller, input, newId, now, scopeOf }: Acting) => {
    demandOwned(scopeOf('project.write'))
    return {
      caller,
      now: now(),
      change: input,
      entryIds: Array.from({ length: entriesIn(input) }, () => newId('log')),
    }
  }),
})
