import { ToolError } from '@surehand/core'
import { type ForeignCall, visibleText } from '@surehand/core/host'
import { CredentialRecord, type OAuthRecord, secretsToScrub } from './credential-record.ts'
import type { Secret } from './secret.ts'
import type { SecurityNeed, SourceRequest } from './source-request.ts'
import type { TokenOwner } from './token-store.ts'
import type { Tokens } from './tokens.ts'
import { itemKey, type StoredItem, type VaultItems } from './vault-items.ts'

/**
 * Maps a document's security scheme to a credential. A scheme without an entry uses the credential
 * `NAMESPACE.SCHEME`.
 */
export type CredentialReferences = Readonly<Record<string, string>>

/** A security scheme and the credential that satisfies it. */
export type ChosenCredential = {
  readonly need: SecurityNeed
  readonly credential: string
  readonly kept: StoredItem<CredentialRecord>
  /** The owner of the tokens, for OAuth credentials. */
  readonly owner: TokenOwner | undefined
  readonly coversScopes: boolean
}
type UnmetNeed = { readonly why: 'elsewhere' | 'consent' | 'missing'; readonly error: ToolError }
type NeedResult = { readonly served: ChosenCredential } | { readonly lacking: UnmetNeed }

export type CredentialChoiceContext = {
  readonly items: VaultItems
  readonly tokens: Tokens
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
}
export type CredentialChoice = {
  readonly request: SourceRequest
  readonly call: ForeignCall
  readonly references: CredentialReferences
}

type Kind = CredentialRecord['kind']
const TOKEN_KINDS: readonly Kind[] = ['bearer', 'clientCredentials', 'authorizationCode']

/**
 * The credentials of the first alternative that the tenant can satisfy, or none where none are
 * required.
 */
export async function chooseCredentials(
  chooser: CredentialChoiceContext,
  choosing: CredentialChoice,
): Promise<readonly ChosenCredential[]> {
  const { security } = choosing.request
  // An empty alternative ("no authentication") comes last: a credential that was set is meant to be
  // used.
  const alternatives = security.filter((needs) => needs.length > 0)
  if (alternatives.length === 0) return []
  const answers = await Promise.all(
    alternatives.map((needs) =>
      Promise.all(needs.map((need) => findCredentialFor(chooser, choosing, need))),
    ),
  )
  const whole = answers.flatMap((alternative) => {
    const served = alternative.flatMap((answer) => ('served' in answer ? [answer.served] : []))
    return served.length === alternative.length ? [served] : []
  })
  // Prefers covered scopes, but does not require them: one scope may imply another, which only the
  // provider knows.
  const chosen =
    whole.find((served) => served.every(({ coversScopes }) => coversScopes)) ?? whole[0]
  if (chosen !== undefined) return chosen
  const lacking = answers.flat().flatMap((answer) => ('lacking' in answer ? [answer.lacking] : []))
  // The document would send a secret to an origin it was not given for: refused, even where
  // authentication is optional.
  const elsewhere = lacking.find(({ why }) => why === 'elsewhere')
  if (elsewhere !== undefined) throw elsewhere.error
  if (alternatives.length < security.length) return []
  // A missing consent is reported first, because it is the easiest to give.
  throw (
    (lacking.find(({ why }) => why === 'consent') ?? lacking[0])?.error ??
    new TypeError('An alternative has all its credentials and was not chosen.')
  )
}

