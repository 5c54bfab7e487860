import { once } from '@surehand/core/internal'
import { z } from 'zod'

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

// ITU-T E.164, assigned country codes and global services, a row for each world zone; no code is
// the beginning of another
const CALLING_CODES = new Set(
  [
    '1',
    '20 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247',
    '248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266 267 268 269 27 290 291 297 298 299',
    '30 31 32 33 34 350 351 352 353 354 355 356 357 358 359 36 370 371 372 373 374 375 376 377 378 379 380 381 382 383 385 386 387 389 39',
    '40 41 420 421 423 43 44 45 46 47 48 49',
    '500 501 502 503 504 505 506 507 508 509 51 52 53 54 55 56 57 58 590 591 592 593 594 595 596 597 598 599',
    '60 61 62 63 64 65 66 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692',
    '7',
    '800 808 81 82 84 850 852 853 855 856 86 870 878 880 881 882 883 886',
    '90 91 92 93 94 95 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 98 992 993 994 995 996 998',
  ].flatMap((zone) => zone.split(' ')),
)

/** Whether an E.164 number begins with a country calling code that is in use. */
function hasCallingCode(phone: string): boolean {
  return [2, 3, 4].some((end) => CALLING_CODES.has(phone.slice(1, end)))
}

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
