import type { ErasureOrder, ErasureReceipt } from '../market-port.ts'
import { deleteMedia, mediaUrlOf } from '../ocr/media-store.ts'
import { requireRequest } from '../request/store-request.ts'
import { type MarketWork, runTool } from './market-context.ts'

/** Deletes pictures first: the rows say which there are, so a crash in between loses none. */
export async function eraseClient(
  work: MarketWork,
  { requestId }: ErasureOrder,
): Promise<ErasureReceipt> {
  const { conversationId } = await requireRequest(work.read, work.tenant, requestId)
  const media = await work.read(
    `select media_id from mk_messages where tenant = ? and party = 'client' and party_id = ? and media_id is not null`,
    work.tenant,
    conversationId,
  )
  for (const { media_id: id } of media) await deleteMedia(work, mediaUrlOf(String(id)))
  return runTool(work, {
    tool: 'marketplace.erase_client_rows',
    input: { conversation_id: conversationId },
  })
}
