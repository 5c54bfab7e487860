import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { READ } from '../contract.ts'
import { marketData, numberOf, readerOf, textOf } from '../market-data.ts'
import { OcrStatus } from '../request/request.ts'
import { extractedOf } from './ocr-result.ts'

export const getOcrResult = defineTool({
  id: 'marketplace.get_ocr_result',
  title: 'What was read from a picture',
  category: 'marketplace',
  description:
    'The result of marketplace.create_ocr_job: the text, and medicines with dose and quantity where it is a prescription. extracted.unsure lists what must be asked back: everything below a confidence of 0.6, medicines below 0.75.',
  version: '1.0.0',
  input: z.object({ job_id: z.string().min(1).max(100) }),
  output: z.object({
    job_id: z.string(),
    status: OcrStatus,
    extracted: z.record(z.string(), z.json()).optional(),
    confidence: z.number().optional(),
    error: z.string().optional(),
  }),
  contract: { ...READ, effect: 'read', timeout: '5s' },
  requestId: ({ job_id: id }) => id,
  ports: { data: marketData },
  examples: [{ name: 'a job', input: { job_id: 'ocr_1' } }],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const [row] = await readerOf(ports.data, signal)(
      'select * from mk_ocr_jobs where tenant = ? and id = ?',
      tenant,
      input.job_id,
    )
    if (row === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no job ${input.job_id}.`)
    const extracted = extractedOf(row)
    const confidence = numberOf(row.confidence)
    const error = textOf(row.error)
    return {
      job_id: input.job_id,
      status: row.status as OcrStatus,
      ...(extracted === undefined ? {} : { extracted }),
      ...(confidence === undefined ? {} : { confidence }),
      ...(error === undefined ? {} : { error }),
    }
  },
})
