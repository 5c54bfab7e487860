import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CANCELLED, createPrompt, isInteractive, type Terminal, UsageError } from '@surehand/cli'
import { APP_KINDS, type AppKind, packageNameFrom, writeApp } from '@surehand/scaffold'
import { USAGES } from './usages.ts'
import { printAnswer, type RunCommand, readOutput } from './with-app.ts'

const EXIT_CANCELLED = 130

/** `surehand init`: the files of a first app, in the current folder or the one that is named. */
export const runInit: RunCommand = async (args, terminal) => {
  const { words, output } = readOutput(args, terminal)
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { kind: { type: 'string' }, name: { type: 'string' }, yes: { type: 'boolean' } },
  })
  const folder = resolve(positionals[0] ?? '.')
  const given = { name: values.name, kind: readKind(values.kind) }
  const defaults = { name: packageNameFrom(basename(folder)), kind: 'mcp' } as const
  const asks = values.yes !== true && output.format === 'words' && isInteractive(terminal)
  const answers = asks ? await ask(terminal, given, defaults) : given
  if (answers === CANCELLED) {
    terminal.stderr.write('Cancelled. Nothing was written.\n')
    return EXIT_CANCELLED
  }
  const { name = defaults.name, kind = defaults.kind } = answers
  const app = { folder, name: packageNameFrom(name), kind }
  const { written, kept, notes } = writeApp(app)
  const lines = [
    ...written.map((file) => `  wrote  ${file}`),
    ...kept.map((file) => `  kept   ${file}, which existed`),
    '',
    ...notes.flatMap((note) => [note, '']),
    'Next: npm install, npm test, npm run dev',
    '',
  ]
  printAnswer(output, { data: { ...app, written, kept, notes }, text: lines.join('\n') })
  return 0
}

type Answers = { readonly name?: string | undefined; readonly kind?: AppKind | undefined }

async function ask(
  terminal: Terminal,
  given: Answers,
  defaults: Required<Answers>,
): Promise<Answers | typeof CANCELLED> {
  const prompt = createPrompt(terminal)
  const name = given.name ?? (await prompt.text(`Name of the app (Enter: ${defaults.name})`))
  if (name === CANCELLED) return CANCELLED
  const kinds = [
    { value: 'mcp', label: 'tools over MCP and HTTP' },
    { value: 'chat', label: 'the same, and a chat route of the AI SDK' },
  ] as const
  const kind = given.kind ?? (await prompt.choose<AppKind>('What is it?', kinds))
  return kind === CANCELLED ? CANCELLED : { name: name.trim() || defaults.name, kind }
}

function readKind(word: string | undefined): AppKind | undefined {
  const kind = APP_KINDS.find((known) => known === word)
  if (word !== undefined && kind === undefined)
    throw new UsageError(`There is no kind "${word}". Nothing was written.`, USAGES.init.usage)
  return kind
}
