import { defineTool, type Tool } from '@surehand/core'
import { z } from 'zod'
import { interpret } from './interpret.ts'
import { Item, Made } from './item.ts'
import type { CodeVersion, Program } from './program.ts'
import { type RecoveryKind, toolId } from './recovery-kind.ts'
import { VENDOR_PORTS } from './vendor-port.ts'

const WRITES = { effect: 'writes.item', reversible: true, idempotency: 'caller' } as const

/**
 * A call with this note asks a question that is never answered, and continues after its timeout.
 */
export const UNANSWERED = 'unanswered'

/** Returns a different number on every execution. */
export const ticketTool = defineTool({
  id: 'chaos.ticket',
  title: 'Draw a number',
  category: 'custom',
  description: 'Draws a number that is different every time.',
  input: z.object({ item: z.string() }),
  output: z.object({ number: z.number() }),
  contract: { effect: 'read', timeout: '1m', retries: 3 },
  ports: { vendor: VENDOR_PORTS.sameKey },
  execute: ({ input, ports, signal }) => ports.vendor.ticket(input, signal),
})

/** Runs the program in its input. */
export function programTool(codeVersion: CodeVersion): Tool {
  return defineTool({
    kind: 'composite',
    category: 'custom',
    id: 'chaos.program',
    title: 'Run a program',
    description: 'Runs a program of steps, questions, branches and loops.',
    input: z.object({ id: z.string(), step: z.json() }),
    output: z.array(
      z.object({
        place: z.string(),
        what: z.enum(['made', 'seen', 'said', 'failed']),
        value: z.string(),
      }),
    ),
    contract: { ...WRITES, timeout: '20m' },
    // erased: only the harness creates programs, and they have this shape
    execute: async (run) => [...(await interpret(run.input as Program, run, codeVersion))],
  }) as Tool
}

/**
 * The smallest run that reaches every failpoint of runs: it reads, reports progress, asks, and
 * makes the item in a step.
 */
export function askingTool(kind: RecoveryKind): Tool {
  return defineTool({
    kind: 'composite',
    category: 'custom',
    id: toolId(kind, 'run'),
    title: `Make (${kind}, after a question)`,
    description: 'Makes an item, once, after asking whether to.',
    input: Item,
    output: Made,
    contract: { ...WRITES, timeout: '1m' },
    execute: async ({ input, step, ask, report }) => {
      const { item, note } = input
      const { number } = await step('ticket', ticketTool, { item })
      report({ message: `${item} has number ${number}` })
      const patience = note === UNANSWERED ? ({ timeout: '1s', otherwise: true } as const) : {}
      await ask(z.boolean(), `Make ${item}, which has number ${number}?`, {
        id: 'sure',
        from: 'anyone',
        ...patience,
      })
      return Made.parse(await step('make', toolId(kind, 'patient'), input))
    },
  }) as Tool
}
