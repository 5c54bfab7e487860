import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'

export type Answer = { readonly status: number; readonly body: unknown }
export type OnceAnswer = Answer & { readonly isReplay: boolean }

const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Runs `work` once for a key. Its effect and its answer are stored in the same transaction, so a
 * killed process has stored both or neither, and a repetition is answered with the stored answer.
 * A refusal is not stored: nothing was changed, so the same key may be tried again.
 */
export function answerOnce(
  shop: Shop,
  { key, request }: { readonly key: string; readonly request: unknown },
  work: () => Answer,
): OnceAnswer {
  const requestHash = createHash('sha256').update(canonicalText(request)).digest('hex')
  const { store } = shop
  return store.write(() => {
    const earlier = store.one('select * from answers where key = ?', key)
    if (earlier !== undefined) {
      if (earlier.request_hash !== requestHash)
        throw new Refusal(
          'key_reused',
          'This Idempotency-Key was sent with another request. Send a new key for a new request.',
        )
      return {
        status: Number(earlier.status),
        body: JSON.parse(String(earlier.body)) as unknown,
        isReplay: true,
      }
    }
    const { status, body } = work()
    const now = shop.now()
    store.run('delete from answers where created_at < ?', now - REMEMBERED_MS)
    store.run(
      'insert into answers (key, request_hash, status, body, created_at) values (?, ?, ?, ?, ?)',
      key,
      requestHash,
      status,
      JSON.stringify(body),
      now,
    )
    return { status, body, isReplay: false }
  })
}

/** JSON with sorted members, so that the order in which a client writes them does not matter. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
