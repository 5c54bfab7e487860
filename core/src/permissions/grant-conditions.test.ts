import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller, Condition, Grant } from '../call/caller.ts'
import type { Permissions } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { accessOf, conditionApproval, conditionLimits } from './access.ts'
import type { AccessQuery } from './attribute-rules.ts'
import { missingRights } from './explain-permissions.ts'
import { permissionScheme } from './permission-scheme.ts'

const scheme = permissionScheme([])
const office: Condition = {
  type: 'time_restriction',
  parameters: { start: '09:00', end: '17:00', time_zone: 'Europe/Berlin' },
}
const rate = (max_calls: number): Condition => ({
  type: 'rate_limit',
  parameters: { max_calls, per: 'minute' },
})
const consent: Condition = { type: 'user_consent', parameters: {} }
const admin: Condition = { type: 'admin_approval', parameters: {} }
const at = (time: string) => Date.parse(`2026-03-02T${time}:00+01:00`) // a Monday in Berlin

function asking(
  permissions: Permissions,
  capabilities: readonly (string | Grant)[],
  more: Partial<AccessQuery> = {},
): AccessQuery {
  const tool = defineTool({
    id: 'room.book',
    title: 'Book',
    category: 'custom',
    description: 'Books a room.',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'read', permissions },
    execute: async () => null,
  })
  const caller: Caller = { tenant: 't', principal: 'ann', actor: 'user', roles: [], capabilities }
  return { tool, caller, startedAt: at('12:00'), input: {}, ...more }
}
const book = (...conditions: Condition[]): Permissions => ({
  capabilities: [{ name: 'room.book', conditions }],
})
const grantWith = (...conditions: Condition[]): Grant => ({ name: 'room.book', conditions })
const plain: Permissions = { capabilities: ['room.book'] }

describe('a time restriction', () => {
  test.each([
    ['08:59', false],
    ['09:00', true],
    ['16:59', true],
    ['17:00', false],
  ])("at %s opens the tool's hours and a grant's: %s", (time, may) => {
    const startedAt = at(time)
    expect(
      missingRights(asking(book(office), ['room.book'], { startedAt }), scheme) === undefined,
    ).toBe(may)
    expect(
      missingRights(asking(plain, [grantWith(office)], { startedAt }), scheme) === undefined,
    ).toBe(may)
  })

  test('says when it opens again', () => {
    const shown = '2026-03-03T09:00+01:00 (Europe/Berlin)'
    expect(
      missingRights(asking(book(office), ['room.book'], { startedAt: at('18:30') }), scheme),
    ).toEqual({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      message: `room.book needs room.book, which is not open at this hour; it opens at ${shown}.`,
      details: {
        condition: 'time_restriction',
        capability: 'room.book',
        opens_at: '2026-03-03T08:00:00.000Z',
      },
      suggestions: [`Call again from ${shown}.`],
    })
  })

  test('of the tool and of the grant must be open together', () => {
    const evening: Condition = {
      type: 'time_restriction',
      parameters: { start: '16:00', end: '22:00', time_zone: 'Europe/Berlin' },
    }
    const query = asking(book(office), [grantWith(evening)], { startedAt: at('20:00') })
    expect(missingRights(query, scheme)?.details.opens_at).toBe('2026-03-03T15:00:00.000Z')
  })

  test('is judged in its own zone, else in that of the caller, else in UTC', () => {
    const anywhere: Condition = {
      type: 'time_restriction',
      parameters: { start: '12:00', end: '12:01' },
    }
    const isOpen = (timeZone: string | undefined, startedAt: number) => {
      const query = asking(book(anywhere), ['room.book'], { startedAt })
      const caller = timeZone === undefined ? query.caller : { ...query.caller, timeZone }
      return missingRights({ ...query, caller }, scheme) === undefined
    }
    expect(isOpen('Asia/Kolkata', Date.UTC(2026, 0, 5, 6, 30))).toBe(true)
    expect(isOpen('America/New_York', Date.UTC(2026, 0, 5, 17))).toBe(true)
    expect(isOpen(undefined, Date.UTC(2026, 0, 5, 12))).toBe(true)
    expect(isOpen('America/New_York', Date.UTC(2026, 0, 5, 12))).toBe(false)
    expect(() => isOpen('Mars/Olympus', 0)).toThrow('The time zone "Mars/Olympus" is not known')
  })
})

