import {
  inTranscriptShop,
  type RecordedConversation,
  recordPurchase,
  renderTranscripts,
  type Verdict,
} from '@surehand/testing/fixtures/transcript.ts'
import { expect, test } from 'vitest'
import { MODEL_CLIENTS, type OpenClient } from './fixtures/clients.ts'
import { serve } from './fixtures/serve.ts'

function recordClient(open: OpenClient, verdict: Verdict): Promise<RecordedConversation> {
  return inTranscriptShop(async (shop) => {
    const { runtime, agent, approvalUrl } = shop
    const served = await serve(runtime, { ann: agent }, { approvalUrl })
    const client = await open(served, 'ann')
    try {
      return await recordPurchase(verdict, shop, client.call)
    } finally {
      await client.close()
      await served.close()
    }
  })
}

test('the transcripts of the documentation are what models read behind each client', async () => {
  const sections = []
  for (const [name, open] of Object.entries<OpenClient>(MODEL_CLIENTS))
    sections.push({
      title: name,
      conversations: [await recordClient(open, 'approve'), await recordClient(open, 'deny')],
    })
  const page = renderTranscripts({
    title: 'Transcripts: MCP clients',
    about:
      'What a model reads of a purchase that a person must approve, behind each MCP client and over HTTP.',
    test: 'surfaces/mcp/src/transcripts.test.ts',
    sections,
  })
  await expect(page).toMatchFileSnapshot('../../../docs/transcripts/mcp.md')
})
