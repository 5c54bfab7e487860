import { ToolError } from '@surehand/core'
import { DryRunSchema, ProgramViewSchema } from '@surehand/edge/api'
import { z } from 'zod'
import type { HttpContext } from '../http-env.ts'
import type { HttpPrograms, Surface } from '../options.ts'
import { PageQuery, pageOf, pageReturned, pageView, readPage } from '../paging.ts'
import { parseBody, parseQuery, readJson } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const Acceptance = z.strictObject({
  digest: z.string().length(64).describe('Of the program that was looked at.'),
})
const DryRunInput = z.strictObject({ input: z.record(z.string(), z.unknown()) })
const ProposalBody = z.looseObject({
  program: z
    .record(z.string(), z.unknown())
    .describe('As docs/guides/programs.md describes it; its id begins with "made.".'),
  examples: z
    .array(z.looseObject({ name: z.string(), input: z.record(z.string(), z.unknown()) }))
    .optional()
    .describe('Inputs for dry runs.'),
})

const HASH = '8f0e5c1d7b2a4936c5e8d1f0a7b3924e6c8d5f1a0b7e3c9d2f4a6b8c0e1d3f57'
const PROGRAM = {
  id: 'made.cheapest',
  title: 'Price of a product',
  description: 'Looks up the price of a product.',
  version: '1.0.0',
  category: 'custom',
  input: { type: 'object', properties: { productId: { type: 'string' } }, required: ['productId'] },
  output: { type: 'string' },
  contract: { effect: 'read' },
  steps: [{ id: 'look', tool: 'shop.price', input: { productId: { $text: '{input.productId}' } } }],
  answer: { $text: 'It costs {steps.look.cents} cents.' },
}
const returned: Documented = {
  schema: () => ProgramViewSchema,
  example: {
    id: 'made.cheapest',
    state: 'proposed',
    program: PROGRAM,
    examples: [{ name: 'tea', input: { productId: 'tea' } }],
    proposed_by: 'ann',
    proposed_at: 1_794_823_200_000,
    actor: 'ai_agent',
    digest: HASH,
    parts: [{ tool: 'shop.price', effect: 'read', state: 'same' }],
    warnings: [],
    former: [],
  },
}

/** Composite tools that agents propose as data, and administrators accept. */
export const programRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/programs',
    command: 'programs.propose',
    summary:
      'Proposes a composite tool as data. It is checked, and quarantined until an administrator accepts it. Agents may propose.',
    body: {
      schema: () => ProposalBody,
      example: { program: PROGRAM, examples: [{ name: 'tea', input: { productId: 'tea' } }] },
    },
    returns: returned,
    handle: async (context, caller, surface) =>
      programsOf(surface).propose(caller, await readJson(context, surface)),
  },
  {
    method: 'GET',
    path: '/v1/programs',
    command: 'programs.list',
    summary: 'Lists what was proposed and accepted. For administrators.',
    query: PageQuery,
    returns: pageReturned(returned),
    async handle(context, caller, surface) {
      const wanted = readPage('programs.list', parseQuery(context, PageQuery))
      const all = await programsOf(surface).list(caller)
      return pageView(
        'programs.list',
        pageOf(all, wanted, ({ id }) => id),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/programs/:id',
    command: 'programs.get',
    summary: 'Returns a program with the tools that it calls and whether they have changed.',
    returns: returned,
    handle: (context, caller, surface) => programsOf(surface).get(caller, idOf(context)),
  },
  {
    method: 'POST',
    path: '/v1/programs/:id/dry-run',
    command: 'programs.dry-run',
    summary:
      'Runs a program without effects: reads are called in your name, writes are answered by an example, questions by a sample. For administrators.',
    body: { schema: () => DryRunInput, example: { input: { productId: 'tea' } } },
    returns: {
      schema: () => DryRunSchema,
      example: {
        steps: [
          {
            path: 'look',
            how: 'read',
            tool: 'shop.price',
            input: { productId: 'tea' },
            output: { cents: 450 },
          },
        ],
        answer: 'It costs 450 cents.',
      },
    },
    async handle(context, caller, surface) {
      const { input } = await parseBody(context, surface, DryRunInput)
      return programsOf(surface).dryRun(caller, idOf(context), input)
    },
  },
  {
    method: 'POST',
    path: '/v1/programs/:id/accept',
    command: 'programs.accept',
    summary:
      'Accepts a program as it was looked at; from then on it can be called. It is withdrawn when a tool that it calls changes. For administrators.',
    body: { schema: () => Acceptance, example: { digest: HASH } },
    returns: returned,
    async handle(context, caller, surface) {
      const { digest } = await parseBody(context, surface, Acceptance)
      return programsOf(surface).accept(caller, idOf(context), digest)
    },
  },
  {
    method: 'DELETE',
    path: '/v1/programs/:id',
    command: 'programs.remove',
    summary:
      'Removes a proposal, or the program itself where nothing newer is proposed. For administrators.',
    returns: {
      schema: () => z.object({ removed: z.literal(true) }),
      example: { removed: true },
    },
    async handle(context, caller, surface) {
      await programsOf(surface).remove(caller, idOf(context))
      return { removed: true }
    },
  },
]

function idOf(context: HttpContext): string {
  return context.req.param('id') ?? ''
}

function programsOf({ programs }: Surface): HttpPrograms {
  if (programs !== undefined) return programs
  throw new ToolError(
    'TOOL_TEMPORARILY_DISABLED',
    'Programs cannot be proposed on this server: it stores none.',
  )
}
