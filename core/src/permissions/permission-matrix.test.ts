import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AttributeRule } from '../call/attribute-rule.ts'
import type { Condition } from '../call/caller.ts'
import { ANONYMOUS, type Caller, type Grant } from '../call/caller.ts'
import type { Contract, RequiredCapability, ResourceNeed } from '../define/contract.ts'
import { normalContract } from '../define/normal.ts'
import { defineTool } from '../define/tool.ts'
import { accessOf, conditionApproval, conditionLimits } from './access.ts'
import type { AccessQuery } from './attribute-rules.ts'
import { checkPermissions, missingRights } from './explain-permissions.ts'
import { permissionScheme } from './permission-scheme.ts'

// Two answers to one question. Ours comes from the engine; the other is written out below from the
// rules, slowly and without its code.

// `npm run fuzz` tries new cases, and more of them.
const IS_FUZZ = process.env.SUREHAND_FUZZ !== undefined
const CASES = IS_FUZZ ? 100_000 : 20_000

type Answer = {
  readonly code: string | undefined
  readonly scopes: readonly (readonly [string, string])[]
  readonly limits: readonly string[]
  readonly approval: string | undefined
}

// ---- the slow, obvious answer

const ROLES: Record<string, string[]> = {
  user: ['user'],
  power_user: ['power_user', 'user'],
  admin: ['admin', 'power_user', 'user'],
  developer: ['developer', 'user'],
  ai_agent: ['ai_agent'],
}
const GIVEN: Record<string, Grant[]> = {
  user: [
    'habit.read',
    'habit.write',
    'task.read',
    'task.write',
    'project.read',
    'data.export',
    'data.delete_all',
  ].map((name) => ({
    name,
  })),
  power_user: ['project.write', 'ai.explain', 'habit.delete'].map((name) => ({ name })),
  admin: ['data.analyze', 'system.config.read', 'system.config.write'].map((name) => ({ name })),
  developer: ['system.config.read', 'system.config.write'].map((name) => ({ name })),
}
const PACK: Record<string, Grant[]> = {
  user: [
    {
      name: 'room.see',
      scope: 'owned',
      conditions: [{ type: 'rate_limit', parameters: { max_calls: 2, per: 'hour' } }],
    },
  ],
  guide: [{ name: 'room.*', scope: 'self' }],
}
const USUAL: Record<string, string> = {
  'habit.read': 'self',
  'habit.write': 'self',
  'habit.delete': 'self',
  'project.read': 'accessible',
  'project.write': 'owned',
  'ai.explain': 'analysis_only',
  'task.read': 'self',
  'task.write': 'self',
  'data.export': 'self',
  'data.delete_all': 'self',
}
const WITHIN: Record<string, string[]> = {
  self: ['self'],
  owned: ['self', 'owned'],
  accessible: ['self', 'owned', 'accessible'],
  analysis_only: ['analysis_only'],
  'site:7': ['site:7'],
  all: ['self', 'owned', 'accessible', 'analysis_only', 'site:7', 'all'],
}
const FROM_NARROW_TO_WIDE = [
  ['analysis_only', 'site:7'],
  ['self'],
  ['owned'],
  ['accessible'],
  ['all'],
]
const SAME_AS: Record<string, string> = {
  self_only: 'self',
  current_user: 'self',
  accessible_to_user: 'accessible',
}
const TOUCHING: Record<string, string> = {
  'habit_data read': 'habit.read',
  'habit_data write': 'habit.write',
  'habit_data create': 'habit.write',
  'habit_data update': 'habit.write',
  'habit_data delete': 'habit.delete',
  'project_data read': 'project.read',
  'project_data write': 'project.write',
  'project_data create': 'project.write',
  'project_data update': 'project.write',
}

type Facts = { readonly query: AccessQuery; readonly withPack: boolean }

function slowAnswer(facts: Facts): Answer {
  const { capabilities, resources } = facts.query.tool.contract
  const code = slowCode(facts)
  if (code !== undefined) return { code, scopes: [], limits: [], approval: undefined }
  const touched = resources.flatMap((resource) => openersFor(resource))
  const uses = [...capabilities, ...touched].map((need) => ({
    need,
    grant: chooseGrant(need, facts),
  }))
  const { tenant, principal } = facts.query.caller
  const limits = [
    ...capabilities.flatMap((need) =>
      ratesOf(need).map((rate) => `tool ${facts.query.tool.id} ${need.name} ${rate}`),
    ),
    ...uses.flatMap(({ grant }) =>
      ratesOf(grant ?? {}).map((rate) => `grant ${grant?.name} ${grant?.scope ?? ''} ${rate}`),
    ),
  ].map((limit) => `${tenant} ${principal} ${limit}`)
  const conditions = [...capabilities, ...uses.map(({ grant }) => grant)].flatMap(
    (one) => one?.conditions ?? [],
  )
  const types = conditions.map(({ type }) => type)
  return {
    code,
    scopes: capabilities.map((need) => [
      need.name,
      need.scope === undefined ? scopeOf(chooseGrant(need, facts), need.name) : same(need.scope),
    ]),
    limits: [...new Set(limits)].sort(),
    approval: types.includes('admin_approval')
      ? 'admin'
      : types.includes('user_consent')
        ? 'consent'
        : undefined,
  }
}