describe('a rate limit', () => {
  test("of the tool counts the tool's calls, of a grant every use of the grant, by principal", () => {
    const limits = conditionLimits(asking(book(rate(5)), [grantWith(rate(3))]), scheme)
    expect(limits.map(({ calls, windowMs }) => [calls, windowMs])).toEqual([
      [5, 60_000],
      [3, 60_000],
    ])
    const [tools, grants] = limits
    const otherTool = asking(book(rate(5)), [grantWith(rate(3))])
    const [others, sameGrant] = conditionLimits(
      { ...otherTool, tool: { ...otherTool.tool, id: 'room.cancel' } },
      scheme,
    )
    expect(others?.key).not.toBe(tools?.key)
    expect(sameGrant?.key).toBe(grants?.key)
    const bob = conditionLimits(
      { ...otherTool, caller: { ...otherTool.caller, principal: 'bob' } },
      scheme,
    )
    expect(bob[0]?.key).not.toBe(tools?.key)
  })

  test('of a grant that serves two needs is counted once', () => {
    const grant: Grant = { name: 'room.*', conditions: [rate(3)] }
    expect(
      conditionLimits(asking({ capabilities: ['room.book', 'room.see'] }, [grant]), scheme),
    ).toHaveLength(1)
  })

  test('does not bind a caller who holds the same capability without it', () => {
    expect(conditionLimits(asking(plain, [grantWith(rate(3)), 'room.*']), scheme)).toEqual([])
  })
})

describe('an approval', () => {
  test.each([
    ['nobody', [], [], undefined],
    ['the person', [consent], [], 'consent'],
    ['the person', [], [consent], 'consent'],
    ['an administrator', [admin], [consent], 'admin'],
    ['an administrator', [consent], [admin], 'admin'],
    ['an administrator', [], [consent, admin], 'admin'],
  ] as const)('is query of %s', (_who, needed, given, kind) => {
    expect(conditionApproval(asking(book(...needed), [grantWith(...given)]), scheme)).toBe(kind)
    expect(missingRights(asking(book(...needed), [grantWith(...given)]), scheme)).toBeUndefined()
  })

  test('is query for where a role is given something under that condition', () => {
    const withConsent = permissionScheme([new Map([['user', [grantWith(consent)]]])])
    const query = asking(plain, [])
    expect(
      conditionApproval({ ...query, caller: { ...query.caller, roles: ['admin'] } }, withConsent),
    ).toBe('consent')
  })
})

