import type { Backend } from './backend.ts'
import type { CliOptions } from './options.ts'
import { isUnencrypted, type Target } from './target.ts'

/** Opens the backend of a target, for one tool or for all. */
export async function openBackend(
  place: Target,
  { openLocal, terminal, fetch }: CliOptions,
  tool?: string,
): Promise<Backend> {
  if (place.kind === 'local')
    return (await import('./local-backend.ts')).openLocalBackend(
      (one) => openLocal(place.at, one),
      tool,
    )
  if (place.token !== undefined && isUnencrypted(place.url))
    terminal.stderr.write(
      'Warning: the token is sent unencrypted, because the address begins with http:.\n',
    )
  return (await import('./remote-backend.ts')).createRemoteBackend({
    url: place.url,
    token: place.token,
    fetch,
  })
}
