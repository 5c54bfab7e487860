import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Approval, ApprovalKind } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { defineTool, type Tool } from '../define/tool.ts'
import { permissionScheme } from '../permissions/permission-scheme.ts'
import type { TenantPolicy } from '../registry/policy.ts'
import { type Credential, DECIDE_CAPABILITY, maySee, refuseDecider } from './may-decide.ts'

const person = (principal: string, more: Partial<Caller> = {}): Caller => ({
  tenant: 't',
  principal,
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  ...more,
})
const deciders = {
  'the requester': person('ann'),
  'another person': person('bob'),
  'an administrator': person('eve', { roles: ['admin'] }),
  'an approver': person('joe', { capabilities: [DECIDE_CAPABILITY] }),
  'an approver with a scope': person('joe', {
    capabilities: [{ name: DECIDE_CAPABILITY, scope: 'all' }],
  }),
  'an administrator who asked': person('ann', { roles: ['admin'] }),
  'the agent of the requester': person('ann', { actor: 'ai_agent' }),
  'the agent of an administrator': person('eve', {
    actor: 'ai_agent',
    roles: ['admin'],
    capabilities: [DECIDE_CAPABILITY],
  }),
} as const

const approvalOf = (kind: ApprovalKind, reversible = true) =>
  ({ id: 'appr_1', tenant: 't', principal: 'ann', kind, reversible }) as Approval

function verdict(
  decider: Caller,
  approval: Approval,
  credential: Credential = { kind: 'own' },
  policy?: Partial<TenantPolicy>,
  tool?: Tool,
): 'may' | 'may not' {
  try {
    refuseDecider(decider, approval, credential, {
      policy: policy === undefined ? undefined : { version: 1, ...policy },
      scheme: permissionScheme([]),
      tool,
    })
    return 'may'
  } catch (thrown) {
    expect(thrown).toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      details: { approval_id: 'appr_1', kind: approval.kind },
    })
    return 'may not'
  }
}

describe('with a credential of their own', () => {
  test.each([
    ['confirm', 'the requester', 'may'],
    ['confirm', 'another person', 'may not'],
    ['confirm', 'an administrator', 'may'],
    ['confirm', 'an approver', 'may'],
    ['confirm', 'an approver with a scope', 'may'],
    ['confirm', 'the agent of the requester', 'may not'],
    ['confirm', 'the agent of an administrator', 'may not'],
    ['consent', 'the requester', 'may'],
    ['consent', 'another person', 'may not'],
    ['consent', 'an administrator', 'may not'],
    ['consent', 'an approver', 'may not'],
    ['consent', 'the agent of the requester', 'may not'],
    ['admin', 'the requester', 'may not'],
    ['admin', 'another person', 'may not'],
    ['admin', 'an administrator', 'may'],
    ['admin', 'an approver', 'may'],
    ['admin', 'an administrator who asked', 'may'],
    ['admin', 'the agent of an administrator', 'may not'],
  ] as const)('of a question of kind %s, %s %s decide', (kind, who, expected) => {
    expect(verdict(deciders[who], approvalOf(kind))).toBe(expected)
  })

  test('it makes no difference whether the effect can be undone', () => {
    expect(verdict(deciders['the requester'], approvalOf('confirm', false))).toBe('may')
  })
})

describe('with a credential that is limited to some capabilities', () => {
  const toolWith = (...capabilities: readonly string[]): Tool =>
    defineTool({
      id: 'shop.buy',
      title: 'Buy',
      category: 'custom',
      description: 'Buys.',
      input: z.object({}),
      output: z.object({}),
      contract: { effect: 'none', permissions: { capabilities } },
      examples: [{ name: 'one', input: {} }],
      execute: async () => ({}),
    }) as Tool

  test.each<[string, readonly string[], Tool | undefined, 'may' | 'may not']>([
    ['another one', ['shop.read'], toolWith('shop.buy'), 'may not'],
    ['that of the tool', ['shop.buy'], toolWith('shop.buy'), 'may'],
    ['one of the two of the tool', ['shop.buy'], toolWith('shop.buy', 'mail.send'), 'may not'],
    ['a pattern over it', ['shop.*'], toolWith('shop.buy'), 'may'],
    ['everything', ['*'], toolWith('shop.buy'), 'may'],
    ['deciding', [DECIDE_CAPABILITY], toolWith('shop.buy'), 'may'],
    ['nothing', [], toolWith('shop.buy'), 'may not'],
    ['another one, of a tool that needs none', ['shop.read'], toolWith(), 'may not'],
    ['another one, of a tool that is gone', ['shop.read'], undefined, 'may not'],
  ])('to %s, a person decides their own request accordingly', (_, scopes, tool, expected) => {
    const narrowed = person('ann', { scopes })
    expect(verdict(narrowed, approvalOf('confirm'), { kind: 'own' }, undefined, tool)).toBe(
      expected,
    )
  })

  test('an administrator decides for others only with a credential that is not limited', () => {
    const decide = (scopes: readonly string[]) =>
      verdict(
        person('eve', { roles: ['admin'], scopes }),
        approvalOf('admin'),
        { kind: 'own' },
        undefined,
        toolWith('shop.buy'),
      )
    expect([decide(['*']), decide(['shop.buy']), decide(['shop.*', DECIDE_CAPABILITY])]).toEqual([
      'may',
      'may not',
      'may not',
    ])
  })

  test('its holder does not see their own requests beyond it', () => {
    const sees = (more: Partial<Caller>) =>
      maySee(person('ann', more), approvalOf('confirm'), {
        scheme: permissionScheme([]),
        tool: toolWith('shop.buy'),
      })
    expect(sees({ scopes: ['shop.read'] })).toBe(false)
    expect(sees({ scopes: ['shop.buy'] })).toBe(true)
    expect(sees({ actor: 'ai_agent', delegated: [] })).toBe(false)
    expect(sees({ actor: 'ai_agent', delegated: ['shop.*'] })).toBe(true)
  })
})

