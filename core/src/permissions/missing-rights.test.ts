import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { Contract } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { missingRights } from './explain-permissions.ts'
import { permissionScheme } from './permission-scheme.ts'

type Needs = Pick<Contract<unknown, null, unknown>, 'permissions' | 'auth' | 'securityLevel'>

const scheme = permissionScheme([])
const ann: Caller = {
  tenant: 't',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const NOON = Date.UTC(2026, 2, 2, 12) // a Monday

function toolThat(needs: Needs) {
  const described = {
    id: 'habit.do',
    title: 'Do',
    category: 'custom',
    description: 'Does.',
    input: z.object({}),
    output: z.null(),
  } as const
  return defineTool({
    ...described,
    contract: { effect: 'read', ...needs },
    execute: async () => null,
  })
}
const missing = (needs: Needs, caller: Partial<Caller> = {}, startedAt = NOON) =>
  missingRights(
    { tool: toolThat(needs), caller: { ...ann, ...caller }, startedAt, input: {} },
    scheme,
  )
const codeFor = (needs: Needs, caller: Partial<Caller> = {}) => missing(needs, caller)?.code
const needing = (
  ...capabilities: NonNullable<NonNullable<Needs['permissions']>['capabilities']>
) => ({ permissions: { capabilities } })

describe('the level of authentication', () => {
  test.each([
    ['none', { principal: ANONYMOUS.principal }, undefined],
    ['service', {}, undefined],
    ['service', { principal: ANONYMOUS.principal }, 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['session', { session: 's1' }, undefined],
    ['session', {}, 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['session', { principal: ANONYMOUS.principal, session: 's1' }, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  ] as const)('%s, for %j: %s', (auth, caller, code) => {
    expect(codeFor({ auth }, caller)).toBe(code)
  })

  test('is query for before roles are told', () => {
    expect(missing({ auth: 'session', permissions: { roles: ['admin'] } })?.details).toEqual({
      required_auth: 'session',
    })
  })
})

describe('the security level', () => {
  const anonymous = { principal: ANONYMOUS.principal, roles: ['admin'] }
  const people: readonly (readonly [string, Partial<Caller>, string])[] = [
    ['an anonymous caller', anonymous, 'public'],
    ['somebody without a role', { roles: [] }, 'internal'],
    ['a role nobody knows', { roles: ['guide'] }, 'internal'],
    ['a user', {}, 'confidential'],
    ['a power user', { roles: ['power_user'] }, 'confidential'],
    ['the role ai_agent', { roles: ['ai_agent'] }, 'confidential'],
    ['an admin', { roles: ['guide', 'admin'] }, 'restricted'],
    ['a developer', { roles: ['developer'] }, 'restricted'],
    ['the agent of an admin', { roles: ['admin'], actor: 'ai_agent' }, 'confidential'],
  ]
  const LEVELS = ['public', 'internal', 'confidential', 'restricted'] as const
  test.each(people)('%s is cleared up to its level', (_who, caller, highest) => {
    const open = LEVELS.filter((securityLevel) => codeFor({ securityLevel }, caller) === undefined)
    expect(open.at(-1)).toBe(highest)
    expect(open).toEqual(LEVELS.slice(0, open.length))
  })

  test('is public where nothing is query for, and internal where anything is', () => {
    expect(codeFor({}, anonymous)).toBeUndefined()
    expect(codeFor({ permissions: { roles: ['admin'] } }, anonymous)).toBe(
      'TOOL_INSUFFICIENT_PERMISSIONS',
    )
    expect(codeFor(needing('habit.read'), anonymous)).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
    expect(
      codeFor({ ...needing('habit.read'), securityLevel: 'public' }, anonymous),
    ).toBeUndefined()
  })

  test('above the clearance is told', () => {
    expect(missing({ securityLevel: 'restricted' })).toEqual({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      message: 'habit.do is restricted; ann is cleared for confidential.',
      details: { security_level: 'restricted', clearance: 'confidential' },
      suggestions: ['Only a person can call it, with one of the roles admin, developer.'],
    })
  })
})

describe('a declared resource', () => {
  const touching = (...resources: NonNullable<NonNullable<Needs['permissions']>['resources']>) => ({
    permissions: { resources },
  })

  test('is open to a caller with the capability for it; creating and updating count as writing', () => {
    for (const mode of ['read', 'write', 'create', 'update'] as const)
      expect(
        codeFor(touching({ type: 'habit_data', mode, scope: 'current_user' })),
        mode,
      ).toBeUndefined()
    expect(codeFor(touching({ type: 'habit_data', mode: 'delete' }))).toBe(
      'TOOL_RESOURCE_ACCESS_DENIED',
    )
    expect(
      codeFor(touching({ type: 'habit_data', mode: 'delete' }), { roles: ['power_user'] }),
    ).toBeUndefined()
  })

  test('is not open beyond the scope that is held', () => {
    expect(missing(touching({ type: 'habit_data', mode: 'create', scope: 'all' }))).toEqual({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      message:
        'habit.do touches habit_data (create, scope all), for which ann has no right at this moment.',
      details: {
        resource_type: 'habit_data',
        access_mode: 'create',
        scope_filter: 'all',
        capabilities: ['habit.write'],
      },
      suggestions: ['Ask an administrator to grant habit.write with the scope all.'],
    })
  })

  test('is not open to an agent it was not handed to', () => {
    const needs = touching({ type: 'habit_data', mode: 'delete' })
    expect(codeFor(needs, { roles: ['power_user'], actor: 'ai_agent' })).toBe(
      'TOOL_RESOURCE_ACCESS_DENIED',
    )
    expect(
      codeFor(needs, { roles: ['power_user'], actor: 'ai_agent', delegated: ['habit.delete'] }),
    ).toBeUndefined()
  })

  test("that the table doesn't know is left to the tool's capabilities", () => {
    expect(
      codeFor(
        touching({ type: 'filesystem', mode: 'read' }, { type: 'project_data', mode: 'delete' }),
      ),
    ).toBeUndefined()
  })
})

describe('a rule of the contract', () => {
  const when = { attribute: 'caller.tenant', op: 'eq', value: 'acme' } as const

  test('opens the tool where it holds', () => {
    expect(codeFor({ permissions: { when } }, { tenant: 'acme' })).toBeUndefined()
  })

  test('is told where it does not', () => {
    expect(missing({ permissions: { when } })).toEqual({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      message: 'habit.do is not open to this call: caller.tenant must be "acme".',
      details: { rule: 'caller.tenant must be "acme"' },
      suggestions: ['A call for which it holds: caller.tenant must be "acme".'],
    })
  })
})
