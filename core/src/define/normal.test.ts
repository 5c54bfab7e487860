import { describe, expect, test } from 'vitest'
import type { ApprovalRule, Contract } from './contract.ts'
import { normalContract } from './normal.ts'

const normal = (contract: Contract<{ n: number }, string, unknown>) =>
  normalContract(contract as Contract<never, never, never>)
const write = { effect: 'writes.note', reversible: false, idempotency: 'caller' } as const

test('a bare read has the defaults of the rules', () => {
  expect(normal({ effect: 'read' })).toMatchObject({
    effect: 'read',
    isWrite: false,
    reversible: true,
    idempotency: 'none',
    roles: [],
    capabilities: [],
    auth: 'none',
    timeoutMs: 10_000,
    retries: 1,
    latencyBudgetMs: 400,
    limits: [],
    budgets: [],
    gates: [],
    approval: undefined,
    cache: undefined,
    fallback: undefined,
    maxInputBytes: 1_048_576,
    outputValidation: 'strict',
    unknownKeys: 'strip',
    audit: 'batched',
    resources: [],
    when: undefined,
    securityLevel: 'public',
  })
})

test('a bare write is never retried, and keeps what its provider refused', () => {
  expect(normal(write)).toMatchObject({
    isWrite: true,
    reversible: false,
    idempotency: 'caller',
    retries: 0,
    onRefusal: 'keep',
  })
})

test('a normal contract is frozen', () => {
  expect(Object.isFrozen(normal(write))).toBe(true)
})

test('what is said stands in milliseconds and whole numbers', () => {
  const contract = normal({
    effect: 'none',
    timeout: '1.5s',
    retries: 3,
    latencyBudget: '2m',
    maxInputBytes: 16,
  })
  expect(contract).toMatchObject({
    timeoutMs: 1_500,
    retries: 3,
    latencyBudgetMs: 120_000,
    maxInputBytes: 16,
  })
})

test('a capability by its name is one without a scope', () => {
  const { capabilities } = normal({
    effect: 'read',
    permissions: { capabilities: ['a.read', { name: 'b.read', scope: 'self' }] },
  })
  expect(capabilities).toEqual([{ name: 'a.read' }, { name: 'b.read', scope: 'self' }])
})

test('a limit counts each principal by itself unless it says otherwise', () => {
  const by = ({ n }: { n: number }) => String(n)
  const { limits } = normal({
    effect: 'read',
    limits: [
      { calls: 3, per: '1m' },
      { calls: 9, per: '1h', by: 'tenant' },
      { calls: 1, per: '1d', by },
    ],
  })
  expect(limits).toEqual([
    { calls: 3, windowMs: 60_000, by: 'principal' },
    { calls: 9, windowMs: 3_600_000, by: 'tenant' },
    { calls: 1, windowMs: 86_400_000, by },
  ])
})

describe('an approval', () => {
  test('that is only a sentence is a confirmation, always asked, open for 15 minutes', () => {
    const { approval } = normal({
      effect: 'writes.note',
      reversible: false,
      idempotency: 'caller',
      approval: ({ n }) => `Add ${n}?`,
    })
    expect(approval).toMatchObject({ kind: 'confirm', expiresMs: 900_000 })
    expect(approval?.asks({ n: 3 })).toBe('Add 3?')
    expect(approval?.when({ n: 3 })).toBe(true)
  })

  test('says its kind, its time and when it is asked', () => {
    const rule: ApprovalRule<{ n: number }> = {
      kind: 'admin',
      asks: () => 'Add?',
      expires: '2h',
      when: ({ n }) => n > 9,
    }
    const { approval } = normal({ ...write, approval: rule })
    expect(approval).toMatchObject({ kind: 'admin', expiresMs: 7_200_000 })
    expect([approval?.when({ n: 9 }), approval?.when({ n: 10 })]).toEqual([false, true])
  })
})

