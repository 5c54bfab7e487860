import { parseArgs } from 'node:util'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { systemEntropy } from '@surehand/core/ports'
import type { Erased } from '@surehand/sql'
import type { App } from '../app.ts'
import { forgetOAuthEntries } from '../oauth/consents.ts'
import { asSystem, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/**
 * Manages principals, tokens and sign-in links in a local data folder. Over the network,
 * /v1/principals and /v1/tokens do the same.
 */
export const runPrincipals: RunCommand = asSystem(principals)
export const runTokens: RunCommand = asSystem(tokens)
export const runSignIn: RunCommand = asSystem(signIn)

async function principals(
  app: App,
  by: Caller,
  [verb = 'list', name, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  const { identityApi } = app
  if (verb === 'forget' && name !== undefined) {
    const { records, calls, approvals, underWay } = await erasePrincipal(app, by, name)
    const ended = `The contents of ${calls} calls, ${approvals} approval requests and ${records} audit records of ${visibleText(name)} were erased; the audit still verifies.${underWay.length === 0 ? ' Their record, tokens and sign-in links were removed.' : ''}\n`
    const left = `${underWay.length} calls have not ended and were not erased. Run the command again when they have ended.\n`
    printAnswer(output, {
      data: { id: name, calls, approvals, records, under_way: underWay },
      text: underWay.length === 0 ? ended : ended + left,
    })
    return 0
  }
  if (verb === 'set' && name !== undefined) {
    const { values } = parseArgs({
      args: [...rest],
      options: { role: { type: 'string', multiple: true }, disabled: { type: 'boolean' } },
    })
    const before = (await identityApi.principals.list(by)).find(({ id }) => id === name)
    const roles = values.role ?? before?.record.roles ?? []
    const stored = await identityApi.principals.put(
      by,
      name,
      { ...before?.record, roles, disabled: values.disabled === true },
      before?.version,
    )
    printAnswer(output, {
      data: stored,
      text: `${visibleText(name)} has the roles ${roles.join(', ') || 'none'}${values.disabled === true ? ', and is disabled' : ''}.\n`,
    })
    return 0
  }
  if (verb !== 'list') throw wrongUsage('principals')
  const listed = await identityApi.principals.list(by)
  const lines = listed.map(
    ({ id, record }) =>
      `${visibleText(id).padEnd(24)} ${record.roles.join(', ')}${record.disabled ? ' (disabled)' : ''}\n`,
  )
  printAnswer(output, { data: listed, text: lines.join('') })
  return 0
}

const DAY_SECONDS = 86_400

async function tokens(
  { identityApi }: App,
  by: Caller,
  [verb = 'list', what, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  if (verb === 'create' && what !== undefined) {
    const { values } = parseArgs({
      args: [...rest],
      options: {
        name: { type: 'string' },
        agent: { type: 'boolean' },
        scope: { type: 'string', multiple: true },
        days: { type: 'string' },
      },
    })
    const made = await identityApi.tokens.create(by, {
      principal: what,
      name: values.name ?? 'created on the command line',
      actor: values.agent === true ? 'ai_agent' : 'user',
      ...(values.scope === undefined ? {} : { scopes: values.scope }),
      ...(values.days === undefined
        ? {}
        : { expiresInSeconds: Math.round(Number(values.days) * DAY_SECONDS) }),
    })
    // Alone on stdout, so that it can be piped; only its hash is stored.
    const note = `Token ${made.id} was created. It is shown only this once.\n`
    printAnswer(output, { data: made, text: `${made.token}\n`, note })
    return 0
  }
  if (verb === 'revoke' && what !== undefined) {
    await identityApi.tokens.revoke(by, what)
    printAnswer(output, {
      data: { id: what, revoked: true },
      text: `${visibleText(what)} was revoked.\n`,
    })
    return 0
  }
  if (verb !== 'list') throw wrongUsage('tokens')
  const listed = await identityApi.tokens.list(by)
  const lines = listed.map(
    ({ id, record, lastUsedAt }) =>
      `${id}  …${record.lastFour}  ${tokenText(record)}, ${useText(lastUsedAt)}\n`,
  )
  printAnswer(output, { data: listed, text: lines.join('') })
  return 0
}

function useText(lastUsedAt: number | null): string {
  return lastUsedAt === null ? 'never used' : `last used ${new Date(lastUsedAt).toISOString()}`
}

type TokenFacts = {
  readonly principal: string
  readonly name: string
  readonly actor: string
  readonly revokedAt?: number
  readonly expiresAt?: number
}

function tokenText({ principal, name, actor, revokedAt, expiresAt }: TokenFacts): string {
  const until = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`
  return `${visibleText(principal)}${actor === 'ai_agent' ? "'s agent" : ''}: ${visibleText(name)}${revokedAt === undefined ? until : ', revoked'}`
}

async function signIn(
  app: App,
  by: Caller,
  [principal, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  if (principal === undefined) throw wrongUsage('sign-in')
  const { values } = parseArgs({
    args: [...rest],
    options: { role: { type: 'string', multiple: true }, minutes: { type: 'string' } },
  })
  const lifeSeconds = Math.round(Number(values.minutes ?? 60) * 60)
  const link = await app.identityApi.links.create(by, {
    principal,
    roles: values.role ?? ['user'],
    lifeSeconds,
  })
  printAnswer(output, {
    data: { path: `/sign-in/${link}` },
    text: `/sign-in/${link}\n`,
    note: "Put the server's address in front of this path. The link works once.\n",
  })
  return 0
}

/**
 * Erases a person's contents from calls, approvals and audit records, closes their feed, and removes
 * their record, their tokens, the clients they connected and their sign-in links once none of their calls is under way.
 * Tombstones remain, so the audit still verifies. Data in the tables of a pack is deleted by that
 * pack's own tool (data.delete_all).
 */
export async function erasePrincipal(
  {
    config,
    stores,
    keys,
    feeds,
    runtime,
  }: Pick<App, 'config' | 'stores' | 'keys' | 'feeds' | 'runtime'>,
  by: Caller,
  principal: string,
): Promise<Erased> {
  const { tenant } = by
  await feeds.address({ tenant, principal, idempotencyKey: 'forgotten', change: 'close' })
  const erase = (forget: boolean): Promise<Erased> => {
    const id = systemEntropy().newId('aud', Date.now())
    const order = { tenant, principal, by: by.principal, actor: by.actor, id, forget }
    return stores.erase(order, keys.audit)
  }
  const erased = await erase(false)
  // A call that is under way is continued with the rights of its principal, who must be known.
  if (erased.underWay.length > 0) return erased
  await removeEntries(runtime.administration, by, principal)
  await forgetOAuthEntries(stores.values, config.home, { tenant, principal })
  // Once more, because the removal is recorded under the name.
  const last = await erase(true)
  return {
    ...erased,
    records: erased.records + last.records,
    approvals: erased.approvals + last.approvals,
    kept: last.kept,
  }
}

type Entry = { readonly principal?: unknown; readonly createdBy?: unknown }

/** Removes what administrators entered about a person, and the name from what the person entered. */
async function removeEntries(
  administration: App['runtime']['administration'],
  by: Caller,
  principal: string,
): Promise<void> {
  for (const kind of ['token', 'credential'] as const)
    for (const { id, version, value } of await administration.list(by, kind)) {
      const entry = JSON.parse(value) as Entry
      if (entry.principal === principal)
        await administration.change(by, { kind, id, value: undefined, expected: version })
      else if (entry.createdBy === principal)
        await administration.change(by, {
          kind,
          id,
          value: { ...entry, createdBy: '' },
          expected: version,
        })
    }
  for (const kind of ['notification', 'principal'] as const) {
    const record = await administration.get(by, kind, principal)
    if (record !== undefined)
      await administration.change(by, {
        kind,
        id: principal,
        value: undefined,
        expected: record.version,
      })
  }
}
