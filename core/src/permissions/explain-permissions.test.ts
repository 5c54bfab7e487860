import { expect, test } from 'vitest'
import { z } from 'zod'
import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { Contract } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { checkPermissions } from './explain-permissions.ts'
import { permissionScheme } from './permission-scheme.ts'

const scheme = permissionScheme([])
const ann: Caller = {
  tenant: 't',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}

type Needs = Pick<Contract<unknown, null, unknown>, 'permissions' | 'auth' | 'securityLevel'>

function check(contract: Needs, caller: Partial<Caller> = {}, input?: unknown) {
  const tool = defineTool({
    id: 'habit.purge',
    title: 'Purge',
    category: 'habit_management',
    description: 'Purges.',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'read', ...contract },
    execute: async () => null,
  })
  return checkPermissions(
    { tool, caller: { ...ann, ...caller }, startedAt: Date.UTC(2026, 2, 2, 20), input },
    scheme,
  )
}

test('a caller who may use the tool gets the conditions that the call has to meet', () => {
  const limited = {
    name: 'habit.write',
    conditions: [{ type: 'rate_limit', parameters: { max_calls: 3, per: 'day' } }],
  } as const
  const asksFirst = { name: 'pay', conditions: [{ type: 'user_consent', parameters: {} }] } as const
  const office = { type: 'time_restriction', parameters: { start: '19:00', end: '21:00' } } as const
  const hourly = { name: 'habit.read', conditions: [office] }
  expect(
    check(
      { permissions: { capabilities: [limited, hourly, 'pay'] } },
      { capabilities: [asksFirst] },
    ),
  ).toEqual({
    allowed: true,
    tool_id: 'habit.purge',
    missing: [],
    conditions: [
      { type: 'rate_limit', parameters: { max_calls: 3, per: 'day' } },
      { type: 'user_consent', parameters: {} },
    ],
  })
})

test('all that is missing is told at once, each with what would grant it', () => {
  const office = {
    type: 'time_restriction',
    parameters: { start: '09:00', end: '17:00', days: ['fri'] },
  } as const
  const { allowed, missing } = check(
    {
      auth: 'session',
      securityLevel: 'restricted',
      permissions: {
        roles: ['admin', 'developer'],
        capabilities: [
          'habit.delete',
          'booking.write',
          { name: 'habit.read', scope: 'all' },
          { name: 'task.read', conditions: [office] },
        ],
        resources: [{ type: 'project_data', mode: 'write' }],
        when: { attribute: 'caller.locale', op: 'in', value: ['de', 'fr'] },
      },
    },
    { actor: 'ai_agent' },
  )
  expect(allowed).toBe(false)
  expect(
    missing.map(({ kind, name, needed, granted_by }) => [kind, name, needed, granted_by]),
  ).toEqual([
    ['authentication', 'session', 'a signed-in session', 'Sign in, and call with the session.'],
    [
      'role',
      'admin, developer',
      'any of admin, developer',
      'Ask an administrator for one of the roles admin, developer.',
    ],
    ['delegation', 'habit.delete', 'habit.delete', 'Let ann delegate habit.delete to the agent.'],
    [
      'capability',
      'habit.delete',
      'habit.delete',
      'The role power_user or admin includes it; or ask an administrator to grant habit.delete.',
    ],
    [
      'capability',
      'booking.write',
      'booking.write',
      'Ask an administrator to grant booking.write.',
    ],
    [
      'scope',
      'habit.read',
      'habit.read with the scope all',
      'Ask an administrator to grant habit.read with the scope all.',
    ],
    ['condition', 'task.read', 'task.read', 'Call again from 2026-03-06T09:00+00:00 (UTC).'],
    [
      'security_level',
      'restricted',
      'clearance for restricted',
      'Only a person can call it, with one of the roles admin, developer.',
    ],
    [
      'resource',
      'project_data',
      'write',
      'Let ann delegate project.write to the agent. The role power_user or admin includes it; or ask an administrator to grant project.write.',
    ],
    [
      'attribute',
      'caller.locale',
      'caller.locale must be one of "de", "fr"',
      'A call for which it holds: caller.locale must be one of "de", "fr".',
    ],
  ])
  for (const { explanation } of missing)
    expect(explanation).toMatch(/^(?:habit\.purge|task\.read) .*\.$/)
})

test('a grant under a rule that does not hold is told with the rule', () => {
  const capabilities = [
    { name: 'pay', when: { attribute: 'caller.tenant', op: 'starts_with', value: 'eu-' } },
  ] as const
  const { missing } = check({ permissions: { capabilities: ['pay'] } }, { capabilities })
  expect(missing.map(({ kind, granted_by }) => [kind, granted_by])).toEqual([
    [
      'attribute',
      'It holds where caller.tenant must begin with "eu-"; or ask an administrator to grant pay without the rule.',
    ],
  ])
})

test('a malformed grant is told to be corrected', () => {
  const capabilities = [
    { name: 'pay', conditions: [{ type: 'user_consent', parameters: { by: 'bob' } }] },
  ] as const
  const { missing } = check({ permissions: { capabilities: ['pay'] } }, { capabilities })
  expect(missing.map(({ kind, granted_by }) => [kind, granted_by])).toEqual([
    ['condition', 'An administrator must correct a grant of ann.'],
  ])
  expect(missing[0]?.explanation).toContain('The condition "user_consent" cannot be enforced')
})

test('hours that never come are told as such', () => {
  const day = (name: string) =>
    ({
      type: 'time_restriction',
      parameters: { start: '00:00', end: '24:00', days: [name] },
    }) as const
  const { missing } = check({
    permissions: { capabilities: [{ name: 'habit.read', conditions: [day('mon'), day('fri')] }] },
  })
  expect(missing.map(({ explanation }) => explanation)).toEqual([
    'habit.purge needs habit.read, which is not open at this hour nor within the next two weeks.',
  ])
})

test('without an input, a rule over the input is left to the call; what else it says is judged', () => {
  const small = { attribute: 'input.amount', op: 'lte', value: 100 } as const
  const home = { attribute: 'caller.tenant', op: 'eq', value: 't' } as const
  const abroad = { attribute: 'caller.tenant', op: 'eq', value: 'u' } as const
  expect(check({ permissions: { when: { all: [small, home] } } }).allowed).toBe(true)
  expect(check({ permissions: { when: { not: small } } }).allowed).toBe(true)
  expect(check({ permissions: { when: { all: [small, abroad] } } }).allowed).toBe(false)
  expect(check({ permissions: { when: { any: [small, abroad] } } }).allowed).toBe(true)
  expect(check({ permissions: { when: small } }, {}, { amount: 101 }).allowed).toBe(false)
  expect(check({ permissions: { when: small } }, {}, {}).allowed).toBe(false)
  const underRule = [{ name: 'pay', when: small }]
  expect(
    check({ permissions: { capabilities: ['pay'] } }, { capabilities: underRule }).allowed,
  ).toBe(true)
  expect(
    check({ permissions: { capabilities: ['pay'] } }, { capabilities: underRule }, { amount: 101 })
      .allowed,
  ).toBe(false)
})

test('an anonymous caller is told to sign in', () => {
  const { missing } = check({ securityLevel: 'internal' }, { principal: ANONYMOUS.principal })
  expect(missing.map(({ kind, granted_by }) => [kind, granted_by])).toEqual([
    ['security_level', 'Sign in: anybody known by name is cleared for it.'],
  ])
})
