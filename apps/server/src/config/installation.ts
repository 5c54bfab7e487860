import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

const Installation = z.strictObject({ home: z.string(), demo: z.boolean() })

/** How a data folder was first opened. Later starts use the same first tenant and demo setting. */
export type Founded = z.infer<typeof Installation>

function installationFile(data: string): string {
  return join(data, 'installation.json')
}

export function readInstallation(data: string): Founded | undefined {
  const file = installationFile(data)
  if (!existsSync(file)) return undefined
  try {
    return Installation.parse(JSON.parse(readFileSync(file, 'utf8')), { jitless: true })
  } catch (thrown) {
    throw new ConfigError(
      `${file} cannot be read. Write {"home":"…","demo":false} into it, with the name of the first tenant.`,
      {
        cause: thrown,
      },
    )
  }
}

export function writeInstallation(data: string, installation: Founded): void {
  const known = readInstallation(data)
  if (known === undefined)
    writeFileSync(
      installationFile(data),
      `${JSON.stringify({ home: installation.home, demo: installation.demo })}\n`,
      {
        mode: 0o600,
      },
    )
  // Under another name, no principal of the existing tenant would be known.
  else if (known.home !== installation.home)
    throw new ConfigError(
      `The data folder ${data} has the first tenant "${known.home}", but the setting home is "${installation.home}". Leave the setting out, or use another data folder.`,
    )
}
