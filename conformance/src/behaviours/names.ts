import { CanonicalText } from '@surehand/core/internal'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, detailsOf, listEffects } from '../judge.ts'
import { brokenRequest, brokenSurface, brokenTool } from '../mutants/broken.ts'

/** Names of tools, and of unknown fields. */
export const names: readonly Behaviour[] = [
  {
    id: 'input.unknown-keys',
    sentence: 'unknown keys are stripped, and refused where a tool says so',
    rules: '§1',
    needs: [],
    mutant: brokenTool('input.strict', 'a schema that accepts anything', (tool) => ({
      input: {
        ...tool.input,
        parse: (value) => ({ ok: true, value }),
        write: (value) => new CanonicalText(JSON.stringify(value)),
      },
    })),
    async run(world) {
      const stripped = await world.call({
        tool: 'input.kinds',
        input: { name: 'lamp', count: 1, wattage: 40 },
      })
      expect([codeOrStatus(stripped), Object.keys(world.emulator.effects[0]?.args ?? {})]).toEqual([
        'success',
        expect.not.arrayContaining(['wattage']),
      ])
      const refused = await world.call({
        tool: 'input.strict',
        input: { name: 'lamp', wattage: 40 },
      })
      expect([codeOrStatus(refused), detailsOf(refused).validation_errors]).toEqual([
        'TOOL_INVALID_INPUT',
        [{ field: 'wattage', error: expect.any(String), provided_value: 40 }],
      ])
    },
  },
  {
    id: 'input.semantic-check',
    sentence:
      'what a tool finds wrong with the meaning of an input is refused before anything is done',
    rules: '§1',
    needs: [],
    mutant: brokenTool('input.checked', 'a tool that checks nothing', () => ({ check: undefined })),
    async run(world) {
      const answer = await world.call({ tool: 'input.checked', input: { from: 7, to: 1 } })
      expect([codeOrStatus(answer), answer.error?.message, listEffects(world)]).toEqual([
        'TOOL_INVALID_FIELD_VALUE',
        'It would end before it begins.',
        [],
      ])
    },
  },
  {
    id: 'tool.odd-names',
    sentence: "a tool named like an object's member works, and a missing one is not found",
    rules: '§1',
    needs: [],
    mutant: brokenSurface('a surface that looks tools up in a plain object', (surface) => {
      const aliases: Record<string, string> = {}
      return {
        call: (request) =>
          surface.call({ ...request, tool: String(aliases[request.tool] ?? request.tool) }),
      }
    }),
    async run(world) {
      for (const tool of ['constructor', '__proto__']) {
        const answer = await world.call({ tool, input: {} })
        expect([codeOrStatus(answer), answer.data, answer.command]).toEqual([
          'success',
          { name: tool },
          tool,
        ])
      }
      for (const tool of ['toString', 'hasOwnProperty', 'valueOf', 'prototype', ''])
        expect(codeOrStatus(await world.call({ tool, input: {} })), tool).toBe('TOOL_NOT_FOUND')
    },
  },
  {
    id: 'tool.wire-name',
    sentence: 'a tool called by its wire name is the same tool: one key, one call',
    rules: '§11',
    needs: ['key'],
    mutant: brokenRequest('a surface that spells names in its own way', (request) => ({
      ...request,
      tool: request.tool.replaceAll('__', '-'),
    })),
    async run(world) {
      await world.call({ tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' })
      const again = await world.call({
        tool: 'orders__draft',
        input: { item: 'lamp' },
        idempotencyKey: 'k1',
      })
      expect([
        codeOrStatus(again),
        again.metadata.source,
        again.command,
        listEffects(world).length,
      ]).toEqual(['success', 'replayed', 'orders.draft', 1])
    },
  },
  {
    id: 'tool.not-found',
    sentence: 'a mistyped tool name is not found, and similar names are suggested',
    rules: '§12',
    needs: [],
    mutant: brokenSurface('a surface that guesses what was meant', (surface) => ({
      async call(request) {
        const answer = await surface.call(request)
        const [similar] = ((
          answer.error?.details as { readonly similar?: readonly string[] } | undefined
        )?.similar ?? []) as readonly string[]
        return similar === undefined ? answer : surface.call({ ...request, tool: similar })
      },
    })),
    async run(world) {
      const answer = await world.call({ tool: 'shelf.lok', input: { item: 'lamp' } })
      expect([codeOrStatus(answer), answer.command, detailsOf(answer).similar]).toEqual([
        'TOOL_NOT_FOUND',
        'shelf.lok',
        expect.arrayContaining(['shelf.look']),
      ])
      expect(answer.error?.recovery_suggestions?.join()).toContain('shelf.look')
    },
  },
]
