import { isRecord } from '@surehand/core/internal'
import type { SecretPlace, SecurityNeed } from '@surehand/vault'
import { isVisible } from '../document/clip-text.ts'
import { LeftOut } from '../document/left-out.ts'
import { type Fields, own, ownRecord, ownText } from '../document/record.ts'
import { followReference } from '../document/references.ts'
import type { Library } from '../schema/library.ts'

export type Security = readonly (readonly SecurityNeed[])[]

/**
 * The credentials that security requirements ask for: alternatives, each a list of schemes that all
 * apply.
 */
export function readSecurity(wanted: unknown, library: Library, whereUnsaid: Security): Security {
  if (!Array.isArray(wanted)) return whereUnsaid
  const alternatives = wanted.filter(isRecord)
  const usable = alternatives
    .map((one) => readAlternative(one, library))
    .filter((one) => one !== undefined)
    .flatMap(separateShared)
  if (usable.length === 0 && alternatives.some((one) => isSignedOldWay(one, library)))
    throw new LeftOut(
      'its requests must be signed with AWS Signature Version 2, which is not supported',
    )
  if (usable.length === 0 && alternatives.length > 0)
    throw new LeftOut(
      `its security schemes are not supported (${alternatives
        .flatMap((one) => Object.keys(one))
        .join(', ')
        .slice(0, 100)})`,
    )
  return usable
}

// One header holds one value: schemes that share a place, as the two OAuth flows of every Google
// document do, are alternatives, and the one that has a credential is used.
function separateShared(needs: readonly SecurityNeed[]): Security {
  const byPlace = Map.groupBy(needs, placeOf)
  if (byPlace.size === needs.length) return [needs]
  return [...byPlace.values()].reduce<Security>(
    (made, choices) => made.flatMap((before) => choices.map((one) => [...before, one])),
    [[]],
  )
}

function placeOf(need: SecurityNeed): string {
  return need.type === 'apiKey' ? `${need.in} ${need.name.toLowerCase()}` : 'header authorization'
}

function isSignedOldWay(wanted: Fields, library: Library): boolean {
  const schemes = ownRecord(ownRecord(library.root, 'components'), 'securitySchemes') ?? {}
  return Object.keys(wanted).some((scheme) => signatureOf(own(schemes, scheme)) === 'old')
}

// How Amazon marks that the "API key" is a signature over the request. S3 takes the present form,
// whatever its documents say.
function signatureOf(form: unknown): 'present' | 'old' | undefined {
  switch (ownText(form, 'x-amazon-apigateway-authtype')?.toLowerCase()) {
    case 'awssigv4':
    case 'awss3':
      return 'present'
    case 'awssigv2':
      return 'old'
    default:
      return undefined
  }
}

/** Whether every alternative needs a credential. */
export function needsCredential(security: Security): boolean {
  return security.length > 0 && security.every((alternative) => alternative.length > 0)
}

function readAlternative(wanted: Fields, library: Library): readonly SecurityNeed[] | undefined {
  const needs = Object.keys(wanted)
    .toSorted()
    .map((scheme) => readNeed(scheme, wanted[scheme], library))
  return needs.every((need) => need !== undefined) ? needs : undefined
}

function readNeed(scheme: string, scopes: unknown, library: Library): SecurityNeed | undefined {
  const declared = own(ownRecord(ownRecord(library.root, 'components'), 'securitySchemes'), scheme)
  if (declared === undefined || !isVisible(scheme)) return undefined
  const form = followReference(library, declared, `the security scheme "${scheme}"`)
  const need = {
    scheme,
    scopes: (Array.isArray(scopes) ? scopes : []).filter((scope) => typeof scope === 'string'),
  }
  const type = ownText(form, 'type')
  if (type === 'oauth2' || type === 'openIdConnect') return { ...need, type }
  if (type === 'http') return httpNeed(need, ownText(form, 'scheme')?.toLowerCase())
  const signature = type === 'apiKey' ? signatureOf(form) : undefined
  if (signature === 'present') return { ...need, type: 'awsSignature' }
  return type === 'apiKey' && signature === undefined ? keyNeed(need, form) : undefined
}

