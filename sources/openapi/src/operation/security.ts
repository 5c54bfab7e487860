import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed } from '@surehand/vault'
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
  if (usable.length === 0 && alternatives.length > 0)
    throw new LeftOut(
      `its security schemes are not supported (${alternatives
        .flatMap((one) => Object.keys(one))
        .join(', ')
        .slice(0, 100)})`,
    )
  return usable
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
  return type === 'apiKey' ? keyNeed(need, form) : undefined
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

/** `in name` of every parameter that is an API key of a security scheme. */
export function keyParameters(root: Fields): ReadonlySet<string> {
  const schemes = ownRecord(ownRecord(root, 'components'), 'securitySchemes') ?? {}
  const keys = Object.values(schemes).flatMap((scheme) => {
    const name = ownText(scheme, 'type') === 'apiKey' ? ownText(scheme, 'name') : undefined
    return name === undefined ? [] : [`${ownText(scheme, 'in')} ${name.toLowerCase()}`]
  })
  return new Set(keys)
}

const KEY_NAMES =
  /^(?:x[-_])?(?:api[-_]?key|access[-_]?token|auth[-_]?token|oauth[-_]?token|bearer[-_]?token|authorization|api[-_]?token)$/i
const KEY_WORDS =
  /\bauthenticat|\bauthoriz|\bauth token|\bapi key|\bapi token|\baccess token|\bbearer\b/i

/**
 * Whether a parameter carries a credential although the document declares it as an ordinary
 * parameter.
 */
export function isCredential(name: string, description: string): boolean {
  // A quick test that most names fail.
  if (!/key|token|authorization/i.test(name)) return false
  return KEY_NAMES.test(name) || (/^(?:token|key)$/i.test(name) && KEY_WORDS.test(description))
}
