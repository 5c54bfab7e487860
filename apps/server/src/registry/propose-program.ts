import { type Caller, definePort, defineTool, sameKey } from '@surehand/core'
import type { ProgramView } from '@surehand/programs'
import { z } from 'zod'

type Proposal = { readonly by: Caller; readonly form: unknown }

/** Stores a proposed program, quarantined until an administrator accepts it. */
export type ProposalsPort = { readonly propose: (proposal: Proposal) => Promise<ProgramView> }

// A proposal that is sent twice replaces itself.
export const proposalsPort = definePort<ProposalsPort>('programProposals', {
  propose: sameKey({ validFor: '1d' }),
})

const Program = z
  .record(z.string(), z.unknown())
  .describe(
    `The program: id ("made." and a name), title, description, version, category ("custom"), input and output (JSON Schemas), contract ({ "effect": "read" }, or "writes." and a name), steps, answer. A step is { "id", "tool", "input" }; { "id", "each": REF, "as": NAME, "steps" }; { "id", "choose": [{ "if", "steps" }] }; or { "id", "ask": { "question", "schema" } }. A value is plain, { "$ref": "input.x" }, { "$ref": "steps.ID.x" } or { "$text": "For {input.x}" }.`,
  )

const PRICE_OF_TEA = {
  id: 'made.price',
  title: 'Price',
  description: 'Looks up a price.',
  version: '1.0.0',
  category: 'custom',
  input: { type: 'object', properties: { productId: { type: 'string' } }, required: ['productId'] },
  output: {},
  contract: { effect: 'read' },
  steps: [{ id: 'look', tool: 'shop.price', input: { productId: { $ref: 'input.productId' } } }],
  answer: { $ref: 'steps.look' },
}

/** The way of agents to a tool of their own; every surface that calls tools has it. */
export const proposeProgram = defineTool({
  id: 'registry.propose_program',
  title: 'Propose a tool made of other tools',
  category: 'system_admin',
  description:
    'Proposes one tool that calls several others, as data. Use it for a sequence of calls that you make again and again. It is checked at once and refused with all its flaws; it can be called when a person has accepted it.',
  input: z.object({
    program: Program,
    examples: z
      .array(z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }))
      .max(10)
      .optional()
      .describe('Inputs with which a person tries it without effects.'),
  }),
  output: z.object({
    id: z.string(),
    state: z.string(),
    calls: z.array(z.string()),
    warnings: z.array(z.string()).describe('What could not be proven'),
    next: z.string(),
  }),
  contract: {
    effect: 'writes.programs',
    reversible: true,
    idempotency: 'caller',
    // A program with a flaw is corrected and proposed again.
    onRefusal: 'release',
    // Its words cost every agent that sees them, so that it is shown to those who are to use it.
    permissions: { capabilities: ['programs.propose'] },
    maxInputBytes: 131_072,
  },
  ports: { proposals: proposalsPort },
  examples: [
    {
      name: 'the price of tea',
      input: { program: PRICE_OF_TEA, examples: [{ name: 'tea', input: { productId: 'tea' } }] },
    },
  ],
  async execute({ input, caller, ports }) {
    const view = await ports.proposals.propose({ by: caller, form: input })
    return {
      id: view.id,
      state: view.state,
      calls: view.parts.map(({ tool }) => tool),
      warnings: [...view.warnings],
      next: `${view.id} can be called when an administrator has accepted it.`,
    }
  },
})
