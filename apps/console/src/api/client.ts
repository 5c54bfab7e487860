import { serverUrl } from '../mount.ts'

/** A request that the server refused, or could not be reached for (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(message: string, status: number, code: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Whether the forms beside a list are of use: not where the server refused the list itself, and not
 * before it has answered.
 */
export function mayChange(list: {
  readonly isPending: boolean
  readonly error: Error | null
}): boolean {
  return !list.isPending && !(list.error instanceof ApiError && list.error.status === 403)
}

type Envelope = {
  readonly data: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

export type Query = Readonly<Record<string, string | number | undefined>>

/** Reads from the API. The type is that of the API's own schema for this path. */
export async function getData<T>(path: string, query: Query = {}): Promise<T> {
  return (await send('GET', path + searchOf(query))).data as T
}

export async function postData<T>(path: string, body: unknown): Promise<T> {
  return (await send('POST', path, body)).data as T
}

/** Replaces a record; `version` is the one that was read, undefined for a new record. */
export async function putData<T>(path: string, body: unknown, version?: number): Promise<T> {
  return (await send('PUT', path, body, ifMatch(version))).data as T
}

export async function deleteData(path: string, version?: number): Promise<void> {
  await send('DELETE', path, undefined, ifMatch(version))
}

function ifMatch(version: number | undefined): Headers {
  return version === undefined ? {} : { 'if-match': `"${version}"` }
}

/** The whole envelope, whatever its status: a failed call is an answer too. */
export async function getEnvelope<T>(path: string): Promise<T> {
  return wholeEnvelope(await reach('GET', path))
}

/** Calls a tool. The key makes a form that is sent twice one call. */
export async function postCall<T>(path: string, input: unknown, key: string): Promise<T> {
  return wholeEnvelope(await reach('POST', path, input, { 'idempotency-key': key }))
}

async function wholeEnvelope<T>(response: Response): Promise<T> {
  if (response.status === 401 || response.status === 404) await toEnvelope(response)
  return (await response.json()) as T
}

/** The body as it arrives, for exports. */
export async function getStream(
  path: string,
  signal?: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await reach('GET', path, undefined, {}, signal)
  if (!response.ok || response.body === null) await toEnvelope(response)
  return response.body as ReadableStream<Uint8Array>
}

type Headers = Readonly<Record<string, string>>

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers?: Headers,
): Promise<Envelope> {
  return toEnvelope(await reach(method, path, body, headers))
}

async function toEnvelope(response: Response): Promise<Envelope> {
  const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
  if (response.ok && envelope !== undefined) return envelope
  const { code = '', message = `The server answered ${response.status}. Try again.` } =
    envelope?.error ?? {}
  throw new ApiError(message, response.status, code)
}

async function reach(
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(serverUrl(path), {
      method,
      credentials: 'same-origin',
      headers: {
        // Without it the server ignores the session: pages of other origins cannot send it.
        'surehand-page': 'console',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch {
    throw new ApiError('The server cannot be reached. It is tried again by itself.', 0, '')
  }
}

function searchOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Signs in with a person's token; false where the server does not accept it. */
export async function signIn(token: string): Promise<boolean> {
  const answer = await postForm('sign-in', { token })
  // Accepted tokens lead to another page, which is not followed.
  return answer.type === 'opaqueredirect'
}

/** Ends the session on the server. */
export async function signOut(): Promise<void> {
  await postForm('sign-out', {})
}

function postForm(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(serverUrl(path), {
    method: 'POST',
    credentials: 'same-origin',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
}
