import { type Caller, isToolError, ToolError } from '@surehand/core'
import type { AdminApi } from '@surehand/core/host'
import type { AdminItem } from '@surehand/core/ports'
import type { z } from 'zod'
import { CredentialForm, CredentialId } from './credential-form.ts'
import { CredentialRecord } from './credential-record.ts'
import { TokenRecord } from './token-record.ts'
import { KEY_LOST, noSuchCredential } from './trouble.ts'
import type { Vault } from './vault.ts'
import { belongsTo, credentialIdOf, placeOf } from './vault-items.ts'

export type CredentialDeskOptions = {
  /** `runtime.administration`: who may, versions and the record are its business. */
  readonly administration: AdminApi
  readonly vault: Vault
}

/** A credential as administrators see it: everything but its secrets. */
export type ListedCredential = {
  readonly id: string
  readonly version: number
  readonly updatedAt: number
  /** `unreadable`: its key is lost, or somebody changed it in the store. */
  readonly state: 'sealed' | 'unreadable'
  /** Undefined where it can not be read: what stands there is nobody's word. */
  readonly record: CredentialRecord | undefined
  /** Why it, or what was granted with it, can not be read, and what to do. */
  readonly trouble: { readonly why: string; readonly mend: readonly string[] } | undefined
  /** Consents that stand, and those that must be given again. */
  readonly consents: { readonly held: number; readonly needed: number }
}

/** Where administrators keep the credentials of their house. */
export type CredentialDesk = {
  readonly list: (by: Caller) => Promise<readonly ListedCredential[]>
  /** `form`: a `CredentialForm`. `expected`: the version that was looked at; without it, there is none yet. */
  readonly put: (
    by: Caller,
    id: string,
    form: unknown,
    expected?: number,
  ) => Promise<ListedCredential>
  /** With the tokens that were granted with it. */
  readonly remove: (by: Caller, id: string, expected: number) => Promise<void>
}

export function credentialDesk({ administration, vault }: CredentialDeskOptions): CredentialDesk {
  const { items } = vault

  return {
    async list(by) {
      // asked of the desk, which knows who may
      const all = await administration.list(by, 'credential')
      return all.flatMap((item) =>
        credentialIdOf(item) === undefined ? [] : [listed(vault, item, all)],
      )
    },
    async put(by, id, form, expected) {
      const [credential, parsedForm] = [parsed(CredentialId, id), parsed(CredentialForm, form)]
      const place = placeOf.credential(by.tenant, credential)
      const { record, secrets } = vault.halves(by, parsedForm)
      const value = items.sealedValue(place, record, secrets)
      const item = await administration.change(by, {
        kind: 'credential',
        id: place.id,
        value,
        ...(expected === undefined ? {} : { expected }),
      })
      if (item === undefined) throw noSuchCredential(credential)
      return listed(vault, item, await items.list(by.tenant))
    },
    async remove(by, id, expected) {
      const all = await administration.list(by, 'credential')
      const place = placeOf.credential(by.tenant, id)
      if (!all.some((item) => item.id === place.id)) throw noSuchCredential(id)
      // the credential first: without it no token is used, nor asked for
      await administration.change(by, {
        kind: 'credential',
        id: place.id,
        value: undefined,
        expected,
      })
      await removeGranted(vault, by, id)
    },
  }
}

// again until none is left: one that is being renewed changes under our hands
async function removeGranted({ items }: Vault, by: Caller, id: string): Promise<void> {
  const granted = async () => (await items.list(by.tenant)).filter((item) => belongsTo(item, id))
  for (let left = await granted(); left.length > 0; left = await granted()) {
    for (const { tenant, id: place, version } of left)
      await items.write({
        tenant,
        id: place,
        next: undefined,
        expected: version,
        principal: by.principal,
        outcome: 'removed',
      })
  }
}

function listed({ items }: Vault, item: AdminItem, all: readonly AdminItem[]): ListedCredential {
  const id = credentialIdOf(item) ?? ''
  const { record, trouble } = readable(() => items.open(item, CredentialRecord).record)
  const tokensPlace = placeOf.tokens(item.tenant, id, undefined).id
  const tokens = all
    .filter((other) => belongsTo(other, id) && other.id.startsWith(tokensPlace))
    .map((other) => readable(() => items.open(other, TokenRecord).record))
  // whoever agreed to what does not open any more must agree again
  const states =
    record?.kind === 'authorizationCode' ? tokens.map((one) => one.record?.state ?? 'consent') : []
  return {
    id,
    version: item.version,
    updatedAt: item.updatedAt,
    state: record === undefined ? 'unreadable' : 'sealed',
    record,
    // tokens whose key is lost are as good as none; those that were changed shut their credential until somebody looks
    trouble: trouble?.says ?? tokens.find((one) => one.trouble?.isKeyLost === false)?.trouble?.says,
    consents: {
      held: states.filter((state) => state === 'held').length,
      needed: states.filter((state) => state === 'consent').length,
    },
  }
}

type Trouble = { readonly says: ListedCredential['trouble']; readonly isKeyLost: boolean }
type Readable<T> = { readonly record: T | undefined; readonly trouble: Trouble | undefined }

function readable<T>(read: () => T): Readable<T> {
  try {
    return { record: read(), trouble: undefined }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    const says = { why: thrown.message, mend: thrown.suggestions ?? [] }
    return {
      record: undefined,
      trouble: { says, isKeyLost: thrown.details?.source_code === KEY_LOST },
    }
  }
}

// no value and no unknown name is repeated: whoever mistook one field for another may have put the secret there
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, code, message }) => ({
    field: path.filter((part) => typeof part === 'string').join('.'),
    error:
      code === 'unrecognized_keys'
        ? 'has a field that this kind of credential does not have'
        : message,
    provided_value: null,
  }))
  throw new ToolError(
    'TOOL_INVALID_INPUT',
    problems.map(({ field, error }) => `${field || 'It'} ${error}.`).join(' '),
    {
      details: { validation_errors: problems },
      effect: 'none',
    },
  )
}