function slowCode(facts: Facts): string | undefined {
  const { tool, caller } = facts.query
  const { contract } = tool
  const isKnown = caller.principal !== ANONYMOUS.principal
  if (contract.auth === 'service' && !isKnown) return 'TOOL_INSUFFICIENT_PERMISSIONS'
  if (contract.auth === 'session' && !(isKnown && caller.session !== undefined))
    return 'TOOL_INSUFFICIENT_PERMISSIONS'
  const roles = caller.roles.flatMap((role) => ROLES[role] ?? [role])
  if (
    contract.roles.length > 0 &&
    contract.roles.filter((role) => roles.includes(role)).length === 0
  )
    return 'TOOL_ROLE_NOT_AUTHORIZED'
  for (const need of contract.capabilities) {
    const code = codeOfNeed(need, facts)
    if (code !== undefined) return code
  }
  const levels = ['public', 'internal', 'confidential', 'restricted']
  if (levels.indexOf(contract.securityLevel) > levels.indexOf(slowClearance(caller)))
    return 'TOOL_INSUFFICIENT_PERMISSIONS'
  for (const resource of contract.resources) {
    const openers = openersFor(resource)
    if (openers.length > 0 && openers.every((need) => codeOfNeed(need, facts) !== undefined))
      return 'TOOL_RESOURCE_ACCESS_DENIED'
  }
  if (contract.when !== undefined && !naive(contract.when, facts.query))
    return 'TOOL_INSUFFICIENT_PERMISSIONS'
  return undefined
}

function slowClearance(caller: Caller): string {
  if (caller.principal === ANONYMOUS.principal) return 'public'
  if (
    caller.actor !== 'ai_agent' &&
    (caller.roles.includes('admin') || caller.roles.includes('developer'))
  )
    return 'restricted'
  return caller.roles.filter((role) => role in ROLES).length > 0 ? 'confidential' : 'internal'
}

function codeOfNeed(need: RequiredCapability, facts: Facts): string | undefined {
  const { caller } = facts.query
  if (caller.actor === 'ai_agent' && !slowDelegated(caller, need.name))
    return 'TOOL_CAPABILITY_MISSING'
  if (chooseGrant(need, facts) === undefined) {
    const covering = allGrants(facts).filter((grant) => matchesName(grant.name, need.name))
    if (covering.some(isMalformed)) return 'TOOL_CONFIGURATION_ERROR'
    const reaching = covering.filter((grant) => reachesFar(grant, need))
    return reaching.length > 0 ? 'TOOL_INSUFFICIENT_PERMISSIONS' : 'TOOL_CAPABILITY_MISSING'
  }
  return windowsOpen(need, facts.query) ? undefined : 'TOOL_INSUFFICIENT_PERMISSIONS'
}

function slowDelegated(caller: Caller, name: string): boolean {
  if (caller.delegated !== undefined)
    return caller.delegated.filter((pattern) => matchesName(pattern, name)).length > 0
  return !['habit.delete', 'data.delete_all', 'project.write'].includes(name)
}

function chooseGrant(need: RequiredCapability, facts: Facts): Grant | undefined {
  const usable = allGrants(facts)
    .filter((grant) => matchesName(grant.name, need.name))
    .filter((grant) => !isMalformed(grant))
    .filter((grant) => reachesFar(grant, need))
    .filter((grant) => windowsOpen(grant, facts.query))
    .filter((grant) => grant.when === undefined || naive(grant.when, facts.query))
  for (const burden of [0, 1, 2, 3, 4, 5, 6, 7]) {
    for (const scopes of FROM_NARROW_TO_WIDE.toReversed()) {
      const found = usable.find(
        (grant) => burdenOf(grant) === burden && scopes.includes(scopeOf(grant, need.name)),
      )
      if (found !== undefined) return found
    }
  }
  return undefined
}