describe('a cache', () => {
  test('belongs to one principal and is never passed by, unless it says so', () => {
    const { cache } = normal({ effect: 'read', cache: { ttl: '1m' } })
    expect(cache?.shared).toBe(false)
    expect(cache?.ttlMs({ n: 1 })).toBe(60_000)
    expect(cache?.fresh({ n: 1 })).toBe(false)
  })

  test('may live as long as the input says', () => {
    const { cache } = normal({
      effect: 'read',
      cache: { ttl: ({ n }) => (n > 1 ? '1h' : '1s'), fresh: ({ n }) => n === 0 },
    })
    expect([cache?.ttlMs({ n: 2 }), cache?.ttlMs({ n: 1 })]).toEqual([3_600_000, 1_000])
    expect([cache?.fresh({ n: 0 }), cache?.fresh({ n: 1 })]).toEqual([true, false])
  })

  test('is not shared over scoped data', () => {
    const shareCache = (scope?: string) =>
      normal({
        effect: 'read',
        permissions: { capabilities: [scope === undefined ? 'a.read' : { name: 'a.read', scope }] },
        cache: { ttl: '1m', shared: true },
      })
    expect(() => shareCache('self')).toThrow(
      "A shared cache over a.read, which is not shared by everyone, would show one person another's data.",
    )
    expect(shareCache().cache?.shared).toBe(true)
    expect(shareCache('all').cache?.shared).toBe(true)
  })
})

test.each([
  ['retries', { retries: -1 }],
  ['retries', { retries: 0.5 }],
  ['retries', { retries: Number.NaN }],
  ['maxInputBytes', { maxInputBytes: Number.POSITIVE_INFINITY }],
  ['limits.calls', { limits: [{ calls: 2.5, per: '1m' }] }],
] as const)('%s that are no whole number are refused: %j', (name, part) => {
  expect(() => normal({ effect: 'read', ...part })).toThrow(
    new RegExp(`^${name} is .*: a whole number of at least 0 is expected\\.$`),
  )
})

test('an unreadable duration is refused', () => {
  expect(() => normal({ effect: 'read', timeout: '1e3s' })).toThrow(/The duration "1e3s"/)
})

test('a contract that asks for nothing is public, and one that asks for anything is internal, unless it says otherwise', () => {
  const level = (part: Partial<Contract<{ n: number }, string, unknown>>) =>
    normal({ effect: 'read', ...part } as Contract<{ n: number }, string, unknown>).securityLevel
  expect(level({ auth: 'none', permissions: { roles: [], capabilities: [] } })).toBe('public')
  expect(level({ auth: 'session' })).toBe('internal')
  expect(level({ permissions: { roles: ['user'] } })).toBe('internal')
  expect(level({ permissions: { capabilities: ['a.read'] } })).toBe('internal')
  expect(level({ permissions: { capabilities: ['a.read'] }, securityLevel: 'public' })).toBe(
    'public',
  )
})

test.each([
  [
    { capabilities: [{ name: 'a.read', conditions: [{ type: 'rate_limit', parameters: {} }] }] },
    /^The condition "rate_limit" cannot be enforced/,
  ],
  [{ capabilities: [{ name: 'a.read', scope: '' }] }, /^The capability a.read has an empty scope/],
  [
    { when: { all: [] } },
    /^The rule in permissions.when cannot be enforced: all needs a list of rules\.$/,
  ],
] as const)('permissions nobody can keep are refused: %j', (permissions, reason) => {
  expect(() => normal({ effect: 'read', permissions })).toThrow(reason)
})

test('a shared cache is refused over data that is usually one person’s, though the contract names no scope', () => {
  const shareCache = (name: string) =>
    normal({
      effect: 'read',
      permissions: { capabilities: [name] },
      cache: { ttl: '1m', shared: true },
    })
  expect(() => shareCache('habit.read')).toThrow('A shared cache over habit.read')
  expect(shareCache('system.config.read').cache?.shared).toBe(true)
})
