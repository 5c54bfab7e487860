import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { OcrStatus } from '../request/request.ts'

const Input = z.object({
  job_id: z.string(),
  change: z.discriminatedUnion('to', [
    z.object({ to: z.literal('processing') }),
    z.object({
      to: z.literal('completed'),
      extracted: z.record(z.string(), z.json()),
      confidence: z.number().min(0).max(1),
    }),
    /** It is tried again at this time. */
    z.object({ to: z.literal('pending'), run_after: z.int(), error: z.string().max(500) }),
    z.object({ to: z.literal('failed'), error: z.string().max(500) }),
    /**
     * What was read is deleted; that there was a job stays. The due work deletes the picture itself
     * and then says so.
     */
    z.object({ to: z.literal('erased'), is_picture_deleted: z.boolean().default(false) }),
  ]),
})
type JobChange = z.output<typeof Input>

const update = defineTransaction(
  'marketplace.update_ocr_job',
  async (tx, { tenant, now, input }: WriteRequest<JobChange>) => {
    const { job_id: id, change } = input
    switch (change.to) {
      case 'processing':
        await tx.run(
          `update mk_ocr_jobs set status = 'processing', attempts = attempts + 1, updated_at = ? where tenant = ? and id = ? and status in ('pending', 'processing')`,
          now,
          tenant,
          id,
        )
        break
      case 'completed':
        await tx.run(
          `update mk_ocr_jobs set status = 'completed', extracted = ?, confidence = ?, error = null, updated_at = ? where tenant = ? and id = ? and status <> 'completed'`,
          JSON.stringify(change.extracted),
          change.confidence,
          now,
          tenant,
          id,
        )
        break
      case 'pending':
        await tx.run(
          `update mk_ocr_jobs set status = 'pending', run_after = ?, error = ?, updated_at = ? where tenant = ? and id = ? and status = 'processing'`,
          change.run_after,
          change.error,
          now,
          tenant,
          id,
        )
        break
      case 'failed':
        await tx.run(
          `update mk_ocr_jobs set status = 'failed', error = ?, updated_at = ? where tenant = ? and id = ? and status <> 'completed'`,
          change.error,
          now,
          tenant,
          id,
        )
        break
      case 'erased':
        await tx.run(
          `update mk_ocr_jobs set extracted = null, erased_at = coalesce(erased_at, ?), updated_at = ?,
            media_url = case when ? = 1 then '' else media_url end where tenant = ? and id = ?`,
          now,
          now,
          change.is_picture_deleted ? 1 : 0,
          tenant,
          id,
        )
        break
    }
    const row = await tx.get(
      'select status, attempts, request_id from mk_ocr_jobs where tenant = ? and id = ?',
      tenant,
      id,
    )
    if (row === undefined) throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no job ${id}.`)
    return {
      job_id: id,
      request_id: String(row.request_id),
      status: row.status as OcrStatus,
      attempts: Number(row.attempts),
    }
  },
)

export const updateOcrJob = defineTool({
  id: 'marketplace.update_ocr_job',
  title: 'Record how far the reading of a picture is',
  category: 'marketplace',
  description:
    'Part of reading a picture: begun, done, failed. Operators erase with it what was read.',
  version: '1.0.0',
  input: Input,
  output: z.object({
    job_id: z.string(),
    request_id: z.string(),
    status: OcrStatus,
    attempts: z.int(),
  }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.ocr' },
  requestId: ({ job_id: id }) => id,
  examples: [
    { name: 'begun', input: { job_id: 'ocr_1', change: { to: 'processing' } } },
    { name: 'erased', input: { job_id: 'ocr_1', change: { to: 'erased' } } },
  ],
  transaction: transact(update, writeRequest<JobChange>('ocu')),
})
