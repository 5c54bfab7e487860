import { createLog } from '../../../apps/server/src/log/log.ts'
import { createActionLinks } from '../../../apps/server/src/notifications/action-links.ts'
import { serve } from '../../../apps/server/src/serve/serve.ts'
import { describeError } from '../harness/parent.ts'
import { readNotesConfig } from './notes-app.ts'

/** Where the server listens, with the tokens of a person and of their agent. */
export type NotesServer = { readonly url: string; readonly ann: string; readonly agent: string }

const [data = '', databaseUrl] = process.argv.slice(2)
try {
  const config = await readNotesConfig({ data, databaseUrl })
  const { app, addresses, welcome } = await serve(config, createLog(config))
  const { ann = '', agent = '' } = welcome.demoTokens ?? {}
  const links = createActionLinks(app.keys.sessions)
  // A link as it stands in the message about a request.
  process.on('message', async ({ id }: { readonly id: string }) => {
    const approval = await app.runtime.approvals.get('demo', id)
    process.send?.({ link: `${addresses.publicUrl}/act/${links.write(approval, 'ann')}` })
  })
  process.send?.({ url: addresses.publicUrl, ann, agent } satisfies NotesServer)
} catch (thrown) {
  process.send?.({ error: describeError(thrown) })
}
process.on('disconnect', () => process.exit(0))
