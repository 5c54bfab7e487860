import { defineTool, type Tool } from '@surehand/core'
import { z } from 'zod'

const Trip = z.object({ item: z.string().min(1).max(60) })
const Receipts = z.object({ receipts: z.array(z.string()) })
const contract = {
  effect: 'writes.order',
  reversible: true,
  idempotency: 'caller',
  timeout: '60s',
} as const
const about = {
  category: 'custom',
  input: Trip,
  output: Receipts,
  contract,
  examples: [{ name: 'a vase', input: { item: 'vase' } }],
} as const

type Receipt = { readonly receipt: string }

// by name: a world may have put another tool in its place
function receiptOf(answer: unknown): string {
  return (answer as Receipt).receipt
}

const takenBack = (item: string) => ({
  undo: () => ({ tool: 'orders.draft', input: { item: `no ${item}` } }),
})

/** Reads, makes an item, and makes another with approval. */
export const careful: Tool = defineTool({
  ...about,
  id: 'runs.careful',
  title: 'Make two, the second with approval',
  description: 'Makes an item, and a second one when a person approves.',
  kind: 'composite',
  execute: async ({ input, step, now, newId }) => {
    const found = (await step('look', 'shelf.look', { item: input.item })) as {
      readonly serial: number
    }
    const first = await step(
      'first',
      'orders.draft',
      { item: `${input.item} ${found.serial}` },
      takenBack(`${input.item} ${found.serial}`),
    )
    // told the same again, these are the same; otherwise the step would be another
    const second = await step('second', 'approve.confirm', {
      item: `${input.item} ${now()} ${newId('x')}`.slice(0, 100),
    })
    return { receipts: [receiptOf(first), receiptOf(second)] }
  },
}) as Tool

/** Makes two at once, then one that is refused. */
export const broken: Tool = defineTool({
  ...about,
  id: 'runs.broken',
  title: 'Make two, and fail with lamps',
  description: 'Makes two items; with a lamp it then fails.',
  kind: 'composite',
  execute: async ({ input, all, step }) => {
    await all({
      left: (run) =>
        run.step(
          'make',
          'orders.draft',
          { item: `left ${input.item}` },
          takenBack(`left ${input.item}`),
        ),
      right: (run) => run.step('make', 'mail.send', { item: `right ${input.item}` }),
    })
    if (input.item === 'lamp') await step('third', 'rights.capability', {})
    return { receipts: [] }
  },
}) as Tool

/** Asks a person what to make, and the model how many. */
export const curious: Tool = defineTool({
  ...about,
  id: 'runs.curious',
  title: 'Ask, then make',
  description: 'Asks what to make, and makes it.',
  kind: 'interactive',
  execute: async ({ input, ask, step }) => {
    const wish = await ask(
      z.object({ item: z.string().min(2), quantity: z.number().int().min(1) }),
      `What with ${input.item}?`,
      {
        id: 'wish',
        shows: { item: input.item, quantity: 1 },
        timeout: '5m',
      },
    )
    const isSure = await ask(z.boolean(), `Make ${wish.item}?`, {
      id: 'sure',
      from: 'model',
      timeout: '5m',
      otherwise: false,
    })
    if (!isSure) return { receipts: [] }
    return { receipts: [receiptOf(await step('make', 'orders.draft', wish))] }
  },
}) as Tool

/** The same, as a background job. */
export const patient: Tool = defineTool({
  ...about,
  id: 'runs.patient',
  title: 'Make by a job',
  description: 'Has an item made by a job, and tells how far it is.',
  kind: 'composite',
  background: true,
  execute: async ({ input, step, report }) => {
    report({ fraction: 0.5, message: 'half way' })
    return { receipts: [receiptOf(await step('job', 'jobs.export', { item: input.item }))] }
  },
}) as Tool

export const runs: readonly Tool[] = [careful, broken, curious, patient]
