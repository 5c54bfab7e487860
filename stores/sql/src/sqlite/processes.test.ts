import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Child, startChild } from './fixtures/child.ts'
import { addJobs, jobsLeft, notesOf } from './fixtures/fixture-steps.ts'
import { aFile, openFixture } from './fixtures/open-fixture.ts'

function resultOf({ lines }: Child, word: string): readonly string[] {
  return lines
    .filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1))
}

test('two processes on one file share fairly: neither has under a quarter', async () => {
  const file = await aFile()
  const children = ['one', 'other'].map((name) => startChild(file, ['hammer', name, '3000']))
  await Promise.all(children.map(({ line }) => line('open')))
  for (const { process } of children) process.stdin?.write('go\n')
  const counts = await Promise.all(
    children.map(async ({ line }) => Number((await line('done')).slice('done '.length))),
  )
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(counts.reduce((sum, count) => sum + count) / 4)
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0])
})

test('a process that is killed while it writes loses nothing that was acknowledged', async () => {
  const file = await aFile()
  const result: string[] = []
  for (let round = 0; round < 3; round++) {
    const child = startChild(file, ['tell', String(round)])
    await expect.poll(() => resultOf(child, 'told').length, { interval: 20 }).toBeGreaterThan(200)
    child.process.kill('SIGKILL')
    expect(await child.ended).toBe('SIGKILL')
    result.push(...resultOf(child, 'told'))
  }
  const { step } = await openFixture({ file })
  const { ids, count } = await step(notesOf, '')
  expect(result.filter((id) => !ids.includes(id))).toEqual([])
  // both halves of each, whatever was under way
  expect(count).toBe(ids.length)
})

test('a disk that takes no more gives TOOL_STORAGE_ERROR, keeps what was acknowledged, and is written to when it is well again', async () => {
  const file = await aFile()
  const child = startChild(file, ['fill'], "trap '' XFSZ; ulimit -S -f 4096")
  expect(await child.line('refused')).toBe('refused TOOL_STORAGE_ERROR')
  execFileSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited'])
  child.process.stdin?.write('go\n')
  await child.line('well')
  expect(await child.ended).toBe(0)
  const { step } = await openFixture({ file })
  expect((await step(notesOf, '')).ids.toSorted()).toEqual(resultOf(child, 'told').toSorted())
})

test('two processes that work on one queue are handed each job once', async () => {
  const database = await openFixture()
  const children = [0, 1].map(() => startChild(database.file, ['work']))
  await Promise.all(children.map(({ line }) => line('open')))
  const jobs = Array.from({ length: 400 }, (_, index) => `job-${String(index).padStart(3, '0')}`)
  await database.step(addJobs, jobs)
  await expect.poll(() => database.step(jobsLeft, null)).toEqual([])
  for (const { process } of children) process.stdin?.write('stop\n')
  await Promise.all(children.map(({ ended }) => ended))
  expect(children.flatMap((child) => resultOf(child, 'job')).toSorted()).toEqual(jobs)
})
