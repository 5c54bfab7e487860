import type { Envelope, Tool } from '@surehand/core'
import { expect } from 'vitest'
import type { ContractCase } from './contract-cases.ts'
import { type ContractWorld, seeThrough } from './contract-world.ts'
import { fillCallerFields, type Input, inputOf } from './samples-of.ts'

/**
 * Each example is valid, works, and answers in the shape that is declared; a write shows outside, a
 * read does not.
 */
export function happyCases(tool: Tool): readonly ContractCase[] {
  if (tool.examples.length === 0) {
    const run = async (): Promise<void> =>
      void expect(tool.examples, `${tool.id} has no example to try`).not.toEqual([])
    return [{ kind: 'happy path', tool: tool.id, name: 'it has an example', run }]
  }
  return tool.examples.map((example, index) => ({
    kind: 'happy path',
    tool: tool.id,
    name: `its example "${example.name}" works`,
    run: (world) => works(world, tool, inputOf(tool, index)),
  }))
}

async function works(world: ContractWorld, tool: Tool, input: Input): Promise<void> {
  const parsed = tool.input.parse(fillCallerFields(tool, input, world.caller))
  expect(parsed.ok ? [] : parsed.problems, 'the example is not valid').toEqual([])
  const before = await world.effects()
  const answer = await seeThrough(world, tool, { input, idempotencyKey: 'happy' })
  expectSuccess(tool, answer)
  const grown = (await world.effects()) - before
  if (tool.contract.isWrite)
    expect(grown, 'it says that it wrote, and nothing happened outside').toBeGreaterThan(0)
  else expect(grown, 'it says that it reads, and something happened outside').toBe(0)
}

/** It worked, and what it answered is what it declares. */
export function expectSuccess(tool: Tool, answer: Envelope): void {
  expect([answer.status, answer.error], `${tool.id} did not work`).toEqual(['success', undefined])
  const output = tool.output.parse(answer.data)
  expect(output.ok ? [] : output.problems, 'the output differs from its schema').toEqual([])
}
