import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { EventDraft } from '../src/extract/draft.ts'
import { ModelReading } from '../src/extract/event-model-port.ts'
import {
  type ExtractOptions,
  type ExtractSource,
  extractEvent,
} from '../src/extract/extract-event.ts'
import { mergeModelReading } from '../src/extract/merge-model-reading.ts'
import { toModelRequest } from '../src/extract/to-model-request.ts'
import { writeQuestion } from '../src/extract/write-question.ts'
import type { FolderCase } from './case-folder.ts'

/** The recorded answers of a model by the id of the case. */
export type ModelAnswers = ReadonlyMap<string, ModelReading>
type RequestLine = { readonly id: string; readonly request: object }
export type CaseReader = {
  /** Reads a case as events.extract does whose model gives the recorded answer, if there is one. */
  readonly extractCase: (
    one: FolderCase,
  ) => (source: ExtractSource, options: ExtractOptions) => EventDraft
  /** What the model would have been sent for each case that was read. */
  readonly requests: () => readonly RequestLine[]
}

export function readCasesWith(answers: ModelAnswers): CaseReader {
  const requests: RequestLine[] = []
  return {
    extractCase: (one) => (source, options) => {
      const request = toModelRequest(source, {
        tenant: 'exam',
        now: options.now,
        timeZone: options.timeZone,
        locale: one.locale,
        // The picture itself is named, not copied, in the request.
        ...(one.image === undefined ? {} : { image: new Uint8Array() }),
      })
      requests.push({
        id: one.id,
        request: {
          ...writeQuestion(request),
          ...(one.image === undefined ? {} : { image: one.image }),
          schema: SCHEMA,
        },
      })
      const rules = extractEvent(source, options)
      const read = answers.get(one.id)
      return read === undefined ? rules : mergeModelReading(read, rules, request)
    },
    requests: () => requests,
  }
}

// The draft that the AI SDK writes.
const SCHEMA = z.toJSONSchema(ModelReading, { target: 'draft-7' })

export function writeRequests(file: string, requests: readonly RequestLine[]): void {
  writeFileSync(file, requests.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const AnswerLine = z.object({ id: z.string(), answer: z.unknown() })

/** Reads JSON lines `{ "id", "answer" }`. An answer that the tool would refuse counts as none. */
export function readAnswers(file: string): ModelAnswers {
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line.trim() !== '')
      .flatMap((line) => {
        const { id, answer } = AnswerLine.parse(JSON.parse(line))
        const read = ModelReading.safeParse(answer)
        return read.success ? [[id, read.data] as const] : []
      }),
  )
}