function burdenOf({ conditions = [] }: Grant): number {
  const types = conditions.map(({ type }) => type)
  return (
    (types.includes('rate_limit') ? 1 : 0) +
    (types.includes('user_consent') ? 2 : 0) +
    (types.includes('admin_approval') ? 4 : 0)
  )
}

function allGrants({ query, withPack }: Facts): Grant[] {
  const own = query.caller.capabilities.map((grant) =>
    typeof grant === 'string' ? { name: grant } : grant,
  )
  const given = query.caller.roles.flatMap((role) =>
    (ROLES[role] ?? [role]).flatMap((one) => [
      ...(GIVEN[one] ?? []),
      ...(withPack ? (PACK[one] ?? []) : []),
    ]),
  )
  return [...own, ...given]
}

function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split('.')
  return (
    parts.every((part, at) => part === '*' || part === name.split('.')[at]) &&
    (pattern.endsWith('*') || pattern === name)
  )
}

function reachesFar(grant: Grant, need: RequiredCapability): boolean {
  return (
    need.scope === undefined || (WITHIN[scopeOf(grant, need.name)] ?? []).includes(same(need.scope))
  )
}

function scopeOf(grant: Grant | undefined, name: string): string {
  return same(grant?.scope ?? USUAL[name] ?? 'all')
}

function same(scope: string): string {
  return SAME_AS[scope] ?? scope
}

function openersFor({ type, mode, scope }: ResourceNeed): RequiredCapability[] {
  const name = TOUCHING[`${type} ${mode}`]
  if (name === undefined) return []
  return scope === undefined ? [{ name }] : [{ name, scope }]
}

function isMalformed({ conditions = [] }: Grant): boolean {
  return conditions.includes(MALFORMED)
}

function ratesOf({ conditions = [] }: { readonly conditions?: readonly Condition[] }): string[] {
  const seconds: Record<string, number> = { minute: 60, hour: 3600, day: 86400 }
  return conditions
    .filter(({ type }) => type === 'rate_limit')
    .map(
      ({ parameters: { max_calls, per, window_seconds } }) =>
        `${max_calls}/${1000 * Number(window_seconds ?? seconds[String(per)])}`,
    )
}

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

function windowsOpen(
  { conditions = [] }: { readonly conditions?: readonly Condition[] },
  { caller, startedAt }: AccessQuery,
): boolean {
  return conditions.every(({ type, parameters }) => {
    if (type !== 'time_restriction') return true
    const zone = String(parameters.time_zone ?? caller.timeZone ?? 'UTC')
    return isOpenIn(parameters, minuteOfWeek(startedAt, zone))
  })
}

/**
 * Goes through every minute in which the window is open; minutes of the week count from Monday
 * 00:00.
 */
function isOpenIn(parameters: Readonly<Record<string, unknown>>, wanted: number): boolean {
  const minute = (text: unknown) =>
    Number(String(text).split(':')[0]) * 60 + Number(String(text).split(':')[1])
  const start = minute(parameters.start)
  const end =
    minute(parameters.end) > start ? minute(parameters.end) : minute(parameters.end) + 1440
  for (const day of (parameters.days as string[] | undefined) ?? WEEK)
    for (let at = start; at < end; at++)
      if ((WEEK.indexOf(day) * 1440 + at) % 10_080 === wanted) return true
  return false
}

const offsets = new Map<string, Intl.DateTimeFormat>()

function shiftToZone(instant: number, zone: string): Date {
  const format =
    offsets.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  offsets.set(zone, format)
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(instant)) ?? []
  return new Date(
    instant + (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000,
  )
}

function minuteOfWeek(instant: number, zone: string): number {
  const local = shiftToZone(instant, zone)
  return ((local.getUTCDay() + 6) % 7) * 1440 + local.getUTCHours() * 60 + local.getUTCMinutes()
}

function naive(rule: AttributeRule, query: AccessQuery): boolean {
  if ('all' in rule) return rule.all.filter((part) => !naive(part, query)).length === 0
  if ('any' in rule) return rule.any.filter((part) => naive(part, query)).length > 0
  if ('not' in rule) return !naive(rule.not, query)
  const { caller, startedAt } = query
  const local = shiftToZone(startedAt, caller.timeZone ?? 'UTC')
  const all: Record<string, unknown> = {
    'caller.tenant': caller.tenant,
    'caller.actor': caller.actor,
    'caller.roles': caller.roles,
    'caller.locale': caller.locale,
    'tool.category': query.tool.category,
    'tool.reversible': query.tool.contract.reversible,
    'input.amount': (query.input as { amount?: unknown }).amount,
    'moment.hour': local.getUTCHours(),
    'moment.weekday': WEEK[(local.getUTCDay() + 6) % 7],
  }
  const found = all[rule.attribute]
  if (found === undefined) return false
  if (rule.op === 'exists') return true
  if (rule.op === 'eq') return found === rule.value
  if (rule.op === 'ne') return found !== rule.value
  if (rule.op === 'in') return (rule.value as unknown[]).includes(found)
  if (rule.op === 'contains') return Array.isArray(found) && found.includes(rule.value)
  if (typeof found !== typeof rule.value) return false
  return rule.op === 'lt' ? Number(found) < Number(rule.value) : Number(found) >= Number(rule.value)
}

