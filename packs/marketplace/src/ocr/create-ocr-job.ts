import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { WRITE, type WriteRequest, writeRequest } from '../contract.ts'
import { settingsPort } from '../market-settings.ts'
import { lockRequest } from '../request/store-request.ts'

const Input = z.object({
  request_id: z.string().min(1).max(100),
  message_id: z.string().min(1).max(255).describe("The client's message with the picture."),
  media_url: z
    .string()
    .min(1)
    .max(2_048)
    .describe('Where the picture is: https, or the whatsapp-media address of the message.'),
  media_type: z.string().min(1).max(100).describe('For example image/jpeg.'),
})
type JobInput = z.output<typeof Input>

const createJob = defineTransaction(
  'marketplace.create_ocr_job',
  async (tx, { tenant, now, id, input }: WriteRequest<JobInput>) => {
    await lockRequest(tx, { tenant, id: input.request_id, now })
    await tx.run(
      `insert into mk_ocr_jobs (tenant, id, request_id, message_id, media_url, media_type, status, run_after, created_at, updated_at)
        values (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?) on conflict (tenant, request_id, message_id) do nothing`,
      tenant,
      id,
      input.request_id,
      input.message_id,
      input.media_url,
      input.media_type,
      now,
      now,
      now,
    )
    const row = await tx.get(
      'select id, status from mk_ocr_jobs where tenant = ? and request_id = ? and message_id = ?',
      tenant,
      input.request_id,
      input.message_id,
    )
    // A job that has ended answers as one that is processed: its result is read by its id.
    return {
      job_id: String(row?.id),
      status: row?.status === 'pending' ? ('pending' as const) : ('processing' as const),
    }
  },
)

export const createOcrJob = defineTool({
  id: 'marketplace.create_ocr_job',
  title: 'Read a picture',
  category: 'marketplace',
  description:
    'Queues a picture that the client sent, such as a prescription or a list, to be read. The result comes with marketplace.get_ocr_result. A message is read once: a repeat returns the same job.',
  version: '1.0.0',
  input: Input,
  output: z.object({ job_id: z.string(), status: z.enum(['pending', 'processing']) }),
  contract: {
    ...WRITE,
    effect: 'writes.ocr',
    reversible: true,
    idempotency: ({ request_id: request, message_id: message }) => `ocr/${request}/${message}`,
    timeout: '5s',
    gates: [
      {
        name: 'OCR_DISABLED',
        check: async ({ ports }) =>
          (await ports.settings.read()).ocrEnabled
            ? undefined
            : { message: 'Reading pictures is switched off. Ask the client to write it down.' },
      },
    ],
  },
  requestId: ({ request_id: id }) => id,
  ports: { settings: settingsPort },
  examples: [
    {
      name: 'a prescription',
      input: {
        request_id: 'req_1',
        message_id: 'wamid.photo-1',
        media_url: 'whatsapp-media:1234567890',
        media_type: 'image/jpeg',
      },
    },
    {
      name: 'a list',
      input: {
        request_id: 'req_1',
        message_id: 'wamid.photo-2',
        media_url: 'https://example.com/list.png',
        media_type: 'image/png',
      },
    },
  ],
  transaction: transact(createJob, writeRequest<JobInput>('ocr')),
})
