import { describe, expect, test } from 'vitest'
import { readClientConfig } from './client-config.ts'
import { replaceServers, restoreServers } from './edit-client-config.ts'
import { expandVariables } from './expand-variables.ts'
import { projectOf } from './known-clients.ts'

const stdio = { kind: 'stdio', args: [], env: {}, tools: {} }
const servers = (file: string, text: string) => readClientConfig(text, file).servers

describe("a client's servers are read", () => {
  test('from the form of desktop assistants and most agents', () => {
    const text = JSON.stringify({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'files'], env: { KEY: 'x', PORT: 1 } },
        docs: { type: 'http', url: 'https://docs.example/mcp', headers: { Authorization: 'b' } },
        far: { serverUrl: 'https://far.example/mcp' },
        old: { type: 'sse', url: 'https://old.example/sse' },
        off: { command: 'x', disabled: true },
        surehand: { command: 'surehand' },
        trimmed: { httpUrl: 'https://g.example/mcp', includeTools: ['a'], excludeTools: ['b'] },
      },
    })
    expect(servers('claude_desktop_config.json', text)).toMatchObject([
      { ...stdio, name: 'files', command: 'npx', args: ['-y', 'files'], env: { PORT: '1' } },
      { name: 'docs', kind: 'http', headers: { Authorization: 'b' } },
      { name: 'far', kind: 'http', url: 'https://far.example/mcp' },
      { name: 'old', kind: 'left', reason: expect.stringContaining('"sse"') },
      { name: 'off', kind: 'left', reason: 'it is switched off in this file' },
      { name: 'trimmed', tools: { only: ['a'], without: ['b'] } },
    ])
  })

  test('from VS Code, with what it asks a person for', () => {
    const text = `{
      // the key is asked for
      "inputs": [{ "id": "key", "type": "promptString", "password": true }],
      "servers": { "web": { "type": "stdio", "command": "web", "env": { "KEY": "\${input:key}" } } },
    }`
    const config = readClientConfig(text, 'mcp.json')
    expect(config).toMatchObject({ style: 'vscode', path: ['servers'], format: 'json' })
    expect([...config.inputs]).toEqual([['key', 'secret']])
    const nested = JSON.stringify({ mcp: { servers: { web: { command: 'web' } } } })
    expect(readClientConfig(nested, 'settings.json').path).toEqual(['mcp', 'servers'])
  })

  test('from Zed, in its newer and its older form, and from opencode', () => {
    const zed = {
      new: { source: 'custom', command: 'a', args: ['b'], env: { C: 'd' } },
      older: { command: { path: 'a', args: ['b'], env: { C: 'd' } } },
      extension: { settings: {} },
    }
    const same = { ...stdio, command: 'a', args: ['b'], env: { C: 'd' } }
    expect(servers('settings.json', JSON.stringify({ context_servers: zed }))).toMatchObject([
      { ...same, name: 'new' },
      { ...same, name: 'older' },
      { kind: 'left', reason: expect.stringContaining('extension') },
    ])
    const opencode = {
      web: { type: 'local', command: ['npx', 'web'], environment: { KEY: '{env:WEB_KEY}' } },
      far: { type: 'remote', url: 'https://far.example', enabled: false },
    }
    expect(servers('opencode.json', JSON.stringify({ mcp: opencode }))).toMatchObject([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what the client would fill in
      { ...stdio, command: 'npx', args: ['web'], env: { KEY: '${env:WEB_KEY}' } },
      { kind: 'left' },
    ])
  })

  test('from the TOML of Codex', () => {
    const text = [
      'model = "m" # kept',
      '[mcp_servers.web]',
      'command = "npx"',
      'args = ["-y", "web"]',
      'env_vars = ["HOME_PAGE", { name = "REMOTE", source = "remote" }]',
      'enabled_tools = ["search"]',
      '[mcp_servers.web.env]',
      'KEY = "value"',
      '[mcp_servers.far]',
      'url = "https://far.example/mcp"',
      'bearer_token_env_var = "FAR_TOKEN"',
      'env_http_headers = { "X-Team" = "TEAM" }',
    ].join('\n')
    expect(servers('config.toml', text)).toMatchObject([
      {
        ...stdio,
        command: 'npx',
        args: ['-y', 'web'],
        env: { KEY: 'value', HOME_PAGE: '${' + 'env:HOME_PAGE}', REMOTE: '${' + 'env:REMOTE}' },
        tools: { only: ['search'] },
      },
      {
        kind: 'http',
        headers: { Authorization: 'Bearer ${' + 'env:FAR_TOKEN}', 'X-Team': '${' + 'env:TEAM}' },
      },
    ])
  })

  test.each([
    ['notes.json', '{ "a": ', 'is not a JSON object'],
    ['notes.toml', 'a = ', 'is not TOML'],
    ['notes.json', '{ "a": 1 }', 'lists no MCP servers'],
  ])('and what is none is said: %s %s', (file, text, message) => {
    expect(() => readClientConfig(text, file)).toThrow(message)
  })
})

const surehand = { command: '/node', args: ['/surehand', 'mcp'] }
const edit = (file: string, text: string, names: readonly string[]) =>
  replaceServers(text, readClientConfig(text, file), { names, surehand })