// ---- the cases

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const SEED = IS_FUZZ ? Date.now() : 20_261_115
const next = mulberry(SEED)
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
const chance = (share: number) => next() < share
const some = <T>(most: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(next() * (most + 1)) }, make)

const NAMES = [
  'habit.read',
  'habit.write',
  'habit.delete',
  'project.read',
  'project.write',
  'task.read',
  'ai.explain',
  'data.delete_all',
]
const NEEDED = [...NAMES, 'room.book', 'room.see', 'system.config.read']
const HELD = [...NEEDED, 'habit.*', 'room.*', 'project.*', '*']
const SCOPES = [
  'self',
  'self_only',
  'owned',
  'accessible',
  'accessible_to_user',
  'all',
  'analysis_only',
  'site:7',
  'current_user',
]
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
const HOURS = ['00:00', '02:30', '06:15', '09:00', '13:00', '17:00', '22:45']
const MALFORMED = { type: 'rate_limit', parameters: { max_calls: 0 } } as const satisfies Condition

function condition(): Condition {
  if (chance(0.5)) return timeRestriction()
  return pick<Condition>([
    { type: 'rate_limit', parameters: { max_calls: 3, per: 'minute' } },
    { type: 'rate_limit', parameters: { max_calls: 10, window_seconds: 90 } },
    { type: 'user_consent', parameters: {} },
    { type: 'admin_approval', parameters: {} },
  ])
}

function timeRestriction(): Condition {
  const start = pick(HOURS)
  const end = pick([...HOURS, '24:00'].filter((hour) => hour !== start))
  const days = chance(0.5) ? { days: WEEK.filter(() => chance(0.6)).concat('wed') } : {}
  return {
    type: 'time_restriction',
    parameters: { start, end, ...days, ...(chance(0.5) ? { time_zone: pick(ZONES) } : {}) },
  }
}

function rule(depth = 0): AttributeRule {
  if (depth < 3 && chance(0.4)) {
    const parts = [rule(depth + 1), ...some(2, () => rule(depth + 1))]
    return pick<AttributeRule>([{ all: parts }, { any: parts }, { not: parts[0] as AttributeRule }])
  }
  return pick<AttributeRule>([
    { attribute: 'caller.tenant', op: 'eq', value: 'acme' },
    { attribute: 'caller.actor', op: 'ne', value: 'ai_agent' },
    { attribute: 'caller.roles', op: 'contains', value: 'user' },
    { attribute: 'caller.locale', op: 'exists' },
    { attribute: 'caller.locale', op: 'in', value: ['de', 'fr'] },
    { attribute: 'tool.category', op: 'eq', value: 'custom' },
    { attribute: 'tool.reversible', op: 'eq', value: 'true' },
    { attribute: 'input.amount', op: 'lt', value: 50 },
    { attribute: 'moment.hour', op: 'gte', value: 12 },
    { attribute: 'moment.weekday', op: 'in', value: ['sat', 'sun'] },
  ])
}

function grant(): string | Grant {
  if (chance(0.3)) return pick(HELD)
  const conditions = some(2, condition)
  if (chance(0.03)) conditions.push(MALFORMED)
  return {
    name: pick(HELD),
    ...(chance(0.6) ? { scope: pick(SCOPES) } : {}),
    ...(chance(0.5) ? { conditions } : {}),
    ...(chance(0.2) ? { when: rule() } : {}),
  }
}

function caller(): Caller {
  return {
    tenant: pick(['acme', 'globex']),
    principal: chance(0.05) ? ANONYMOUS.principal : pick(['ann', 'bob']),
    actor: pick(['user', 'user', 'ai_agent', 'system']),
    roles: some(2, () => pick(['user', 'power_user', 'admin', 'developer', 'ai_agent', 'guide'])),
    capabilities: some(4, grant),
    ...(chance(0.3) ? { delegated: some(4, () => pick(HELD)) } : {}),
    ...(chance(0.8) ? { session: 's' } : {}),
    ...(chance(0.7) ? { timeZone: pick(ZONES) } : {}),
    ...(chance(0.5) ? { locale: pick(['de', 'en']) } : {}),
  }
}

