import { refusal } from './refusal.ts'
import type { Outgoing } from './request.ts'
import { readTarget, type Target, whereOf } from './target.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

// What a stranger may read. A list of what to drop would let every credential pass that nobody thought to name.
const FOR_STRANGERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
])

/** The request a redirect asks for; undefined where the answer is none. */
export function followUp(
  outgoing: Outgoing,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): Outgoing | undefined {
  const location = headers.get('location')
  if (!REDIRECTS.has(status) || location === null) return undefined
  // servers write UTF-8 where the wire's letters are Latin-1
  const text = Buffer.from(location, 'latin1').toString('utf8')
  if (!URL.canParse(text, outgoing.target.url.href)) throw noUrl(outgoing.target)
  const target = readTarget(text, outgoing.target.url)
  const next = { ...methodAfter(outgoing, status), target }
  if (target.url.origin === outgoing.target.url.origin) return next
  if (outgoing.target.url.protocol === 'https:' && target.url.protocol === 'http:')
    refuseSecrets(next, outgoing.target)
  return {
    ...next,
    headers: new Map(
      [...next.headers].filter(([name]) => FOR_STRANGERS.has(name) && !next.credentials.has(name)),
    ),
  }
}

function noUrl(from: Target): Error {
  return refusal({
    where: whereOf(from),
    why: 'it redirects to what is no URL',
    todo: 'Send the URL it should end at.',
  })
}

// as browsers do: a form that was posted is not posted again to where its result is shown
function methodAfter(outgoing: Outgoing, status: number): Outgoing {
  const { method } = outgoing
  const turns =
    status === 303
      ? method !== 'GET' && method !== 'HEAD'
      : (status === 301 || status === 302) && method === 'POST'
  if (!turns) return outgoing
  const headers = new Map([...outgoing.headers].filter(([name]) => !name.startsWith('content-')))
  return { ...outgoing, method: 'GET', headers, body: undefined }
}

function refuseSecrets(next: Outgoing, from: Target): void {
  const isBare =
    next.body === undefined && ![...next.headers.keys()].some((name) => next.credentials.has(name))
  if (isBare) return
  throw refusal({
    where: whereOf(next.target),
    why: `${whereOf(from)} redirects there from https to http, with a request that carries credentials or a body`,
    todo: 'Send it to an https URL.',
  })
}