describe('of several grants', () => {
  const best = (...grants: (string | Grant)[]) => {
    const query = asking(plain, grants)
    return {
      scope: accessOf(query, scheme).scopeOf('room.book'),
      limits: conditionLimits(query, scheme).map(({ calls }) => calls),
      approval: conditionApproval(query, scheme),
    }
  }
  const over = (scope: string, ...conditions: Condition[]): Grant => ({
    name: 'room.book',
    scope,
    conditions,
  })

  test('the one that asks for less is used, though another reaches further', () => {
    expect(best(over('all', consent), over('self'))).toEqual({
      scope: 'self',
      limits: [],
      approval: undefined,
    })
    expect(best(over('all', consent), over('self', rate(3)))).toEqual({
      scope: 'self',
      limits: [3],
      approval: undefined,
    })
    expect(best(over('all', admin), over('self', consent, rate(2)))).toEqual({
      scope: 'self',
      limits: [2],
      approval: 'consent',
    })
  })

  test('that ask for the same, the widest is used, then the first', () => {
    expect(
      best(over('self', rate(2)), over('accessible', rate(3)), over('owned', rate(4))),
    ).toMatchObject({
      scope: 'accessible',
      limits: [3],
    })
    expect(best(over('self', rate(2)), over('self', rate(9)))).toMatchObject({ limits: [2] })
    expect(best(over('analysis_only'), over('self'))).toMatchObject({ scope: 'self' })
  })

  test('one outside its hours or its rule is as if it were not there', () => {
    const tonight: Condition = {
      type: 'time_restriction',
      parameters: { start: '22:00', end: '06:00' },
    }
    const elsewhere: Grant = {
      name: 'room.book',
      when: { attribute: 'caller.tenant', op: 'eq', value: 'acme' },
    }
    expect(best(over('all', tonight), elsewhere, over('self', consent))).toEqual({
      scope: 'self',
      limits: [],
      approval: 'consent',
    })
  })

  test('a malformed one is as if it were not there while another serves, and is told where none does', () => {
    const broken = over('all', { type: 'rate_limit', parameters: { max_calls: 3 } })
    expect(best(broken, over('self'))).toMatchObject({ scope: 'self' })
    const refused = missingRights(asking(plain, [broken]), scheme)
    expect(refused?.code).toBe('TOOL_CONFIGURATION_ERROR')
    expect(refused?.message).toContain(
      'The condition "rate_limit" cannot be enforced: expected max_calls of at least 1',
    )
    const badRule = {
      name: 'room.book',
      when: { attribute: 'caller.shoeSize', op: 'eq', value: 43 },
    } as const
    expect(missingRights(asking(plain, [badRule]), scheme)?.message).toContain(
      'the attribute "caller.shoeSize" is not known',
    )
  })
})

describe('the scope a tool may act within', () => {
  const scope = (permissions: Permissions, ...grants: Grant[]) =>
    accessOf(asking(permissions, grants), scheme).scopeOf('room.book')

  test('is the narrower of what is query for and what is held', () => {
    expect(scope(plain, { name: 'room.*', scope: 'current_user' })).toBe('self')
    expect(
      scope(
        { capabilities: [{ name: 'room.book', scope: 'self_only' }] },
        { name: '*', scope: 'all' },
      ),
    ).toBe('self')
  })

  test('of all its capabilities can be told', () => {
    const query = asking({ capabilities: ['room.book', { name: 'habit.read', scope: 'self' }] }, [
      { name: '*', scope: 'accessible' },
    ])
    expect([...accessOf(query, scheme).scopes()]).toEqual([
      ['room.book', 'accessible'],
      ['habit.read', 'self'],
    ])
  })

  test('is refused for what the contract does not ask for, and for what is not held', () => {
    expect(() => accessOf(asking(plain, ['*']), scheme).scopeOf('room.burn')).toThrow(
      'which its contract does not ask for',
    )
    expect(() => scope(plain)).toThrow('room.book needs room.book, which ann lacks.')
    const query = asking(plain, ['*'])
    const agent: Caller = { ...query.caller, actor: 'ai_agent', delegated: [] }
    expect(() => accessOf({ ...query, caller: agent }, scheme).scopeOf('room.book')).toThrow(
      'which ann lacks',
    )
  })
})

test.each([
  ['a consent', consent],
  ['an administrator', admin],
  ['a limit', rate(3)],
])(
  'a capability that only some inputs want is not had where it is held under a condition: %s',
  (_what, condition) => {
    const holds = (...grants: (string | Grant)[]) =>
      accessOf(asking(plain, ['room.book', ...grants]), scheme).holds('room.burn')
    const burning: Grant = { name: 'room.burn', conditions: [condition] }
    expect([holds(), holds(burning), holds(burning, 'room.burn')]).toEqual([false, false, true])
  },
)

test('a resource that rests on a grant with conditions brings them along', () => {
  const permissions: Permissions = {
    capabilities: ['room.book'],
    resources: [{ type: 'habit_data', mode: 'read' }],
  }
  const query = asking(permissions, [
    'room.book',
    { name: 'habit.read', conditions: [rate(7), admin] },
  ])
  expect(conditionLimits(query, scheme).map(({ calls }) => calls)).toEqual([7])
  expect(conditionApproval(query, scheme)).toBe('admin')
})
