import { toToolError } from '@surehand/core/internal'
import type { Egress } from '@surehand/egress'

export type Posted = { readonly status: number } | { readonly trouble: string }

export type Post = {
  readonly tenant: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

/** Sends one request through egress: no redirects, no private hosts that are not allowed; the body of the response is discarded. */
export async function post(egress: Egress, { timeoutMs, ...sent }: Post): Promise<Posted> {
  try {
    const answer = await egress.stream({
      ...sent,
      method: 'POST',
      redirect: 'stop',
      limits: { totalMs: timeoutMs },
    })
    answer.discard()
    return { status: answer.status }
  } catch (thrown) {
    return { trouble: toToolError(thrown).message }
  }
}
