import { type Caller, type Stores, ToolError } from '@surehand/core'
import { auditEntryBy, isDelegated, isNarrowed } from '@surehand/core/internal'
import type { Approval, AuditEntry, Clock, Entropy } from '@surehand/core/ports'
import type { Identity } from '@surehand/identity'
import type { Recipient, startNotifications } from './deliver-notifications.ts'
import { NO_SETTINGS, type StoredSettings, storedSettings } from './settings.ts'

export type PeopleOptions = {
  readonly home: string
  readonly stores: Pick<Stores, 'admin' | 'values' | 'approvals' | 'runs'>
  readonly identity: Pick<Identity, 'authenticateSession'>
  readonly clock: Clock
  readonly entropy: Entropy
}

type Person = { readonly settings: StoredSettings; readonly version: number | undefined }
const TENANTS = 'notifications/tenants'
const MOST_TRIES = 5
const MOST_LISTED = 1_000

type People = {
  readonly read: (caller: Pick<Caller, 'tenant' | 'principal'>) => Promise<Person>
  readonly change: (
    caller: Caller,
    change: (settings: StoredSettings) => StoredSettings,
  ) => Promise<{ readonly before: StoredSettings; readonly after: StoredSettings }>
  readonly source: Pick<
    Parameters<typeof startNotifications>[0],
    'tenants' | 'recipients' | 'approvals' | 'questions' | 'callerOf'
  >
}

/** The stored settings of all people. */
export function createPeople({ stores, identity, clock, entropy, home }: PeopleOptions): People {
  const callerOf: FindCaller = (item) =>
    identity.authenticateSession({
      id: 'notifications',
      tenant: item.tenant,
      principal: item.principal,
      expiresAt: Number.POSITIVE_INFINITY,
    })

  async function read({
    tenant,
    principal,
  }: Pick<Caller, 'tenant' | 'principal'>): Promise<Person> {
    const item = await stores.admin.get(tenant, 'notification', principal)
    if (item === undefined) return { settings: NO_SETTINGS, version: undefined }
    if (item.unopened !== undefined) throw item.unopened
    return { settings: storedSettings().parse(JSON.parse(item.value)), version: item.version }
  }

  async function change(
    caller: Caller,
    apply: (settings: StoredSettings) => StoredSettings,
  ): ReturnType<People['change']> {
    refuseNarrowed(caller)
    await noteTenant(caller.tenant)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { settings: before, version } = await read(caller)
      const after = apply(before)
      const { tenant, principal: id } = caller
      const changed = await stores.admin.change(
        { tenant, kind: 'notification', id, value: JSON.stringify(after), expected: version },
        changeEntry(caller, { clock, entropy }),
      )
      if (changed.kind === 'changed') return { before, after }
    }
    throw new ToolError(
      'TOOL_ALREADY_RUNNING',
      'The settings are being changed elsewhere. Look at them again, then repeat your change.',
    )
  }

  // A node looks only at tenants in which a person has settings: most have none.
  async function noteTenant(tenant: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const expected = await stores.values.get(home, TENANTS)
      const known = readTenants(expected)
      if (known.includes(tenant)) return
      const value = JSON.stringify([...known, tenant])
      if (await stores.values.replace(home, TENANTS, { expected, value })) return
    }
  }

  return {
    read,
    change,
    source: {
      tenants: async () => readTenants(await stores.values.get(home, TENANTS)),
      recipients: (tenant) => listRecipients(tenant, stores.admin, callerOf),
      callerOf,
      approvals: async (tenant) => stores.approvals.list(tenant, 'pending', { limit: MOST_LISTED }),
      questions: async (tenant) =>
        stores.runs.questions({ tenant, state: 'open', limit: MOST_LISTED }),
    },
  }
}

type FindCaller = (item: Pick<Approval, 'tenant' | 'principal'>) => Promise<Caller | undefined>

async function listRecipients(
  tenant: string,
  admin: PeopleOptions['stores']['admin'],
  callerOf: FindCaller,
): Promise<readonly Recipient[]> {
  const items = await admin.list(tenant, 'notification')
  const found = await Promise.all(
    items.map(async ({ id, value, unopened }) => {
      const caller = await callerOf({ tenant, principal: id })
      // A person who was disabled, and settings whose key is lost, are left out.
      if (caller === undefined || unopened !== undefined) return []
      return [{ caller, settings: storedSettings().parse(JSON.parse(value)) }]
    }),
  )
  return found.flat()
}

function changeEntry(
  caller: Caller,
  { clock, entropy }: Pick<PeopleOptions, 'clock' | 'entropy'>,
): AuditEntry {
  const now = clock.now()
  return auditEntryBy(
    caller,
    { id: entropy.newId('aud', now), now },
    {
      phase: 'change',
      call_id: entropy.newId('chg', now),
      surface: 'notifications',
      tool_name: 'notification',
      error: caller.principal,
      success: true,
      outcome: 'set',
    },
  )
}

function readTenants(json: string | undefined): readonly string[] {
  return json === undefined ? [] : (JSON.parse(json) as readonly string[])
}

// Links in messages decide, so a credential that may not decide must not choose where they go.
function refuseNarrowed(caller: Caller): void {
  if (caller.actor === 'ai_agent')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'An agent cannot change how its person is notified. The person does it with their own token.',
    )
  if (isNarrowed(caller) && !isDelegated(caller, 'approvals.decide'))
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'This credential is limited to other capabilities. Change notifications with one that includes approvals.decide.',
    )
}
