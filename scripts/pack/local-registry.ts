import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { tarballOf } from './packed-folders.ts'

export type LocalRegistry = {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * A registry with our tarballs, which sends npm elsewhere for all other packages: with it, packages
 * are installed as users install them, before they are published.
 */
export async function startLocalRegistry(packed: {
  readonly packages: string
  readonly tarballs: string
  /** The registry that has all other packages. */
  readonly upstream: string
}): Promise<LocalRegistry> {
  const ours = new Map<string, (url: string) => object>()
  for (const folder of readdirSync(packed.packages)) {
    const manifest = JSON.parse(readFileSync(join(packed.packages, folder, 'package.json'), 'utf8'))
    ours.set(manifest.name, (url) => describePackage(manifest, packed.tarballs, url))
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    const tarball = /^tarballs\/([\w.-]+\.tgz)$/.exec(path)?.[1]
    const describe = ours.get(path)
    if (tarball !== undefined) response.end(readFileSync(join(packed.tarballs, tarball)))
    else if (describe !== undefined)
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(describe(`http://${request.headers.host}`)))
    else
      response.writeHead(307, { location: new URL(request.url ?? '/', packed.upstream).href }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Named = { readonly name: string; readonly version: string }

function describePackage(manifest: Named, tarballs: string, url: string): object {
  const { name, version } = manifest
  const file = tarballOf(manifest)
  const sum = createHash('sha512')
    .update(readFileSync(join(tarballs, file)))
    .digest('base64')
  const dist = { tarball: `${url}/tarballs/${file}`, integrity: `sha512-${sum}` }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}
