import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTerminal } from '@surehand/testing'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'surehand-create-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = join(import.meta.dirname, 'create-surehand.ts')

function create(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('without a terminal nothing is asked: the app is named after its folder', () => {
  expect(create('My Tools')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('cd "My Tools"\n  npm install'),
  })
  const { name } = JSON.parse(readFileSync(join(folder, 'My Tools/package.json'), 'utf8'))
  expect(name).toBe('my-tools')
})

test('a folder with files, an unknown kind and an unknown flag are refused, and nothing is written', () => {
  writeFileSync(join(folder, 'mine.txt'), '')
  const before = readdirSync(folder)
  expect(create('.').stderr).toMatch(/is not empty.*surehand init.*Nothing was written/s)
  expect(create('new', '--kind', 'robot')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no kind "robot"'),
  })
  expect(create('new', '--colour').stderr).toMatch(/--colour.*npm create surehand/s)
  expect(readdirSync(folder)).toEqual(before)
})

const ENTER = '\r'
const DOWN = '\u001b[B'
const CONTROL_C = '\u0003'

test('on a terminal the folder and the kind are asked for', async () => {
  const { code } = await onTerminal(
    [process.execPath, program],
    [
      { see: 'Name of the folder', type: `-of-ann${ENTER}` },
      { see: 'What is it?', type: `${DOWN}${ENTER}` },
    ],
    { cwd: folder },
  )
  expect(code).toBe(0)
  const { name, dependencies } = JSON.parse(
    readFileSync(join(folder, 'my-tools-of-ann/package.json'), 'utf8'),
  )
  expect(name).toBe('my-tools-of-ann')
  expect(Object.keys(dependencies)).toContain('ai')
})

test('Ctrl-C at a question leaves no folder behind', async () => {
  const before = readdirSync(folder)
  const { code, screen } = await onTerminal(
    [process.execPath, program, 'left'],
    [{ see: 'What is it?', type: CONTROL_C }],
    { cwd: folder },
  )
  expect(code).toBe(2)
  expect(screen).toContain('Cancelled. Nothing was written.')
  expect(readdirSync(folder)).toEqual(before)
})
