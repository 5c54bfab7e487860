import { z } from 'zod'

const CIVIL_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** A day without a time zone, as in 2027-05-12; days that no calendar has are refused. */
export const CivilDate = z
  .string()
  .regex(CIVIL_DATE, 'must be a day, as in 2027-05-12')
  .refine(isDay, 'is not a day of the calendar')

function isDay(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
}

/** An ISO 4217 code. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be three capital letters, as in USD')
  .refine(isCurrency, 'is not a currency of ISO 4217')

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** The IATA code of an airport or a city. */
export const IataCode = z.string().regex(/^[A-Z]{3}$/, 'must be an IATA code, as in LIS')
