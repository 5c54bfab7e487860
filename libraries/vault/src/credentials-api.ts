import { type Caller, isToolError, ToolError } from '@surehand/core'
import type { AdminApi } from '@surehand/core/host'
import type { AdminItem } from '@surehand/core/ports'
import type { z } from 'zod'
import { CredentialForm, CredentialId } from './credential-form.ts'
import { CredentialRecord } from './credential-record.ts'
import { TokenRecord } from './token-record.ts'
import type { Vault } from './vault.ts'
import { credentialNotFound, KEY_LOST } from './vault-errors.ts'
import { belongsTo, credentialIdOf, itemKey } from './vault-items.ts'

export type CredentialsApiOptions = {
  /** `runtime.administration` checks permissions and versions, and writes the audit. */
  readonly administration: AdminApi
  readonly vault: Vault
}

/** A credential as administrators see it: everything but its secrets. */
export type ListedCredential = {
  readonly id: string
  readonly version: number
  readonly updatedAt: number
  /** `unreadable`: its key is lost, or it was changed in the store. */
  readonly state: 'sealed' | 'unreadable'
  /**
   * Undefined where the credential cannot be decrypted: a record that fails its authentication must
   * not be shown as true.
   */
  readonly record: CredentialRecord | undefined
  /** Why the credential, or its tokens, cannot be decrypted, and what to do. */
  readonly problem: { readonly reason: string; readonly suggestions: readonly string[] } | undefined
  /** How many consents are valid, and how many must be given again. */
  readonly consents: { readonly held: number; readonly needed: number }
}

/** Lists, sets and removes the credentials of a tenant, for its administrators. */
export type CredentialsApi = {
  readonly list: (by: Caller) => Promise<readonly ListedCredential[]>
  /**
   * `form` is a `CredentialForm`. `expected` is the version that the change is based on; leave it
   * out for a new credential.
   */
  readonly put: (
    by: Caller,
    id: string,
    form: unknown,
    expected?: number,
  ) => Promise<ListedCredential>
  /** Also deletes the tokens that were issued for it. */
  readonly remove: (by: Caller, id: string, expected: number) => Promise<void>
}

export function createCredentialsApi({
  administration,
  vault,
}: CredentialsApiOptions): CredentialsApi {
  const { items } = vault

  return {
    async list(by) {
      // Through the administration, which checks the caller's permission.
      const all = await administration.list(by, 'credential')
      return all.flatMap((item) =>
        credentialIdOf(item) === undefined ? [] : [toListedCredential(vault, item, all)],
      )
    },
    async put(by, id, form, expected) {
      const [credential, parsedForm] = [
        parseForm(CredentialId, id),
        parseForm(CredentialForm, form),
      ]
      const place = itemKey.credential(by.tenant, credential)
      const { record, secrets } = vault.splitForm(by, parsedForm)
      const value = items.sealedValue(place, record, secrets)
      const item = await administration.change(by, {
        kind: 'credential',
        id: place.id,
        value,
        ...(expected === undefined ? {} : { expected }),
      })
      if (item === undefined) throw credentialNotFound(credential)
      return toListedCredential(vault, item, await items.list(by.tenant))
    },
    async remove(by, id, expected) {
      const all = await administration.list(by, 'credential')
      const place = itemKey.credential(by.tenant, id)
      if (!all.some((item) => item.id === place.id)) throw credentialNotFound(id)
      // The credential goes first: without it no token is used or requested.
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

// Repeated until none is left, because tokens that are being renewed change their version
// meanwhile.
async function removeGranted({ items }: Vault, by: Caller, id: string): Promise<void> {
  const listGranted = async () =>
    (await items.list(by.tenant)).filter((item) => belongsTo(item, id))
  for (let left = await listGranted(); left.length > 0; left = await listGranted()) {
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

function toListedCredential(
  { items }: Vault,
  item: AdminItem,
  all: readonly AdminItem[],
): ListedCredential {
  const id = credentialIdOf(item) ?? ''
  const { record, failure } = tryToRead(() => items.open(item, CredentialRecord).record)
  const tokensPlace = itemKey.tokens(item.tenant, id, undefined).id
  const tokens = all
    .filter((other) => belongsTo(other, id) && other.id.startsWith(tokensPlace))
    .map((other) => tryToRead(() => items.open(other, TokenRecord).record))
  // A consent that cannot be decrypted must be given again.
  const states =
    record?.kind === 'authorizationCode' ? tokens.map((one) => one.record?.state ?? 'consent') : []
  return {
    id,
    version: item.version,
    updatedAt: item.updatedAt,
    state: record === undefined ? 'unreadable' : 'sealed',
    record,
    // Tokens whose key is lost are requested again. Tokens that were tampered with block the
    // credential until an administrator acts.
    problem:
      failure?.problem ?? tokens.find((one) => one.failure?.isKeyLost === false)?.failure?.problem,
    consents: {
      held: states.filter((state) => state === 'held').length,
      needed: states.filter((state) => state === 'consent').length,
    },
  }
}

type ReadFailure = { readonly problem: ListedCredential['problem']; readonly isKeyLost: boolean }
type ReadResult<T> = { readonly record: T | undefined; readonly failure: ReadFailure | undefined }

function tryToRead<T>(read: () => T): ReadResult<T> {
  try {
    return { record: read(), failure: undefined }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    const problem = { reason: thrown.message, suggestions: thrown.suggestions ?? [] }
    return {
      record: undefined,
      failure: { problem, isKeyLost: thrown.details?.source_code === KEY_LOST },
    }
  }
}

// Values and unknown field names are not repeated in the error: a field that was mistaken for
// another may contain the secret.
function parseForm<T>(schema: z.ZodType<T>, value: unknown): T {
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
