import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { Contract } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { missingRights, permissionScheme } from './permissions.ts'

type Needs = Pick<Contract<unknown, null, unknown>, 'permissions' | 'auth'>

const scheme = permissionScheme([])
const ann: Caller = { tenant: 't', principal: 'ann', actor: 'user', roles: ['user'], capabilities: [] }

function toolThat(needs: Needs) {
  const described = {
    id: 'habit.do',
    title: 'Do',
    category: 'custom',
    description: 'Does.',
    input: z.object({}),
    output: z.null(),
  } as const
  return defineTool({ ...described, contract: { effect: 'read', ...needs }, execute: async () => null })
}
const codeFor = (needs: Needs, caller: Partial<Caller> = {}) => missingRights(toolThat(needs), { ...ann, ...caller }, scheme)?.code
const capability = (name: string, caller: Partial<Caller> = {}) => codeFor({ permissions: { capabilities: [name] } }, caller)

test('a tool that asks for nothing is for everybody', () => {
  expect(codeFor({}, { principal: ANONYMOUS, roles: [] })).toBeUndefined()
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
    expect(codeFor({ permissions: { roles: [needed] } }, { roles: [own] })).toBe(may ? undefined : 'TOOL_ROLE_NOT_AUTHORIZED')
  })

  test('any of several is enough', () => {
    expect(codeFor({ permissions: { roles: ['admin', 'user'] } })).toBeUndefined()
  })

  test('that are missing are told, with what to do', () => {
    expect(missingRights(toolThat({ permissions: { roles: ['admin'] } }), ann, scheme)).toEqual({
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
    ['booking', 'booking.write', false],
    ['book*', 'booking.write', false],
    ['booking.write', 'booking.*', false],
    ['Booking.write', 'booking.write', false],
  ])('the grant %s covers %s: %s', (held, needed, may) => {
    expect(capability(needed, { capabilities: [held] })).toBe(may ? undefined : 'TOOL_CAPABILITY_MISSING')
    expect(capability(needed, { capabilities: [{ name: held }] })).toBe(may ? undefined : 'TOOL_CAPABILITY_MISSING')
  })

  test('all that are asked for are needed, and those that are missing are told', () => {
    const needs = { permissions: { capabilities: ['habit.read', 'booking.write', 'pay.write'] } }
    expect(missingRights(toolThat(needs), ann, scheme)).toEqual({
      code: 'TOOL_CAPABILITY_MISSING',
      message: 'habit.do needs booking.write, pay.write, which ann does not have.',
      details: { missing_capabilities: ['booking.write', 'pay.write'] },
      suggestions: ['Ask an administrator to grant booking.write, pay.write.'],
    })
  })

  test('come from packs too, without taking any away', () => {
    const added = permissionScheme([new Map([['user', ['booking.write']]]), new Map([['guide', ['tour.lead']]])])
    const may = (name: string, roles: string[]) =>
      missingRights(toolThat({ permissions: { capabilities: [name] } }), { ...ann, roles }, added) === undefined
    expect(may('booking.write', ['user'])).toBe(true)
    expect(may('booking.write', ['admin'])).toBe(true)
    expect(may('habit.read', ['user'])).toBe(true)
    expect(may('tour.lead', ['guide'])).toBe(true)
    expect(may('tour.lead', ['user'])).toBe(false)
  })
})

describe('a grant over some data', () => {
  const scopedTo = (scope: string) => ({ permissions: { capabilities: [{ name: 'booking.read', scope }] } })
  const holding = (scope?: string) => ({ capabilities: [scope === undefined ? 'booking.read' : { name: 'booking.read', scope }] })

  test.each([
    ['self', 'self'],
    ['all', 'self'],
    [undefined, 'self'],
  ])('of scope %s opens a tool that works on %s', (held, needed) => {
    expect(codeFor(scopedTo(needed), holding(held))).toBeUndefined()
  })

  test('of one scope does not open a tool that works on another', () => {
    expect(codeFor(scopedTo('all'), holding('self'))).toBe('TOOL_CAPABILITY_MISSING')
  })
})

describe('an agent', () => {
  const agent = { actor: 'ai_agent', roles: ['power_user'] } as const

  test.each([
    ['habit.write', true],
    ['project.read', true],
    ['habit.delete', false],
    ['project.write', false],
  ])('is handed %s by default: %s', (name, may) => {
    expect(capability(name, agent)).toBe(may ? undefined : 'TOOL_CAPABILITY_MISSING')
    expect(capability(name, { actor: 'user', roles: ['power_user'] })).toBeUndefined()
  })

  test('has what was delegated to it, and nothing else', () => {
    expect(capability('habit.delete', { ...agent, delegated: ['habit.*'] })).toBeUndefined()
    expect(capability('task.read', { ...agent, delegated: ['habit.*'] })).toBe('TOOL_CAPABILITY_MISSING')
    expect(capability('habit.read', { ...agent, delegated: [] })).toBe('TOOL_CAPABILITY_MISSING')
  })

  test('has never more than its principal', () => {
    expect(capability('data.analyze', { ...agent, delegated: ['*'] })).toBe('TOOL_CAPABILITY_MISSING')
  })

  test('that lacks something is told who can hand it over', () => {
    const missing = missingRights(toolThat({ permissions: { capabilities: ['habit.delete'] } }), { ...ann, ...agent }, scheme)
    expect(missing?.message).toBe('habit.do needs habit.delete, which was not handed to the agent of ann.')
    expect(missing?.suggestions).toEqual(['Let ann delegate habit.delete to the agent.'])
  })
})

describe('the level of authentication', () => {
  test.each([
    ['none', { principal: ANONYMOUS }, undefined],
    ['service', {}, undefined],
    ['service', { principal: ANONYMOUS }, 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['session', { session: 's1' }, undefined],
    ['session', {}, 'TOOL_INSUFFICIENT_PERMISSIONS'],
    ['session', { principal: ANONYMOUS, session: 's1' }, 'TOOL_INSUFFICIENT_PERMISSIONS'],
  ] as const)('%s, for %j: %s', (auth, caller, code) => {
    expect(codeFor({ auth }, caller)).toBe(code)
  })

  test('is asked for before roles are told', () => {
    expect(codeFor({ auth: 'session', permissions: { roles: ['admin'] } })).toBe('TOOL_INSUFFICIENT_PERMISSIONS')
  })
})