type Base = { readonly scheme: string; readonly scopes: readonly string[] }

function httpNeed(need: Base, http: string | undefined): SecurityNeed | undefined {
  return http === 'basic' || http === 'bearer' ? { ...need, type: 'http', http } : undefined
}

function keyNeed(need: Base, form: Fields): SecurityNeed | undefined {
  const place = ownText(form, 'in')
  const name = ownText(form, 'name')
  if (name === undefined || (place !== 'header' && place !== 'query' && place !== 'cookie'))
    return undefined
  return { ...need, type: 'apiKey', in: place, name }
}

/** The schemes whose API keys may also be declared as parameters, by `in name` of the parameter. */
export function keyParameters(root: Fields): ReadonlyMap<string, string> {
  const schemes = ownRecord(ownRecord(root, 'components'), 'securitySchemes') ?? {}
  const keys = Object.entries(schemes).flatMap(([scheme, form]) => {
    const name = ownText(form, 'type') === 'apiKey' ? ownText(form, 'name') : undefined
    return name === undefined
      ? []
      : [[`${ownText(form, 'in')} ${name.toLowerCase()}`, scheme] as const]
  })
  return new Map(keys)
}

const KEY_NAMES =
  /^(?:x[-_]|ocp-apim-)?(?:(?:app|application|api|access|auth|oauth|bearer|client|shared|private|subscription|secret)[-_]?(?:key|token|secret)|secret|authorization)$/i
const KEY_WORDS =
  /\bauthenticat|\bauthoriz|\bauth token|\bapi key|\bapi token|\baccess token|\bbearer\b/i
const SIGNATURE =
  /^x-amz-(?:algorithm|content-sha256|credential|date|security-token|signature|signedheaders)$/i

/**
 * Whether a parameter carries a credential although the document declares it as an ordinary
 * parameter.
 */
export function isCredential(name: string, description: string): boolean {
  // A quick test that most names fail.
  if (!/key|token|secret|authorization/i.test(name)) return false
  return KEY_NAMES.test(name) || (/^(?:token|key)$/i.test(name) && KEY_WORDS.test(description))
}

/** Whether a parameter is part of a signature over the request, which nobody can write by hand. */
export function isSignaturePart(name: string): boolean {
  return SIGNATURE.test(name)
}

/** A credential that the document declares as an ordinary parameter. */
export type CredentialSlot = {
  readonly scheme: string
  readonly name: string
  readonly in: SecretPlace
  readonly isRequired: boolean
}

/**
 * Adds credentials that are declared as ordinary parameters: they are stored like those of a
 * security scheme, and no model ever sees them.
 */
export function withSlots(security: Security, slots: readonly CredentialSlot[]): Security {
  const known = new Set(security.flat().map(placeOf))
  const needs = slots
    .map((slot) => ({
      need: toNeed(slot),
      isRequired: slot.isRequired && !isSecondForm(slot, security),
    }))
    .filter(({ need }) => !known.has(placeOf(need)))
  const required = needs.filter(({ isRequired }) => isRequired).map(({ need }) => need)
  if (required.length > 0)
    return (security.length === 0 ? [[]] : security).map((one) => [...one, ...required])
  // Beside a security scheme, these are second forms of the same credential.
  return needs.length === 0 || security.length > 0
    ? security
    : [...needs.map(({ need }) => [need]), []]
}

// Slack wants its token as a field `token` or as OAuth, and its document requires both.
function isSecondForm({ name }: CredentialSlot, security: Security): boolean {
  const isToken = /^(?:(?:access|auth|oauth|bearer)[-_]?)?token$|^authorization$/i.test(name)
  return isToken && security.length > 0 && security.every((one) => one.some(isBearer))
}

function isBearer(need: SecurityNeed): boolean {
  return (
    need.type === 'oauth2' ||
    need.type === 'openIdConnect' ||
    (need.type === 'http' && need.http === 'bearer')
  )
}

function toNeed({ scheme, name, in: place }: CredentialSlot): SecurityNeed {
  return { scheme, scopes: [], type: 'apiKey', in: place, name }
}
