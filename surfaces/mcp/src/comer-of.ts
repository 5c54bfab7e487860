import type { IncomingHttpHeaders } from 'node:http'
import type { Comer } from '@surehand/edge'

/** Whoever is at the door, to be counted by where they come from. */
export function comerOf(headers: IncomingHttpHeaders, peer: Comer['peer']): Comer {
  return {
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    peer,
  }
}
