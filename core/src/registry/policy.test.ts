import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { matches, type TenantPolicy, tighten } from './policy.ts'

/** Said in the plainest way: a star takes nothing, or a character and tries again. */
function matchesSlowly(pattern: string, id: string): boolean {
  if (pattern === '') return id === ''
  if (pattern.startsWith('*'))
    return matchesSlowly(pattern.slice(1), id) || (id !== '' && matchesSlowly(pattern, id.slice(1)))
  return pattern[0] === id[0] && matchesSlowly(pattern.slice(1), id.slice(1))
}

describe('a pattern', () => {
  test('matches as the plainest matcher does', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 })
    const id = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    fc.assert(
      fc.property(pattern, id, (one, other) => {
        expect(matches(one, other)).toBe(matchesSlowly(one, other))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['note.*', 'note.add', true],
    ['note.*', 'notes.add', false],
    ['*.delete', 'note.delete', true],
    ['*', 'anything', true],
    ['a*a', 'a', false],
    ['note.add', 'note.addAll', false],
    ['note.(add|list)', 'note.add', false],
    ['NOTE.*', 'note.add', false],
  ])('%s matches %s: %s', (pattern, id, expected) => {
    expect(matches(pattern, id)).toBe(expected)
  })

  test('with many stars is answered, not tried for ever', () => {
    expect(matches(`${'*a'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false)
  })
})

function noteTool(contract: Partial<Contract<unknown, null, unknown>> = {}) {
  const described = {
    id: 'note.add',
    title: 'Add a note',
    category: 'custom',
    description: 'Adds.',
    input: z.object({}),
    output: z.null(),
  } as const
  const write = {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
    limits: [{ calls: 9, per: '1m' }],
  }
  return defineTool({
    ...described,
    contract: { ...write, ...contract } as Contract<unknown, null, unknown>,
    execute: async () => null,
  })
}
const tool = noteTool()
const under = (policy: Omit<TenantPolicy, 'version'>, one = tool) =>
  tighten(one, { version: 1, ...policy })
const off = expect.objectContaining({
  code: 'TOOL_TEMPORARILY_DISABLED',
  details: { tool: 'note.add' },
})

describe('a tool is switched off', () => {
  test.each<Omit<TenantPolicy, 'version'>>([
    { disabledTools: ['note.add'] },
    { disabledTools: ['x.*', '*.add'] },
    { enabledTools: ['mail.*'] },
    { enabledTools: [] },
    { enabledTools: ['note.*'], disabledTools: ['note.add'] },
  ])('by %j', (policy) => {
    expect(() => under(policy)).toThrow(off)
  })

  test('also when the same policy was asked before', () => {
    const policy = { version: 1, disabledTools: ['note.*'] }
    expect(() => tighten(tool, policy)).toThrow(off)
    expect(() => tighten(tool, policy)).toThrow(off)
  })
})

describe('a tool stays as it is', () => {
  test.each<Omit<TenantPolicy, 'version'>>([
    {},
    { enabledTools: ['note.*'] },
    { disabledTools: ['mail.*'] },
    {
      limits: [{ tools: 'mail.*', calls: 1, windowMs: 1_000 }],
      approvals: [{ tools: 'mail.*', kind: 'admin' }],
    },
    { timeouts: [{ tools: '*', maxMs: 60_000 }] },
  ])('under %j', (policy) => {
    expect(under(policy)).toBe(tool)
  })
})

describe('a policy tightens', () => {
  test('limits, by adding its own for the whole tenant', () => {
    const { limits } = under({
      limits: [{ tools: 'note.*', calls: 100, windowMs: 3_600_000 }],
    }).contract
    expect(limits).toEqual([
      ...tool.contract.limits,
      { calls: 100, windowMs: 3_600_000, by: 'tenant' },
    ])
  })

  test('timeouts, to the shortest of all', () => {
    const timeouts = [3_000, 2_000, 60_000].map((maxMs) => ({ tools: '*', maxMs }))
    expect(under({ timeouts }).contract.timeoutMs).toBe(2_000)
  })

  test('approvals, by requiring one where the contract requires none', () => {
    const { approval } = under({ approvals: [{ tools: 'note.*', kind: 'admin' }] }).contract
    expect(approval).toMatchObject({ kind: 'admin', expiresMs: 900_000 })
    expect(approval?.asks({})).toBe('Add a note?')
    expect(approval?.when({})).toBe(true)
  })

  test('approvals, also where the contract asks only for some inputs', () => {
    const sometimes = noteTool({ approval: { asks: () => 'Add?', when: () => false } })
    expect(
      under({ approvals: [{ tools: '*', kind: 'confirm' }] }, sometimes).contract.approval?.when(
        {},
      ),
    ).toBe(true)
  })

  test("approvals, to an administrator's where the contract is content with a confirmation", () => {
    const confirmed = noteTool({ approval: () => 'Really add?' })
    const { approval } = under({ approvals: [{ tools: '*', kind: 'admin' }] }, confirmed).contract
    expect(approval?.kind).toBe('admin')
    expect(approval?.asks({})).toBe('Really add?')
  })
})

test('whatever a policy says, nothing is loosened', () => {
  const policy = fc.record({
    limits: fc.array(
      fc.record({ tools: fc.constant('*'), calls: fc.nat(), windowMs: fc.integer({ min: 1 }) }),
    ),
    approvals: fc.array(
      fc.record({ tools: fc.constant('*'), kind: fc.constantFrom('confirm', 'consent', 'admin') }),
    ),
    timeouts: fc.array(fc.record({ tools: fc.constant('*'), maxMs: fc.nat() })),
  })
  const strict = noteTool({ approval: { kind: 'admin', asks: () => 'Add?' } })
  fc.assert(
    fc.property(policy, (said) => {
      const { contract } = under(said, strict)
      expect(contract.timeoutMs).toBeLessThanOrEqual(strict.contract.timeoutMs)
      expect(contract.limits).toEqual(expect.arrayContaining([...strict.contract.limits]))
      expect(contract.approval?.kind).toBe('admin')
      expect({
        ...contract,
        timeoutMs: 0,
        limits: [],
        approval: undefined,
      }).toEqual({
        ...strict.contract,
        timeoutMs: 0,
        limits: [],
        approval: undefined,
      })
    }),
  )
})

test('a tightened tool is frozen, leaves the original alone and is the same object each time', () => {
  const policy = { version: 1, timeouts: [{ tools: '*', maxMs: 10 }] }
  const tighter = tighten(tool, policy)
  expect(Object.isFrozen(tighter) && Object.isFrozen(tighter.contract)).toBe(true)
  expect(tool.contract.timeoutMs).toBe(5_000)
  expect(tighten(tool, policy)).toBe(tighter)
  expect(tighten(tool, { ...policy })).not.toBe(tighter)
})
