import type { Backend } from './backend.ts'
import type { CliOptions } from './options.ts'
import { isInPlainSight, type Place } from './place.ts'

/** The house of a place, for one tool or for all. */
export async function openBackend(
  place: Place,
  { openLocal, terminal, fetch }: CliOptions,
  tool?: string,
): Promise<Backend> {
  if (place.kind === 'local')
    return (await import('./open-local-backend.ts')).openLocalBackend(
      (one) => openLocal(place.at, one),
      tool,
    )
  if (place.token !== undefined && isInPlainSight(place.url))
    terminal.stderr.write(
      'Warning: this address begins with http:, so the token can be read on its way.\n',
    )
  return (await import('./remote-backend.ts')).remoteBackend({
    url: place.url,
    token: place.token,
    fetch,
  })
}
