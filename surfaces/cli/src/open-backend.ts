import type { Backend } from './backend.ts'
import type { CliOptions } from './options.ts'
import { isUnencrypted, type Target } from './target.ts'

/** The app of a place, for one tool or for all. */
export async function openBackend(
  place: Target,
  { openLocal, terminal, fetch }: CliOptions,
  tool?: string,
): Promise<Backend> {
  if (place.kind === 'local')
    return (await import('./open-local-backend.ts')).openLocalBackend(
      (one) => openLocal(place.at, one),
      tool,
    )
  if (place.token !== undefined && isUnencrypted(place.url))
    terminal.stderr.write(
      'Warning: this address begins with http:, so the token can be read on its way.\n',
    )
  return (await import('./remote-backend.ts')).createRemoteBackend({
    url: place.url,
    token: place.token,
    fetch,
  })
}
