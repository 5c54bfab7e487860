#!/usr/bin/env node
import { existsSync, readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isCancel, select, text } from '@clack/prompts'
import { APP_KINDS, type AppKind, packageNameFrom, writeApp } from '@surehand/scaffold'

const USAGE = `npm create surehand [FOLDER] [-- --kind ${APP_KINDS.join('|')} | --yes]`
const EXIT_USAGE = 2

class Cancelled extends Error {}

async function askFolder(): Promise<string> {
  const answer = await text({ message: 'Name of the folder', initialValue: 'my-tools' })
  if (isCancel(answer)) throw new Cancelled()
  return answer
}

async function askKind(): Promise<AppKind> {
  const answer = await select<AppKind>({
    message: 'What is it?',
    options: [
      { value: 'mcp', label: 'tools over MCP and HTTP' },
      { value: 'chat', label: 'the same, and a chat route of the AI SDK' },
    ],
  })
  if (isCancel(answer)) throw new Cancelled()
  return answer
}

function isAppKind(word: string): word is AppKind {
  return APP_KINDS.some((kind) => kind === word)
}

function refuse(message: string): number {
  console.error(`${message}\n${USAGE}`)
  return EXIT_USAGE
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kind: { type: 'string' }, yes: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help === true) {
    console.log(USAGE)
    return 0
  }
  if (values.kind !== undefined && !isAppKind(values.kind))
    return refuse(`There is no kind "${values.kind}". Nothing was written.`)
  const asks = values.yes !== true && process.stdin.isTTY === true
  const named = positionals[0] ?? (asks ? await askFolder() : 'my-tools')
  const folder = resolve(named)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return refuse(
      `${folder} is not empty. Name another folder, or run "npx surehand init" in it. Nothing was written.`,
    )
  const kind = values.kind ?? (asks ? await askKind() : 'mcp')
  const { written } = writeApp({ folder, name: packageNameFrom(basename(folder)), kind })
  console.log(`${written.length} files in ${folder}. Next:

  cd ${/\s/.test(named) ? JSON.stringify(named) : named}
  npm install
  npm test
  npm run dev`)
  return 0
}

try {
  process.exitCode = await main()
} catch (thrown) {
  if (thrown instanceof Cancelled) console.error('Cancelled. Nothing was written.')
  else if (thrown instanceof TypeError && 'code' in thrown) refuse(thrown.message)
  else throw thrown
  process.exitCode = EXIT_USAGE
}
