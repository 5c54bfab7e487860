import { z } from 'zod'
import { Refusal } from '../refusal.ts'
import type { Visit } from '../web/route.ts'

export const MoneyBody = z.strictObject({
  amount: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
})
export const ContactBody = z.strictObject({
  name: z.string().trim().min(1).max(120),
  email: z.email().max(254).optional(),
  phone: z
    .string()
    .regex(/^\+[1-9][0-9]{6,14}$/)
    .optional(),
})
export const Session = z.string().regex(/^[A-Za-z0-9:_.-]{8,128}$/)

/** The JSON body of a request, parsed by a schema. An empty body is an empty object. */
export async function readBody<T>({ request }: Visit, schema: z.ZodType<T>): Promise<T> {
  const text = await request.text()
  return parse(schema, text === '' ? {} : parseJson(text), 'body')
}

export function readQuery<T>({ url }: Visit, schema: z.ZodType<T>): T {
  return parse(schema, Object.fromEntries(url.searchParams), 'query')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal('invalid_request', 'The body is not JSON. Send a JSON object.')
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`)
  throw new Refusal('invalid_request', `${problems.join('; ')}. See /openapi.json.`)
}
