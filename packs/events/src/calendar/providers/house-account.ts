import { isToolError } from '@surehand/core'

type Fetch = typeof globalThis.fetch

/** With a token of the house: whoever calls, it is that one account's calendars they see. */
export function withToken(send: Fetch, token: string): Fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}

/** The house's account for tenants that have none of their own; one that has some trouble is not passed over for it. */
export function orHouse(own: Fetch, house: Fetch): Fetch {
  return async (input, init) => {
    try {
      return await own(input, init)
    } catch (thrown) {
      // said before anything is sent
      if (isToolError(thrown) && thrown.details?.source_code === 'credential_missing')
        return house(input, init)
      throw thrown
    }
  }
}
