import { type Tool, toEnvelope } from '@surehand/core'
import { assert, expect } from 'vitest'
import type { ContractCase } from './contract-cases.ts'
import { callTool, decide, seeThrough } from './contract-world.ts'
import { expectSuccess } from './happy-cases.ts'
import { anotherInput, inputOf } from './samples-of.ts'

const LONGEST_PAUSE_MS = 2_000

/** How it behaves in time and over time: a provider that hangs or fails, a key that comes again. */
export function conductCases(tool: Tool): readonly ContractCase[] {
  if (tool.examples.length === 0) return []
  return [...timeouts(tool), ...keys(tool), ...fallbacks(tool)]
}

function timeouts(tool: Tool): readonly ContractCase[] {
  if (tool.kind !== 'sync' || tool.work.kind !== 'execute' || tool.ports.size === 0) return []
  if (tool.contract.approval !== undefined) return [timeoutAfterApproval(tool)]
  const { timeoutMs, retries, fallback } = tool.contract
  return [
    {
      kind: 'timeout',
      tool: tool.id,
      name: 'with a provider that hangs it is answered in time, and not as done',
      run: async (world) => {
        world.hang()
        const startedAt = world.clock.now()
        const answer = await callTool(world, tool, {
          input: inputOf(tool),
          idempotencyKey: 'timeout',
        })
        expect(world.clock.now() - startedAt).toBeLessThanOrEqual(
          (retries + 1) * timeoutMs + retries * LONGEST_PAUSE_MS,
        )
        if (fallback !== undefined && answer.metadata.degraded) return
        expect([answer.status, answer.data]).toEqual(['error', null])
        expect(answer.error?.code).toMatch(
          /^TOOL_(EXECUTION_TIMEOUT|OUTCOME_UNKNOWN|RESOURCE_UNAVAILABLE)$/,
        )
      },
    },
  ]
}

function timeoutAfterApproval(tool: Tool): ContractCase {
  return {
    kind: 'timeout',
    tool: tool.id,
    name: 'with a provider that hangs after the approval it is not answered as done',
    run: async (world) => {
      const request = { input: inputOf(tool), idempotencyKey: 'timeout' }
      const asked = await callTool(world, tool, request)
      const before = await world.effects()
      world.hang()
      await decide(world, tool, asked, 'approve')
      const kept = await world.runtime.answer(world.caller, asked.metadata.call_id)
      const answer = kept === undefined ? assert.fail('the call left no answer') : toEnvelope(kept)
      // It failed, or it is still under way.
      expect(answer.status !== 'success' || answer.metadata.job !== undefined).toBe(true)
      expect([answer.data, await world.effects()]).toEqual([null, before])
    },
  }
}

function keys(tool: Tool): readonly ContractCase[] {
  if (!tool.contract.isWrite) return []
  const input = inputOf(tool)
  const other = anotherInput(tool)
  const replay: ContractCase = {
    kind: 'replay',
    tool: tool.id,
    name: 'the same key answers again and does nothing again',
    run: async (world) => {
      const first = await seeThrough(world, tool, { input, idempotencyKey: 'replay' })
      expectSuccess(tool, first)
      const before = await world.effects()
      const again = await callTool(world, tool, { input, idempotencyKey: 'replay' })
      expect([again.status, again.metadata.source, again.data]).toEqual([
        'success',
        'replayed',
        first.data,
      ])
      expect(await world.effects(), 'it was done twice').toBe(before)
    },
  }
  const conflict: ContractCase = {
    kind: 'conflict',
    tool: tool.id,
    name: 'the same key with another input is refused',
    run: async (world) => {
      expectSuccess(tool, await seeThrough(world, tool, { input, idempotencyKey: 'conflict' }))
      const before = await world.effects()
      const answer = await callTool(world, tool, { input: other, idempotencyKey: 'conflict' })
      expect([answer.status, answer.error?.code, answer.data]).toEqual([
        'failed',
        'TOOL_IDEMPOTENCY_CONFLICT',
        null,
      ])
      expect(await world.effects(), 'something happened outside').toBe(before)
    },
  }
  return other === undefined ? [replay] : [replay, conflict]
}

function fallbacks(tool: Tool): readonly ContractCase[] {
  if (tool.contract.fallback === undefined) return []
  return [
    {
      kind: 'fallback',
      tool: tool.id,
      name: 'with a provider that fails it answers what it can, and says so',
      run: async (world) => {
        world.fail()
        const answer = await callTool(world, tool, { input: inputOf(tool) })
        expectSuccess(tool, answer)
        expect(answer.metadata).toMatchObject({
          source: 'fallback',
          degraded: true,
          warnings: expect.arrayContaining([expect.any(String)]),
        })
      },
    },
  ]
}
