import { errorRow } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { OcrReading } from '@surehand/reading'
import { type MarketWork, runTool } from '../engine/market-context.ts'
import { openMedia } from '../ocr/media-store.ts'
import { type PrescribedItem, readPrescription } from '../prescriptions/read-prescription.ts'
import {
  askPerson,
  type ClientRequest,
  moveRequest,
  readClientRequest,
  writeToClient,
} from './client-request.ts'
import { askOrBegin } from './collect-requirements.ts'
import { phrasesOf } from './texts.ts'

const MAX_ATTEMPTS = 3
const RETRY_MS = 60_000

/** Reads the picture of a job and goes on with the request. A job that has ended is left alone. */
export async function runOcrJob(work: MarketWork, jobId: string): Promise<void> {
  const [job] = await work.read(
    'select * from mk_ocr_jobs where tenant = ? and id = ?',
    work.tenant,
    jobId,
  )
  if (job === undefined) return
  const requestId = String(job.request_id)
  if (job.status === 'pending' || job.status === 'processing')
    await readPicture(work, jobId, String(job.media_url))
  const [after] = await work.read(
    'select status, extracted from mk_ocr_jobs where tenant = ? and id = ?',
    work.tenant,
    jobId,
  )
  if (after?.status === 'pending' || after?.status === 'processing') return
  const extracted =
    after?.status === 'completed' && after.extracted !== null
      ? (JSON.parse(String(after.extracted)) as Extracted)
      : undefined
  await useReading(work, requestId, jobId, extracted)
}

async function readPicture(work: MarketWork, jobId: string, url: string): Promise<void> {
  const { attempts } = await changeJob<{ attempts: number }>(work, jobId, { to: 'processing' })
  try {
    const { bytes } = await openMedia(work, url)
    const reading = await work.ocr.read({ tenant: work.tenant, image: bytes }, work.signal)
    const { confidence, ...extracted } = readItems(reading)
    await changeJob(work, jobId, { to: 'completed', extracted, confidence })
  } catch (thrown) {
    const error = toToolError(thrown)
    const mayRetry = errorRow(error.code).retryable && attempts < MAX_ATTEMPTS
    await changeJob(
      work,
      jobId,
      mayRetry
        ? { to: 'pending', run_after: work.now() + attempts * RETRY_MS, error: error.code }
        : { to: 'failed', error: `The picture could not be read (${error.code}).` },
    )
  }
}

function changeJob<T>(work: MarketWork, jobId: string, change: object): Promise<T> {
  return runTool<T>(work, {
    tool: 'marketplace.update_ocr_job',
    input: { job_id: jobId, change },
  })
}

/** What is certain becomes the need; everything else is asked back. */
async function useReading(
  work: MarketWork,
  requestId: string,
  jobId: string,
  extracted: Extracted | undefined,
): Promise<void> {
  const request = await readClientRequest(work, requestId)
  if (request?.state !== 'ocr_processing' || request.mode !== 'auto') return
  if (!work.settings().orchestratorEnabled) return
  const { pictureUnsure, pictureUnreadable } = phrasesOf(request.language)
  if (extracted === undefined || extracted.items.length === 0) {
    await moveRequest(work, request, 'collecting_requirements', {
      reason: 'nothing could be read from the picture',
    })
    await writeToClient(work, request, pictureUnreadable)
    await askPerson(work, {
      kind: 'unreadable_picture',
      subject: jobId,
      reason: 'The picture of a client could not be read.',
      request_id: request.id,
      conversation_id: request.conversationId,
    })
    return
  }
  const described = await describeItems(work, request, jobId, extracted)
  if (extracted.unsure.length > 0) {
    await writeToClient(work, request, pictureUnsure(extracted.unsure.join('; ')).slice(0, 4_096))
    return
  }
  if (described !== undefined) await askOrBegin(work, described)
}

async function describeItems(
  work: MarketWork,
  request: ClientRequest,
  jobId: string,
  { items, unsure }: Extracted,
): Promise<ClientRequest | undefined> {
  const sure = items.filter(({ ask }) => !ask)
  const need = sure.map(({ label }) => label).join(', ')
  await runTool(work, {
    tool: 'marketplace.describe_request',
    input: {
      request_id: request.id,
      requirements: {
        items: sure,
        // What is not certain is never asked for: the client writes it first.
        ...(unsure.length > 0 || need === '' ? {} : { need: need.slice(0, 300) }),
        ...(items.some(({ kind }) => kind === 'medicine') ? { category: 'pharmacy' } : {}),
      },
    },
    key: `ocr/${jobId}`,
  })
  await moveRequest(work, request, 'collecting_requirements', { reason: 'the picture was read' })
  return readClientRequest(work, request.id)
}

/** What was read from a picture. */
type Extracted = {
  readonly text: string
  readonly items: readonly ExtractedItem[]
  /** What must be asked back: items below their threshold, handwriting, lines that are not clear. */
  readonly unsure: readonly string[]
  readonly handwriting: boolean
  /** The same as questions in English, for an agent. */
  readonly questions: readonly string[]
}

export type ExtractedItem = PrescribedItem & {
  /** The item as a vendor is asked for it. */
  readonly label: string
}

/** The items of a prescription or a list, with what is not certain about them. */
function readItems(reading: OcrReading): Extracted & { readonly confidence: number } {
  const { items, confidence, handwriting, unsure, questions } = readPrescription(reading.lines)
  const labelled = items.map((item) => ({ ...item, label: labelOf(item) }))
  const asked = labelled.filter(({ ask }) => ask).map(({ written }) => written)
  return {
    text: reading.text,
    items: labelled,
    // Something is unsure although no item is: a line could not be read.
    unsure: unsure && asked.length === 0 ? ['…'] : asked,
    handwriting,
    questions,
    confidence,
  }
}

function labelOf({ name, strength, form, quantity }: PrescribedItem): string {
  return [name, strength, form, quantity === undefined ? undefined : `(${quantity})`]
    .filter((part) => part !== undefined)
    .join(' ')
}