async function findCredentialFor(
  { items, tokens, remember }: CredentialChoiceContext,
  { request, call, references }: CredentialChoice,
  need: SecurityNeed,
): Promise<NeedResult> {
  const { tenant, principal } = call.caller
  const credential = Object.hasOwn(references, need.scheme)
    ? (references[need.scheme] ?? '')
    : defaultCredential(call.tool, need.scheme)
  const { origin } = new URL(request.url)
  const kept = await items.read(itemKey.credential(tenant, credential), CredentialRecord)
  if (kept === undefined)
    return { lacking: { why: 'missing', error: credentialMissing(need, credential, origin) } }
  if (!kept.record.origins.includes(origin))
    return {
      lacking: {
        why: 'elsewhere',
        error: originNotAllowed(credential, origin, kept.record.origins),
      },
    }
  if (!kindsFor(need).includes(kept.record.kind))
    return {
      lacking: {
        why: 'missing',
        error: credentialKindMismatch(need, credential, kept.record.kind),
      },
    }
  remember(tenant, secretsToScrub(kept))
  if (!isOAuth(kept))
    return { served: { need, credential, kept, owner: undefined, coversScopes: true } }
  const isOwn = kept.record.kind === 'authorizationCode' && kept.record.for === 'principal'
  const owner: TokenOwner = {
    tenant,
    credential,
    stored: kept,
    principal: isOwn ? principal : undefined,
  }
  const scopes = await tokens.getScopes(owner)
  if (scopes === undefined)
    return { lacking: { why: 'consent', error: tokens.consentRequired(owner) } }
  const coversScopes = scopes.length === 0 || need.scopes.every((scope) => scopes.includes(scope))
  return { served: { need, credential, kept, owner, coversScopes } }
}

function isOAuth(kept: StoredItem<CredentialRecord>): kept is StoredItem<OAuthRecord> {
  return kept.record.kind === 'clientCredentials' || kept.record.kind === 'authorizationCode'
}

function kindsFor(need: SecurityNeed): readonly Kind[] {
  switch (need.type) {
    case 'apiKey':
      return ['apiKey']
    case 'http':
      return need.http === 'basic' ? ['basic'] : TOKEN_KINDS
    case 'oauth2':
    case 'openIdConnect':
      return TOKEN_KINDS
    case 'awsSignature':
      return ['aws']
  }
}

/** `github.bearerAuth` for the scheme `bearerAuth` of the tool `github.listRepos`. */
export function defaultCredential(tool: string, scheme: string): string {
  return `${tool.split('.')[0]}.${scheme.replaceAll(/[^\w.-]/g, '_')}`.slice(0, 96)
}

/** The command that sets the credential of a security scheme. */
export function describeNeed(need: SecurityNeed, credential: string, origin: string): string {
  const kind = kindsFor(need)[0]
  const more = kind === 'aws' ? ' --region REGION' : ''
  return `surehand credentials set ${credential} --kind ${kind} --origin ${origin}${more}`
}

function credentialMissing(need: SecurityNeed, credential: string, origin: string): ToolError {
  const command = describeNeed(need, credential, origin)
  const message = `Nothing was sent: ${origin} requires the scheme "${quoteScheme(need.scheme)}", and this tenant has no credential "${credential}" for it.`
  return new ToolError('TOOL_CONFIGURATION_ERROR', message, {
    details: {
      source_code: 'credential_missing',
      scheme: quoteScheme(need.scheme),
      credential,
      origin,
      command,
    },
    suggestions: [`Run: ${command}`],
    effect: 'none',
  })
}

function credentialKindMismatch(need: SecurityNeed, credential: string, kind: Kind): ToolError {
  const wanted = kindsFor(need).join(' or ')
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing was sent: the scheme "${quoteScheme(need.scheme)}" needs a credential of the kind ${wanted}, but "${credential}" is ${kind}.`,
    {
      details: {
        source_code: 'credential_misfit',
        scheme: quoteScheme(need.scheme),
        credential,
        kind,
      },
      suggestions: [`Run: surehand credentials set ${credential} --kind ${kindsFor(need)[0]}`],
      effect: 'none',
    },
  )
}

function originNotAllowed(
  credential: string,
  origin: string,
  origins: readonly string[],
): ToolError {
  return new ToolError(
    'TOOL_INSUFFICIENT_PERMISSIONS',
    `Nothing was sent: "${credential}" may be sent to ${origins.join(', ')}, not to ${origin}.`,
    {
      details: { source_code: 'credential_elsewhere', credential, origin, origins },
      suggestions: [
        'If the credential is meant for that origin too, an administrator can add the origin to it.',
      ],
      effect: 'none',
    },
  )
}

// The name comes from a foreign document and is shown in our message.
function quoteScheme(scheme: string): string {
  return visibleText(scheme.slice(0, 100))
}
