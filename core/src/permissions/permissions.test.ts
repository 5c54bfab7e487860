import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ANONYMOUS, type Caller, type Grant } from '../call/caller.ts'
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
const capability = (name: string, caller: Partial<Caller> = {}) => codeFor(needing(name), caller)

test('a tool that asks for nothing is for everybody', () => {
  expect(codeFor({}, { principal: ANONYMOUS.principal, roles: [] })).toBeUndefined()
})

describe('roles', () => {
  test.each([
    ['user', 'user', true],
    ['power_user', 'user', true],
    ['admin', 'user', true],
    ['admin', 'power_user', true],
    ['developer', 'user', true],
    ['user', 'admin', false],
    ['power_user', 'admin', false],
    ['developer', 'power_user', false],
    ['developer', 'admin', false],
    ['ai_agent', 'user', false],
    ['unheard_of', 'user', false],
    ['unheard_of', 'unheard_of', true],
    ['constructor', 'user', false],
  ])('%s, where %s is needed: %s', (own, needed, may) => {
    expect(codeFor({ permissions: { roles: [needed] } }, { roles: [own] })).toBe(
      may ? undefined : 'TOOL_ROLE_NOT_AUTHORIZED',
    )
  })

  test('any of several is enough', () => {
    expect(codeFor({ permissions: { roles: ['admin', 'user'] } })).toBeUndefined()
  })

  test("an agent has its principal's, and no other", () => {
    expect(codeFor({ permissions: { roles: ['user'] } }, { actor: 'ai_agent' })).toBeUndefined()
    expect(codeFor({ permissions: { roles: ['ai_agent'] } }, { actor: 'ai_agent' })).toBe(
      'TOOL_ROLE_NOT_AUTHORIZED',
    )
  })

  test('that are missing are told, with what to do', () => {
    expect(missing({ permissions: { roles: ['admin'] } })).toEqual({
      code: 'TOOL_ROLE_NOT_AUTHORIZED',
      message: 'habit.do is for admin; ann is user.',
      details: { required_roles: ['admin'], roles: ['user'] },
      suggestions: ['Ask an administrator for one of the roles admin.'],
    })
  })
})

describe('capabilities', () => {
  test.each([
    ['user', 'habit.read', true],
    ['user', 'task.write', true],
    ['user', 'project.read', true],
    ['user', 'data.export', true],
    ['user', 'data.delete_all', true],
    ['user', 'habit.delete', false],
    ['user', 'project.write', false],
    ['power_user', 'habit.delete', true],
    ['power_user', 'habit.write', true],
    ['power_user', 'ai.explain', true],
    ['admin', 'data.analyze', true],
    ['admin', 'project.write', true],
    ['admin', 'system.config.write', true],
    ['developer', 'system.config.read', true],
    ['developer', 'habit.read', true],
    ['developer', 'data.analyze', false],
    ['ai_agent', 'habit.read', false],
  ])('the role %s gives %s: %s', (role, name, may) => {
    expect(capability(name, { roles: [role] })).toBe(may ? undefined : 'TOOL_CAPABILITY_MISSING')
  })

  test.each([
    ['booking.write', 'booking.write', true],
    ['booking.*', 'booking.write', true],
    ['booking.*', 'booking.slot.write', true],
    ['*', 'booking.write', true],
    ['booking.*', 'bookings.write', false],
    ['booking.*', 'booking', false],
    ['booking', 'booking.write', false],
    ['book*', 'booking.write', false],
    ['booking.write', 'booking.*', false],
    ['Booking.write', 'booking.write', false],
  ])('the grant %s covers %s: %s', (held, needed, may) => {
    expect(capability(needed, { capabilities: [held] })).toBe(
      may ? undefined : 'TOOL_CAPABILITY_MISSING',
    )
    expect(capability(needed, { capabilities: [{ name: held }] })).toBe(
      may ? undefined : 'TOOL_CAPABILITY_MISSING',
    )
  })

  test('all that are query for are needed, and those that are missing are told together', () => {
    expect(missing(needing('habit.read', 'booking.write', 'habit.delete'))).toEqual({
      code: 'TOOL_CAPABILITY_MISSING',
      message:
        'habit.do needs booking.write, which ann does not have. habit.do needs habit.delete, which ann does not have.',
      details: { missing_capabilities: ['booking.write', 'habit.delete'] },
      suggestions: [
        'Ask an administrator to grant booking.write.',
        'The role power_user or admin includes it; or ask an administrator to grant habit.delete.',
      ],
    })
  })

  test('come from packs too, patterns and conditions with them, without taking any away', () => {
    const tour: Grant = { name: 'tour.*', scope: 'self' }
    const added = permissionScheme([
      new Map([['user', ['booking.write']]]),
      new Map([['guide', [tour]]]),
    ])
    const may = (name: string, roles: string[]) =>
      missingRights(
        { tool: toolThat(needing(name)), caller: { ...ann, roles }, startedAt: NOON },
        added,
      ) === undefined
    expect(may('booking.write', ['user'])).toBe(true)
    expect(may('booking.write', ['admin'])).toBe(true)
    expect(may('habit.read', ['user'])).toBe(true)
    expect(may('tour.lead', ['guide'])).toBe(true)
    expect(may('tour.lead', ['user'])).toBe(false)
  })
})

