import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyHome, type RunOptions, run } from './fixtures/run.ts'

const MAIN = new URL('./fixtures/main.ts', import.meta.url).pathname
const home = emptyHome()
const programs = emptyHome()

/** Runs a script in a real bash that knows the command. */
function bash(script: string): readonly string[] {
  const env = {
    ...process.env,
    PATH: `${programs}:${process.env.PATH}`,
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
  }
  const said = execFileSync('bash', ['--norc', '-c', script], { env }).toString()
  return said.split('\n').filter((line) => line !== '')
}

/** Completes a line as the key would. */
function complete(...words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  return bash(`
    source '${join(home, 'completion.bash')}'
    COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}
    _surehand
    printf '%s\\n' "\${COMPREPLY[@]}"`)
}

beforeAll(async () => {
  const program = join(programs, 'surehand')
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${MAIN}' "$@"\n`,
  )
  chmodSync(program, 0o755)
  writeFileSync(join(home, 'completion.bash'), (await run(['completion', 'bash'])).out)
})

describe('bash completes', () => {
  test('once it has read the script, as the help says', () => {
    expect(bash('source <(surehand completion bash); complete -p surehand')).toEqual([
      'complete -o default -F _surehand surehand',
    ])
  })

  test('commands', () => {
    expect(complete('surehand', 'a')).toEqual(['approvals', 'audit'])
    expect(complete('surehand', 'approvals', 'd')).toEqual(['deny', 'delegate'])
    expect(complete('surehand', 'q')).toEqual(['questions'])
    expect(complete('surehand', 'questions', 'a')).toEqual(['answer'])
    expect(complete('surehand', 'questions', 'answer', 'ques_01', '--a')).toEqual([
      '--as',
      '--answer',
    ])
    expect(complete('surehand', 'jobs', 'wa')).toEqual(['watch', 'wait'])
  })

  test('tools, their flags, and the values of an enum', () => {
    expect(complete('surehand', 'call', 'mail.')).toEqual([
      'mail.bulk',
      'mail.final',
      'mail.letter',
    ])
    expect(complete('surehand', 'call', 'shop.search', '--s')).toEqual(['--sort'])
    expect(complete('surehand', 'call', 'shop.search', '--field.')).toEqual(['--field.data'])
    expect(complete('surehand', 'call', 'shop.search', '--sort', '')).toEqual([
      'price',
      'name',
      'newest',
    ])
    expect(complete('surehand', 'call', 'shop.search', '--sort', 'n')).toEqual(['name', 'newest'])
    expect(complete('surehand', 'call', 'shop.search', '--sort', '=', 'n')).toEqual([
      'name',
      'newest',
    ])
  })

  test('no flag for a secret', () => {
    expect(complete('surehand', 'call', 'door.unlock', '--c')).not.toContain('--code')
  })

  test('nothing, and says nothing, where a line makes no sense', () => {
    expect(complete('surehand', 'nonsense', '')).toEqual([])
    expect(complete('surehand', 'call', 'no.tool', '--sort', 'n')).toEqual([])
  })

  test('what is offered is text to bash and never run', async () => {
    const { out } = await run(['completion', 'bash'])
    const hostile = "printf '%s\\n' 'a b' '$(touch pwned)' '`id`'"
    const script = `${out.replace(/surehand __complete[^)]*/, hostile)}\nCOMP_WORDS=(surehand ''); COMP_CWORD=1; _surehand; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(execFileSync('bash', ['--norc', '-c', script]).toString()).toBe(
      'a\\ b\n\\$\\(touch\\ pwned\\)\n\\`id\\`\n',
    )
  })
})

describe('the other shells', () => {
  test.each(['zsh', 'fish'] as const)('%s', async (shell) => {
    const { out } = await run(['completion', shell])
    expect(out).toContain(`surehand __complete ${shell} -- `)
    // where the shell is installed it reads the script; elsewhere at least its brackets and quotes
    // close
    const there = spawnSync(shell, ['-n'], { input: out })
    if (there.error === undefined)
      expect({ status: there.status, err: there.stderr.toString() }).toEqual({ status: 0, err: '' })
    else expect(countUnclosed(out)).toEqual([])
  })

  test('completions are described, after a tab', async () => {
    const { out } = await run(['__complete', 'fish', '--', 'call', 'shop.'])
    expect(out).toBe('shop.search\tSearch the shop\n')
    expect((await run(['__complete', 'zsh', '--', 'call', 'shop.search', '--que'])).out).toBe(
      '--query\twhat to look for\n',
    )
  })

  test('an app that cannot be opened completes nothing, quickly and quietly', async () => {
    const openLocal = async () => {
      throw new Error('no app')
    }
    expect(await run(['__complete', 'fish', '--', 'call', ''], { openLocal })).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })

  test('a server that does not answer is not waited for', async () => {
    const fetch: RunOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      )
    expect(
      await run(['__complete', 'fish', '--', 'call', ''], {
        env: { HOME: emptyHome(), SUREHAND_URL: 'https://a.example' },
        fetch,
      }),
    ).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  })

  test('tools are kept for a while, so that a key press does not open the app each time', async () => {
    const env = { HOME: emptyHome() }
    const { createTestApp } = await import('./fixtures/test-app.ts')
    let opened = 0
    const openLocal = async () => {
      opened++
      return createTestApp().local
    }
    const first = await run(['__complete', 'fish', '--', 'call', 'mail.'], { env, openLocal })
    expect(await run(['__complete', 'fish', '--', 'call', 'mail.'], { env, openLocal })).toEqual(
      first,
    )
    expect(opened).toBe(1)
    await run(['__complete', 'fish', '--', '--as', 'bob', 'call', 'mail.'], { env, openLocal })
    expect(opened).toBe(2)
  })
})

/** Brackets and quotes of a shell script that are opened and not closed, comments left out. */
function countUnclosed(script: string): readonly string[] {
  const pairs: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' }
  const open: string[] = []
  for (const line of script.split('\n').filter((text) => !text.startsWith('#'))) {
    for (const character of line.replaceAll(/\\./g, '').replaceAll(/\$?'[^']*'/g, '')) {
      if ('({['.includes(character)) open.push(character)
      else if (pairs[character] !== undefined && open.pop() !== pairs[character])
        return [`${character} in ${line}`]
      else if (character === '"' && open.at(-1) === '"') open.pop()
      else if (character === '"') open.push(character)
    }
  }
  return open
}
