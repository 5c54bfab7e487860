import { once } from '@surehand/core/internal'
import { z } from 'zod'
import { hasCallingCode } from './calling-codes.ts'

// RFC 5321 lengths (64 before the @, 63 a label), the unquoted local part, and a host with a
// top-level domain
const EMAIL =
  /^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/

export const Email = z
  .email({ pattern: EMAIL, error: 'Write an e-mail address such as ada@example.com.' })
  .max(254)
  .meta({
    title: 'e-mail address',
    description: 'One e-mail address, without a display name.',
    examples: ['ada@example.com'],
  })

// not z.e164(): the same pattern, but it adds `format: e164`, which strict JSON Schema validators
// do not know and refuse
export const Phone = z
  .string()
  .regex(z.regexes.e164, {
    error:
      'Write the number as E.164: + and the country code, then digits only, such as +4930123456.',
    abort: true,
  })
  .refine(hasCallingCode, { error: 'No country or service has this calling code.' })
  .meta({
    title: 'phone number',
    description:
      'An E.164 phone number: +, country calling code and national number, digits only, without the leading 0 of the national form.',
    examples: ['+4930123456', '+14155550123'],
  })

// language, script, region, variants, extensions, private use
const LANGUAGE_TAG =
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-(?:[A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*(?:-[A-WYZa-wyz0-9](?:-[A-Za-z0-9]{2,8})+)*(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?$/

// when the first is looked at: reading all names takes 20 ms
const languages = once(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))

export const Locale = z
  .string()
  .max(100, { abort: true })
  .regex(LANGUAGE_TAG, {
    error: 'Write a BCP 47 language tag with hyphens, such as en-GB.',
    abort: true,
  })
  .refine(isKnownLocale, {
    error: 'This language tag names no known language, script, region or variant.',
  })
  .meta({
    title: 'locale',
    description: 'A BCP 47 language tag: language, and script or region where they matter.',
    examples: ['en', 'de-AT', 'zh-Hant-TW'],
  })

function isKnownLocale(tag: string): boolean {
  const [canonical] = canonicalLocales(tag)
  return (
    canonical !== undefined && languages().of(new Intl.Locale(canonical).baseName) !== undefined
  )
}

// a tag can fit the pattern and still be malformed (a variant twice, an extension twice), which
// Intl throws for
function canonicalLocales(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag)
  } catch {
    return []
  }
}
