import type { Tool } from '@surehand/core'
import { expect } from 'vitest'
import type { ContractCase } from './contract-cases.ts'
import { type ContractWorld, callTool, seeThrough } from './contract-world.ts'
import { expectSuccess } from './happy-cases.ts'
import { fieldsOf, type Input, inputOf, wrongValue } from './samples-of.ts'

const SURPRISE = 'surprise_of_the_suite'

/**
 * Every required field left out, every field in a wrong type, an unknown field, and no object at
 * all.
 */
export function inputCases(tool: Tool): readonly ContractCase[] {
  if (tool.examples.length === 0) return []
  const { properties, required } = fieldsOf(tool)
  const input = inputOf(tool)
  const { [SURPRISE]: _, ...plain } = input
  const cases: Readonly<Record<string, (world: ContractWorld) => Promise<void>>> = {
    'something that is no object is refused': (world) => refuses(world, tool, 'a text', ''),
    ...Object.fromEntries(
      required.map((field) => [
        `without ${field} it is refused`,
        (world: ContractWorld) => refuses(world, tool, leaveOut(plain, field), field),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(properties).flatMap(([field, schema]) => {
        const wrong = wrongValue(schema)
        if (wrong === undefined) return []
        const given = { ...plain, [field]: wrong.value }
        return [
          [
            `${JSON.stringify(wrong.value)} for ${field} is refused`,
            (world: ContractWorld) => refuses(world, tool, given, field),
          ],
        ]
      }),
    ),
    ...unknownKeys(tool, { ...plain, [SURPRISE]: 1 }),
  }
  return Object.entries(cases).map(([name, run]) => ({
    kind: 'invalid input',
    tool: tool.id,
    name,
    run,
  }))
}

function unknownKeys(
  tool: Tool,
  input: Input,
): Readonly<Record<string, (world: ContractWorld) => Promise<void>>> {
  if (tool.contract.unknownKeys === 'refuse')
    return { 'an unknown field is refused': (world) => refuses(world, tool, input, SURPRISE) }
  if (tool.input.shape.kind === 'object' && tool.input.shape.rest !== undefined) return {}
  return {
    'an unknown field is stripped': async (world) =>
      expectSuccess(tool, await seeThrough(world, tool, { input, idempotencyKey: 'surprise' })),
  }
}

function leaveOut(input: Input, field: string): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== field))
}

async function refuses(
  world: ContractWorld,
  tool: Tool,
  input: unknown,
  field: string,
): Promise<void> {
  const before = await world.effects()
  const answer = await callTool(world, tool, { input, idempotencyKey: 'invalid' })
  expect(answer.status, 'it was let through').toBe('failed')
  expect(answer.error?.code).toMatch(
    /^TOOL_(INVALID_INPUT|MISSING_REQUIRED_FIELD|INVALID_FIELD_TYPE|INVALID_FIELD_VALUE)$/,
  )
  const problems = (
    answer.error?.details as
      | { readonly validation_errors?: readonly { readonly field: string }[] }
      | undefined
  )?.validation_errors
  const named = (problems ?? []).map((problem) => problem.field)
  expect(
    named.some((name) => name === field || name.startsWith(`${field}.`)),
    `${field} is not named, but ${named.join()}`,
  ).toBe(true)
  expect(await world.effects(), 'something happened outside').toBe(before)
}
