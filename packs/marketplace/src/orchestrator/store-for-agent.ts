import { callTool, type MarketWork } from '../engine/market-context.ts'
import type { MessageEvent } from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import { downloadMedia, mediaUrlOf } from '../ocr/media-store.ts'
import { sourceCodeOf } from '../refuse.ts'
import type { ClientRequest } from './client-request.ts'
import { describeMessage } from './collect-requirements.ts'
import { runOcrJob } from './run-ocr-job.ts'

/**
 * Where an agent drives the requests: the need and the place are stored and pictures are read, so
 * that a snapshot shows them. Nothing is sent, and no state changes.
 */
export async function storeForAgent(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  if (event.media?.type.startsWith('image/')) await readPicture(work, request, event, event.media)
  else if (request.state === 'collecting_requirements' && event.media === undefined)
    await describeMessage(work, request, event, inbound)
  return 'stored for the agent'
}

async function readPicture(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  media: { readonly id: string; readonly type: string },
): Promise<void> {
  // Now, because WhatsApp's address expires within minutes.
  await downloadMedia(work, media.id)
  const created = await callTool(work, {
    tool: 'marketplace.create_ocr_job',
    input: {
      request_id: request.id,
      message_id: event.id,
      media_url: mediaUrlOf(media.id),
      media_type: media.type,
    },
  })
  if (created.status === 'done') await runOcrJob(work, (created.data as { job_id: string }).job_id)
  else if (created.status === 'failed' && sourceCodeOf(created.error) !== 'OCR_DISABLED')
    throw created.error
}
