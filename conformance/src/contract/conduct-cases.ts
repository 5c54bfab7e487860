import { type Envelope, type Tool, toEnvelope } from '@surehand/core'
import { assert, expect } from 'vitest'
import type { ContractCase } from './contract-cases.ts'
import { type ContractWorld, callTool, decide, seeThrough } from './contract-world.ts'
import { expectSuccess } from './happy-cases.ts'
import { anotherInput, inputOf } from './samples-of.ts'

const LONGEST_PAUSE_MS = 2_000

/** How it behaves in time and over time: a provider that hangs or fails, a key that comes again. */
export function conductCases(tool: Tool): readonly ContractCase[] {
  if (tool.examples.length === 0) return []
  return [...timeouts(tool), ...keys(tool), ...fallbacks(tool), ...finalAnswers(tool)]
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
      const answer = await fetchAnswer(world, asked)
      // It failed, or it is still under way.
      expect(answer.status !== 'success' || answer.metadata.job !== undefined).toBe(true)
      expect([answer.data, await world.effects()]).toEqual([null, before])
    },
  }
}

async function fetchAnswer(world: ContractWorld, asked: Envelope): Promise<Envelope> {
  const kept = await world.runtime.answer(world.caller, asked.metadata.call_id)
  return kept === undefined ? assert.fail('the call left no answer') : toEnvelope(kept)
}

// Longer than a sweep, the pauses between two recoveries and a breaker that has to close.
const LATER_MS = 180_000

/** A provider fails and works again later: what was answered as an error stays one. */
function finalAnswers(tool: Tool): readonly ContractCase[] {
  if (!tool.contract.isWrite || tool.kind !== 'sync' || tool.ports.size === 0) return []
  return [
    {
      kind: 'final answer',
      tool: tool.id,
      name: 'after an error nothing happens any more, unless the answer says that it may',
      run: async (world) => {
        const request = { input: inputOf(tool), idempotencyKey: 'final' }
        const answer = await callWithBrokenProvider(world, tool, request)
        const before = await world.effects()
        world.heal()
        world.runtime.start()
        await world.clock.advance(LATER_MS)
        if (answer.metadata.job !== undefined || answer.status === 'success') return
        if (!/may still happen/.test(answer.error?.message ?? ''))
          return expect(await world.effects(), 'it happened behind the error').toBe(before)
        expect(answer.error?.details).toMatchObject({ call_id: answer.metadata.call_id })
        expect((await fetchAnswer(world, answer)).metadata.call_id).toBe(answer.metadata.call_id)
      },
    },
  ]
}

async function callWithBrokenProvider(
  world: ContractWorld,
  tool: Tool,
  request: Parameters<typeof callTool>[2],
): Promise<Envelope> {
  if (tool.contract.approval === undefined) {
    world.fail()
    return callTool(world, tool, request)
  }
  const asked = await callTool(world, tool, request)
  world.fail()
  await decide(world, tool, asked, 'approve')
  return fetchAnswer(world, asked)
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
