import { readFileSync, writeFileSync } from 'node:fs'
import { type ModelAnswer, readModelAnswer } from '../src/replies/model/model-answer.ts'
import { writeReadingBody } from '../src/replies/model/openai-model.ts'
import { writeQuestion } from '../src/replies/model/write-question.ts'
import type { ReplyCase } from './reply-case.ts'

/**
 * Writes what the OpenAI adapter would send for each case, one JSON line each with the case's id, and
 * nothing of the known answers. Any model may be asked with it.
 */
export function writeRequests(file: string, cases: readonly ReplyCase[]): void {
  const lines = cases.flatMap(({ id, request, text }) => {
    const question = writeQuestion({ request, reply: text })
    return question === undefined
      ? []
      : [`${JSON.stringify({ id, ...writeReadingBody('any', question) })}\n`]
  })
  writeFileSync(file, lines.join(''))
}

/**
 * The recorded answers of a model by the id of the case: JSON lines `{ "id", "answer" }`, where the
 * answer is the model's JSON or the text that contains it and nothing else.
 */
export function readAnswers(file: string): ReadonlyMap<string, ModelAnswer | undefined> {
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { id, answer } = JSON.parse(line) as {
          readonly id: string
          readonly answer: unknown
        }
        const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
        return [id, readModelAnswer(text)]
      }),
  )
}
