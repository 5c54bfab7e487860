import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

type Inserted = {
  readonly id: string
  readonly title: string
  readonly notes?: string
  readonly due?: string
}

const PATH = '/tasks/v1/lists/:list/tasks'

/** Google Tasks v1: insert and list, with pages; it assigns the ids. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: PATH, handle: insert },
  { method: 'GET', path: PATH, handle: list },
]

function insert(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  if (!isSignedIn(request))
    return failure(401, 'UNAUTHENTICATED', 'Request is missing required authentication credential.')
  const { title = '', notes, due } = request.json() as Partial<Inserted>
  if (title.length > 1_024) return failure(400, 'INVALID_ARGUMENT', 'Task title too long.')
  const task = {
    id: Buffer.from(`task-${log.effects().length + 1}`).toString('base64url'),
    title,
    ...(notes === undefined ? {} : { notes }),
    ...(due === undefined ? {} : { due }),
  }
  return { body: { kind: 'tasks#task', status: 'needsAction', ...task }, effect: task }
}

function list(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  if (!isSignedIn(request))
    return failure(401, 'UNAUTHENTICATED', 'Request is missing required authentication credential.')
  const from = Number(request.query.get('pageToken') ?? 0)
  const size = Math.min(100, Number(request.query.get('maxResults') ?? 20))
  const all = log.effects().map(({ effect }) => effect as Inserted)
  const items = all
    .slice(from, from + size)
    .map((task) => ({ kind: 'tasks#task', status: 'needsAction', ...task }))
  const next = from + size < all.length ? { nextPageToken: String(from + size) } : {}
  return { body: { kind: 'tasks#tasks', items, ...next } }
}

function isSignedIn({ headers }: EmulatorRequest): boolean {
  return headers.authorization?.startsWith('Bearer ') === true
}

function failure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}
