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

/** Sends once, through egress: no redirects, nothing in our own networks that was not opened, an answer nobody reads. */
export async function post(egress: Egress, { timeoutMs, ...sent }: Post): Promise<Posted> {
  try {
    const answer = await egress.stream({
      ...sent,
      method: 'POST',
      redirect: 'stop',
      limits: { wholeMs: timeoutMs },
    })
    answer.discard()
    return { status: answer.status }
  } catch (thrown) {
    return { trouble: toToolError(thrown).message }
  }
}