describe('where the tenant wants two people', () => {
  const separate = { separateApprover: true }
  test.each([
    ['confirm', 'the requester', 'may not'],
    ['confirm', 'an administrator', 'may'],
    ['confirm', 'another person', 'may not'],
    ['consent', 'the requester', 'may not'],
    ['admin', 'an administrator who asked', 'may not'],
    ['admin', 'an administrator', 'may'],
  ] as const)('of a question of kind %s, %s %s decide', (kind, who, expected) => {
    expect(verdict(deciders[who], approvalOf(kind), { kind: 'own' }, separate)).toBe(expected)
  })
})

describe("an approval that an agent's host relays", () => {
  const relayed = { kind: 'attested', host: 'claude' } as const
  const trusting = { trustedHosts: ['claude'] }
  const agent = deciders['the agent of the requester']

  test('is accepted for a reversible confirmation from a host the tenant trusts', () => {
    expect(verdict(agent, approvalOf('confirm'), relayed, trusting)).toBe('may')
  })

  test.each([
    ['without a policy', approvalOf('confirm'), undefined],
    [
      'from a host that is not trusted',
      approvalOf('confirm'),
      { trustedHosts: ['other', 'claude.example'] },
    ],
    ['where nobody is trusted', approvalOf('confirm'), {}],
    ['for a consent', approvalOf('consent'), trusting],
    ["for an administrator's approval", approvalOf('admin'), trusting],
    ['for what cannot be undone', approvalOf('confirm', false), trusting],
    [
      'where the tenant wants two people',
      approvalOf('confirm'),
      { ...trusting, separateApprover: true },
    ],
  ])('is not accepted %s', (_when, approval, policy) => {
    expect(verdict(agent, approval, relayed, policy)).toBe('may not')
  })

  test("is not accepted for another person's request", () => {
    expect(
      verdict(person('bob', { actor: 'ai_agent' }), approvalOf('confirm'), relayed, trusting),
    ).toBe('may not')
  })
})

describe('an approval request is visible to', () => {
  const scheme = permissionScheme([new Map([['foreman', [DECIDE_CAPABILITY]]])])
  test.each([
    ['the requester', person('ann'), true],
    ['the agent of the requester', person('ann', { actor: 'ai_agent' }), true],
    ['an administrator', person('eve', { roles: ['admin'] }), true],
    ['an approver by name', person('joe', { capabilities: ['approvals.*'] }), true],
    ['an approver by role', person('kim', { roles: ['foreman'] }), true],
    [
      'an approver by role, with a token for other things',
      person('kim', { roles: ['foreman'], scopes: ['mail.read'] }),
      false,
    ],
    [
      'the agent of an approver by role',
      person('kim', { roles: ['foreman'], actor: 'ai_agent' }),
      false,
    ],
    ['another person', person('bob'), false],
  ])('%s', (_, viewer, sees) => {
    expect(maySee(viewer, approvalOf('admin'), { scheme, tool: undefined })).toBe(sees)
  })

  test('everyone who may decide it', () => {
    for (const viewer of [...Object.values(deciders), person('kim', { roles: ['foreman'] })])
      for (const kind of ['confirm', 'consent', 'admin'] as const)
        if (verdict(viewer, approvalOf(kind)) === 'may')
          expect(
            maySee(viewer, approvalOf(kind), { scheme: permissionScheme([]), tool: undefined }),
          ).toBe(true)
  })
})
