import type { Backend } from './backend.ts'
import type { CliOptions } from './options.ts'
import { isInPlainSight, type Place } from './place.ts'

/** The house of a place. */
export async function openBackend(place: Place, { openLocal, terminal, fetch }: CliOptions): Promise<Backend> {
  if (place.kind === 'local') {
    const house = await openLocal(place.at)
    return (await import('./local-backend.ts')).localBackend(house)
  }
  if (place.token !== undefined && isInPlainSight(place.url))
    terminal.stderr.write('Warning: this address begins with http:, so the token can be read on its way.\n')
  return (await import('./remote-backend.ts')).remoteBackend({ url: place.url, token: place.token, fetch })
}
