import { isRecord } from '@surehand/core/internal'
import type { SecurityNeed } from '@surehand/vault'
import { LeftOut } from '../document/left-out.ts'
import { type Fields, own, ownRecord, ownText } from '../document/record.ts'
import { followed } from '../document/references.ts'
import { isVisible } from '../document/words.ts'
import type { Library } from '../schema/library.ts'

export type Security = readonly (readonly SecurityNeed[])[]

/** Which credentials an operation needs that asks for these: alternatives, each of schemes that all apply. */
export function securityOf(wanted: unknown, library: Library, whereUnsaid: Security): Security {
  if (!Array.isArray(wanted)) return whereUnsaid
  const alternatives = wanted.filter(isRecord)
  const usable = alternatives
    .map((one) => alternative(one, library))
    .filter((one) => one !== undefined)
  if (usable.length === 0 && alternatives.length > 0)
    throw new LeftOut(
      `no credential of ours fits its security (${alternatives
        .flatMap((one) => Object.keys(one))
        .join(', ')
        .slice(0, 100)})`,
    )
  return usable
}

/** Whether nothing works without a credential. */
export function needsCredential(security: Security): boolean {
  return security.length > 0 && security.every((alternative) => alternative.length > 0)
}

function alternative(wanted: Fields, library: Library): readonly SecurityNeed[] | undefined {
  const needs = Object.keys(wanted)
    .toSorted()
    .map((scheme) => needOf(scheme, wanted[scheme], library))
  return needs.every((need) => need !== undefined) ? needs : undefined
}

function needOf(scheme: string, scopes: unknown, library: Library): SecurityNeed | undefined {
  const declared = own(ownRecord(ownRecord(library.root, 'components'), 'securitySchemes'), scheme)
  if (declared === undefined || !isVisible(scheme)) return undefined
  const form = followed(library, declared, `the security scheme "${scheme}"`)
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

/** `in name` of every parameter that is really a key, whichever operation names it. */
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

/** Whether a parameter of an operation that needs credentials carries one, though the document calls it a parameter. */
export function isCredential(name: string, description: string): boolean {
  // most names are neither, and that is told without looking closer
  if (!/key|token|authorization/i.test(name)) return false
  return KEY_NAMES.test(name) || (/^(?:token|key)$/i.test(name) && KEY_WORDS.test(description))
}
