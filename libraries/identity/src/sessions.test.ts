import { describe, expect, test } from 'vitest'
import { createSessions } from './sessions.ts'

let nowMs = Date.parse('2026-02-01T10:00:00Z')
const clock = { now: () => nowMs, ticks: () => nowMs, after: () => () => undefined }
const key = Buffer.alloc(32, 7)
const sessions = createSessions({ clock, key, lifeSeconds: 60 })
const pairOf = ({ cookie }: { readonly cookie: string }): string => cookie.split(';')[0] ?? ''

describe('a session', () => {
  test('is a cookie for this host only, which scripts and other sites cannot use', () => {
    const { cookie } = sessions.open({ tenant: 'home', principal: 'ann' })
    expect(cookie).toMatch(
      /^__Host-surehand=[\w-]+\.[\w-]{43}; Max-Age=60; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  test('identifies the person until it expires', () => {
    const cookie = pairOf(sessions.open({ tenant: 'home', principal: 'ann', token: 't1' }))
    expect(sessions.read(`other=1; ${cookie}`)).toMatchObject({
      tenant: 'home',
      principal: 'ann',
      token: 't1',
    })
    nowMs += 60_000
    expect(sessions.read(cookie)).toBeUndefined()
  })

  test('that was changed, signed with another key, sent twice or is missing is refused', () => {
    const cookie = pairOf(sessions.open({ tenant: 'home', principal: 'ann' }))
    const [body = '', signature = ''] = cookie.slice('__Host-surehand='.length).split('.')
    const forged = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace('ann', 'eve'),
    ).toString('base64url')
    expect(sessions.read(`__Host-surehand=${forged}.${signature}`)).toBeUndefined()
    expect(createSessions({ clock, key: Buffer.alloc(32, 8) }).read(cookie)).toBeUndefined()
    expect(sessions.read(`${cookie}; ${cookie}`)).toBeUndefined()
    expect(sessions.read(undefined)).toBeUndefined()
    expect(sessions.read('__Host-surehand=x')).toBeUndefined()
    expect(sessions.read(cookie)).toBeDefined()
  })

  test('creates seals that are valid for itself and one purpose only, and not as a cookie', () => {
    const [ann, bob] = ['ann', 'bob'].map((principal) =>
      sessions.read(pairOf(sessions.open({ tenant: 'home', principal }))),
    )
    if (ann === undefined || bob === undefined) throw new Error('no person is signed in')
    const seal = sessions.seal(ann, 'appr_1 digest')
    expect(sessions.isSealed(ann, 'appr_1 digest', seal)).toBe(true)
    expect([
      sessions.isSealed(ann, 'appr_2 digest', seal),
      sessions.isSealed(bob, 'appr_1 digest', seal),
    ]).toEqual([false, false])
  })

  test('requires a key of sufficient length', () => {
    expect(() => createSessions({ clock, key: Buffer.alloc(8) })).toThrow('at least 32 bytes')
  })
})
