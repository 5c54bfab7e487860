import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  isToolError,
  memoryStores,
  type Outcome,
  type Tool,
} from '@surehand/core'
import { foreignSchemas } from '@surehand/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compositeFromData, type FromData } from './composite-from-data.ts'
import {
  type Dice,
  diceOf,
  type Node,
  type RandomTool,
  randomDocument,
  randomProgram,
  sample,
} from './fixtures/random-program.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const schemas = foreignSchemas()

function toolOf({ id, input, output }: RandomTool, dice: Dice): Tool {
  const tool = defineTool({
    id,
    title: 'Random',
    category: 'custom',
    description: 'Answers at random.',
    input: z.object({}),
    output: z.unknown(),
    contract: { effect: 'read', retries: 0 },
    execute: async () => sample(output, output, dice),
  })
  return { ...tool, input: schemas.compile(input), output: schemas.compile(output) } as Tool
}

/** The program as a tool; undefined where the check refuses it. */
function acceptProgram(form: Node, tools: readonly Tool[]): FromData | undefined {
  try {
    return compositeFromData(form, {
      toolOf: (id) => tools.find((tool) => tool.id === id),
      schemas,
    })
  } catch (error) {
    if (isToolError(error) && error.code === 'TOOL_INVALID_INPUT') return undefined
    throw error
  }
}

// an answer of a tool that does not fit its own schema is the tool's fault, not the program's
const isToolsFault = ({ error }: Failed, tools: readonly Tool[]): boolean =>
  error.code === 'TOOL_INVALID_OUTPUT' && tools.some((tool) => error.message.includes(tool.id))

type Failed = Extract<Outcome, { status: 'failed' }>

/**
 * The warnings that tell of this failure: of the tool that refused, of the output, of a list that
 * is none.
 */
function foretold(
  { error }: Failed,
  { warnings }: FromData,
  tools: readonly Tool[],
): readonly string[] {
  const refused = tools.find((tool) =>
    error.message.startsWith(`${tool.id} can't take this input`),
  )?.id
  if (refused !== undefined) return warnings.filter((warning) => warning.includes(refused))
  return warnings.filter((warning) => /the output|may not always be a list/.test(warning))
}

test('a program that passes the check is never refused by a step, except where a warning said so', async () => {
  const met = { accepted: 0, unwarned: 0, done: 0, foretold: 0 }
  const property = fc.asyncProperty(fc.integer(), async (seed) => {
    const dice = diceOf(seed)
    const kinds = ['r.one', 'r.two', 'r.three'].map((id) => ({
      id,
      input: randomDocument(dice),
      output: randomDocument(dice),
    }))
    const tools = kinds.map((kind) => toolOf(kind, dice))
    const form = randomProgram(kinds, dice)
    const made = acceptProgram(form, tools)
    if (made === undefined) return
    met.accepted++
    if (made.warnings.length === 0) met.unwarned++
    const runtime = createRuntime({
      packs: [definePack({ name: 'p', tools: [...tools, made.tool] })],
      stores: memoryStores(),
    })
    for (let round = 0; round < 4; round++) {
      const input = sample(form.input, form.input as Node, dice)
      if (!made.tool.input.parse(input).ok) continue
      const outcome = await runtime.call({
        tool: 'random.program',
        input,
        caller: ann,
        surface: 'test',
      })
      if (outcome.status === 'done') met.done++
      else if (outcome.status !== 'failed') throw new Error(outcome.status)
      else if (!isToolsFault(outcome, tools)) {
        if (foretold(outcome, made, tools).length === 0) throw outcome.error
        met.foretold++
      }
    }
  })
  await fc.assert(property, { numRuns: 200 })
  // none of it is of use where nothing passes
  expect(met.accepted).toBeGreaterThan(15)
  expect(met.unwarned).toBeGreaterThan(5)
  expect(met.done).toBeGreaterThan(20)
  expect(met.foretold).toBeGreaterThan(3)
})