function randomNeed(): string | RequiredCapability {
  if (chance(0.3)) return pick(NEEDED)
  const conditions = some(2, condition)
  return {
    name: pick(NEEDED),
    ...(chance(0.4) ? { scope: pick(SCOPES) } : {}),
    ...(chance(0.3) ? { conditions } : {}),
  }
}

function contract(): Contract<never, never, never> {
  const names = new Set<string>()
  const capabilities = some(2, randomNeed).filter((need) => {
    const name = typeof need === 'string' ? need : need.name
    return !names.has(name) && names.add(name)
  })
  const resource = (): ResourceNeed => ({
    type: pick(['habit_data', 'project_data', 'filesystem']),
    mode: pick(['read', 'write', 'create', 'delete', 'update']),
    ...(chance(0.5) ? { scope: pick(SCOPES) } : {}),
  })
  return {
    effect: 'read',
    auth: pick(['none', 'none', 'none', 'service', 'session']),
    permissions: {
      ...(chance(0.3)
        ? {
            roles: [
              pick(['user', 'power_user', 'admin', 'guide', 'ai_agent']),
              pick(['user', 'developer']),
            ],
          }
        : {}),
      capabilities,
      ...(chance(0.2) ? { resources: [resource()] } : {}),
      ...(chance(0.15) ? { when: rule() } : {}),
    },
    ...(chance(0.4)
      ? { securityLevel: pick(['public', 'internal', 'confidential', 'restricted']) }
      : {}),
  }
}

const bare = defineTool({
  id: 'room.tool',
  title: 'Tool',
  category: 'custom',
  description: 'Is query for.',
  input: z.object({}),
  output: z.null(),
  contract: { effect: 'read' },
  execute: async () => null,
})

function ourAnswer({ query }: Facts, scheme: ReturnType<typeof permissionScheme>): Answer {
  const code = missingRights(query, scheme)?.code
  if (code !== undefined) return { code, scopes: [], limits: [], approval: undefined }
  const keyOf = (key: string) =>
    key
      .replaceAll(/(\d+):/g, '')
      .split(',')
      .slice(1, -1)
      .join(' ')
  return {
    code,
    scopes: [...accessOf(query, scheme).scopes()],
    limits: conditionLimits(query, scheme)
      .map(({ key }) => keyOf(key))
      .sort(),
    approval: conditionApproval(query, scheme),
  }
}

test(`${CASES} random callers, tools, scopes, conditions and moments of seed ${SEED} are judged as the rules say`, () => {
  const schemes = [permissionScheme([]), permissionScheme([new Map(Object.entries(PACK))])] as const
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let index = 0; index < CASES; index++) {
    const withPack = chance(0.5)
    const scheme = schemes[withPack ? 1 : 0]
    const tool = { ...bare, contract: normalContract(contract()) }
    const startedAt = Date.UTC(2026, 0, 1) + Math.floor(next() * 365 * 86_400_000)
    const query = {
      tool,
      caller: caller(),
      startedAt,
      input: chance(0.5) ? { amount: Math.floor(next() * 100) } : { amount: '7' },
    }
    const slow = slowAnswer({ query, withPack })
    const ours = ourAnswer({ query, withPack }, scheme)
    if (JSON.stringify(ours) !== JSON.stringify(slow))
      expect({ index, query, answer: ours }).toEqual({ index, query, answer: slow })
    if (index % 10 === 0)
      expect(checkPermissions(query, scheme).allowed, `case ${index}`).toBe(slow.code === undefined)
    count(slow.code ?? 'allowed')
    if (slow.limits.length > 0) count('with a limit')
    if (slow.approval !== undefined) count(`asks for ${slow.approval}`)
    for (const [, scope] of slow.scopes) count(`within ${scope}`)
  }
  // no difference means nothing where the cases are all alike
  for (const what of EXPECTED)
    expect(
      seen.get(what) ?? 0,
      `${what}: ${JSON.stringify(Object.fromEntries(seen))}`,
    ).toBeGreaterThan(CASES / 2_000)
})

const EXPECTED = [
  'allowed',
  'TOOL_INSUFFICIENT_PERMISSIONS',
  'TOOL_ROLE_NOT_AUTHORIZED',
  'TOOL_CAPABILITY_MISSING',
  'TOOL_RESOURCE_ACCESS_DENIED',
  'TOOL_CONFIGURATION_ERROR',
  'with a limit',
  'asks for consent',
  'asks for admin',
  'within self',
  'within owned',
  'within accessible',
  'within all',
  'within analysis_only',
  'within site:7',
]
