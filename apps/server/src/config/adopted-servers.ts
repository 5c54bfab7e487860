import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '@surehand/core/internal'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

const adoptedForm = once(() =>
  z.strictObject({
    /** Commands, in the form of `mcpServers` in the configuration. */
    servers: z.record(z.string(), z.record(z.string(), z.json())),
    privateHosts: z.array(z.string()),
    /** What was done to clients' files, the newest last. */
    adoptions: z.array(
      z.strictObject({
        file: z.string(),
        backup: z.string(),
        /** The SHA-256 of the file as it was written: a different one was edited since. */
        written: z.string(),
        tenant: z.string(),
        servers: z.array(
          z.strictObject({
            /** The name in the client's file, and the name of the import. */
            name: z.string(),
            mount: z.string(),
            credentials: z.array(z.string()),
            privateHost: z.string().exactOptional(),
          }),
        ),
      }),
    ),
  }),
)

/** What `surehand adopt` has stored in the data folder, which only the operator can write. */
export type Adopted = z.infer<ReturnType<typeof adoptedForm>>
export type Adoption = Adopted['adoptions'][number]

const NOTHING: Adopted = { servers: {}, privateHosts: [], adoptions: [] }

function adoptedFile(data: string): string {
  return join(data, 'adopted.json')
}

export function readAdopted(data: string): Adopted {
  const file = adoptedFile(data)
  if (!existsSync(file)) return NOTHING
  try {
    return adoptedForm().parse(JSON.parse(readFileSync(file, 'utf8')), { jitless: true })
  } catch (cause) {
    throw new ConfigError(
      `${file} cannot be read. Restore it from a backup, or delete it and mount the servers again.`,
      { cause },
    )
  }
}

export function writeAdopted(data: string, adopted: Adopted): void {
  const file = adoptedFile(data)
  // A file that was written by half would keep every command from starting.
  writeFileSync(`${file}.new`, `${JSON.stringify(adopted, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