const JSONC = `{
	// my settings
	"theme": "dark", /* do not touch */
	"mcpServers": {
		// the files
		"files": { "command": "files" }, // on this machine
		// stays
		"off": { "command": "off", "disabled": true }, // for later
		// the web
		"web": {
			"command": "web"
		} // last
	},
}
`

describe('an edit keeps everything else', () => {
  test('of JSON with comments', () => {
    expect(edit('a.json', JSONC, ['files', 'web'])).toBe(`{
	// my settings
	"theme": "dark", /* do not touch */
	"mcpServers": {
		// the files
		"surehand": {
			"command": "/node",
			"args": [
				"/surehand",
				"mcp"
			]
		}, // on this machine
		// stays
		"off": { "command": "off", "disabled": true } // for later
		// the web
		 // last
	},
}
`)
  })

  test.each([
    ['on one line', '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"command":"c"}}}'],
    [
      'with a trailing comma',
      '{ "mcpServers": {\r\n  "a": { "command": "a" },\r\n  "b": { "command": "b" },\r\n } }',
    ],
  ])('of JSON %s', (_, text) => {
    for (const names of [['a'], ['b'], ['b', 'a']]) {
      const read = readClientConfig(edit('a.json', text, names), 'a.json')
      expect(read.servers.map(({ name }) => name)).toEqual(
        servers('a.json', text)
          .map(({ name }) => name)
          .filter((name) => !names.includes(name)),
      )
    }
  })

  test('of TOML', () => {
    const text = `# my settings
model = "m" # best

# the web
[mcp_servers.web]
command = "web" # npx
[mcp_servers.web.env]
KEY = "value"

# stays
[mcp_servers.off]
command = "off"
enabled = false

[tui]
theme = "dark"
`
    expect(edit('config.toml', text, ['web'])).toBe(`# my settings
model = "m" # best

# the web
 # npx

# stays
[mcp_servers.off]
command = "off"
enabled = false

[tui]
theme = "dark"

[mcp_servers.surehand]
command = "/node"
args = ["/surehand", "mcp"]
`)
  })

  test('and a form that cannot be edited alone is refused', () => {
    const text = 'mcp_servers = { web = { command = "web" } }\n'
    expect(() => edit('config.toml', text, ['web'])).toThrow('cannot be edited safely')
  })
})

describe('servers are put back', () => {
  test.each([
    ['a.json', JSONC, '"theme": "dark"', '"theme": "light"'],
    [
      'config.toml',
      'model = "m"\n[mcp_servers.files]\ncommand = "files"\n[mcp_servers.web]\ncommand = "web"\n',
      'model = "m"',
      'model = "n" # new',
    ],
  ])('into a file that was edited since: %s', (file, text, before, after) => {
    const place = readClientConfig(text, file)
    const edited = edit(file, text, ['files', 'web']).replace(before, after)
    const restored = restoreServers(edited, text, place, { names: ['files', 'web'], keeps: false })
    expect(restored).toContain(after)
    const byName = (read: string) => new Map(servers(file, read).map((one) => [one.name, one]))
    expect(byName(restored)).toEqual(byName(text))
    expect(restored).not.toContain('surehand')
  })

  test('beside Surehand, where it was there before them', () => {
    const text = '{ "mcpServers": { "surehand": { "command": "s" }, "web": { "command": "web" } } }'
    const place = readClientConfig(text, 'a.json')
    const edited = edit('a.json', text, ['web'])
    expect(servers('a.json', edited)).toEqual([])
    const restored = restoreServers(edited, text, place, { names: ['web'], keeps: true })
    expect(JSON.parse(restored)).toEqual(JSON.parse(text))
  })
})

const scope = {
  environment: { KEY: 'value' },
  home: '/home/ann',
  project: '/projects/app',
  inputs: new Map([['id', 'answer']]),
}

test.each([
  ['plain', { text: 'plain' }],
  ['Bearer ${' + 'KEY}', { text: 'Bearer value' }],
  ['${' + 'env:KEY}/${' + 'OTHER:-else}', { text: 'value/else' }],
  ['$KEY', { text: 'value' }],
  ['costs $5', { text: 'costs $5' }],
  ['${' + 'workspaceFolder}/a', { text: '/projects/app/a' }],
  ['${' + 'userHome}', { text: '/home/ann' }],
  ['${' + 'input:id}', { text: 'answer' }],
  ['${' + 'input:other}', { missing: expect.stringContaining('--input other=VARIABLE') }],
  ['${' + 'env:OTHER}', { missing: expect.stringContaining('OTHER, which is not set') }],
  ['${' + 'command:x.y}', { missing: expect.stringContaining('only its client knows') }],
])('the variables of %s are filled in', (text, expanded) => {
  expect(expandVariables(text, scope)).toEqual(expanded)
})

test.each([
  ['/projects/app/.vscode/mcp.json', '/projects/app'],
  ['/projects/app/.mcp.json', '/projects/app'],
  ['/home/ann/app/.mcp.json', '/home/ann/app'],
  ['/home/ann/app/.vscode/mcp.json', '/home/ann/app'],
  ['/home/ann/.cursor/mcp.json', undefined],
  ['/home/ann/.config/Code/User/mcp.json', undefined],
  ['/home/ann/claude_desktop_config.json', undefined],
])('%s belongs to the project %s', (file, project) => {
  expect(projectOf(file, '/home/ann')).toBe(project)
})
