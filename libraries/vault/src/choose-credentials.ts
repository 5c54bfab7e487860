import { ToolError } from '@surehand/core'
import { type ForeignCall, visibleText } from '@surehand/core/host'
import { CredentialRecord, type OAuthRecord, unspeakable } from './credential-record.ts'
import type { Secret } from './secret.ts'
import type { SecurityNeed, SourceRequest } from './source-request.ts'
import type { TokenOwner } from './token-shelf.ts'
import type { Tokens } from './tokens.ts'
import { type Kept, placeOf, type VaultItems } from './vault-items.ts'

/** Which credential serves a document's scheme; without an entry, the one called `NAMESPACE.SCHEME`. */
export type CredentialReferences = Readonly<Record<string, string>>

/** A scheme and the credential that serves it. */
export type Served = {
  readonly need: SecurityNeed
  readonly credential: string
  readonly kept: Kept<CredentialRecord>
  /** For tokens: whose. */
  readonly owner: TokenOwner | undefined
  readonly coversScopes: boolean
}
type Lacking = { readonly why: 'elsewhere' | 'consent' | 'missing'; readonly error: ToolError }
type Answer = { readonly served: Served } | { readonly lacking: Lacking }

export type Chooser = {
  readonly items: VaultItems
  readonly tokens: Tokens
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
}
export type Choosing = {
  readonly request: SourceRequest
  readonly call: ForeignCall
  readonly references: CredentialReferences
}

type Kind = CredentialRecord['kind']
const TOKENS: readonly Kind[] = ['bearer', 'clientCredentials', 'authorizationCode']

/** The credentials of the first alternative that this house can serve; none where none are needed. */
export async function chooseCredentials(
  chooser: Chooser,
  choosing: Choosing,
): Promise<readonly Served[]> {
  const { security } = choosing.request
  // "also without" is the last resort: a credential that was set is meant to be used
  const alternatives = security.filter((needs) => needs.length > 0)
  if (alternatives.length === 0) return []
  const answers = await Promise.all(
    alternatives.map((needs) => Promise.all(needs.map((need) => serve(chooser, choosing, need)))),
  )
  const whole = answers.flatMap((alternative) => {
    const served = alternative.flatMap((answer) => ('served' in answer ? [answer.served] : []))
    return served.length === alternative.length ? [served] : []
  })
  // of a scope that holds another the provider is the judge, not its document
  const chosen =
    whole.find((served) => served.every(({ coversScopes }) => coversScopes)) ?? whole[0]
  if (chosen !== undefined) return chosen
  const lacking = answers.flat().flatMap((answer) => ('lacking' in answer ? [answer.lacking] : []))
  // somebody wants a secret of this house elsewhere than it was given for: no reason to go on without
  const elsewhere = lacking.find(({ why }) => why === 'elsewhere')
  if (elsewhere !== undefined) throw elsewhere.error
  if (alternatives.length < security.length) return []
  // who has only to agree is told so first
  throw (
    (lacking.find(({ why }) => why === 'consent') ?? lacking[0])?.error ??
    new TypeError('An alternative lacks nothing and was not chosen.')
  )
}

async function serve(
  { items, tokens, remember }: Chooser,
  { request, call, references }: Choosing,
  need: SecurityNeed,
): Promise<Answer> {
  const { tenant, principal } = call.caller
  const credential = Object.hasOwn(references, need.scheme)
    ? (references[need.scheme] ?? '')
    : defaultCredential(call.tool, need.scheme)
  const { origin } = new URL(request.url)
  const kept = await items.read(placeOf.credential(tenant, credential), CredentialRecord)
  if (kept === undefined)
    return { lacking: { why: 'missing', error: missing(need, credential, origin) } }
  if (!kept.record.origins.includes(origin))
    return {
      lacking: { why: 'elsewhere', error: givenFor(credential, origin, kept.record.origins) },
    }
  if (!kindsFor(need).includes(kept.record.kind))
    return { lacking: { why: 'missing', error: misfit(need, credential, kept.record.kind) } }
  remember(tenant, unspeakable(kept))
  if (!isOAuth(kept))
    return { served: { need, credential, kept, owner: undefined, coversScopes: true } }
  const isOwn = kept.record.kind === 'authorizationCode' && kept.record.for === 'principal'
  const owner: TokenOwner = { tenant, credential, kept, principal: isOwn ? principal : undefined }
  const scopes = await tokens.scopes(owner)
  if (scopes === undefined) return { lacking: { why: 'consent', error: tokens.noConsent(owner) } }
  const coversScopes = scopes.length === 0 || need.scopes.every((scope) => scopes.includes(scope))
  return { served: { need, credential, kept, owner, coversScopes } }
}

function isOAuth(kept: Kept<CredentialRecord>): kept is Kept<OAuthRecord> {
  return kept.record.kind === 'clientCredentials' || kept.record.kind === 'authorizationCode'
}

function kindsFor(need: SecurityNeed): readonly Kind[] {
  switch (need.type) {
    case 'apiKey':
      return ['apiKey']
    case 'http':
      return need.http === 'basic' ? ['basic'] : TOKENS
    case 'oauth2':
    case 'openIdConnect':
      return TOKENS
  }
}

/** `github.bearerAuth` for the scheme `bearerAuth` of the tool `github.listRepos`. */
export function defaultCredential(tool: string, scheme: string): string {
  return `${tool.split('.')[0]}.${scheme.replaceAll(/[^\w.-]/g, '_')}`.slice(0, 96)
}

function missing(need: SecurityNeed, credential: string, origin: string): ToolError {
  const command = `surehand credentials set ${credential} --kind ${kindsFor(need)[0]} --origin ${origin}`
  const message = `Nothing was sent: ${origin} wants the scheme "${shown(need.scheme)}", and this house has no credential "${credential}" for it.`
  return new ToolError('TOOL_CONFIGURATION_ERROR', message, {
    details: {
      source_code: 'credential_missing',
      scheme: shown(need.scheme),
      credential,
      origin,
      command,
    },
    suggestions: [`Run: ${command}`],
    effect: 'none',
  })
}

function misfit(need: SecurityNeed, credential: string, kind: Kind): ToolError {
  const wanted = kindsFor(need).join(' or ')
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing was sent: the scheme "${shown(need.scheme)}" wants ${wanted}; "${credential}" is ${kind}.`,
    {
      details: { source_code: 'credential_misfit', scheme: shown(need.scheme), credential, kind },
      suggestions: [`Run: surehand credentials set ${credential} --kind ${kindsFor(need)[0]}`],
      effect: 'none',
    },
  )
}

function givenFor(credential: string, origin: string, origins: readonly string[]): ToolError {
  return new ToolError(
    'TOOL_INSUFFICIENT_PERMISSIONS',
    `Nothing was sent: "${credential}" was given for ${origins.join(', ')}, not for ${origin}.`,
    {
      details: { source_code: 'credential_elsewhere', credential, origin, origins },
      suggestions: [
        'If it is meant for that origin too, an administrator adds it to the credential.',
      ],
      effect: 'none',
    },
  )
}

// a document's word in a sentence of ours
function shown(scheme: string): string {
  return visibleText(scheme.slice(0, 100))
}
