import { z } from 'zod'
import type { Config } from '../../../apps/server/src/config/read-config.ts'
import { readDemoConfig } from '../../../apps/server/src/fixtures/demo-config.ts'
import { definePack, defineTool } from '../../../core/src/index.ts'

/** Where the server and the local command keep their data. */
export type Place = { readonly data: string; readonly databaseUrl: string | undefined }

// It can be undone, so that a link in a message may approve it too, and it takes no time itself.
const write = defineTool({
  id: 'notes.write',
  title: 'Write a note',
  category: 'custom',
  description: 'Writes a note, which can be deleted again.',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  contract: {
    effect: 'writes.note',
    reversible: true,
    idempotency: 'caller',
    approval: ({ text }) => `Write "${text}"?`,
  },
  execute: async ({ input }) => input,
})

/** The configuration of the server, which the command in another process shares. */
export async function readNotesConfig({ data, databaseUrl }: Place): Promise<Config> {
  const env = {
    SUREHAND_DATA: data,
    SUREHAND_PORT: '0',
    SUREHAND_HOME: 'demo',
    SUREHAND_LOG_LEVEL: 'error',
    ...(databaseUrl === undefined ? {} : { SUREHAND_DATABASE_URL: databaseUrl }),
  }
  const config = await readDemoConfig({ env, folder: data })
  return { ...config, packs: [definePack({ name: 'notes', tools: [write] })] }
}
