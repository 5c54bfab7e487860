import { MAX_LENGTH } from '../page/messages.ts'

// What the page reports, cut to what the server's schemas allow. The page is not trusted: only known
// members are copied, and none of them is interpreted.

type Json = Readonly<Record<string, unknown>>

const NONCE = /^[A-Za-z0-9_-]{22,64}$/
const ID = /^[A-Za-z0-9_-]{1,128}$/
const URL_START = /^https?:\/\//
const STATES = ['ready', 'navigating', 'arrived', 'failed', 'leaving']
const CODES = [
  'not_found',
  'not_allowed',
  'invalid',
  'navigation_failed',
  'timeout',
  'failed',
  'unsupported',
]
const ROLES = new Map([
  ['nav', 'navigation'],
  ['main', 'main'],
  ['search', 'search'],
  ['section', 'region'],
  ['form', 'form'],
  ['aside', 'complementary'],
  ['header', 'banner'],
  ['footer', 'contentinfo'],
])
const LANDMARKS = new Set(ROLES.values())

/** A report of the page as the server takes it. */
export type Report = Json & { readonly type: 'result' | 'error' | 'status' }

export const isJson = (value: unknown): value is Json =>
  Object.prototype.toString.call(value) === '[object Object]'

/** The nonce of a message, if it has one of the right form. */
export function nonceOf(data: unknown): string | undefined {
  const nonce = isJson(data) && Object.hasOwn(data, 'nonce') ? data.nonce : undefined
  return typeof nonce === 'string' && NONCE.test(nonce) ? nonce : undefined
}

/** The report without its nonce; undefined where it is none, or larger than a message may be. */
export function readReport(data: unknown): Report | undefined {
  if (!isJson(data) || isTooLarge(data)) return undefined
  const id = typeof data.id === 'string' && ID.test(data.id) ? data.id : undefined
  if (data.type === 'status') return readStatus(data, id)
  if (id === undefined) return undefined
  if (data.type === 'result') return { type: 'result', id, value: readValue(data.value) }
  if (data.type !== 'error' || !CODES.includes(String(data.code))) return undefined
  return {
    type: 'error',
    id,
    code: data.code,
    message: cut(data.message, 1_000) ?? '',
    ...present('candidates', readCandidates(data.candidates)),
    ...present('form', readForm(data.form)),
  }
}

function isTooLarge(data: Json): boolean {
  try {
    return JSON.stringify(data).length > MAX_LENGTH
  } catch {
    return true
  }
}

function readStatus(data: Json, id: string | undefined): Report | undefined {
  if (!STATES.includes(String(data.state))) return undefined
  return {
    type: 'status',
    state: data.state,
    ...present('id', id),
    ...present('url', readUrl(data.url)),
    ...present('title', cut(data.title, 1_000)),
  }
}

function readValue(data: unknown): Json {
  if (!isJson(data)) return {}
  return {
    ...present('url', readUrl(data.url)),
    ...present('candidates', readCandidates(data.candidates)),
    ...present('form', readForm(data.form)),
    ...present('answer', cut(data.answer, 20_000)),
    ...(data.repeated === true ? { repeated: true } : {}),
  }
}

function readCandidates(data: unknown): Json[] | undefined {
  if (!Array.isArray(data)) return undefined
  return data
    .slice(0, 20)
    .filter(
      (one) => isJson(one) && typeof one.selector === 'string' && one.selector.length <= 1_000,
    )
    .map((one) => ({
      selector: one.selector,
      name: cut(one.name, 1_000) ?? '',
      ...present('role', cut(one.role, 64)),
      ...present('action', cut(one.action, 128)),
      ...present('landmark', readLandmark(one.landmark)),
    }))
}

function readLandmark(data: unknown): Json | undefined {
  if (!isJson(data)) return undefined
  const role = ROLES.get(String(data.role)) ?? String(data.role)
  return LANDMARKS.has(role) ? { role, ...present('name', cut(data.name, 1_000)) } : undefined
}

function readForm(data: unknown): Json | undefined {
  if (!isJson(data) || !['get', 'post', 'dialog'].includes(String(data.method))) return undefined
  const list = (value: unknown): Json[] =>
    Array.isArray(value) ? value.filter(isJson).slice(0, 100) : []
  return {
    method: data.method,
    enctype: cut(data.enctype, 128) || 'application/x-www-form-urlencoded',
    action: cut(data.action, 2_048) ?? '',
    fields: list(data.fields).map((field) => ({
      name: cut(field.name, 256) ?? '',
      ...present('label', cut(field.label, 1_000)),
      value: cut(field.value, 1_000) ?? '',
    })),
    problems: list(data.problems).map((problem) => ({
      field: cut(problem.field, 256) ?? '',
      message: cut(problem.message, 1_000) ?? '',
    })),
  }
}

const cut = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, length) : undefined

const readUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 2_048 && URL_START.test(value) ? value : undefined

const present = (name: string, value: unknown): Json =>
  value === undefined ? {} : { [name]: value }
