import { once, sha256 } from '@surehand/core/internal'
import type { Clock, ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { Session } from './sessions.ts'
import { createUseNotes } from './use-notes.ts'

// Created on first use: a command that opens no session must not pay for it.
const sessionForm = once(() =>
  z.strictObject({
    /** Names the session without being a part of its cookie. */
    id: z.string(),
    startedAt: z.number(),
    /** To the minute. */
    lastUsedAt: z.number(),
    expiresAt: z.number(),
    /** The kind of client, as in "Firefox on Linux". */
    client: z.string(),
    signedInWith: z.enum(['token', 'link', 'issuer']),
    /** The token that it was opened with: it ends when the token is revoked. */
    token: z.string().exactOptional(),
  }),
)

/** An open session of a page, as its person sees it. */
export type OpenSession = z.infer<ReturnType<typeof sessionForm>>

type Person = Pick<Session, 'tenant' | 'principal'>

/** The sessions of people, which end on every node at once. */
export type OpenSessions = {
  readonly add: (session: Session, client: string) => Promise<void>
  /** Notes in the background that it was used. */
  readonly note: (session: Session) => void
  /** Those that were neither ended nor have expired, the newest first. */
  readonly list: (person: Person) => Promise<readonly OpenSession[]>
  readonly end: (person: Person, sessions: readonly EndingSession[]) => Promise<void>
  readonly hasEnded: (session: Session) => Promise<boolean>
}

type EndingSession = Pick<OpenSession, 'id' | 'expiresAt'>

// A person who opens more ends those that were not used for the longest time.
const MOST_SESSIONS = 100
const MOST_TRIES = 20

/** What names a session outside: its own id is a part of the cookie. */
export function publicSessionId({ id }: Pick<Session, 'id'>): string {
  return sha256(id)
}

/** In a store that all nodes share, as long as the cookies are valid. */
export function storedOpenSessions(values: ValueStore, clock: Clock): OpenSessions {
  // The keys do not name the person.
  const listKey = ({ principal }: Person): string => `surehand.sessions:${sha256(principal)}`
  const endedKey = (id: string): string => `surehand.ended-session:${id}`

  /** Changes the list of a person; it is stored until the last session of it expires. */
  async function changeList(
    person: Person,
    change: (sessions: readonly OpenSession[]) => readonly OpenSession[],
  ): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const expected = await values.get(person.tenant, listKey(person))
      const before = readList(expected, clock.now())
      const after = change(before)
      const lastsUntil = Math.max(0, ...after.map(({ expiresAt }) => expiresAt))
      const value = JSON.stringify(after)
      if (value === (expected ?? '[]')) return
      const ttlMs = Math.max(1, lastsUntil - clock.now())
      if (await values.replace(person.tenant, listKey(person), { expected, value, ttlMs })) return
    }
    throw new Error('The list of sessions was changed too often at once.')
  }

  async function markEnded(tenant: string, sessions: readonly EndingSession[]): Promise<void> {
    for (const { id, expiresAt } of sessions)
      await values.set(tenant, endedKey(id), '', Math.max(1, expiresAt - clock.now()))
  }

  const notes = createUseNotes<Session>(clock, (session, at) =>
    changeList(session, (sessions) =>
      sessions.map((one) =>
        one.id === publicSessionId(session) && at > one.lastUsedAt
          ? { ...one, lastUsedAt: at }
          : one,
      ),
    ),
  )

  return {
    async add(session, client) {
      const now = clock.now()
      const { token, claimed, expiresAt } = session
      const added: OpenSession = {
        id: publicSessionId(session),
        startedAt: now,
        lastUsedAt: now,
        expiresAt,
        client,
        signedInWith: claimed !== undefined ? 'issuer' : token !== undefined ? 'token' : 'link',
        ...(token === undefined ? {} : { token }),
      }
      let surplus: readonly OpenSession[] = []
      await changeList(session, (before) => {
        const newest = before.toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)
        surplus = newest.slice(MOST_SESSIONS - 1)
        return [added, ...newest.slice(0, MOST_SESSIONS - 1)]
      })
      await markEnded(session.tenant, surplus)
    },
    note: (session) => notes.note(publicSessionId(session), session),
    async list(person) {
      const stored = readList(await values.get(person.tenant, listKey(person)), clock.now())
      return stored.toSorted((one, other) => other.startedAt - one.startedAt)
    },
    async end(person, sessions) {
      // First refused, then off the list: what is not listed cannot be ended any more.
      await markEnded(person.tenant, sessions)
      const ended = new Set(sessions.map(({ id }) => id))
      await changeList(person, (before) => before.filter(({ id }) => !ended.has(id)))
    },
    hasEnded: async (session) =>
      (await values.get(session.tenant, endedKey(publicSessionId(session)))) !== undefined,
  }
}

function readList(json: string | undefined, now: number): readonly OpenSession[] {
  const stored = json === undefined ? [] : z.array(sessionForm()).parse(JSON.parse(json))
  return stored.filter(({ expiresAt }) => expiresAt > now)
}