describe('a scope', () => {
  const opens = (held: string | undefined, needed: string | undefined, name = 'booking.read') =>
    missing(needing(needed === undefined ? name : { name, scope: needed }), {
      roles: [],
      capabilities: [held === undefined ? name : { name, scope: held }],
    }) === undefined

  const LADDER = ['self', 'owned', 'accessible', 'all']
  test.each(
    LADDER.flatMap((held, height) =>
      LADDER.map((needed, level) => [held, needed, height >= level] as const),
    ),
  )('%s covers %s: %s', (held, needed, may) => {
    expect(opens(held, needed)).toBe(may)
  })

  test.each([
    ['analysis_only', 'analysis_only', true],
    ['all', 'analysis_only', true],
    ['accessible', 'analysis_only', false],
    ['analysis_only', 'self', false],
    ['site:7', 'site:7', true],
    ['all', 'site:7', true],
    ['accessible', 'site:7', false],
    ['site:7', 'self', false],
    ['self', 'self_only', true],
    ['current_user', 'self', true],
    ['accessible_to_user', 'accessible', true],
    ['self_only', 'owned', false],
  ])('%s covers %s: %s', (held, needed, may) => {
    expect(opens(held, needed)).toBe(may)
  })

  test('that is not query for is met by any', () => {
    expect(opens('self', undefined)).toBe(true)
    expect(opens('site:7', undefined)).toBe(true)
  })

  test('that a grant does not name is the usual one, else all', () => {
    expect(opens(undefined, 'all')).toBe(true)
    expect(opens(undefined, 'self', 'habit.read')).toBe(true)
    expect(opens(undefined, 'owned', 'habit.read')).toBe(false)
    expect(opens(undefined, 'accessible', 'project.read')).toBe(true)
    expect(opens(undefined, 'all', 'project.read')).toBe(false)
    expect(opens(undefined, 'analysis_only', 'ai.explain')).toBe(true)
  })

  test('is not widened by a pattern: * stands for names, not for data', () => {
    const needs = needing({ name: 'habit.read', scope: 'all' })
    expect(codeFor(needs, { capabilities: ['*'] })).toBe('TOOL_CAPABILITY_MISSING')
    expect(codeFor(needs, { capabilities: [{ name: '*', scope: 'all' }] })).toBeUndefined()
  })

  test('that is too narrow is told', () => {
    expect(missing(needing({ name: 'habit.read', scope: 'all' }))).toEqual({
      code: 'TOOL_CAPABILITY_MISSING',
      message: 'habit.do needs habit.read with the scope all; ann has it with the scope self.',
      details: { missing_capabilities: ['habit.read'], needed_scope: 'all', held_scope: 'self' },
      suggestions: ['Ask an administrator to grant habit.read with the scope all.'],
    })
  })

  test("of the default grants is oneself: nobody exports another's data", () => {
    expect(codeFor(needing({ name: 'data.export', scope: 'self' }))).toBeUndefined()
    expect(codeFor(needing({ name: 'data.delete_all', scope: 'all' }), { roles: ['admin'] })).toBe(
      'TOOL_CAPABILITY_MISSING',
    )
    expect(codeFor(needing({ name: 'task.read', scope: 'all' }), { roles: ['admin'] })).toBe(
      'TOOL_CAPABILITY_MISSING',
    )
  })
})

describe('an agent', () => {
  const agent = { actor: 'ai_agent', roles: ['power_user'] } as const

  test.each([
    ['habit.write', true],
    ['project.read', true],
    ['habit.delete', false],
    ['data.delete_all', false],
    ['project.write', false],
  ])('is handed %s by default: %s', (name, may) => {
    expect(capability(name, agent)).toBe(may ? undefined : 'TOOL_CAPABILITY_MISSING')
    expect(capability(name, { actor: 'user', roles: ['power_user'] })).toBeUndefined()
  })

  test('has what was delegated to it, and nothing else', () => {
    expect(capability('habit.delete', { ...agent, delegated: ['habit.*'] })).toBeUndefined()
    expect(capability('task.read', { ...agent, delegated: ['habit.*'] })).toBe(
      'TOOL_CAPABILITY_MISSING',
    )
    expect(capability('habit.read', { ...agent, delegated: [] })).toBe('TOOL_CAPABILITY_MISSING')
  })

  test('has never more than its principal', () => {
    expect(capability('data.analyze', { ...agent, delegated: ['*'] })).toBe(
      'TOOL_CAPABILITY_MISSING',
    )
  })

  test('that lacks a capability is told who can grant it', () => {
    const refused = missing(needing('habit.delete'), agent)
    expect(refused?.message).toBe(
      'habit.do needs habit.delete, which was not handed to the agent of ann.',
    )
    expect(refused?.suggestions).toEqual(['Let ann delegate habit.delete to the agent.'])
  })

  test('a delegation means nothing for a person', () => {
    expect(capability('habit.read', { delegated: [] })).toBeUndefined()
  })
})
