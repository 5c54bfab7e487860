import { ANONYMOUS, type Caller, type Tool } from '@surehand/core'
import { expect } from 'vitest'
import type { ContractCase } from './contract-cases.ts'
import { type ContractWorld, callTool, decide } from './contract-world.ts'
import { inputOf, requiresApproval } from './samples-of.ts'

/**
 * A caller without the right is refused; where approval is required it is requested, and a denial
 * holds.
 */
export function refusalCases(tool: Tool): readonly ContractCase[] {
  if (tool.examples.length === 0) return []
  return [...rights(tool), ...answers(tool)]
}

function rights(tool: Tool): readonly ContractCase[] {
  const { roles, capabilities, auth } = tool.contract
  const missing: Readonly<Record<string, readonly [string, (caller: Caller) => Caller]>> = {
    ...(roles.length === 0
      ? {}
      : {
          'without its role it is refused': [
            'TOOL_ROLE_NOT_AUTHORIZED',
            (caller) => ({ ...caller, roles: [] }),
          ],
        }),
    ...(capabilities.length === 0
      ? {}
      : {
          'an agent that was handed nothing is refused': [
            'TOOL_CAPABILITY_MISSING',
            (caller) => ({ ...caller, actor: 'ai_agent', delegated: [] }),
          ],
        }),
    ...(auth === 'none'
      ? {}
      : {
          'an anonymous caller is refused': [
            'TOOL_INSUFFICIENT_PERMISSIONS',
            (caller) => ({ ...withoutSession(caller), principal: ANONYMOUS.principal }),
          ],
        }),
  }
  return Object.entries(missing).map(([name, [code, change]]) => ({
    kind: 'missing permission',
    tool: tool.id,
    name,
    run: async (world) => {
      const before = await world.effects()
      const answer = await callTool(world, tool, {
        input: inputOf(tool),
        idempotencyKey: 'rights',
        caller: change(world.caller),
      })
      expect([answer.status, answer.error?.code, answer.data]).toEqual(['failed', code, null])
      expect(await world.effects(), 'something happened outside').toBe(before)
    },
  }))
}

function withoutSession({ session, ...caller }: Caller): Caller {
  return caller
}

function answers(tool: Tool): readonly ContractCase[] {
  const asks = tool.examples.some((_, index) =>
    requiresApproval(tool, inputOf(tool, index), { principal: 'someone' } as Caller),
  )
  if (!asks) return []
  return [
    {
      kind: 'pending',
      tool: tool.id,
      name: 'it asks first, and has done nothing yet',
      run: async (world) => void (await question(world, tool)),
    },
    {
      kind: 'denial',
      tool: tool.id,
      name: 'after a no it does nothing, also under another key',
      run: async (world) => {
        const { ask, asked, before } = await question(world, tool)
        await decide(world, tool, asked, 'deny')
        // quota is asked for before people are: a tool with narrow limits may be refused for those
        // first
        const refusals =
          tool.contract.limits.length > 0
            ? /^TOOL_(APPROVAL_DENIED|RATE_LIMIT_EXCEEDED)$/
            : /^TOOL_APPROVAL_DENIED$/
        for (const idempotencyKey of ['asked', 'another'])
          expect((await callTool(world, tool, { ...ask, idempotencyKey })).error?.code).toMatch(
            refusals,
          )
        expect(await world.effects(), 'something happened outside').toBe(before)
      },
    },
  ]
}

async function question(world: ContractWorld, tool: Tool) {
  const index = tool.examples.findIndex((_, at) =>
    requiresApproval(tool, inputOf(tool, at), world.caller),
  )
  const ask = { input: inputOf(tool, index), idempotencyKey: 'asked' }
  const before = await world.effects()
  const asked = await callTool(world, tool, ask)
  expect([asked.status, asked.error?.code, asked.data]).toEqual([
    'failed',
    'TOOL_APPROVAL_REQUIRED',
    null,
  ])
  expect(asked.metadata.pending?.asks, 'it asks nothing').toMatch(/\S/)
  expect(await world.effects(), 'something happened outside').toBe(before)
  return { ask, asked, before }
}
